import { describe, expect, test } from "bun:test"
import { pageKeys } from "../../src/organize/PageKeys.ts"

const same: ReadonlyArray<readonly [why: string, one: string, other: string]> = [
  ["the scheme", "http://example.com/a", "https://example.com/a"],
  ["a www", "https://www.example.com/a", "https://example.com/a"],
  ["a mobile host", "https://m.example.com/a", "https://www.example.com/a"],
  ["another mobile host", "https://mobile.example.com/a", "https://example.com/a"],
  ["a mobile host inside", "https://en.m.wikipedia.org/wiki/Bee", "https://en.wikipedia.org/wiki/Bee"],
  ["an AMP host", "https://amp.example.com/a", "https://example.com/a"],
  ["an AMP end", "https://example.com/news/a/amp/", "https://example.com/news/a"],
  ["an AMP ending", "https://example.com/news/a.amp.html", "https://example.com/news/a"],
  ["an AMP beginning", "https://example.com/amp/news/a", "https://example.com/news/a"],
  ["an AMP parameter", "https://example.com/a?amp=1&id=2", "https://example.com/a?id=2"],
  ["a bare AMP parameter", "https://example.com/a?amp", "https://example.com/a"],
  ["Google's AMP", "https://www.google.com/amp/s/www.example.com/a.amp?id=2", "https://example.com/a?id=2"],
  ["the AMP cache", "https://example-com.cdn.ampproject.org/c/s/example.com/a", "https://example.com/a"],
  ["an index", "https://example.com/docs/index.html", "https://example.com/docs/"],
  ["the root's index", "https://example.com/index.php", "https://example.com"],
  ["a slash at the end", "https://example.com/a/", "https://example.com/a"],
  ["default ports", "http://example.com:80/a", "https://example.com:443/a"],
  ["tracking", "https://example.com/a?utm_source=x", "https://example.com/a"],
  ["the order of parameters", "https://example.com/?a=1&b=2", "https://example.com/?b=2&a=1"],
  [
    "a video's short address",
    "https://youtu.be/dQw4w9WgXcQ?t=42",
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ"
  ],
  ["a site's old name", "https://mobile.twitter.com/a/status/1", "https://x.com/a/status/1"],
  ["a repository's case", "https://github.com/Owner/Name", "https://github.com/owner/name/"],
  ["what git clones", "https://github.com/owner/name.git", "https://github.com/owner/name#readme"]
]

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
