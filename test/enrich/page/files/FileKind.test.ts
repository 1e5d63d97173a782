import { describe, expect, test } from "bun:test"
import { binaryKindOf, maxBytesOf, textKindOf } from "../../../../src/enrich/page/files/FileKind.ts"
import { extensionOf, fileNameOf } from "../../../../src/enrich/page/files/FileName.ts"
import { cpuTime } from "../../../support/cpuTime.ts"
import { rowsOf } from "../../../support/rows.ts"
import { pdfOf } from "./support/pdf.ts"
import { avifOf, gifOf, jpegOf, pngOf, webpOf } from "./support/pictures.ts"
import { repliesTo } from "./support/reading.ts"
import { flacOf, id3Of, mp3Of, mp4Of, opusOf, wavOf, webmOf } from "./support/recordings.ts"

const latin1 = (text: string) => Buffer.from(text, "latin1")
const noise = Buffer.from(Array.from({ length: 3_000 }, (_, n) => (n * n * 31 + (n >> 3) * 7) % 256))

describe("binaryKindOf", () => {
  for (const [what, bytes, kind] of [
    ["a PDF", pdfOf({ pages: [["x"]] }), "pdf"],
    ["a PDF after garbage", Buffer.concat([noise.subarray(0, 500), latin1("%PDF-1.4\n")]), "pdf"],
    ["a text about PDFs", latin1("A file begins with %PDF-1.4"), undefined],
    ["a JPEG", jpegOf(1, 1), "image"],
    ["a PNG", pngOf(1, 1), "image"],
    ["a GIF", gifOf(1, 1), "image"],
    ["a WebP", webpOf(1, 1), "image"],
    ["an AVIF", avifOf(1, 1), "image"],
    ["an MP3 with a tag", mp3Of(id3Of({}), 2), "recording"],
    ["an MP3 without a tag", mp3Of(Buffer.alloc(0), 2), "recording"],
    ["a FLAC", flacOf({}, 1), "recording"],
    ["an Opus", opusOf({}, 1), "recording"],
    ["a WAV", wavOf({}, 1), "recording"],
    ["an MP4", mp4Of({ seconds: 1, tags: {} }), "recording"],
    ["a WebM", webmOf("x", 1), "recording"],
    ["a ZIP", latin1("PK\x03\x04\x14\0\x08\0"), "binary"],
    ["noise", noise, "binary"],
    ["words that begin like an MP3", latin1("ID3 tags, OggS and BM are signatures"), undefined],
    ["UTF-16 without a mark", Buffer.from("<html>words", "utf16le"), undefined],
    ["UTF-16 with a mark", Buffer.from("\ufeff日本語", "utf16le"), undefined],
    ["UTF-8", Buffer.from("日本語 words"), undefined],
    ["ISO-2022-JP", latin1("\x1b$BF|K\\8l\x1b(B"), undefined],
    ["a page with stray zeros", latin1(`<p>${"words \0 ".repeat(3)}${"words ".repeat(100)}`), undefined],
    ["a page full of control characters", latin1(`<!doctype html>${"\x01".repeat(100)}`), undefined],
    ["nothing", Buffer.alloc(0), undefined]
  ] as const)
    test(`says that ${what} is ${kind ?? "text"}`, () => expect(binaryKindOf(bytes, "text/html")).toBe(kind))

  test("believes a stated UTF-16, whose text may have control bytes", () => {
    const text = Buffer.from("ภาษาไทย".repeat(20), "utf16le")
    expect([binaryKindOf(text, "text/plain; charset=UTF-16LE"), binaryKindOf(text, "text/plain")]).toEqual([
      undefined,
      "binary"
    ])
  })

  test("fetches a PDF whole, and little of an unknown file", () => {
    expect(maxBytesOf(pdfOf({ pages: [["x"]] }))).toBe(25 * 1024 * 1024)
    expect(maxBytesOf(latin1("<!doctype html>"))).toBe(5 * 1024 * 1024)
    expect(maxBytesOf(noise)).toBe(65_536)
  })
})

describe("textKindOf", () => {
  for (const [text, type, name, kind] of rowsOf<
    readonly [string, null | string, string, ReturnType<typeof textKindOf>]
  >(import.meta, "FileKind"))
    test(`says that ${text} sent as ${type} is ${kind}`, () =>
      expect(textKindOf(text, type, name)).toBe(kind))
})

describe("a file's name", () => {
  const url = new URL("https://example.org/a/get%20it.tar.gz?x=y.pdf")
  for (const [disposition, name] of [
    [null, "get it.tar.gz"],
    ["inline", "get it.tar.gz"],
    ["attachment; filename=plain.zip", "plain.zip"],
    ['attachment; filename="a \\"quoted\\"; name.zip"', 'a "quoted"; name.zip'],
    ["attachment; filename=\"fallback.zip\"; filename*=UTF-8''na%C3%AFve%20%E2%82%AC.zip", "naïve €.zip"],
    ["attachment; FILENAME*=iso-8859-1'en'%A3.zip", "£.zip"],
    ["attachment; filename*=UTF-8''%FF%FE; filename=good.zip", "good.zip"],
    [Buffer.from('attachment; filename="日本.zip"').toString("latin1"), "日本.zip"],
    ['attachment; filename="../../etc/passwd"', "passwd"],
    ['attachment; filename="C:\\dir\\file.doc"', "file.doc"],
    [Buffer.from('attachment; filename="a\u202ecod.exe"').toString("latin1"), "acod.exe"],
    ['attachment; filename=""', "get it.tar.gz"]
  ] as const)
    test(`is ${name} from ${disposition}`, () => expect(fileNameOf(url, disposition)).toBe(name))

  test("is empty for an address without an extension", () => {
    expect(fileNameOf(new URL("https://example.org/download"))).toBe("")
    expect(fileNameOf(new URL("https://example.org/a.b/"))).toBe("")
    expect([extensionOf("a.TAR.GZ"), extensionOf(".profile"), extensionOf("a.b c")]).toEqual(["gz", "", ""])
  })

  test("is read from a hostile header in bounded time", () => {
    const begun = cpuTime()
    for (const piece of ["filename*=", 'filename="\\', "filename = ", "%C3", "a'", "; "])
      fileNameOf(url, `attachment; filename=${piece.repeat(1_000_000 / piece.length)}`)
    fileNameOf(new URL(`https://example.org/${"%2e".repeat(100_000)}`))
    expect(cpuTime() - begun).toBeLessThan(3_000)
  })
})

describe("the sandbox", () => {
  test("refuses what is neither text nor a known file, and a blank text", async () => {
    for (const bytes of [noise, latin1("PK\x03\x04\x14\0\x08\0"), latin1(" \n ")])
      expect(await repliesTo(bytes)).toEqual([{ said: "refused", reason: "unreadable", titles: [] }])
  })
})
