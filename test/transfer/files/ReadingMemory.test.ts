import { describe, expect } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { BunFileSystem } from "@effect/platform-bun"
import { Effect, Layer, Stream } from "effect"
import { zipSync } from "fflate"
import { memoryToRead, ReadingMemory } from "../../../src/transfer/files/ReadingMemory.ts"
import { ImportReader } from "../../../src/transfer/ImportReader.ts"
import { effectTest } from "../../support/effect.ts"
import { temporary } from "../../support/transfer.ts"

const MB = 1_000_000

const read = Effect.fnUntraced(function* (name: string, bytes: Uint8Array) {
  const path = join(yield* temporary, name)
  writeFileSync(path, bytes)
  const reader = yield* ImportReader
  return yield* Stream.runFold(reader.read({ path }), 0, (links, step) =>
    step._tag === "Links" ? links + step.links.length : links
  )
})

/** A list of the shortest addresses, which take far more memory than their bytes. */
const list = (count: number) =>
  new TextEncoder().encode(Array.from({ length: count }, (_, n) => `http://a${n}.b`).join("\n"))

describe("the memory for reading a file", () => {
  const it = effectTest(ImportReader.layer.pipe(Layer.provideMerge(BunFileSystem.layer)))
  const withMemory = (bytes: number) => Effect.provideService(ReadingMemory, Effect.succeed(bytes))

  it("is counted by its size and its links", function* () {
    const bytes = list(1_000)
    expect(memoryToRead(bytes)).toBe(bytes.length * 10 + 1_000 * 4_096)
    yield* Effect.void
  })

  it("must be free, or the file is refused before it is parsed", function* () {
    const bytes = list(1_000)
    const zip = zipSync({ "a.txt": bytes, "b.txt": bytes })
    for (const [name, file, count, need] of [
      ["list.txt", bytes, 1_000, 5 * MB],
      ["list.zip", zip, 1_000, 10 * MB]
    ] as const) {
      const refused = yield* Effect.flip(withMemory(need - 2 * MB)(read(name, file)))
      expect(refused.message).toContain("free memory")
      expect(yield* withMemory(need)(read(name, file))).toBe(count)
    }
    // A file that does not fit as it is is not even loaded.
    expect((yield* Effect.flip(withMemory(100)(read("list.txt", bytes)))).message).toContain("free memory")
  })
})
