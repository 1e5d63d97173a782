import { describe, expect, test } from "bun:test"
import { FastCheck as fc, Option } from "effect"
import { parseWebUrl } from "../../src/domain/WebUrl.ts"
import { trimmedAddress } from "../../src/shared/GivenAddress.ts"
import { normalizeUrl } from "../../src/shared/UrlIdentity.ts"
import { cpuTime } from "../support/cpuTime.ts"
import { describeData, json } from "../support/data.ts"
import { always, strangeText } from "../support/strange.ts"

/** Parts of addresses, equivalent and invalid ones included. */
const part = fc.oneof(
  fc.constantFrom(
    ..."% %% %3 %34 %2f %2E %5F %ff %00 %0a / // . .. ? & = + # #! #/ @ : \\ ; , ' [ ] | ^ ` { }".split(" "),
    ..."utm_source utm%5Fx fbclid UTM_A si ref id q ü 🦜 ß xn-- ﬁ 。 ．".split(" ")
  ),
  strangeText(2),
  fc.webPath(),
  fc.webQueryParameters()
)
const host = fc.oneof(
  fc.domain(),
  fc.ipV4(),
  fc.ipV6().map((address) => `[${address}]`),
  fc.constantFrom(
    "BÜCHER.example.",
    "straße.de",
    "例え.テスト",
    "שלום.example",
    "0x7f.1",
    "127.1",
    "a..b",
    "１.2.3.4"
  )
)
const address = fc
  .tuple(
    fc.constantFrom(
      "https://",
      "http://",
      "HTTPS://",
      "https:/",
      "https:",
      "//",
      "",
      "javascript:",
      "ftp://"
    ),
    fc.oneof({ weight: 5, arbitrary: host }, { weight: 1, arbitrary: strangeText(3) }),
    fc.constantFrom("", ":443", ":80", ":8443", ":0", ":65536", ":"),
    fc.array(part, { maxLength: 8 })
  )
  .map(
    ([scheme, name, port, rest]) => `${scheme}${name}${port}${rest.length === 0 ? "" : `/${rest.join("")}`}`
  )

describe("a random address", () => {
  always(
    "is parsed like the platform's web addresses or rejected",
    fc.oneof(address, strangeText()),
    (text) => {
      const url = Option.getOrUndefined(parseWebUrl(text))
      if (url === undefined) return
      expect(url.protocol).toMatch(/^https?:$/)
      expect(url.hostname).not.toBe("")
      expect(url.href).toMatch(/^https?:\/\/[!-~]+$/)
      expect(url.href).toBe(new URL(trimmedAddress(text)).href)
    },
    2_000
  )

  always(
    "has an idempotent normal form with the same host",
    address,
    (text) => {
      const url = Option.getOrUndefined(parseWebUrl(text))
      if (url === undefined) return
      const form = normalizeUrl(url)
      const again = Option.getOrUndefined(parseWebUrl(form))
      // Percent encoding may exceed the maximum length of an address.
      if (again === undefined) return expect(form.length).toBeGreaterThan(8_192)
      expect(normalizeUrl(again)).toBe(form)
      expect(again.hostname.replace(/\.+$/, "")).toBe(url.hostname.replace(/\.+$/, ""))
      expect(`${again.username}${again.password}`).toBe("")
      expect(again.search).not.toMatch(/(?:^\?|&)(?:utm_|fbclid=)/i)
    },
    2_000
  )

  test("is parsed in bounded time", () => {
    const begun = cpuTime()
    for (const piece of ["%", "%4", "&", "&a", "=", "/", "//", "/.", "/..", "?", "#", "%25", "utm_a&", "."])
      for (const start of ["https://example.org/", "https://example.org/?", "https://example.org/#!"])
        Option.map(parseWebUrl(`${start}${piece.repeat(8_000 / piece.length)}`), normalizeUrl)
    expect(cpuTime() - begun).toBeLessThan(4_000)
  })
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
    test(`rejects ${JSON.stringify(text.slice(0, 40))}`, () =>
      expect(parseWebUrl(text)).toEqual(Option.none()))
})

describeData("urls", "the URLs of the Web Platform Tests", () => {
  interface Case {
    readonly input?: string
    readonly base?: string | null
  }
  const cases = json<ReadonlyArray<string | Case>>("urls/whatwg-urltestdata.json").flatMap((one) =>
    typeof one === "string" ? [] : [one]
  )
  const origin = (url: URL) => url.origin.replace(/\.+(?=:|$)/, "")

  test("have an idempotent normal form with the same origin", () => {
    const wrong: Array<string> = []
    let parsed = 0
    for (const { base, input = "" } of cases) {
      const url = URL.parse(input, base ?? undefined)
      if (url === null || !/^https?:$/.test(url.protocol)) continue
      parsed++
      const form = normalizeUrl(url)
      const again = Option.getOrUndefined(parseWebUrl(form))
      if (again === undefined || normalizeUrl(again) !== form || origin(again) !== origin(url))
        wrong.push(input)
    }
    expect(wrong).toEqual([])
    expect(parsed).toBeGreaterThan(100)
  })

  test("are parsed like the platform parses them", () => {
    for (const { input = "" } of cases)
      for (const url of Option.toArray(parseWebUrl(input)))
        expect<string | undefined>(url.href).toBe(URL.parse(input)?.href)
  })
})
