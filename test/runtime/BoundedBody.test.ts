import { describe, expect } from "bun:test"
import { Effect, Layer, Stream } from "effect"
import { boundedBytes, boundedText } from "../../src/runtime/BoundedBody.ts"
import { effectTest } from "../support/effect.ts"

const it = effectTest(Layer.empty)

const tooLong = () => "too long" as const
const bytesOf = (...parts: ReadonlyArray<string>) =>
  Stream.fromIterable(parts.map((part) => Buffer.from(part)))

describe("boundedText", () => {
  it("decodes characters split between chunks", function* () {
    const text = "Käse 🧀"
    const bytes = Stream.fromIterable(Buffer.from(text)).pipe(Stream.map((byte) => Uint8Array.of(byte)))
    expect(yield* boundedText(10, tooLong)(bytes)).toBe(text)
    expect(yield* boundedText(0, tooLong)(bytesOf())).toBe("")
  })

  it("fails beyond the limit and stops reading", function* () {
    let read = 0
    const endless = Stream.repeatEffect(
      Effect.sync(() => {
        read++
        return Buffer.alloc(4)
      })
    )
    expect(yield* Effect.flip(boundedText(10, tooLong)(endless))).toBe("too long")
    expect(read).toBe(3)
    expect(yield* Effect.flip(boundedText(3, tooLong)(bytesOf("ab", "cd")))).toBe("too long")
  })

  it("passes on a failure of its input", function* () {
    const cut = Stream.concat(bytesOf("ab"), Stream.fail("cut off" as const))
    expect(yield* Effect.flip(boundedText(10, tooLong)(cut))).toBe("cut off")
  })
})

describe("boundedBytes", () => {
  it("passes bytes on unchanged and counts each run separately", function* () {
    const bounded = boundedBytes(4, tooLong)(bytesOf("ab", "", "cd"))
    for (const _ of [1, 2]) {
      const parts = yield* Stream.runCollect(bounded)
      expect(Buffer.concat([...parts]).toString()).toBe("abcd")
    }
  })
})
