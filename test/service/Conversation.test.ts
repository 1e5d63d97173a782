import { describe, expect, setDefaultTimeout, test } from "bun:test"
import { exchangeText, runScript } from "../support/conversation/script.ts"
import { scripts } from "../support/conversation/scripts.ts"
import { withTestService } from "../support/testService.ts"

/** Conversations with the real service and a fake Telegram; `bun test/support/conversation/print.ts` prints them. */

// A test that is cut off would take the service with it.
setDefaultTimeout(300_000)

describe("conversations", () => {
  for (const script of scripts)
    test.concurrent(script.name, () =>
      withTestService(
        {
          settings: {
            ...(script.chat === undefined ? {} : { ALLOWED_CHAT_ID: String(script.chat.id) }),
            ...script.settings
          }
        },
        async (service) => {
          const exchanges = await runScript(service, script)
          const failed = exchanges.filter(({ problems }) => problems.length > 0)
          expect(failed.map(exchangeText).join("\n")).toBe("")
          expect([...service.world.telegram.problems, ...service.world.telegram.broken()]).toEqual([])
        }
      )
    )
})
