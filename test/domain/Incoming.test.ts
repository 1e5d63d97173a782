import { describe, expect, test } from "bun:test"
import { Either } from "effect"
import type { Bookmark } from "../../src/domain/Bookmark.ts"
import {
  deduplicate as deduplicateAll,
  type Incoming,
  type Mergeable,
  mergeImported as mergeInto,
  fromBookmark as readBookmark
} from "../../src/domain/Incoming.ts"
import { type Link, LinkId } from "../../src/domain/Link.ts"
import { notLookedAt } from "../../src/domain/LinkCheck.ts"
import { collectWarnings, warningText } from "../../src/shared/ImportWarnings.ts"
import { MAX_NOTE, MAX_PAGE_TEXT } from "../../src/shared/Limits.ts"

const bookmark = (more: Partial<Bookmark> = {}): Bookmark => ({
  place: 7,
  url: "https://example.org/page",
  title: "A page",
  note: "",
  description: "",
  tags: [],
  folders: [],
  createdAt: null,
  favorite: false,
  state: "read",
  text: "",
  highlights: [],
  ...more
})

/** All that was not kept in the tests so far. */
const warnings = collectWarnings()

const fromBookmark = (one: Bookmark) => readBookmark(one, warnings.warn)
const deduplicate = (all: ReadonlyArray<Incoming>) => deduplicateAll(all, warnings.warn)
const mergeImported = (into: Mergeable, from: Incoming, target: Parameters<typeof mergeInto>[2]) =>
  mergeInto(into, from, target, warnings.warn)

const incoming = (more: Partial<Bookmark> = {}): Incoming => Either.getOrThrow(fromBookmark(bookmark(more)))

const link: Link = {
  id: LinkId.make(1),
  url: "https://example.org/page",
  host: "example.org",
  title: "Its title",
  note: "mine",
  summary: "In short.",
  description: "",
  tags: ["one"],
  category: "reading",
  collection: null,
  favorite: false,
  shareable: false,
  inShared: false,
  image: null,
  favicon: null,
  siteName: null,
  author: null,
  publishedAt: null,
  language: null,
  repository: null,
  enrichment: "complete",
  state: "read",
  type: "page",
  facts: {},
  model: null,
  stages: [],
  filedBecause: null,
  kept: false,
  highlights: 0,
  check: notLookedAt,
  createdAt: "2024-01-01T00:00:00.000Z",
  updatedAt: "2024-01-01T00:00:00.000Z"
}

const known = (more: Partial<Link> = {}, hand: Partial<Mergeable> = {}): Mergeable => ({
  link: { ...link, ...more },
  handTags: [],
  tagsByHand: false,
  titleByHand: false,
  summaryByHand: false,
  categoryByHand: false,
  collectionByHand: false,
  ...hand
})

describe("fromBookmark", () => {
  test("normalizes the fields of a bookmark", () => {
    const one = incoming({
      url: " https://Example.org:443/page/?utm_source=x#part ",
      tags: ["C++", "Web Dev", "web-dev", " ", ".private"],
      folders: ["Programming", " C ", ""]
    })
    expect(one.url).toBe("https://Example.org:443/page/?utm_source=x#part")
    expect(one.normalizedUrl).toBe("https://example.org/page")
    expect(one.host).toBe("example.org")
    expect(one.tags).toEqual(["cpp", "web-dev", ".private"])
    expect(one.collection).toBe("Programming / C")
  })

  for (const [url, reason] of [
    ["javascript:alert(1)", "“javascript:alert(1)” is not an http or https address."],
    ["place:sort=8", "“place:sort=8” is not an http or https address."],
    ["  ", "The address is missing."]
  ] as const)
    test(`rejects the address ${JSON.stringify(url)} with its place and a reason`, () => {
      expect(fromBookmark(bookmark({ url }))).toEqual(Either.left({ place: 7, reason }))
    })

  test("rejects an address that is too long with that reason", () =>
    expect(fromBookmark(bookmark({ url: `https://e.org/${"a".repeat(9_000)}` }))).toEqual(
      Either.left({ place: 7, reason: "The address is longer than 8,192 characters." })
    ))

  test("keeps the innermost folders of a long path", () => {
    const folders = Array.from({ length: 30 }, (_, n) => `Folder ${n}`)
    const { collection } = incoming({ folders })
    expect(collection?.length).toBeLessThanOrEqual(100)
    expect(collection?.endsWith("Folder 28 / Folder 29")).toBe(true)
  })

  test("cuts the page's text as that of a page that is read", () => {
    const { text } = incoming({ text: `One.\r\n\u0000${"é".repeat(MAX_PAGE_TEXT)}` })
    expect(text).toHaveLength(MAX_PAGE_TEXT)
    expect(text.startsWith("One.\n éé")).toBe(true)
  })

  test("removes control characters and lone surrogates, and keeps the lines of a note", () => {
    const one = incoming({ title: "a\u0000b\n c\udc00", note: "one\r\ntwo\u0007" })
    expect(one.title).toBe("a b c\ufffd")
    expect(one.note).toBe("one\ntwo")
  })
})

