import { expect, test } from "bun:test"
import { Effect, Logger } from "effect"
import { makeUnknownChatLogger } from "../../src/telegram/ReceiveUpdate.ts"

test("the log names chats that write while none is allowed, once each and ten at most", async () => {
  const logged: Array<string> = []
  const logger = Logger.make<unknown, void>(({ message }) => void logged.push(String(message)))
  await Effect.gen(function* () {
    const logUnknown = yield* makeUnknownChatLogger
    for (const chat of [4242, -1001234567890, 4242]) yield* logUnknown(chat)
    for (let stranger = 1; stranger <= 1_000; stranger++) yield* logUnknown(stranger)
  }).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)), Effect.runPromise)
  expect(logged[0]).toContain("ALLOWED_CHAT_ID=4242")
  expect(logged[1]).toContain("ALLOWED_CHAT_ID=-1001234567890")
  expect(logged).toHaveLength(10)
})
