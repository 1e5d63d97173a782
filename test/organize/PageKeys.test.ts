import { describe, expect, test } from "bun:test"
import { pageKeys } from "../../src/organize/PageKeys.ts"
import { rowsOf } from "../support/rows.ts"

const same = rowsOf<readonly [why: string, one: string, other: string]>(import.meta, "PageKeys")

const different: ReadonlyArray<readonly [why: string, one: string, other: string]> = [
  ["the path", "https://example.com/a", "https://example.com/b"],
  ["the query", "https://example.com/?id=1", "https://example.com/?id=2"],
  ["a route", "https://example.com/#/a", "https://example.com/#/b"],
  ["another port", "https://example.com:8080/a", "https://example.com/a"],
  ["another host", "https://blog.example.com/a", "https://example.com/a"],
  ["another language", "https://de.wikipedia.org/wiki/Bee", "https://en.wikipedia.org/wiki/Bee"],
  ["another repository", "https://github.com/one/name", "https://github.com/two/name"],
  ["a repository called amp", "https://github.com/owner/amp", "https://github.com/owner"],
  ["an article on AMP", "https://en.wikipedia.org/wiki/AMP", "https://en.wikipedia.org/wiki"],
  ["a host that begins with m", "https://m.me/a", "https://me/a"],
  ["the path's case", "https://example.com/A", "https://example.com/a"],
  ["another video", "https://youtu.be/dQw4w9WgXcQ", "https://youtu.be/aaaaaaaaaaa"],
  ["an index with a page's number", "https://example.com/index.php?p=1", "https://example.com/"]
]

const keysOf = (url: string) => pageKeys(url, null, null)

describe("pageKeys are equal for addresses that differ by", () => {
  test.each(same)("%s", (_, one, other) => {
    expect(keysOf(one)).toHaveLength(1)
    expect(keysOf(one)).toEqual(keysOf(other))
  })
})

describe("pageKeys differ for addresses that differ by", () => {
  test.each(different)("%s", (_, one, other) => expect(keysOf(one)).not.toEqual(keysOf(other)))
})

test("pageKeys returns no key for an address outside the web", () => {
  expect(keysOf("mailto:me@example.com")).toEqual([])
  expect(keysOf("no address")).toEqual([])
})

const page = "https://www.example.com/news/a?page=2"
const own = "example.com/news/a?page=2"

const canonical: ReadonlyArray<readonly [why: string, canonical: string, key: string | undefined]> = [
  ["another of its site", "https://example.com/news/a", "example.com/news/a"],
  ["one on another host of its site", "https://news.example.com/a", "news.example.com/a"],
  ["itself", "http://example.com/news/a?page=2", undefined],
  ["the front page", "https://example.com/", undefined],
  ["another site", "https://elsewhere.org/news/a", undefined],
  ["no address", "/news/a", undefined]
]
test.each(canonical)("pageKeys handles as canonical address %s", (_, address, key) =>
  expect(pageKeys(page, address, null)).toEqual(key === undefined ? [own] : [own, key])
)

test("pageKeys separates sites below one public suffix", () => {
  expect(pageKeys("https://a.co.uk/x", "https://b.co.uk/y", null)).toEqual(["a.co.uk/x"])
  expect(pageKeys("https://a.github.io/x", "https://b.github.io/y", null)).toEqual(["a.github.io/x"])
})

const final: ReadonlyArray<readonly [why: string, final: string, key: string | undefined]> = [
  ["elsewhere", "https://elsewhere.org/a", "elsewhere.org/a"],
  ["a front page", "https://elsewhere.org/", undefined],
  ["a log-in", "https://example.com/login?next=/a", undefined],
  ["a log-in's host", "https://accounts.example.org/v3/begin", undefined],
  ["a consent", "https://consent.example.org/m?continue=a", undefined],
  ["a wall", "https://www.example.com/authwall?to=a", undefined],
  ["an error", "https://example.com/404.html", undefined]
]
test.each(final)("pageKeys handles as final address %s", (_, address, key) =>
  expect(pageKeys("https://sho.rt/x", null, address)).toEqual([
    "sho.rt/x",
    ...(key === undefined ? [] : [key])
  ])
)

test("pageKeys keeps a front page with a query apart", () => {
  expect(pageKeys("https://example.com/?p=12", "https://example.com/", null)).toEqual(["example.com?p=12"])
})
