import { describe, expect, test } from "bun:test"
import { Option } from "effect"
import { normalizeUrl, parseWebUrl } from "../../src/domain/WebUrl.ts"
import { describeData, json } from "../support/data.ts"

const normal = (text: string) => Option.getOrUndefined(Option.map(parseWebUrl(text), normalizeUrl))

const same: ReadonlyArray<readonly [why: string, one: string, other: string]> = [
  ["the host's case", "https://EXAMPLE.org/a", "https://example.org/a"],
  ["a default port", "https://example.org:443/a", "https://example.org/a"],
  ["the fragment", "https://example.org/a#part", "https://example.org/a"],
  ["a slash at the end", "https://example.org/a/", "https://example.org/a"],
  ["the root's slash", "https://example.org/", "https://example.org"],
  ["an empty query", "https://example.org/a?", "https://example.org/a"],
  [
    "where a reader came from",
    "https://example.org/a?utm_source=x&id=1&fbclid=y",
    "https://example.org/a?id=1"
  ],
  ["capitals in tracking", "https://example.org/a?UTM_Source=x", "https://example.org/a"],
  ["a final dot of the host", "https://example.org./a", "https://example.org/a"],
  ["the case of escapes", "https://example.org/%c3%a9", "https://example.org/%C3%A9"],
  ["needless escapes", "https://example.org/%7Euser", "https://example.org/~user"],
  ["a host in another script", "https://bücher.example/a", "https://xn--bcher-kva.example/a"],
  ["a share mark of one site", "https://youtu.be/abc?si=x", "https://youtu.be/abc"],
  ["white space around", "  https://example.org/a\n", "https://example.org/a"]
]

const different: ReadonlyArray<readonly [why: string, one: string, other: string]> = [
  ["the scheme", "http://example.org/a", "https://example.org/a"],
  ["a www", "https://www.example.org/a", "https://example.org/a"],
  ["the path's case", "https://example.org/A", "https://example.org/a"],
  ["the order of parameters", "https://example.org/?a=1&b=2", "https://example.org/?b=2&a=1"],
  ["an application's route", "https://example.org/#!/a", "https://example.org/#!/b"],
  ["another route", "https://example.org/#/a", "https://example.org/"],
  ["a parameter that names the page", "https://example.org/?ref=a", "https://example.org/?ref=b"],
  ["a name that is tracking elsewhere", "https://example.org/?si=a", "https://example.org/?si=b"],
  ["an escaped slash", "https://example.org/a%2Fb", "https://example.org/a/b"],
  ["a port", "https://example.org:8443/a", "https://example.org/a"]
]

describe("normalizeUrl", () => {
  for (const [why, one, other] of same)
    test(`takes addresses for one that differ by ${why}`, () => expect(normal(one)).toBe(normal(other)))
  for (const [why, one, other] of different)
    test(`tells addresses apart by ${why}`, () => expect(normal(one)).not.toBe(normal(other)))
  test("keeps what remains of a query as it was written", () =>
    expect(normal("https://example.org/?q=a+b%20c&x&y=&utm_id=1")).toBe(
      "https://example.org/?q=a+b%20c&x&y="
    ))
})

describe("parseWebUrl", () => {
  for (const text of [
    "",
    "//evil",
    "http://",
    "https:///path",
    "http:example.org",
    "ftp://example.org",
    "javascript:alert(1)",
    "java\nscript:alert(1)",
    "\tjava\nscript:alert(1)",
    "https://exa mple.org",
    "https://example.org/a\u0000b",
    "data:text/html,x",
    "file:///etc/passwd",
    "blob:https://example.org/x",
    "not a url",
    `https://example.org/${"a".repeat(9_000)}`
  ])
    test(`refuses ${JSON.stringify(text.slice(0, 40))}`, () =>
      expect(parseWebUrl(text)).toEqual(Option.none()))
})

describeData("urls", "URLs of the Web Platform Tests", () => {
  const cases = json<ReadonlyArray<string | { readonly input?: string }>>("urls/whatwg-urltestdata.json")
  const inputs = cases.flatMap((one) => (typeof one === "string" ? [] : [one.input ?? ""]))

  test("have one normal form that stays as it is, at the same origin", () => {
    const wrong: Array<string> = []
    let parsed = 0
    for (const input of inputs) {
      const url = Option.getOrUndefined(parseWebUrl(input))
      if (url === undefined) continue
      parsed++
      const form = normalizeUrl(url)
      const again = Option.getOrUndefined(parseWebUrl(form))
      const origin = again?.origin.replace(/\.+(?=:|$)/, "")
      if (
        again === undefined ||
        normalizeUrl(again) !== form ||
        origin !== url.origin.replace(/\.+(?=:|$)/, "")
      )
        wrong.push(input)
    }
    expect(wrong).toEqual([])
    expect(parsed).toBeGreaterThan(50)
  })

  test("meet what a well-known normaliser makes of them where its opinions are ours", () => {
    const pairs = json<
      ReadonlyArray<{ readonly in: string; readonly options: unknown; readonly out: string }>
    >("urls/normalize-url-pairs.json")
    // It strips www, sorts parameters, and decodes paths; we do not.
    const ours = pairs.filter(
      (pair) =>
        pair.options === null &&
        /^https?:\/\/(?!.*www\.)[^?#%\\]+$/.test(pair.in) &&
        !/\/\/.*\/\//.test(pair.in)
    )
    const wrong = ours.filter((pair) => normal(pair.in) !== normal(pair.out))
    expect(wrong).toEqual([])
    expect(ours.length).toBeGreaterThan(0)
  })
})
