import { describe, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Bookmark, Unreadable } from "../../../src/domain/Bookmark.ts"
import type { Format } from "../../../src/transfer/Format.ts"
import { formats } from "../../../src/transfer/Formats.ts"
import { genericJson } from "../../../src/transfer/formats/GenericJson.ts"
import { kindle } from "../../../src/transfer/formats/Kindle.ts"
import { omnivore } from "../../../src/transfer/formats/ReadLater.ts"
import { readeck, wallabag } from "../../../src/transfer/formats/SelfHosted.ts"
import { telegram } from "../../../src/transfer/formats/Telegram.ts"
import { DATA, describeData } from "../../support/data.ts"
import { rowsOf } from "../../support/rows.ts"
import { bookmark, bookmarksIn, failure, fileOf, jsonFile, read, realFile } from "../support/files.ts"

/** What a format reads in a file, which is a real one at `path`, or this text or JSON. */
interface Row {
  readonly format: Format["name"]
  readonly shows: string
  readonly path?: string
  readonly name?: string
  readonly text?: string
  readonly json?: unknown
  readonly recognized?: false
  readonly bookmarks?: ReadonlyArray<Parameters<typeof bookmark>[0]>
  readonly unreadable?: ReadonlyArray<Unreadable>
  /** The sentence that rejects the file. */
  readonly refused?: string
}

const fileOfRow = ({ json, name, path, text }: Row) => {
  if (path !== undefined) return realFile(path)
  return text === undefined ? jsonFile(json) : fileOf(text, name)
}

for (const row of rowsOf<Row>(import.meta, "Formats")) {
  const { bookmarks, format: name, path, recognized = true, refused, shows, unreadable = [] } = row
  const isThere = path === undefined || existsSync(join(DATA, "bookmarks", path))
  test.skipIf(!isThere)(`${name}: ${shows}`, async () => {
    const file = fileOfRow(row)
    const [format] = formats.filter((one) => one.name === name)
    if (format === undefined) throw new Error(`There is no format ${name}.`)
    expect(format.recognizes(file)).toBe(recognized)
    if (refused !== undefined) expect((await failure(format, file))?.message).toBe(refused)
    if (bookmarks !== undefined)
      expect(await read(format, file)).toEqual({ bookmarks: bookmarks.map(bookmark), unreadable })
  })
}

describe("A file beside an export", () => {
  test("has the text of a page of Readeck", async () => {
    const info = {
      UID: "abc",
      URL: "https://a.example/",
      IsMarked: false,
      Files: { article: { name: "page.html" } }
    }
    const companion = (path: string) => (path === "container/page.html" ? "<p>One</p><p>Two</p>" : undefined)
    expect((await read(readeck, { ...jsonFile(info), companion })).bookmarks).toMatchObject([
      { text: "One\nTwo" }
    ])
  })

  test("has the text or the highlights of a page of Omnivore", async () => {
    const files: Readonly<Record<string, string>> = {
      "content/a-page-1.html": "<html><head><title>A</title></head><body><p>One</p><p>Two</p></body></html>",
      "highlights/a-page-1.md": "> marked\n"
    }
    const file = jsonFile([
      { url: "https://a.example/", slug: "a-page-1", savedAt: "2024-01-02T03:04:05Z", labels: [] },
      { url: "https://b.example/", slug: "none", savedAt: null, labels: null }
    ])
    expect(await bookmarksIn(omnivore, { ...file, companion: (path) => files[path] })).toEqual([
      bookmark({
        place: 1,
        url: "https://a.example/",
        highlights: [{ quote: "marked", note: "", colour: "yellow", createdAt: null }],
        createdAt: "2024-01-02T03:04:05.000Z",
        text: "One\nTwo"
      }),
      bookmark({ place: 2, url: "https://b.example/" })
    ])
  })
})

