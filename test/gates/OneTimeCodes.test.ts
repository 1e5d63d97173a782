import { expect } from "bun:test"
import { Effect, Either, Layer, Option, Redacted, TestClock } from "effect"
import { OneTimeCodes } from "../../src/gates/OneTimeCodes.ts"
import { CodeStore } from "../../src/store/signin/CodeStore.ts"
import { clockTest } from "../support/effect.ts"
import { emptyLibrary } from "../support/library.ts"

const it = clockTest(
  OneTimeCodes.layer.pipe(Layer.provideMerge(CodeStore.layer), Layer.provideMerge(emptyLibrary()))
)

const make = Effect.flatMap(OneTimeCodes, (codes) => Effect.map(codes.make("command"), Redacted.value))
const isTaken = (typed: string) =>
  Effect.flatMap(OneTimeCodes, (codes) =>
    Effect.map(Effect.either(codes.redeem(typed, false)), Either.isRight)
  )

it("has two groups of five characters that do not look alike", function* () {
  const codes = yield* Effect.all(Array.from({ length: 200 }, () => make))
  for (const code of codes) expect(code).toMatch(/^[AC-HJKMNP-RT-Y34679]{5}-[AC-HJKMNP-RT-Y34679]{5}$/)
  expect(new Set(codes).size).toBe(200)
  // Every character occurs: 2,000 draws miss one of 25 with a chance of 1 in 10^34.
  expect(new Set(codes.join("").replaceAll("-", "")).size).toBe(25)
})

it("is taken however it is typed", function* () {
  for (const typed of [
    (code: string) => code,
    (code: string) => code.toLowerCase(),
    (code: string) => code.replace("-", ""),
    (code: string) => ` ${code.replace("-", " ")} `,
    (code: string) => code.replace("-", "–"),
    (code: string) => [...code].join(" ")
  ])
    expect(yield* isTaken(typed(yield* make))).toBe(true)
})

it("is valid for 15 minutes, and once", function* () {
  const codes = yield* OneTimeCodes
  const code = yield* make
  yield* TestClock.adjust("899 seconds")
  expect(yield* codes.hasValid).toBe(true)
  expect([yield* isTaken(code), yield* isTaken(code), yield* codes.hasValid]).toEqual([true, false, false])
  const late = yield* make
  yield* TestClock.adjust("900 seconds")
  expect([yield* codes.hasValid, yield* isTaken(late)]).toEqual([false, false])
})

it("is taken at its fifth try, and not at its sixth", function* () {
  const missed = (code: string, times: number) =>
    Effect.all(Array.from({ length: times }, () => isTaken(`${code.slice(0, 5)}-AAAAA`)))
  const codes = yield* OneTimeCodes
  for (const [misses, taken] of [
    [4, true],
    [5, false]
  ] as const) {
    const code = yield* make
    yield* missed(code, misses)
    expect([yield* codes.hasValid, yield* isTaken(code)]).toEqual([taken, taken])
  }
})

it("is removed once: of several who send it at the same moment, one is let in", function* () {
  yield* make
  const store = yield* CodeStore
  const { secret } = Option.getOrThrow(yield* store.current)
  expect([yield* store.remove(secret), yield* store.remove(secret)]).toEqual([true, false])
})

it("is not stored as it is", function* () {
  const code = (yield* make).replace("-", "")
  const stored = JSON.stringify(yield* (yield* CodeStore).current)
  expect(stored).not.toContain(code.slice(5))
})
