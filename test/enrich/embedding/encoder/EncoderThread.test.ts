import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import { builtIn } from "../../../../src/enrich/embedding/BuiltIn.ts"
import { makeEncoderEmbedder } from "../../../../src/enrich/embedding/encoder/EncoderThread.ts"
import { WIDTH } from "../../../../src/enrich/embedding/encoder/ModelFile.ts"
import type { TextEmbedder } from "../../../../src/enrich/embedding/TextEmbedder.ts"
import { effectTest } from "../../../support/effect.ts"

const it = effectTest(Layer.empty)
const spawn = () => new Worker(new URL("encoderThread.ts", import.meta.url))

const first = (embedder: TextEmbedder, text: string, of: "links" | "searches") =>
  Effect.map(embedder.embed([text], of), ([vector = new Float32Array()]) => vector)
const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)
const unit = (vector: Float32Array) => {
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

it(
  "A search gets the table's part at once, and both parts when the thread has started",
  Effect.gen(function* () {
    const embedder = yield* makeEncoderEmbedder(spawn)
    const { isWhole = Effect.succeed(true) } = embedder
    expect(yield* isWhole).toBe(false)
    const early = yield* first(embedder, "bower", "searches")
    expect(early.subarray(0, WIDTH).every((value) => value === 0)).toBe(true)
    expect(cosine(early.subarray(WIDTH), builtIn.embedQuery("bower"))).toBeCloseTo(1, 5)

    const link = yield* first(embedder, "bower", "links")
    expect(yield* isWhole).toBe(true)
    expect(Math.hypot(...link)).toBeCloseTo(1, 5)
    expect(link[5]).toBeGreaterThan(0)
    expect(cosine(unit(link.subarray(WIDTH)), builtIn.embed("bower"))).toBeCloseTo(1, 5)
    const search = yield* first(embedder, "bower", "searches")
    expect(search[105]).toBeGreaterThan(0)
    expect(Math.hypot(...search)).toBeCloseTo(1, 5)
  }).pipe(Effect.scoped)
)

it(
  "Links wait for a thread that does not start, and searches do not",
  Effect.gen(function* () {
    const embedder = yield* makeEncoderEmbedder(() => {
      throw new Error("no more threads")
    })
    const { reason } = yield* Effect.flip(first(embedder, "bower", "links"))
    expect(reason).toContain("no more threads")
    expect((yield* first(embedder, "bower", "searches")).some((value) => value !== 0)).toBe(true)
  }).pipe(Effect.scoped)
)
