import { describe, expect } from "bun:test"
import { HttpServerRequest } from "@effect/platform"
import { Effect, Either, Layer, Option, TestClock } from "effect"
import type { SignInWay } from "../../src/domain/SignIn.ts"
import { Callers } from "../../src/gates/Callers.ts"
import { Sessions } from "../../src/gates/Sessions.ts"
import { SessionStore } from "../../src/store/signin/SessionStore.ts"
import { clockTest } from "../support/effect.ts"
import { emptyLibrary } from "../support/library.ts"

const it = clockTest(
  Sessions.layer.pipe(
    Layer.provide(Callers.layer),
    Layer.provideMerge(SessionStore.layer),
    Layer.provideMerge(emptyLibrary())
  )
)

const NOON = Date.UTC(2026, 5, 1, 12)

const request = (cookie = "", headers: Record<string, string> = {}) =>
  HttpServerRequest.fromWeb(
    new Request("http://localhost/", { headers: { host: "localhost:8787", cookie, ...headers } })
  )

/** Begins a session; returns the Cookie header that the browser then sends. */
const begin = (way: SignInWay, from = request()) =>
  Effect.gen(function* () {
    const { name, value } = yield* (yield* Sessions).begin(way, from)
    return `${name}=${value}`
  })

const isValid = (cookie: string) =>
  Effect.gen(function* () {
    return Either.isRight(yield* Effect.either((yield* Sessions).verify(request(cookie))))
  })

describe("a session", () => {
  it("ends 90 days after its last use, which counts once a day", function* () {
    yield* TestClock.setTime(NOON)
    const cookie = yield* begin("password")
    const store = yield* SessionStore
    const usedAt = Effect.map(store.all, ([session]) => session?.usedAt)
    expect(yield* isValid(cookie)).toBe(true)
    yield* TestClock.adjust("23 hours")
    expect([yield* isValid(cookie), yield* usedAt]).toEqual([true, "2026-06-01T12:00:00.000Z"])
    yield* TestClock.adjust("2 hours")
    expect([yield* isValid(cookie), yield* usedAt]).toEqual([true, "2026-06-02T13:00:00.000Z"])
    yield* TestClock.adjust("89 days")
    expect(yield* isValid(cookie)).toBe(true)
    yield* TestClock.adjust("90 days")
    expect([yield* isValid(cookie), yield* store.all]).toEqual([false, []])
  })

  it("stays ended when the clock is set back", function* () {
    yield* TestClock.setTime(NOON)
    const cookie = yield* begin("password")
    yield* TestClock.adjust("91 days")
    expect(yield* isValid(cookie)).toBe(false)
    yield* TestClock.setTime(NOON)
    expect(yield* isValid(cookie)).toBe(false)
  })

  it("waits while the clock is far behind, as at the start of a machine without one", function* () {
    yield* TestClock.setTime(NOON)
    const cookie = yield* begin("passkey")
    yield* TestClock.setTime(0)
    expect(yield* isValid(cookie)).toBe(false)
    yield* TestClock.setTime(NOON)
    expect(yield* isValid(cookie)).toBe(true)
    yield* TestClock.setTime(NOON - 3_600_000)
    expect(yield* isValid(cookie)).toBe(true)
  })

  it("that began while the clock was days ahead lasts, and no longer than a new one", function* () {
    yield* TestClock.setTime(NOON)
    const cookie = yield* begin("password")
    yield* TestClock.setTime(NOON - 2 * 86_400_000)
    expect(yield* isValid(cookie)).toBe(true)
    yield* TestClock.adjust("91 days")
    expect(yield* isValid(cookie)).toBe(false)
  })

  it("of a one-time code can only set up a sign-in, for an hour", function* () {
    yield* TestClock.setTime(NOON)
    const sessions = yield* Sessions
    const cookie = yield* begin("code")
    expect(yield* isValid(cookie)).toBe(false)
    expect(Option.isSome(yield* sessions.settingUp(request(cookie)))).toBe(true)
    expect(yield* sessions.list).toEqual([])
    yield* TestClock.adjust("1 hour")
    expect(Option.isSome(yield* sessions.settingUp(request(cookie)))).toBe(false)
  })

  it("is not one that can set up a sign-in", function* () {
    const sessions = yield* Sessions
    expect(Option.isSome(yield* sessions.settingUp(request(yield* begin("password"))))).toBe(false)
  })

  it("replaces the one that the browser had", function* () {
    const first = yield* begin("password")
    const second = yield* begin("password", request(first))
    expect([yield* isValid(first), yield* isValid(second)]).toEqual([false, true])
  })

  it("is listed with its device and address, the most recently used one first", function* () {
    yield* TestClock.setTime(NOON)
    const sessions = yield* Sessions
    const chrome = {
      "user-agent": "Mozilla/5.0 (Windows NT 10.0) Chrome/139.0"
    }
    yield* begin("oidc", request("", chrome).modify({ remoteAddress: "2001:db8::7" }))
    yield* TestClock.adjust("1 minute")
    yield* begin("bot")
    expect(yield* sessions.list).toEqual([
      {
        id: 2,
        way: "bot",
        device: "Unknown device",
        address: "unknown",
        createdAt: "2026-06-01T12:01:00.000Z",
        usedAt: "2026-06-01T12:01:00.000Z"
      },
      {
        id: 1,
        way: "oidc",
        device: "Chrome on Windows",
        address: "2001:db8::7",
        createdAt: "2026-06-01T12:00:00.000Z",
        usedAt: "2026-06-01T12:00:00.000Z"
      }
    ])
  })

  it("is one of a hundred at most: the least recently used one ends", function* () {
    yield* TestClock.setTime(NOON)
    const first = yield* begin("password")
    for (let index = 0; index < 99; index++) {
      yield* TestClock.adjust("1 second")
      yield* begin("password")
    }
    expect(yield* isValid(first)).toBe(true)
    yield* TestClock.adjust("1 second")
    const last = yield* begin("password")
    expect([yield* isValid(first), yield* isValid(last)]).toEqual([false, true])
  })

  it("begins only where its cookie is protected", function* () {
    const sessions = yield* Sessions
    const exposed = yield* Effect.flip(sessions.begin("password", request("", { host: "links.example.org" })))
    expect(exposed._tag).toBe("ConnectionExposed")
    const secure = yield* sessions.begin(
      "password",
      request("", { host: "links.example.org", "x-forwarded-proto": "https" })
    )
    expect([secure.name, secure.options]).toEqual([
      "__Host-linkbower_session",
      expect.objectContaining({ httpOnly: true, secure: true, sameSite: "lax", path: "/" })
    ])
    expect(secure.options?.domain).toBeUndefined()
    expect((yield* sessions.begin("password", request())).options?.secure).toBe(false)
  })
})
