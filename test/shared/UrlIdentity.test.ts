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
  ["the name of a section", "https://example.org/a#part", "https://example.org/a"],
  [
    "a section with capitals and numbers",
    "https://example.org/a#Part-2-Getting-Started",
    "https://example.org/a"
  ],
  [
    "a section in another script",
    "https://example.org/a#%E7%AC%AC%E4%B8%80%E7%AB%A0",
    "https://example.org/a"
  ],
  [
    "a hash of a commit",
    "https://example.org/a#e3b0c44298fc1c149afbf4c8996fb92427ae41e4",
    "https://example.org/a"
  ],
  ["an empty fragment", "https://example.org/a#", "https://example.org/a"],
  ["a text directive", "https://example.org/a#:~:text=x%2Fy", "https://example.org/a"],
  ["a text directive after a section", "https://example.org/a#part:~:text=x", "https://example.org/a#part"],
  ["a text directive after a route", "https://example.org/#/a:~:text=x", "https://example.org/#/a"],
  ["tracking in the fragment", "https://example.org/a#utm_source=x&xtor=RSS-1", "https://example.org/a"],
  [
    "tracking beside parameters in the fragment",
    "https://example.org/#id=1&utm_source=x",
    "https://example.org/#id=1"
  ],
  ["tracking in a route", "https://example.org/#/a?id=1&utm_source=x", "https://example.org/#/a?id=1"],
  ["a time in a recording", "https://example.org/a#t=1m30s", "https://example.org/a"],
  ["a page of a PDF", "https://example.org/a.pdf#page=3&zoom=auto,-90,500", "https://example.org/a.pdf"],
  ...["L10", "L10-L20", "L10-20", "L3C5-L9C1", "lines-10:20", "line=10,20", "a-file.py-10:20"].map(
    (lines) => [`the lines ${lines}`, `https://example.org/a#${lines}`, "https://example.org/a"] as const
  ),
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
  ...[
    ...[
      "z:AAA",
      "json=a,b",
      "/play/x",
      "code/AAA",
      "inbox/AAA",
      "room=AAA",
      "map=5/1.0/2.0",
      "@1.5,2.5",
      "gid=5"
    ],
    ...["H4sIAAAAAAAAA22QwU7", "p4Kq-3vX_81bZQyLw9TmRg", "caf%C3%A9=1", "%7B%22files%22%3A1%7D"]
  ].map(
    (state) =>
      [`the state #${state}`, `https://example.org/a#${state}`, `https://example.org/a#${state}x`] as const
  ),
  ["a key of a known site", "https://mega.nz/file/a#Key", "https://mega.nz/file/a#Other"],
  ["a mailbox", "https://mail.google.com/mail/u/0/#inbox", "https://mail.google.com/mail/u/0/#sent"],
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
