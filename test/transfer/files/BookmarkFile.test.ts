import { describe, expect, test } from "bun:test"
import { Effect } from "effect"
import type { FileFormat } from "../../../src/domain/Bookmark.ts"
import { formats } from "../../../src/transfer/Formats.ts"
import { readBookmarkFile } from "../../../src/transfer/files/BookmarkFile.ts"
import { sampleFile } from "../support/files.ts"
import { samples } from "../support/samples.ts"

const readBytes = (given: Uint8Array, format?: FileFormat["name"]) =>
  Effect.runPromise(readBookmarkFile("file", given, format))
const readText = (text: string, format?: FileFormat["name"]) =>
  readBytes(new TextEncoder().encode(text), format)

/** The error for a file. */
const refusal = (text: string, format?: FileFormat["name"]) =>
  Effect.runPromise(Effect.flip(readBookmarkFile("file", new TextEncoder().encode(text), format))).then(
    ({ message }) => message
  )

describe("readBookmarkFile", () => {
  const texts: Record<string, FileFormat["name"]> = {
    "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><DT><A HREF=https://a.example>A</A></DL>": "netscape",
    '<title>Pocket Export</title><a href="https://a.example" time_added="1688628695">A</a>': "pocket-html",
    "https://a.example | A\nhttps://b.example | B": "onetab",
    "url,title\nhttps://a.example,A": "csv",
    "[A page](https://a.example)": "text",
    '["https://a.example", "https://b.example"]': "json",
    '{"url": "https://a.example"}\n\n{"url": "https://b.example"}': "json-lines",
    "A; https://a.example\nB; https://b.example": "csv",
    '["A page"](https://a.example)': "text"
  }
  for (const [text, format] of Object.entries(texts))
    test(`recognizes ${JSON.stringify(text)} as ${format}`, async () => {
      const file = await readText(text)
      expect([file.format, file.unreadable, file.bookmarks[0]?.url]).toEqual([
        format,
        [],
        "https://a.example"
      ])
    })

  test("reads control characters as Telegram Desktop writes them, and escaped ones unchanged", async () => {
    const said = String.raw`{"type":"personal_chat","id":1,"messages":[{"id":1,"type":"message","date":"2024-01-02T10:00:00",
      "text":["C:\\x41 \x08bell ",{"type":"link","text":"https://a.example"}]}]}`
    const { bookmarks, format } = await readText(said)
    expect([format, bookmarks[0]?.url]).toEqual(["telegram", "https://a.example"])
    expect(bookmarks[0]?.note).toContain("C:\\x41")
  })

  test("reads days and months in the order that another line shows, and counts those that none settles", async () => {
    const dates = async (...written: ReadonlyArray<string>) => {
      const lines = written.map((date, at) => `https://a.example/${at},${date}`)
      const { bookmarks, warnings } = await readText(["url,created", ...lines].join("\n"))
      return { read: bookmarks.map(({ createdAt }) => createdAt?.slice(0, 10) ?? null), warnings }
    }
    const unread = (...examples: ReadonlyArray<string>) => [
      { kind: "date_not_understood" as const, count: examples.length, examples }
    ]
    expect(await dates("03/04/2023", "31/12/2023")).toEqual({
      read: ["2023-04-03", "2023-12-31"],
      warnings: []
    })
    expect(await dates("12/31/2023 2:05 PM", "03/04/2023")).toEqual({
      read: ["2023-12-31", "2023-03-04"],
      warnings: []
    })
    expect(await dates("03/04/2023")).toEqual({ read: [null], warnings: unread("03/04/2023") })
    expect(await dates("03/04/2023", "31/12/2023", "12/31/2023")).toEqual({
      read: [null, "2023-12-31", "2023-12-31"],
      warnings: unread("03/04/2023")
    })
  })

  for (const [name, sample] of Object.entries(samples))
    test(`recognizes ${name}`, async () =>
      expect(String((await readText(sampleFile(sample).text)).format)).toBe(name))

  test("reads a file in the given format", async () => {
    const text = "url,title\nhttps://a.example,A"
    expect(await readText(text, "text")).toMatchObject({
      format: "text",
      bookmarks: [{ place: 2, url: "https://a.example,A" }]
    })
    expect(await refusal(text, "netscape")).toBe("The file is not a valid Netscape bookmark file (HTML).")
    expect((await readText('{"broken": "https://a.example/"', "text")).bookmarks[0]?.url).toBe(
      "https://a.example/"
    )
  })

  test("rejects an empty file", async () => {
    for (const text of ["", " \r\n\t", "\ufeff"]) expect(await refusal(text)).toBe("The file is empty.")
  })

  const unknown: Record<string, string> = {
    "no address at all": "The file has no web addresses. An address begins with http:// or https://.",
    "name;age\nAnn;30": "The file has no web addresses. An address begins with http:// or https://.",
    "{}": "This JSON has no links in a known form. Linkbower reads the exports in its documentation, and any list of objects with a “url” or a “link”.",
    '{"name":"x","version":"1.0.0","repository":{"url":"https://a.example/"}}':
      "This JSON has no links in a known form. Linkbower reads the exports in its documentation, and any list of objects with a “url” or a “link”.",
    '{"say":"https://a.example/"}\n{"say":"https://b.example/"}':
      "This JSON has no links in a known form. Linkbower reads the exports in its documentation, and any list of objects with a “url” or a “link”.",
    "<html><p>https://a.example</p>":
      "This is a web page, not a bookmark file. Export the bookmarks as HTML in your browser’s bookmark manager.",
    "<feed><entry>https://a.example</entry></feed>":
      "This markup has no links in a known form. Export the links as HTML, CSV or JSON."
  }
  for (const [text, message] of Object.entries(unknown))
    test(`says what was expected instead of ${JSON.stringify(text)}`, async () =>
      expect(await refusal(text)).toBe(message))

  test("names the line of broken JSON", async () => {
    expect(await refusal('[{"a": 1},\n {"b" 2}]')).toBe(
      "The file begins as JSON, but line 2 is not valid JSON."
    )
    expect(await refusal('[{"a": 1},\r\n\r\n {"b"')).toBe(
      "The file ends on line 3 in the middle of its JSON."
    )
    expect(await refusal('{"a": 1}\n["b"]')).toBe("The file begins as JSON, but line 2 is not valid JSON.")
  })

  test("returns text without NULs or half surrogate pairs, however they were written", async () => {
    const file = await readText(
      '[{"href":"https://a.example/","description":"a\\ud83d\\u0000b","extended":"\\udc00","meta":"","hash":"","time":"2014-05-03T14:04:21Z","shared":"yes","toread":"no","tags":"x\\u0000y \\ud800z"}]'
    )
    expect(file.bookmarks).toMatchObject([{ title: "a\ufffdb", note: "\ufffd", tags: ["xy", "\ufffdz"] }])
    const html = await readText("<!DOCTYPE NETSCAPE-Bookmark-file-1><A HREF=x>a&#0;\0b&#xd83d;</A>")
    expect(html.bookmarks[0]?.title).toBe("a\ufffdb\ufffd")
  })

  test("decodes a file's encoding", async () => {
    const text = "\ufeff<!DOCTYPE NETSCAPE-Bookmark-file-1><A HREF=https://a.example>Grüße</A>"
    const file = await readBytes(new Uint8Array(Buffer.from(text, "utf16le")))
    expect(file.bookmarks[0]?.title).toBe("Grüße")
  })

  test("has a unique name for each format", () => {
    const names = formats.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})
