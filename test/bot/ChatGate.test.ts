import { describe, expect } from "bun:test"
import { Effect, Layer, Logger, Option } from "effect"
import { allowedChat, warnIfClosed } from "../../src/bot/ChatGate.ts"
import { effectTest } from "../support/effect.ts"
import { withSettings } from "../support/loopback.ts"

const it = effectTest(Layer.empty)

const warnings = Effect.suspend(() => {
  const said: Array<string> = []
  const logger = Logger.make<unknown, void>(({ message }) => void said.push(String(message)))
  return Effect.as(Effect.provide(warnIfClosed, Logger.add(logger)), said)
})

describe("gate 2", () => {
  for (const chat of ["4242", "-1001234567890"])
    it(
      `serves chat ${chat}, and warns of nothing`,
      Effect.gen(function* () {
        expect(yield* allowedChat).toEqual(Option.some(Number(chat)))
        expect(yield* warnings).toEqual([])
      }).pipe(withSettings({ ALLOWED_CHAT_ID: chat }))
    )

  for (const value of [
    undefined,
    "",
    "abc",
    "0x1092",
    "4242,4243",
    "4.5",
    "NaN",
    "0",
    "+4242",
    " 4242",
    "4242 "
  ])
    it(
      `serves nobody and warns once, without the value, while the setting is ${JSON.stringify(value)}`,
      Effect.gen(function* () {
        expect(yield* allowedChat).toEqual(Option.none())
        const said = yield* warnings
        expect(said).toEqual([expect.stringContaining("ALLOWED_CHAT_ID")])
        if (value) expect(said[0]).not.toContain(` ${value} `)
      }).pipe(withSettings(value === undefined ? {} : { ALLOWED_CHAT_ID: value }))
    )
})
