import { describe, expect, test } from "bun:test"
import { isNavigation, isSameSite } from "../../src/gates/SameSite.ts"

const cases: ReadonlyArray<readonly [admitted: boolean, why: string, headers: Record<string, string>]> = [
  [true, "no browser's headers", { host: "links.example" }],
  [true, "the service's own page", { "sec-fetch-site": "same-origin" }],
  [true, "the person's own doing", { "sec-fetch-site": "none" }],
  [false, "another site", { "sec-fetch-site": "cross-site" }],
  [false, "a neighbour under the same domain", { "sec-fetch-site": "same-site" }],
  [false, "an unknown word", { "sec-fetch-site": "same-origin, cross-site" }],
  [false, "no word", { "sec-fetch-site": "" }],
  [
    false,
    "another site that names our origin",
    { "sec-fetch-site": "cross-site", origin: "https://a.example", host: "a.example" }
  ],
  [true, "its own origin", { origin: "https://a.example", host: "a.example" }],
  [true, "its own origin on a port", { origin: "http://127.0.0.1:8787", host: "127.0.0.1:8787" }],
  [
    true,
    "its own origin, the default port written out",
    { origin: "https://a.example", host: "a.example:443" }
  ],
  [true, "its own origin in capitals", { origin: "https://a.example", host: "A.Example" }],
  [false, "another origin", { origin: "https://b.example", host: "a.example" }],
  [false, "another port", { origin: "http://127.0.0.1:8788", host: "127.0.0.1:8787" }],
  [false, "a longer name", { origin: "https://a.example.evil", host: "a.example" }],
  [false, "a null origin", { origin: "null", host: "a.example" }],
  [false, "an empty origin", { origin: "", host: "a.example" }],
  [false, "an extension's origin", { origin: "chrome-extension://a.example", host: "a.example" }],
  [false, "an origin, and no host to compare", { origin: "https://a.example" }]
]

describe("isSameSite", () => {
  for (const [admitted, why, headers] of cases)
    test(`${admitted ? "admits" : "refuses"} ${why}`, () => expect(isSameSite(headers)).toBe(admitted))
})

describe("isNavigation", () => {
  const navigate = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" }
  for (const [method, headers, is] of [
    ["GET", navigate, true],
    ["HEAD", navigate, true],
    ["GET", { ...navigate, "sec-fetch-dest": "empty" }, true],
    ["POST", navigate, false],
    ["GET", { ...navigate, "sec-fetch-dest": "iframe" }, false],
    ["GET", { ...navigate, "sec-fetch-dest": "frame" }, false],
    ["GET", { ...navigate, "sec-fetch-dest": "object" }, false],
    ["GET", { ...navigate, "sec-fetch-dest": "embed" }, false],
    ["GET", { ...navigate, "sec-fetch-dest": "fencedframe" }, false],
    ["GET", { "sec-fetch-mode": "navigate" }, false],
    ["GET", { ...navigate, "sec-fetch-mode": "no-cors" }, false],
    ["GET", { ...navigate, "sec-fetch-mode": "cors" }, false],
    ["GET", { ...navigate, "sec-fetch-mode": "navigate, cors" }, false],
    ["GET", {}, false]
  ] as const)
    test(`is ${is} for ${method} with ${JSON.stringify(headers)}`, () =>
      expect(isNavigation({ method, headers })).toBe(is))
})
