import { describe, expect } from "bun:test"
import { Config, Effect, Layer, Option, Redacted } from "effect"
import { Setting } from "../../src/config/Configuration.ts"
import { matchesSecret } from "../../src/gates/SecretGates.ts"
import { effectTest } from "../support/effect.ts"
import { withSettings } from "../support/loopback.ts"

const it = effectTest(Layer.empty)
const SECRET = "0123456789abcdef0123456789abcdef"

const matches = (given: string) => matchesSecret(Setting.webhookSecret, Redacted.make(given))

describe("matchesSecret", () => {
  it(
    "accepts only the secret",
    Effect.gen(function* () {
      expect(yield* matches(SECRET)).toBe(true)
      for (const wrong of ["", " ", SECRET.slice(1), `${SECRET}x`, SECRET.toUpperCase(), "é".repeat(32)])
        expect([wrong, yield* matches(wrong)]).toEqual([wrong, false])
    }).pipe(withSettings({ WEBHOOK_SECRET: SECRET }))
  )

  for (const settings of [{}, { WEBHOOK_SECRET: "" }])
    it(
      `rejects everything with ${JSON.stringify(settings)}`,
      Effect.gen(function* () {
        for (const given of ["", "undefined", SECRET]) expect(yield* matches(given)).toBe(false)
      }).pipe(withSettings(settings))
    )

  it(
    "rejects everything with an empty secret, whatever its source",
    Effect.gen(function* () {
      const empty = { ...Setting.webhookSecret, config: Config.succeed(Option.some(Redacted.make(""))) }
      expect(yield* matchesSecret(empty, Redacted.make(""))).toBe(false)
    })
  )
})
