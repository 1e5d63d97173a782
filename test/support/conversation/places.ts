import { expect } from "bun:test"
import { FetchHttpClient } from "@effect/platform"
import { Layer } from "effect"
import { BotApi } from "../../../src/telegram/BotApi.ts"
import { Chat } from "../../../src/telegram/Chat.ts"
import { Pace } from "../../../src/telegram/Pace.ts"
import { makeApp, sharedApps } from "../app.ts"
import { fakeTelegram } from "../fakeTelegram.ts"
import { startTestService, type TestService } from "../testService.ts"
import { type Exchange, exchangeText, runScript, type Script } from "./script.ts"

/** How a conversation went, and what Telegram would hold against it. */
export interface Held {
  readonly exchanges: ReadonlyArray<Exchange>
  readonly violations: ReadonlyArray<unknown>
}

const settingsOf = ({ chat }: Script): Record<string, string> =>
  chat === undefined ? {} : { ALLOWED_CHAT_ID: String(chat.id) }

/** The real client of Telegram's API, which never waits for its turn. */
const unpacedChat = Chat.layer.pipe(
  Layer.provide(Layer.provide(BotApi.layer, FetchHttpClient.layer)),
  Layer.provide(Layer.succeed(Pace, { paced: () => (call) => call }))
)

/**
 * Services of this process, used one after another, and a server of Telegram's API that they call. They read no pages, and
 * never wait for their turn to send.
 */
export const appsWithTelegram = () => {
  const telegram = fakeTelegram()
  const address = { TELEGRAM_BOT_TOKEN: "123456:a-bot-token", TELEGRAM_API_URL: telegram.url }
  const apps = sharedApps({
    make: (settings) => makeApp({ ...address, ...settings }, undefined, unpacedChat)
  })
  return {
    telegram,
    use: apps.use,
    /** Holds a conversation with a service whose library is empty. */
    hold: (script: Script): Promise<Held> =>
      apps.use(settingsOf(script), async ({ links, owner, webhook }) => {
        const change = (body: object) => owner("POST", "/api/mutate", body)
        const place = { telegram, pages: "http://127.0.0.1:8", webhook, change, links }
        return { exchanges: await runScript(place, script), violations: telegram.problems.splice(0) }
      }),
    end: async () => {
      await apps.dispose()
      await telegram.stop()
    }
  }
}

/** Holds a conversation with a service in a process of its own, which keeps Telegram's pace. */
export const holdWith = async ({ client, world }: TestService, script: Script): Promise<Held> => {
  const { telegram } = world
  const links = () => client.links("?limit=200")
  const exchanges = await runScript({ ...client, telegram, pages: world.pages.url, links }, script)
  return { exchanges, violations: [...telegram.problems, ...telegram.broken()] }
}

/** Holds a conversation with a service that is started for it. */
export const holdWithService = async (script: Script): Promise<Held> => {
  const service = await startTestService({ settings: settingsOf(script) })
  return holdWith(service, script).finally(service.remove)
}

/** Checks that a conversation went as its script says. */
export const expectAsWritten = ({ exchanges, violations }: Held) => {
  const failed = exchanges.filter(({ problems }) => problems.length > 0)
  expect(failed.map(exchangeText).join("\n")).toBe("")
  expect(violations).toEqual([])
}
