import { describe, expect, test } from "bun:test"
import { FastCheck as fc, Option } from "effect"
import { normalizeUrl, parseWebUrl } from "../../src/domain/WebUrl.ts"
import { bytes, describeData, json } from "../support/data.ts"
import { always, strangeText } from "../support/strange.ts"

/** Parts of addresses that say the same in many ways, or nothing at all. */
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

describe("an address of anything", () => {
  always(
    "is of the web or none, and read as the platform reads it",
    fc.oneof(address, strangeText()),
    (text) => {
      const url = Option.getOrUndefined(parseWebUrl(text))
      if (url === undefined) return
      expect(url.protocol).toMatch(/^https?:$/)
      expect(url.hostname).not.toBe("")
      expect(url.href).toMatch(/^https?:\/\/[!-~]+$/)
      expect(url.href).toBe(new URL(text.trim()).href)
    },
    2_000
  )

  always(
    "has one normal form, at the same host, which is its own",
    address,
    (text) => {
      const url = Option.getOrUndefined(parseWebUrl(text))
      if (url === undefined) return
      const form = normalizeUrl(url)
      const again = Option.getOrUndefined(parseWebUrl(form))
      // What is percent-encoded may become longer than an address that is read.
      if (again === undefined) return expect(form.length).toBeGreaterThan(8_192)
      expect(normalizeUrl(again)).toBe(form)
      expect(again.hostname.replace(/\.+$/, "")).toBe(url.hostname.replace(/\.+$/, ""))
      expect(`${again.username}${again.password}`).toBe("")
      expect(again.search).not.toMatch(/(?:^\?|&)(?:utm_|fbclid=)/i)
    },
    2_000
  )

  test("takes little time however it is made", () => {
    const begun = performance.now()
    for (const piece of ["%", "%4", "&", "&a", "=", "/", "//", "/.", "/..", "?", "#", "%25", "utm_a&", "."])
      for (const start of ["https://example.org/", "https://example.org/?", "https://example.org/#!"])
        Option.map(parseWebUrl(`${start}${piece.repeat(8_000 / piece.length)}`), normalizeUrl)
    expect(performance.now() - begun).toBeLessThan(2_000)
  })
})

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
  ["white space around", "  https://example.org/a\n", "https://example.org/a"],
  ["a user", "https://me:secret@example.org/a", "https://example.org/a"],
  ["an escaped tracking name", "https://example.org/a?utm%5Fsource=x", "https://example.org/a"],
  ["tracking beside what is no text", "https://example.org/a?utm%5Fx%ff=1", "https://example.org/a"],
  ["several slashes at the end", "https://example.org/a//", "https://example.org/a"],
  ["empty parameters", "https://example.org/a?&x=1&&y=2&", "https://example.org/a?x=1&y=2"]
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
  ["a port", "https://example.org:8443/a", "https://example.org/a"],
  ["escapes beside a broken one", "https://example.org/%%34%31", "https://example.org/%41"],
  ["a slash doubled inside", "https://example.org//a", "https://example.org/a"],
  ["a parameter given twice", "https://example.org/?a=1&a=1", "https://example.org/?a=1"],
  ...["id", "v", "p", "s", "q", "t", "page", "ref", "source", "lang"].map(
    (name) =>
      [`what ${name} says`, `https://example.org/?${name}=1`, `https://example.org/?${name}=2`] as const
  )
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

test("one normal form is the normal form of itself, whatever an address is made of", () => {
  let seed = 1
  const random = (below: number) => {
    seed = (seed * 48271) % 2147483647
    return seed % below
  }
  const parts =
    "% %% %3 %34 %31 %2f %2E %5F %ff / // . .. ? & = utm_ utm fbclid a Z ~ + # #! #/ ü 🦜 ; , ' [ |".split(
      " "
    )
  const wrong: Array<string> = []
  for (let round = 0; round < 20_000; round++) {
    const address = `https://Example.org./${Array.from({ length: 1 + random(12) }, () => parts[random(parts.length)]).join("")}`
    const form = normal(address)
    if (form === undefined || normal(form) !== form) wrong.push(address)
  }
  expect(wrong).toEqual([])
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
  interface Case {
    readonly input?: string
    readonly base?: string | null
  }
  const cases = json<ReadonlyArray<string | Case>>("urls/whatwg-urltestdata.json").flatMap((one) =>
    typeof one === "string" ? [] : [one]
  )
  const origin = (url: URL) => url.origin.replace(/\.+(?=:|$)/, "")

  test("have one normal form that stays as it is, at the same origin", () => {
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

  test("are read without failing, and as the platform reads them where they are read", () => {
    for (const { input = "" } of cases)
      for (const url of Option.toArray(parseWebUrl(input)))
        expect<string | undefined>(url.href).toBe(URL.parse(input)?.href)
  })

  test("say where their readers came from by every name of a public registry", () => {
    const rows = Buffer.from(bytes("urls/lists/tracking-query-params-registry.csv"))
      .toString()
      .trim()
      .split("\n")
    const names = rows.slice(1).flatMap((row) => row.split(",", 1))
    const kept = names.filter(
      (name) => normal(`https://example.org/?${name}=1`) !== normal("https://example.org/")
    )
    expect(kept.toSorted()).toEqual(["campid", "customid", "si", "toolid"])
    expect(normal("https://www.ebay.com/itm/1?campid=1&toolid=2&customid=3")).toBe(
      "https://www.ebay.com/itm/1"
    )
    expect(names.length).toBeGreaterThan(90)
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
