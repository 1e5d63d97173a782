import { describe, expect } from "bun:test"
import { Effect, Either, Layer, Logger } from "effect"
import { Access, devNoAuth, Verifiers } from "../../src/gates/AccessGate.ts"
import { Programs } from "../../src/gates/Programs.ts"
import { TokenStore } from "../../src/store/signin/TokenStore.ts"
import { effectTest } from "../support/effect.ts"
import { emptyLibrary } from "../support/library.ts"
import { withSettings } from "../support/loopback.ts"

const it = effectTest(Layer.empty)

/** The decision under these settings, and what is logged. */
const decide = Effect.fnUntraced(function* (settings: Record<string, string>) {
  const logged: Array<string> = []
  const logger = Logger.make<unknown, void>(
    ({ logLevel, message }) => void logged.push(`${logLevel.label} ${message}`)
  )
  const decided = yield* devNoAuth.pipe(
    Effect.either,
    withSettings(settings),
    Effect.provide(Logger.add(logger))
  )
  return { decided: Either.getOrElse(decided, (error) => error.message), logged }
})

describe("DEV_NO_AUTH", () => {
  for (const host of [undefined, "127.0.0.1", "127.1.2.3", "localhost", "::1", "[::1]", "::ffff:127.0.0.1"])
    it(
      `opens the dashboard on ${host ?? "the default host"}, with a warning`,
      Effect.gen(function* () {
        const { decided, logged } = yield* decide({ DEV_NO_AUTH: "1", ...(host && { HOST: host }) })
        expect(decided).toBe(true)
        expect(logged).toEqual([expect.stringMatching(/^WARN.*DEV_NO_AUTH/)])
      })
    )

  for (const host of "0.0.0.0 :: 192.168.1.2 example.org localhost.example.org 127.0.0.1.nip.io".split(" "))
    it(
      `prevents a start on ${host}`,
      Effect.gen(function* () {
        expect((yield* decide({ DEV_NO_AUTH: "1", HOST: host })).decided).toContain("DEV_NO_AUTH=1")
        const built = yield* Access.layer.pipe(
          Layer.provide(Layer.merge(Layer.succeed(Verifiers, []), Programs.layer)),
          Layer.provide(TokenStore.layer),
          Layer.provide(emptyLibrary()),
          Layer.build,
          Effect.either,
          withSettings({ DEV_NO_AUTH: "1", HOST: host })
        )
        expect(Either.isLeft(built)).toBe(true)
      })
    )

  for (const [url, starts] of [
    ["http://localhost:8787", true],
    ["http://127.0.0.1:8787/", true],
    ["http://[::1]:8787", true],
    ["https://links.example.org", false],
    ["http://127.0.0.1.nip.io:8787", false],
    ["http://localhost.example.org", false],
    ["http://127.0.0.1@links.example.org", false],
    ["http://192.168.1.2:8787", false]
  ] as const)
    it(
      `${starts ? "allows" : "rejects"} the public URL ${url}`,
      Effect.gen(function* () {
        const { decided } = yield* decide({ DEV_NO_AUTH: "1", PUBLIC_URL: url })
        if (starts) expect(decided).toBe(true)
        else expect(decided).toContain(`PUBLIC_URL=${url}`)
        expect((yield* decide({ PUBLIC_URL: url })).decided).toBe(false)
      })
    )

  for (const url of ["localhost:8787", "no address"])
    it(
      `prevents a start with the public URL ${url}, which is not usable`,
      Effect.gen(function* () {
        const { decided } = yield* decide({ DEV_NO_AUTH: "1", PUBLIC_URL: url })
        expect(decided).toContain("Expected an address that begins with https:// or http://")
        expect((yield* decide({ PUBLIC_URL: url })).decided).toBe(false)
      })
    )

  for (const value of ["true", "yes", "0", " 1", "1 ", "01", ""])
    it(
      `is ignored as ${JSON.stringify(value)}`,
      Effect.gen(function* () {
        expect(yield* decide({ DEV_NO_AUTH: value, HOST: "0.0.0.0" })).toEqual({ decided: false, logged: [] })
      })
    )
})
