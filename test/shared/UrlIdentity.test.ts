import { describe, expect, test } from "bun:test"
import { normalizeUrl } from "../../src/shared/UrlIdentity.ts"
import { bytes, describeData, json } from "../support/data.ts"

const normal = (text: string) => {
  const url = URL.parse(text)
  return url === null ? undefined : normalizeUrl(url)
}

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

describeData("urls", "addresses of public lists", () => {
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

  test("meet what a well-known normalizer makes of them where its opinions are ours", () => {
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
