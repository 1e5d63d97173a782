import { describe, expect, test } from "bun:test"
import { HttpServerRequest } from "@effect/platform"
import { Effect, Either, Fiber, Layer, Option, Redacted } from "effect"
import { Callers } from "../../src/gates/Callers.ts"
import { OwnerPassword, passwordProblem } from "../../src/gates/OwnerPassword.ts"
import { secretDigest } from "../../src/runtime/Secret.ts"
import { CredentialStore } from "../../src/store/signin/CredentialStore.ts"
import { SessionStore } from "../../src/store/signin/SessionStore.ts"
import { effectTest } from "../support/effect.ts"
import { emptyLibrary } from "../support/library.ts"

const it = effectTest(
  OwnerPassword.layer.pipe(
    Layer.provide(Callers.layer),
    Layer.provideMerge(Layer.merge(CredentialStore.layer, SessionStore.layer)),
    Layer.provideMerge(emptyLibrary())
  )
)
const from = (address: string, cookie = "") =>
  HttpServerRequest.fromWeb(
    new Request("http://localhost/", { headers: { host: "localhost:8787", cookie } })
  ).modify({ remoteAddress: address })
const request = from("203.0.113.7")

const isRight = (text: string) =>
  Effect.flatMap(OwnerPassword, (password) =>
    Effect.map(Effect.either(password.check(request, Effect.succeed(Redacted.make(text)))), Either.isRight)
  )

describe("passwordProblem", () => {
  const problemOf = (text: string) => passwordProblem(Redacted.make(text), "links.example.org:8787")
  for (const good of [
    "correct horse",
    "😀😁😂🤣😃😄😅😆😉😊",
    "links.example.org is mine",
    `${"x".repeat(1_023)}y`
  ])
    test(`accepts ${good.slice(0, 30)}`, () => expect(problemOf(good)).toBeUndefined())
  for (const [problem, bad] of [
    ["at least 10 characters", "short"],
    // Composed, these are five letters.
    ["at least 10 characters", "e\u0301".repeat(5)],
    ["at most 1,024 bytes", "xy".repeat(513)],
    ["repeat", "aaaaaaaaaaaa"],
    ["address", "links.example.org"],
    ["address", "LINKS.example.org:8787"],
    ["address", "https://www.links.example.org/dashboard"]
  ] as const)
    test(`refuses ${bad.slice(0, 30)}: ${problem}`, () =>
      expect(problemOf(bad)?.replace("1024", "1,024")).toContain(problem))
})

describe("the password", () => {
  it("is the same however its letters are composed, and is stored as argon2id at the default cost", function* () {
    const password = yield* OwnerPassword
    yield* password.set(Redacted.make("caf\u00e9 au lait"), "localhost", Option.none())
    expect(yield* isRight("cafe\u0301 au lait")).toBe(true)
    expect(yield* isRight("cafe au lait")).toBe(false)
    const stored = yield* (yield* CredentialStore).password
    expect(stored).toMatchObject({ value: expect.stringMatching(/^\$argon2id\$v=19\$m=65536,t=2,p=1\$/) })
  })

  it("is not queued behind more than a few others, and not behind strangers in a browser that has signed in", function* () {
    const sessions = yield* SessionStore
    yield* sessions.rememberBrowser(secretDigest("K".repeat(43)), "2026-06-01T12:00:00.000Z")
    const password = yield* OwnerPassword
    const guess = (address: string, cookie = "") =>
      Effect.map(
        Effect.flip(password.check(from(address, cookie), Effect.succeed(Redacted.make("a wrong guess")))),
        ({ _tag }) => _tag
      )
    const strangers = yield* Effect.fork(
      Effect.all(
        Array.from({ length: 20 }, (_, index) => guess(`198.51.100.${index}`)),
        { concurrency: "unbounded" }
      )
    )
    yield* Effect.yieldNow()
    expect(yield* guess("198.51.100.0", `linkbower_browser=${"K".repeat(43)}`)).toBe("PasswordWrong")
    const answers = yield* Fiber.join(strangers)
    expect(answers.filter((answer) => answer === "PasswordWrong")).toHaveLength(8)
    expect(answers.filter((answer) => answer === "TooManyAttempts")).toHaveLength(12)
  })

  it("is wrong while none is set, after a real verification", function* () {
    for (const text of ["", "anything at all"]) expect(yield* isRight(text)).toBe(false)
    expect(yield* (yield* OwnerPassword).isSet).toBe(false)
  })

  it("stays as it is if the session that asks for another one has ended meanwhile", function* () {
    const password = yield* OwnerPassword
    yield* password.set(Redacted.make("the first password"), "localhost", Option.none())
    const late = yield* Effect.flip(
      password.set(Redacted.make("the second password"), "localhost", Option.some(1))
    )
    expect(late._tag).toBe("PasswordWrong")
    expect(yield* isRight("the first password")).toBe(true)
  })
})
