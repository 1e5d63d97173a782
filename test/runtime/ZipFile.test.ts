import { expect, test } from "bun:test"
import { Effect, Either, Stream } from "effect"
import { strFromU8, unzipSync } from "fflate"
import { zipOf, zipped } from "../../src/runtime/ZipFile.ts"
import { openZip, zipInMemory } from "../../src/transfer/files/Zip.ts"
import { byTier } from "../support/tier.ts"

const packed = async (pieces: ReadonlyArray<string>) => {
  const bytes = Stream.encodeText(Stream.fromIterable(pieces))
  const chunks = await Effect.runPromise(Stream.runCollect(zipped("links.json")(bytes)))
  return Buffer.concat([...chunks])
}

test("a zip has the bytes that went in, whatever their pieces", async () => {
  const lines = Array.from({ length: 5_000 }, (_, n) => `https://example.org/${n}\n`)
  for (const pieces of [[], [""], ["one"], lines, [lines.join("")]]) {
    const files = unzipSync(await packed(pieces))
    expect(Object.keys(files)).toEqual(["links.json"])
    expect(strFromU8(files["links.json"] ?? new Uint8Array())).toBe(pieces.join(""))
  }
  expect((await packed(lines)).length).toBeLessThan(lines.join("").length / 3)
})

test("a failure of the source fails the zip", async () => {
  const broken = Stream.concat(Stream.make(new Uint8Array(10)), Stream.fail("gone"))
  expect(await Effect.runPromise(Effect.flip(Stream.runDrain(zipped("x")(broken))))).toBe("gone")
})

test("files of known and of unknown size lie in one zip, in the long tier more than 65,535", async () => {
  const text = "a line of text\n".repeat(9_000)
  const few = [
    { name: "known/ü.txt", bytes: new TextEncoder().encode(text) },
    { name: "stored.bin", bytes: new Uint8Array([1, 2, 3]), isStored: true },
    { name: "unknown.txt", bytes: Stream.encodeText(Stream.make(text.slice(0, 99), "", text.slice(99))) },
    { name: "empty", bytes: new Uint8Array() }
  ]
  const many = Array.from({ length: byTier(10, 65_600) }, (_, n) => ({
    name: `${n}`,
    bytes: new Uint8Array(),
    isStored: true
  }))
  const chunks = await Effect.runPromise(Stream.runCollect(zipOf(Stream.fromIterable([...few, ...many]))))
  const zip = openZip(zipInMemory(Buffer.concat([...chunks])), { entries: 100_000, entry: 1e6, ratio: 1e4 })
  const entries = Either.getOrThrow(zip)
  expect(entries.length).toBe(4 + many.length)
  const textOf = (at: number) =>
    strFromU8(entries[at] === undefined ? new Uint8Array() : Either.getOrThrow(entries[at].unpack()))
  expect([textOf(0), textOf(2)]).toEqual([text, text])
  expect(entries[1]?.unpack()).toEqual(Either.right(Buffer.from([1, 2, 3])))
  expect(entries.at(-1)?.path).toBe(`${many.length - 1}`)
  for (const at of [0, 1, 2]) {
    const pieces = await Effect.runPromise(Stream.runCollect(entries[at]?.stream ?? Stream.empty))
    expect(Buffer.concat([...pieces]).length).toBe(entries[at]?.size ?? -1)
  }
})
