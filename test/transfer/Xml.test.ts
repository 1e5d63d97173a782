import { describe, expect, test } from "bun:test"
import type { Format } from "../../src/transfer/Format.ts"
import { safari } from "../../src/transfer/formats/Browsers.ts"
import { tinyTinyRss } from "../../src/transfer/formats/FeedReaders.ts"
import { wallabagXml } from "../../src/transfer/formats/SelfHosted.ts"
import { postsXml } from "../../src/transfer/formats/Services.ts"
import { evernote, opml, xbel } from "../../src/transfer/formats/XmlFiles.ts"
import { byTier } from "../support/tier.ts"
import { fileOf, read } from "./support/files.ts"

/** How deep the nested files are: too deep for a reader that calls itself. */
const DEPTH = byTier(30_000, 100_000)

/** Deeply nested files, with a link at the bottom if the format's depth can have one. */
const deep = (start: string, open: string, inner: string, close: string, end: string) =>
  `${start}${open.repeat(DEPTH)}${inner}${close.repeat(DEPTH)}${end}`

const nested: ReadonlyArray<readonly [Format, string]> = [
  [
    opml,
    deep(
      "<opml><body>",
      "<outline text='x'>",
      "<outline xmlUrl='https://a.example/'/>",
      "</outline>",
      "</body></opml>"
    )
  ],
  [
    xbel,
    deep(
      "<xbel>",
      "<folder><title>x</title>",
      "<bookmark href='https://a.example/'/>",
      "</folder>",
      "</xbel>"
    )
  ],
  [
    safari,
    deep(
      "<plist><dict><key>WebBookmarkType</key><string>WebBookmarkTypeLeaf</string></dict>",
      "<dict><key>Children</key><array>",
      "<dict/>",
      "</array></dict>",
      "</plist>"
    )
  ],
  [evernote, deep("<en-export>", "<note>", "<title>x</title>", "</note>", "</en-export>")],
  [postsXml, deep("<posts>", "<post>", "", "</post>", "</posts>")],
  [wallabagXml, deep("<result><entry><id>1</id>", "<entry>", "", "</entry>", "</entry></result>")],
  [tinyTinyRss, deep("<articles schema-version='1'>", "<article>", "", "</article>", "</articles>")]
]

describe("Deeply nested files", () => {
  for (const [format, text] of nested)
    test(`are read as ${format.name}`, async () => {
      const file = fileOf(text)
      expect(format.recognizes(file)).toBe(true)
      const { bookmarks, unreadable } = await read(format, file)
      expect(bookmarks.length + unreadable.length).toBeGreaterThan(0)
    })
})

describe("Files without entries", () => {
  for (const [format, text] of [
    [opml, "<opml><head/><body></body></opml>"],
    [xbel, "<xbel version='1.0'/>"],
    [safari, "<plist><dict><key>WebBookmarkType</key><string>WebBookmarkTypeList</string></dict></plist>"],
    [evernote, "<en-export></en-export>"],
    [postsXml, "<posts user='ann' />"],
    [tinyTinyRss, "<articles schema-version='143'></articles>"]
  ] as const)
    test(`are read as ${format.name}`, async () => {
      expect(format.recognizes(fileOf(text))).toBe(true)
      expect(await read(format, fileOf(text))).toEqual({ bookmarks: [], unreadable: [] })
    })
})
