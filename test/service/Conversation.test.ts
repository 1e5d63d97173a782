import { describe, expect, test } from "bun:test"
import { hold, overService } from "../support/conversation/places.ts"
import { exchangeText, type Script } from "../support/conversation/script.ts"
import { scripts } from "../support/conversation/scripts.ts"
import { long } from "../support/tier.ts"

/**
 * Conversations with the bot, and a fake Telegram; `bun test/support/conversation/print.ts` prints them. They tell what the
 * bot stores and answers, so that other tests of the bot need not.
 */

const holds = (how: typeof hold) => (script: Script) =>
  test.concurrent(script.name, async () => {
    const { exchanges, violations } = await how(script)
    const failed = exchanges.filter(({ problems }) => problems.length > 0)
    expect(failed.map(exchangeText).join("\n")).toBe("")
    expect(violations).toEqual([])
  })

describe("a conversation", () => {
  scripts.forEach(holds(hold))
})

long(describe)("a conversation with the service in its own process", () => {
  scripts.filter(({ needsService }) => needsService !== true).forEach(holds(overService))
})
