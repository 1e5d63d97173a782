import { FetchHttpClient } from "@effect/platform"
import { Layer } from "effect"
import { BotApi } from "../../../src/telegram/BotApi.ts"
import { Chat } from "../../../src/telegram/Chat.ts"
import { Pace } from "../../../src/telegram/Pace.ts"
import { makeApp } from "../app.ts"
import { fakeTelegram } from "../fakeTelegram.ts"
import { withTestService } from "../testService.ts"
import { type Exchange, runScript, type Script } from "./script.ts"

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

/** Holds a conversation with the service of this process, which reads no pages and never waits for its turn to send. */
const inProcess = async (script: Script): Promise<Held> => {
  const telegram = fakeTelegram()
  const app = makeApp(
    { TELEGRAM_BOT_TOKEN: "123456:a-bot-token", TELEGRAM_API_URL: telegram.url, ...settingsOf(script) },
    undefined,
    unpacedChat
  )
  const place = {
    telegram,
    pages: "http://127.0.0.1:8",
    webhook: app.webhook,
    change: (body: object) => app.owner("POST", "/api/mutate", body),
    links: app.links
  }
  const exchanges = await runScript(place, script).finally(app.dispose)
  await telegram.stop()
  return { exchanges, violations: telegram.problems }
}

/** Holds a conversation with a service in a process of its own, which keeps Telegram's pace. */
export const overService = async (script: Script): Promise<Held> => {
  let exchanges: ReadonlyArray<Exchange> = []
  let violations: ReadonlyArray<unknown> = []
  await withTestService({ settings: settingsOf(script) }, async ({ client, world }) => {
    const { telegram } = world
    const links = () => client.links("?limit=200")
    exchanges = await runScript({ ...client, telegram, pages: world.pages.url, links }, script)
    violations = [...telegram.problems, ...telegram.broken()]
  })
  return { exchanges, violations }
}

/** Holds a conversation where it can be held at the least cost. */
export const hold = (script: Script): Promise<Held> =>
  script.needsService === true ? overService(script) : inProcess(script)
