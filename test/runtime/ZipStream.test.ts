import { expect, test } from "bun:test"
import { Effect, Stream } from "effect"
import { strFromU8, unzipSync } from "fflate"
import { zipped } from "../../src/runtime/ZipStream.ts"

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
