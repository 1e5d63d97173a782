import { describe, expect } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { Effect } from "effect"
import { libraryTest } from "../support/effect.ts"
import { allLinks, exported, takeFile, takeText, temporary, withFiles } from "../support/transfer.ts"
import { binaries } from "../transfer/support/binaries.ts"
import { type Packed, zipOf } from "../transfer/support/zips.ts"

const it = libraryTest(withFiles())

/** Imports a file with these bytes. */
const takeBytes = Effect.fnUntraced(function* (bytes: Uint8Array) {
  const path = join(yield* temporary, "file")
  writeFileSync(path, bytes)
  return yield* takeFile(path)
})

const takeZip = (files: ReadonlyArray<Packed>) => takeBytes(zipOf(files))

const pocket = (...rows: ReadonlyArray<string>) => ["title,url,time_added,tags,status", ...rows].join("\n")

const zeros = new Uint8Array(4 * 1024 * 1024)

/** Files that are too large when they are unpacked, or damaged. */
const hostile: Readonly<Record<string, Uint8Array>> = {
  "a flat bomb": zipOf([{ name: "a.json", data: zeros, deflated: true }]),
  "a bomb of shared data": zipOf([
    { name: "a.csv", data: pocket("A,https://a.example/,1,,unread") },
    ...Array.from({ length: 9 }, (_, at) => ({ name: `${at}.csv`, data: "", shares: 0 }))
  ]),
  "a zip that lies": zipOf([{ name: "a.json", data: zeros, deflated: true, size: 100 }]),
  "a zip in a zip": zipOf([{ name: "a.zip", data: zipOf([{ name: "a.txt", data: "https://a.example/" }]) }]),
  "half a zip": zipOf([{ name: "a.txt", data: "https://a.example/" }]).slice(0, 50),
  "half a gzip": gzipSync("https://a.example/").subarray(0, 20),
  "broken JSON": Buffer.from('[{"url": "https://a.example/"}, {"url": "https://b.exam'),
  "a web page": Buffer.from("<!doctype html><p>https://a.example/</p>")
}

describe("a file of no links", () => {
  it("is refused with its sentence, and changes nothing", function* () {
    yield* takeText("links.txt", "https://example.org/ one")
    const before = yield* exported("json")
    for (const [name, [bytes, message]] of Object.entries(binaries))
      expect([name, (yield* Effect.flip(takeBytes(bytes))).message]).toEqual([name, message])
    for (const [name, bytes] of Object.entries(hostile))
      expect([name, yield* Effect.flip(takeBytes(bytes))]).toEqual([
        name,
        expect.objectContaining({ _tag: "FormatError", message: expect.stringMatching(/^[A-Z].*\.$/) })
      ])
    const withoutTime = (json: string) => json.replace(/"exportedAt":"[^"]*"/, "")
    expect(withoutTime(yield* exported("json"))).toBe(withoutTime(before))
  })
})

describe("a zip", () => {
  it("is imported as one file, with its rejects by name", function* () {
    const result = yield* takeZip([
      {
        name: "part_000000.csv",
        data: pocket("A,https://a.example/,1500000000,x,unread", "No address,,1,,unread"),
        deflated: true
      },
      {
        name: "part_000001.csv",
        data: pocket("A,https://a.example/,1400000000,y,unread", "B,about:blank,1,,unread")
      },
      { name: "broken.json", data: "[{" },
      { name: "readme.txt", data: "hello" }
    ])
    expect(result).toMatchObject({
      format: "Pocket export (CSV), in a zip",
      counts: "file",
      found: 6,
      created: 1,
      merged: 1,
      rejected: 4,
      rejects: [
        { place: 1, reason: "part_000000.csv, line 3: It has no address." },
        { place: 2, reason: "part_000001.csv, line 3: “about:blank” is not an http or https address." },
        { place: 3, reason: "broken.json: The file ends on line 1 in the middle of its JSON." },
        { place: 4, reason: "readme.txt: No list of links in a known form." }
      ]
    })
    expect(yield* allLinks).toMatchObject([
      { title: "A", tags: ["x", "y"], createdAt: "2014-05-13T16:53:20.000Z" }
    ])
  })

  it("with a Linkbower export, or one in gzip, is imported like the export", function* () {
    yield* takeText("links.txt", "https://example.org/ one")
    const json = yield* exported("json")
    for (const bytes of [zipOf([{ name: "links.json", data: json, deflated: true }]), gzipSync(json)])
      expect(yield* takeBytes(bytes)).toMatchObject({
        format: "Linkbower export (JSON)",
        found: 1,
        created: 0,
        merged: 1
      })
  })

  it("reads no Linkbower export among other files, because it is more than links", function* () {
    yield* takeText("links.txt", "https://example.org/ one")
    const json = yield* exported("json")
    const result = yield* takeZip([
      { name: "links.json", data: json },
      { name: "part_000000.csv", data: pocket("A,https://a.example/,1500000000,x,unread") }
    ])
    expect(result.rejects).toEqual([
      { place: 2, reason: "links.json: It is a Linkbower export. Unpack it and import it by itself." }
    ])
  })
})
