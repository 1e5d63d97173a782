import { describe, expect, test } from "bun:test"
import { decodePage } from "../../../src/enrich/page/Charset.ts"
import { bytes, describeData, json } from "../../support/data.ts"

const latin = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
const cyrillic = (before: string, after: string) =>
  new Uint8Array([...latin(before), 0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, ...latin(after)])

/** 日本語 in Shift_JIS. */
const shiftJis = "\x93\xfa\x96\x7b\x8c\xea"
const utf8 = (text: string) => new TextEncoder().encode(text)

describe("decodePage", () => {
  for (const [source, page, contentType] of [
    ["the header", cyrillic("", ""), "text/html; charset=windows-1251"],
    ["a quoted header", cyrillic("", ""), 'text/html; charset="windows-1251"'],
    ["a meta element", cyrillic("<meta charset=windows-1251><title>", ""), "text/html"],
    [
      "an http-equiv",
      cyrillic('<meta http-equiv="Content-Type" content="text/html; charset=windows-1251 ">', ""),
      null
    ],
    ["an XML declaration", cyrillic('<?xml version="1.0" encoding="windows-1251"?>', ""), null],
    [
      "the markup if the header names an unknown encoding",
      cyrillic("<meta charset=windows-1251>", ""),
      "text/html; charset=klingon"
    ]
  ] as const)
    test(`reads the encoding from ${source}`, () => expect(decodePage(page, contentType)).toContain("Привет"))

  for (const [what, page, contentType, text] of [
    [
      "a UTF-8 mark before the header",
      latin("\xef\xbb\xbf\xc3\xa9"),
      "text/html; charset=windows-1251",
      /^é$/
    ],
    ["a little-endian mark", latin("\xff\xfeA\0"), null, /^A$/],
    ["a big-endian mark", latin("\xfe\xff\0A"), null, /^A$/],
    ["UTF-8 without a declaration", utf8("naïve ß"), null, /^naïve ß$/],
    ["Latin-1 without a declaration", latin("na\u00efve"), null, /^naïve$/],
    [
      "Latin-1 without a declaration in much markup",
      latin(`${"<p class=wide>words</p>".repeat(99)}<p>Gar\xe7on, un caf\xe9 d\xe9j\xe0 servi</p>`),
      "text/html",
      />Garçon, un café déjà servi</
    ],
    [
      "Cyrillic without a declaration",
      Buffer.from(
        "<p>D1E5E3EEE4EDFF20F3F2F0EEEC20E6E8F2E5EBE820E3EEF0EEE4E020F3E2E8E4E5EBE820EFF2E8F6F3</p>".replace(
          /[0-9A-F]{2}/g,
          (pair) => String.fromCharCode(Number.parseInt(pair, 16))
        ),
        "latin1"
      ),
      "text/html",
      />Сегодня утром жители города увидели птицу</
    ],
    [
      "ISO-2022-JP without a declaration",
      latin("<title>\x1b$BF|K\\8l\x1b(B</title>"),
      "text/html",
      />日本語</
    ],
    ["UTF-8 that ends within a character", utf8("naïve").subarray(0, 3), null, /^na/],
    ["UTF-8 if a meta element says UTF-16", utf8('<meta charset="utf-16"><title>é'), null, /é/],
    [
      "UTF-8 if only a comment declares another encoding",
      utf8("<!-- <meta charset=koi8-r> --><title>é"),
      null,
      /é/
    ],
    ["UTF-8 under an unknown name", utf8("<title>été</title>"), "text/html; charset=klingon", />été</],
    [
      "UTF-16 without a mark",
      Buffer.from("<title>wide words</title>", "utf16le"),
      "text/html",
      />wide words</
    ],
    [
      "Shift_JIS declared as UTF-8",
      latin(`<title>a${shiftJis}b</title>`),
      "text/html; charset=utf-8",
      />a.*b</
    ],
    ["lone continuation bytes", latin("<title>a\x80\xbf\xffb"), "text/html; charset=utf-8", />a\ufffd+b/],
    ["surrogates encoded as UTF-8", latin("<title>a\xed\xa0\x80b"), "text/html; charset=utf-8", />a\ufffd+b/],
    ["UTF-7 as text", utf8("<title>+ADw-script+AD4-"), "text/html; charset=utf-7", />\+ADw-script\+AD4-/],
    ["arbitrary bytes", new Uint8Array([0, 255, 128, 10]), "charset=", /^/]
  ] as const)
    test(`decodes ${what}`, () => expect(decodePage(page, contentType)).toMatch(text))
})

describeData("charset", "decodePage on files of many encodings", () => {
  interface File {
    readonly file: string
    readonly encoding: string
    readonly declaredInFile: string | null
    readonly contentType: string
    readonly title: string | null
    readonly sample: string
  }
  const files = json<ReadonlyArray<File>>("charset/index.json")
  const titled = files.filter(({ title }) => title !== null)
  /** The files whose text lacks their title. */
  const missed = (all: ReadonlyArray<File>, contentTypeOf: (file: File) => string | null) =>
    all.filter((one) => {
      const text = decodePage(bytes(`charset/${one.file}`), contentTypeOf(one))
      return !text.replace(/\s+/g, " ").includes((one.title ?? "").replace(/\s+/g, " "))
    })

  test("finds at least 98 of 100 titles by the server's type", () =>
    expect(missed(titled, ({ contentType }) => contentType).length / titled.length).toBeLessThanOrEqual(0.02))

  test("finds every title by the file's own declaration", () => {
    const declared = titled.filter(({ declaredInFile }) => declaredInFile !== null)
    expect(missed(declared, () => null).map(({ file }) => file)).toEqual([])
    expect(declared.length).toBeGreaterThan(20)
  })

  test("recognizes 95 of 100 encodings that are not declared", () => {
    const undeclared = files.filter(({ declaredInFile, encoding, file }) => {
      try {
        return declaredInFile === null && !file.endsWith(".dat") && new TextDecoder(encoding) !== undefined
      } catch {
        // The platform has no decoder for this encoding.
        return false
      }
    })
    const wrong = undeclared.filter(({ encoding, file }) => {
      const page = bytes(`charset/${file}`)
      return decodePage(page, null) !== new TextDecoder(encoding).decode(page)
    })
    expect(undeclared.length).toBeGreaterThan(20)
    expect(wrong.length / undeclared.length).toBeLessThanOrEqual(0.05)
  })

  test("decodes every file like the platform's decoder", () => {
    const wrong = files.filter(({ contentType, encoding, file }) => {
      const page = bytes(`charset/${file}`)
      try {
        // A .dat file holds cases in several encodings.
        return (
          !file.endsWith(".dat") && decodePage(page, contentType) !== new TextDecoder(encoding).decode(page)
        )
      } catch {
        // The platform has no decoder for this encoding, so the page falls back.
        return false
      }
    })
    expect(wrong.map(({ file }) => file)).toEqual([])
  })
})
