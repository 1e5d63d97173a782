import { afterAll, describe, test } from "bun:test"
import { appsWithTelegram, expectAsWritten, holdWithService } from "../support/conversation/places.ts"
import { scripts } from "../support/conversation/scripts.ts"
import { long } from "../support/tier.ts"

/**
 * Conversations with the bot and a fake Telegram; `bun test/support/conversation/print.ts` prints them. They tell what the
 * bot stores and answers, so that other tests of the bot need not.
 */

/** The others are held in `Bot.test.ts`. */
const inThisProcess = scripts.filter(({ needsService }) => needsService !== true)

describe("a conversation", () => {
  const { end, hold } = appsWithTelegram()
  afterAll(end)
  for (const script of inThisProcess) test(script.name, async () => expectAsWritten(await hold(script)))
})

// All at once: each mostly waits for the pace of the chat.
long(describe)("a conversation with a service of its own", () => {
  for (const script of inThisProcess)
    test.concurrent(script.name, async () => expectAsWritten(await holdWithService(script)))
})
