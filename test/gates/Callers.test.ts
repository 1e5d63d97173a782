import { expect } from "bun:test"
import { HttpServerRequest } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Callers } from "../../src/gates/Callers.ts"
import { SessionStore } from "../../src/store/signin/SessionStore.ts"
import { effectTest } from "../support/effect.ts"
import { emptyLibrary } from "../support/library.ts"
import { withSettings } from "../support/loopback.ts"

const it = effectTest(
  Callers.layer.pipe(Layer.provide(SessionStore.layer), Layer.provideMerge(emptyLibrary()))
)

const from = (remoteAddress: string, headers: Record<string, string> = {}) =>
  HttpServerRequest.fromWeb(
    new Request("http://localhost/", { headers: { host: "localhost:8787", ...headers } })
  ).modify({ remoteAddress })

it("knows the browser in which the owner has signed in, wherever it is", function* () {
  const callers = yield* Callers
  const { name, value } = yield* callers.remember(from("198.51.100.1"), "private")
  const cookie = `${name}=${value}`
  const known = yield* callers.find(from("198.51.100.2", { cookie }))
  expect(known.isKnown).toBe(true)
  // It keeps its cookie at its next sign-in.
  const again = yield* callers.remember(from("198.51.100.3", { cookie }), "private")
  expect(again.value).toBe(value)
  const made = `${name}=${"A".repeat(43)}`
  expect(yield* callers.find(from("198.51.100.2", { cookie: made }))).toEqual({
    key: "198.51.100.2",
    isKnown: false
  })
})

it("counts everybody behind a local proxy as one until it is named, and says which it is", function* () {
  const callers = yield* Callers
  const keys = (peer: string) =>
    Effect.forEach(["198.51.100.1", "198.51.100.2"], (forwarded) =>
      Effect.map(callers.find(from(peer, { "x-forwarded-for": forwarded })), ({ key }) => key)
    )
  expect(yield* withSettings({ TRUSTED_FORWARDERS: "127.0.0.1" })(keys("127.0.0.1"))).toEqual([
    "198.51.100.1",
    "198.51.100.2"
  ])
  expect(yield* callers.unnamedProxies).toEqual([])
  expect(yield* keys("127.0.0.1")).toEqual(["127.0.0.1", "127.0.0.1"])
  expect(yield* keys("203.0.113.7")).toEqual(["203.0.113.7", "203.0.113.7"])
  expect(yield* callers.unnamedProxies).toEqual(["127.0.0.1"])
})