describe("Long input", () => {
  test("takes linear time where a line of Kindle looks like the beginning of many", async () => {
    const separator = "=========="
    const long = `${"(".repeat(300_000)}\n- ${" ".repeat(300_000)}x\n\nwords\n${separator}\n`
    const file = fileOf(`A (B)\n- Your Highlight | Added on ?\n\nwords\n${separator}\n${long}`)
    expect(await bookmarksIn(kindle, file)).toHaveLength(1)
  })

  test("takes linear time where a message of Telegram has long runs of punctuation", async () => {
    const text = `https://a.example/ ${".".repeat(200_000)}x ${"( ".repeat(100_000)} ${", ".repeat(100_000)}z`
    const messages = [{ id: 1, type: "message", date: "2024-01-02T10:00:00", text }]
    const file = jsonFile({ type: "personal_chat", id: 1, messages })
    expect(await bookmarksIn(telegram, file)).toHaveLength(1)
  })

  test("does not overflow where groups of JSON are nested deeply, and their path is cut", async () => {
    let json: unknown = { title: "bottom", items: [{ url: "https://a.example/" }] }
    for (let depth = 0; depth < 5_000; depth++) json = { title: `f${depth}`, items: [json] }
    const [link] = await bookmarksIn(genericJson, { ...fileOf(""), json: [json] })
    expect([link?.url, link?.folders.length]).toEqual(["https://a.example/", 64])
  })
})

/** The bookmarks without the text of their pages. */
const withoutText = (bookmarks: ReadonlyArray<Bookmark>) => bookmarks.map((one) => ({ ...one, text: "" }))

describeData("bookmarks", "real wallabag exports", () => {
  test("are read from version 1", async () =>
    expect(withoutText(await bookmarksIn(wallabag, realFile("json/wallabag-v1.json")))).toEqual([
      bookmark({
        place: 1,
        url: "http://www.framablog.org/index.php/post/2014/02/05/Framabag-service-libre-gratuit-interview-developpeur",
        title: "Framabag, un nouveau service libre et gratuit",
        tags: ["Framabag"],
        state: "unread"
      }),
      bookmark({
        place: 2,
        url: "https://github.com/wallabag/wallabag",
        title: "wallabag/wallabag",
        state: "archived"
      })
    ]))
  test("are read from version 2", async () =>
    expect(withoutText(await bookmarksIn(wallabag, realFile("json/wallabag-v2-read.json")))).toEqual([
      bookmark({
        place: 1,
        url: "https://blog.wikimedia.org/2016/02/10/anne-frank-diary-removal/",
        title:
          "Wikimedia Foundation removes The Diary of Anne Frank due to copyright law requirements « Wikimedia blog",
        createdAt: "2016-09-08T09:55:58.000Z",
        state: "archived"
      }),
      bookmark({
        place: 2,
        url: "https://tails.boum.org/news/version_2.0.1/index.en.html",
        title: "Tails - Tails 2.0.1 is out",
        createdAt: "2016-09-08T09:55:58.000Z",
        state: "unread"
      })
    ]))
  test("are read with the text of the pages", async () => {
    const [page] = await bookmarksIn(wallabag, realFile("json/wallabag-v2-read.json"))
    expect(page?.text).toStartWith(
      "Anne Frank in 1940. Photo by Collectie Anne Frank Stichting Amsterdam, public domain.\nToday, in an unfortunate example"
    )
    expect(page?.text).not.toMatch(/[<>]|&amp;/)
  })
})

describeData("bookmarks", "a real Omnivore export", () => {
  test("is read whole", async () => {
    const bookmarks = await bookmarksIn(omnivore, realFile("json/omnivore.json"))
    expect(bookmarks).toHaveLength(20)
    expect(bookmarks.flatMap(({ state }, index) => (state === "archived" ? [index] : []))).toHaveLength(1)
    expect(bookmarks[2]).toEqual(
      bookmark({
        place: 3,
        url: "https://www.lemonde.fr/societe/article/2024/10/29/montpellier-enquete-ouverte-apres-la-mort-d-une-jeune-femme-des-suites-d-une-meningite-malgre-des-appels-au-samu-et-aux-pompiers_6365359_3224.html",
        title:
          "Montpellier\u00a0: enquête ouverte après la mort d’une jeune femme des suites d’une méningite, malgré des appels au SAMU et aux pompiers",
        description:
          "Malgré deux appels aux secours, l’un au 15 et l’autre au 18, ce sont deux amis qui ont conduit la femme de 25\u00a0ans à une clinique montpelliéraine, avant qu’elle ne soit transférée au CHU et ne meure.",
        tags: ["RSS", "TEST"],
        createdAt: "2024-10-29T16:09:19.000Z",
        state: "unread"
      })
    )
  })
})
