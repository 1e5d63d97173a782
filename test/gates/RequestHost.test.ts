import { describe, expect, test } from "bun:test"
import { FastCheck as fc } from "effect"
import { isDirect, isForwarded, isNavigation, isSameSite, parseHost } from "../../src/gates/RequestHost.ts"
import { rowsOf } from "../support/rows.ts"
import { always, strangeText } from "../support/strange.ts"

describe("parseHost", () => {
  for (const [header, name, isAddress] of [
    ["links.example.org", "links.example.org", false],
    ["LINKS.Example.org.:443", "links.example.org", false],
    ["localhost:", "localhost", false],
    ["a_b-1:0", "a_b-1", false],
    ["127.0.0.1:65535", "127.0.0.1", true],
    ["[::1]:8787", "::1", true],
    ["[2001:DB8::1]", "2001:db8::1", true],
    // A name server could resolve these to any address.
    ["127.1", "127.1", false],
    ["0x7f000001", "0x7f000001", false],
    [`${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(61)}`, undefined, false]
  ] as const)
    test(`parses ${header.slice(0, 30)}`, () => {
      expect(parseHost(header)).toEqual({ name: name ?? header, isAddress })
    })

  for (const header of [
    "",
    " ",
    ".",
    ":80",
    "a:65536",
    "a:123456",
    "a:8o",
    "a..b",
    "a/b",
    "a?b",
    "a#b",
    "a\\b",
    "u@a",
    "a, a",
    "a a",
    "a\n",
    "ä",
    "%61",
    "[::1",
    "[]",
    "[1.2.3.4]",
    "[:::]",
    "::1",
    "a".repeat(64),
    "a.".repeat(128),
    `${"a.".repeat(1_000_000)}`
  ])
    test(`rejects ${JSON.stringify(header.slice(0, 30))}`, () => expect(parseHost(header)).toBeUndefined())

  always(
    "accepts nothing that a URL parses as another host",
    fc.oneof(
      strangeText(6),
      fc.stringMatching(/^[a-z0-9.:[\]@/\\%#? _-]{0,20}$/),
      fc.domain(),
      fc.ipV4(),
      fc.ipV6().map((address) => `[${address}]`)
    ),
    (text) => {
      const host = parseHost(text)
      if (host === undefined) return
      const url = URL.parse(`http://${text}/`)
      // Text that only looks like an address is a name here and invalid in a URL, which has fewer forms of IPv6.
      if (url === null) return expect(host.isAddress && !text.startsWith("[")).toBe(false)
      expect([url.username, url.pathname, url.search, url.hash]).toEqual(["", "/", "", ""])
      if (host.isAddress && !text.startsWith("[")) expect(url.hostname).toBe(host.name)
    }
  )
})

describe("isForwarded", () => {
  test("is true for headers that proxies add", () => {
    for (const name of "forwarded via x-forwarded-for x-real-ip cf-ray true-client-ip cdn-loop".split(" "))
      expect([name, isForwarded({ host: "localhost", [name]: "" })]).toEqual([name, true])
  })
  test("is false for headers that browsers send", () => {
    const sent =
      "host connection cache-control sec-ch-ua sec-ch-ua-mobile sec-ch-ua-platform upgrade-insecure-requests user-agent accept " +
      "sec-fetch-site sec-fetch-mode sec-fetch-user sec-fetch-dest sec-fetch-storage-access sec-purpose accept-encoding " +
      "accept-language cookie priority dnt sec-gpc te pragma origin referer content-type content-length range if-range " +
      "if-none-match if-modified-since last-event-id service-worker x-requested-with idempotency-key authorization"
    expect(isForwarded(Object.fromEntries(sent.split(" ").map((name) => [name, "x"])))).toBe(false)
  })
})

describe("isDirect", () => {
  for (const [host, direct] of [
    ["localhost", true],
    ["LOCALHOST.:8787", true],
    ["127.8.9.10", true],
    ["[::1]", true],
    ["[::ffff:127.0.0.1]", true],
    ["localhost.evil.example", false],
    ["127.0.0.1.nip.io", false],
    ["evil.localhost", false],
    ["0.0.0.0", false],
    ["[::]", false],
    ["192.168.0.1", false],
    ["localhost, evil.example", false],
    [undefined, false]
  ] as const)
    test(`is ${direct} for the host ${host}`, () => {
      expect(isDirect({ host })).toBe(direct)
      expect(isDirect({ host, "x-forwarded-for": "127.0.0.1" })).toBe(false)
    })
})

const cases = rowsOf<readonly [admitted: boolean, why: string, headers: Record<string, string>]>(
  import.meta,
  "RequestHost"
)

describe("isSameSite", () => {
  for (const [admitted, why, headers] of cases)
    test(`${admitted ? "admits" : "rejects"} ${why}`, () => expect(isSameSite(headers)).toBe(admitted))
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