describe("warnings", () => {
  test("tell what is not kept, by kind", () => {
    const { all, warn } = collectWarnings()
    const read = (more: Partial<Bookmark>) => Either.getOrThrow(readBookmark(bookmark(more), warn))
    const url = "https://example.org/page"
    const one = read({
      title: "t".repeat(400),
      note: "n".repeat(300_000),
      tags: ["!!", "🚀", "🇯🇵", "ok", "w".repeat(50), ...Array.from({ length: 100 }, (_, at) => `tag${at}`)],
      folders: ["f".repeat(200)]
    })
    expect(one.tags.slice(0, 3)).toEqual(["🚀", "🇯🇵", "ok"])
    expect(one.tags.length).toBe(100)
    expect(one.note.length).toBe(MAX_NOTE)
    const [joined] = deduplicateAll([one, read({ note: "more" })], warn)
    expect(joined?.note).toBe(one.note)
    const note = "n".repeat(MAX_NOTE - 4)
    const merged = mergeInto(known({ note }), read({ note: "more" }), noTarget, warn)
    expect(merged?.link.note).toBe(`${note}\nmor`)
    expect(all().map(({ count, kind }) => [kind, count])).toEqual([
      ["title_shortened", 1],
      ["note_shortened", 3],
      ["tag_dropped", 5],
      ["tag_shortened", 1],
      ["folder_shortened", 1]
    ])
    expect(all()[1]?.examples).toEqual([url, url, url])
    expect(warningText({ kind: "tag_dropped", count: 2, examples: ["!!"] })).toMatch(
      /^2 tags were dropped.*: “!!” …\.$/
    )
  })
})

describe("deduplicate", () => {
  test("merges bookmarks of the same page at the place of the first", () => {
    const [first, second, ...more] = deduplicate([
      incoming({ title: "", note: "one", tags: ["a"], createdAt: "2020-01-02T00:00:00.000Z" }),
      incoming({ url: "https://example.org/other" }),
      incoming({
        url: "https://example.org/page#x",
        note: "two",
        tags: ["b", "a"],
        createdAt: "2019-01-02T00:00:00.000Z"
      }),
      incoming({ folders: ["F"], favorite: true })
    ])
    expect(more).toEqual([])
    expect(second?.url).toBe("https://example.org/other")
    expect(first).toMatchObject({
      title: "A page",
      note: "one\ntwo",
      tags: ["a", "b"],
      createdAt: "2019-01-02T00:00:00.000Z",
      collection: "F",
      favorite: true
    })
  })
})

describe("deduplicate, of a page in several folders", () => {
  const inFolders = (...all: ReadonlyArray<ReadonlyArray<string>>) => {
    const [link] = deduplicate(all.map((folders) => incoming({ folders, tags: ["x"] })))
    return { collection: link?.collection, tags: link?.tags }
  }

  test("keeps the first folder as the collection, and the others as tags", () =>
    expect(inFolders(["Work", "Rust"], ["Read Later"], [], ["Home"], ["read later"])).toEqual({
      collection: "Work / Rust",
      tags: ["x", "read-later", "home"]
    }))

  test("makes no tag of a folder that contains the collection", () =>
    expect(inFolders(["Work", "Rust"], ["work"], ["Work", "rust"])).toEqual({
      collection: "Work / Rust",
      tags: ["x"]
    }))

  test("takes the first text, and dates before 1990", () => {
    const [link] = deduplicate([
      incoming({ createdAt: "1991-08-06T00:00:00.000Z" }),
      incoming({ createdAt: "1985-03-15T00:00:00.000Z", text: "The page." }),
      incoming({ text: "Another reading of it." })
    ])
    expect(link).toMatchObject({ createdAt: "1985-03-15T00:00:00.000Z", text: "The page." })
  })
})

/** No collection, and not shared. */
const noTarget = { collection: null, keepShared: false }

describe("mergeImported", () => {
  test("adds note, tags, collection and the earlier date, and loses nothing", () => {
    const folder = { id: 3, name: "Folder" }
    const from = incoming({
      note: "theirs",
      tags: ["two", "one"],
      folders: ["Folder"],
      createdAt: "2020-05-05T00:00:00.000Z",
      favorite: true
    })
    const joined = mergeImported(known(), from, { collection: folder, keepShared: false })
    expect(joined?.link).toEqual({
      ...link,
      note: "mine\ntheirs",
      tags: ["one", "two"],
      collection: folder,
      createdAt: "2020-05-05T00:00:00.000Z",
      favorite: true
    })
    expect(joined?.handTags).toEqual(["two", "one"])
    expect(joined?.collectionByHand).toBe(true)
  })

  test("keeps an existing collection and title", () => {
    const into = known({ collection: { id: 9, name: "Mine" } })
    expect(
      mergeImported(into, incoming({ folders: ["Folder"] }), {
        collection: { id: 3, name: "Folder" },
        keepShared: false
      })
    ).toBeUndefined()
  })

  test("replaces a title that is only the host", () => {
    const joined = mergeImported(known({ title: "example.org" }), incoming(), noTarget)
    expect(joined?.link.title).toBe("A page")
    expect(joined?.titleByHand).toBe(true)
  })

  test("replaces a title that is only made of the address's words", () => {
    const into = known({ url: "https://example.org/how-we-cut-build-times", title: "How we cut build times" })
    expect(mergeImported(into, incoming(), noTarget)?.link.title).toBe("A page")
  })

  test("changes nothing on a second import", () => {
    const from = incoming({ note: "theirs", tags: ["two"], createdAt: "2020-05-05T00:00:00.000Z" })
    const once = mergeImported(known(), from, noTarget)
    expect(once).toBeDefined()
    expect(once && mergeImported(once, from, noTarget)).toBeUndefined()
  })
})
