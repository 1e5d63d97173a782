import { expect } from "bun:test"
import { HttpServerRequest } from "@effect/platform"
import { Effect, Exit, Layer, Option, TestClock } from "effect"
import { GUESSES, GUESSES_IN_ALL, makeAttempts } from "../../src/gates/Attempts.ts"
import { Callers } from "../../src/gates/Callers.ts"
import { clockTest } from "../support/effect.ts"

const it = clockTest(
  Layer.succeed(Callers, {
    find: ({ headers, remoteAddress }) =>
      Effect.succeed({
        key: headers["cookie"] ?? Option.getOrThrow(remoteAddress),
        isKnown: headers["cookie"] !== undefined
      }),
    remember: () => Effect.die("not asked"),
    unnamedProxies: Effect.succeed([])
  })
)

const from = (address: string, headers: Record<string, string> = {}) =>
  HttpServerRequest.fromWeb(new Request("http://localhost/", { headers })).modify({ remoteAddress: address })

const wrong = Effect.fail("wrong" as const)

it("admits 5 failed attempts of a client a minute and 20 an hour, and names the time to wait", function* () {
  const attempts = yield* makeAttempts({ perClient: GUESSES })
  const seconds = Effect.map(Effect.flip(attempts(from("198.51.100.1"), wrong)), (failure) =>
    failure === "wrong" ? 0 : failure.seconds
  )
  const five = Effect.map(Effect.all([seconds, seconds, seconds, seconds, seconds]), (all) =>
    Math.max(...all)
  )
  for (const minute of [1, 2, 3, 4]) {
    expect([minute, yield* five, yield* seconds]).toEqual([minute, 0, minute < 4 ? 60 : 3_420])
    yield* TestClock.adjust("60 seconds")
  }
  expect(yield* seconds).toBe(3_360)
  yield* TestClock.adjust("3360 seconds")
  expect(yield* five).toBe(0)
})

it("counts clients apart, and all of them together", function* () {
  const attempts = yield* makeAttempts({ perClient: GUESSES, inAll: GUESSES_IN_ALL })
  const answers: Array<unknown> = []
  for (let index = 0; index < 101; index++)
    answers.push(yield* Effect.flip(attempts(from(`198.51.100.${index}`), wrong)))
  expect(answers.slice(0, 100).every((answer) => answer === "wrong")).toBe(true)
  expect(answers.at(-1)).toMatchObject({ _tag: "TooManyAttempts", seconds: 3_600 })
  // A browser that the owner has used has its own attempts, also at an address that has none left.
  const known = () => attempts(from("198.51.100.1", { cookie: "known" }), wrong)
  for (let index = 0; index < 5; index++) expect(yield* Effect.flip(known())).toBe("wrong")
  expect(yield* Effect.flip(known())).toMatchObject({ seconds: 60 })
})

it("forgets a client's failures once an attempt succeeds", function* () {
  const attempts = yield* makeAttempts({ perClient: GUESSES, inAll: GUESSES_IN_ALL })
  for (let index = 0; index < 200; index++) {
    const attempt = attempts(from("198.51.100.1"), index % 5 === 4 ? Effect.void : wrong)
    const exit = yield* Effect.exit(attempt)
    // The failures stay in the count of all attempts, of which 80 in 100 fail.
    if (index < 100) expect([index, Exit.isSuccess(exit)]).toEqual([index, index % 5 === 4])
  }
})

it("counts attempts that succeed if it is asked to", function* () {
  const attempts = yield* makeAttempts({ perClient: GUESSES, countsAll: true })
  for (let index = 0; index < 5; index++) yield* attempts(from("198.51.100.1"), Effect.void)
  expect(yield* Effect.flip(attempts(from("198.51.100.1"), Effect.void))).toMatchObject({ seconds: 60 })
})
