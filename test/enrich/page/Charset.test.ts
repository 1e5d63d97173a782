import { describe, expect, test } from "bun:test"
import { decodePage } from "../../../src/enrich/page/Charset.ts"
import { bytes, describeData, json } from "../../support/data.ts"

const latin = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
const cyrillic = (before: string, after: string) =>
  new Uint8Array([...latin(before), 0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, ...latin(after)])

describe("decodePage", () => {
  for (const [why, page, contentType] of [
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
      "the markup where the header is nonsense",
      cyrillic("<meta charset=windows-1251>", ""),
      "text/html; charset=nonsense"
    ]
  ] as const)
    test(`reads the encoding from ${why}`, () => expect(decodePage(page, contentType)).toContain("Привет"))

  test("believes a byte order mark before all else", () => {
    expect(
      decodePage(new Uint8Array([0xef, 0xbb, 0xbf, 0xc3, 0xa9]), "text/html; charset=windows-1251")
    ).toBe("é")
    expect(decodePage(new Uint8Array([0xff, 0xfe, 0x41, 0x00]), null)).toBe("A")
    expect(decodePage(new Uint8Array([0xfe, 0xff, 0x00, 0x41]), null)).toBe("A")
  })
  test("tells UTF-8 from a legacy encoding where nothing is said", () => {
    expect(decodePage(new TextEncoder().encode("naïve ß"), null)).toBe("naïve ß")
    expect(decodePage(latin("na\u00efve"), null)).toBe("naïve")
    expect(decodePage(new TextEncoder().encode("naïve").subarray(0, 3), null)).toStartWith("na")
  })
  test("takes UTF-16 in a meta element, which was read as ASCII, for UTF-8", () =>
    expect(decodePage(new TextEncoder().encode('<meta charset="utf-16"><title>é'), null)).toContain("é"))
  test("passes over a declaration in a comment", () =>
    expect(decodePage(new TextEncoder().encode("<!-- <meta charset=koi8-r> --><title>é"), null)).toContain(
      "é"
    ))
  test("decodes anything", () =>
    expect(typeof decodePage(new Uint8Array([0, 255, 128, 10]), "charset=")).toBe("string"))
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
  const holds = (text: string, title: string) =>
    text.replace(/\s+/g, " ").includes(title.replace(/\s+/g, " "))

  test("finds at least 98 of 100 titles with the type the server sends", () => {
    const missed = titled.filter(
      ({ contentType, file, title }) => !holds(decodePage(bytes(`charset/${file}`), contentType), title ?? "")
    )
    console.log(
      `${titled.length - missed.length} of ${titled.length} titles`,
      missed.map(({ file }) => file)
    )
    expect(1 - missed.length / titled.length).toBeGreaterThanOrEqual(0.98)
  })
  test("finds at least 98 of 100 titles by the file's own word alone", () => {
    const declared = titled.filter(({ declaredInFile }) => declaredInFile !== null)
    const missed = declared.filter(
      ({ file, title }) => !holds(decodePage(bytes(`charset/${file}`), null), title ?? "")
    )
    expect(missed.map(({ file }) => file)).toEqual([])
    expect(declared.length).toBeGreaterThan(20)
  })
  test("decodes every file as the platform's decoder of its encoding does", () => {
    const wrong = files.filter(({ contentType, encoding, file }) => {
      const page = bytes(`charset/${file}`)
      try {
        // A collection of cases in many encodings is of none.
        return (
          !file.endsWith(".dat") && decodePage(page, contentType) !== new TextDecoder(encoding).decode(page)
        )
      } catch {
        // The platform knows no such encoding, and so the page falls back.
        return false
      }
    })
    expect(wrong.map(({ file }) => file)).toEqual([])
  })
})
