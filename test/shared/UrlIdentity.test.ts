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
  ["tracking parameters", "https://example.org/a?utm_source=x&id=1&fbclid=y", "https://example.org/a?id=1"],
  ["capitals in tracking parameters", "https://example.org/a?UTM_Source=x", "https://example.org/a"],
  ["a final dot of the host", "https://example.org./a", "https://example.org/a"],
  ["the case of escapes", "https://example.org/%c3%a9", "https://example.org/%C3%A9"],
  ["unnecessary escapes", "https://example.org/%7Euser", "https://example.org/~user"],
  ["a host in another script", "https://bücher.example/a", "https://xn--bcher-kva.example/a"],
  ["a share parameter of one site", "https://youtu.be/abc?si=x", "https://youtu.be/abc"],
  ["white space around", "  https://example.org/a\n", "https://example.org/a"],
  ["a user", "https://me:secret@example.org/a", "https://example.org/a"],
  ["an escaped tracking name", "https://example.org/a?utm%5Fsource=x", "https://example.org/a"],
  ["tracking beside invalid UTF-8", "https://example.org/a?utm%5Fx%ff=1", "https://example.org/a"],
  ["several slashes at the end", "https://example.org/a//", "https://example.org/a"],
  ["empty parameters", "https://example.org/a?&x=1&&y=2&", "https://example.org/a?x=1&y=2"]
]

const different: ReadonlyArray<readonly [why: string, one: string, other: string]> = [
  ["the scheme", "http://example.org/a", "https://example.org/a"],
  ["a www", "https://www.example.org/a", "https://example.org/a"],
  ["the path's case", "https://example.org/A", "https://example.org/a"],
  ["the order of parameters", "https://example.org/?a=1&b=2", "https://example.org/?b=2&a=1"],
  ["a hash-bang route", "https://example.org/#!/a", "https://example.org/#!/b"],
  ["a hash route", "https://example.org/#/a", "https://example.org/"],
  ["a parameter that may select the page", "https://example.org/?ref=a", "https://example.org/?ref=b"],
  [
    "a parameter that is tracking on another site only",
    "https://example.org/?si=a",
    "https://example.org/?si=b"
  ],
  ["an escaped slash", "https://example.org/a%2Fb", "https://example.org/a/b"],
  ["a port", "https://example.org:8443/a", "https://example.org/a"],
  ["escapes beside an invalid one", "https://example.org/%%34%31", "https://example.org/%41"],
  ["a slash doubled inside", "https://example.org//a", "https://example.org/a"],
  ["a repeated parameter", "https://example.org/?a=1&a=1", "https://example.org/?a=1"],
  ...["id", "v", "p", "s", "q", "t", "page", "ref", "source", "lang"].map(
    (name) =>
      [`the parameter ${name}`, `https://example.org/?${name}=1`, `https://example.org/?${name}=2`] as const
  )
]

describe("normalizeUrl", () => {
  for (const [why, one, other] of same) test(`ignores ${why}`, () => expect(normal(one)).toBe(normal(other)))
  for (const [why, one, other] of different)
    test(`keeps ${why}`, () => expect(normal(one)).not.toBe(normal(other)))
  test("keeps the spelling of the remaining query", () =>
    expect(normal("https://example.org/?q=a+b%20c&x&y=&utm_id=1")).toBe(
      "https://example.org/?q=a+b%20c&x&y="
    ))
})

describeData("urls", "normalizeUrl on public lists", () => {
  test("removes the tracking parameters of a public registry", () => {
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

  test("agrees with normalize-url on the rules they share", () => {
    const pairs = json<
      ReadonlyArray<{ readonly in: string; readonly options: unknown; readonly out: string }>
    >("urls/normalize-url-pairs.json")
    // Unlike ours, it strips www, sorts parameters and decodes paths.
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
