import { expect, test } from "bun:test"
import { Effect, Logger } from "effect"
import { makeUnknownChatLogger } from "../../src/telegram/Update.ts"

test("the log tells the number of a chat that writes while none is served, once for each and for few", async () => {
  const said: Array<string> = []
  const logger = Logger.make<unknown, void>(({ message }) => void said.push(String(message)))
  await Effect.gen(function* () {
    const newcomer = yield* makeUnknownChatLogger
    for (const chat of [4242, -1001234567890, 4242]) yield* newcomer(chat)
    for (let stranger = 1; stranger <= 1_000; stranger++) yield* newcomer(stranger)
  }).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)), Effect.runPromise)
  expect(said[0]).toContain("ALLOWED_CHAT_ID=4242")
  expect(said[1]).toContain("ALLOWED_CHAT_ID=-1001234567890")
  expect(said).toHaveLength(10)
})
