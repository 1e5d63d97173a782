import type { Link } from "../../src/domain/Link.ts"
import type { ChatMessage } from "../../src/telegram/Chat.ts"
import { stripMarkup } from "../../src/telegram/Content.ts"
import { type App, appTests } from "./app.ts"
import { until } from "./service.ts"

const OWNER = 4242

/** The fields of a link that chat tests check. */
type Seen = Pick<Link, "id" | "title" | "note" | "favorite" | "shareable" | "collection">

let update = 50_000

/** An update with a message of the owner; a command has its entity. */
export const ownerMessage = (text: string, more: object = {}) => {
  const command = /^\/\w+(?:@\w+)?/.exec(text)?.[0]
  const message_id = ++update
  return {
    update_id: message_id,
    message: {
      message_id,
      date: 1,
      chat: { id: OWNER, type: "private" },
      from: { id: OWNER, is_bot: false },
      text,
      ...(command === undefined
        ? {}
        : { entities: [{ type: "bot_command", offset: 0, length: command.length }] }),
      ...more
    }
  }
}

/** An update with a button press of the owner. */
export const ownerPress = (data: string, messageId: number | undefined, date = 1) => {
  const update_id = ++update
  return {
    update_id,
    callback_query: {
      id: `press ${update_id}`,
      from: { id: OWNER, is_bot: false },
      chat_instance: "1",
      ...(messageId === undefined
        ? {}
        : { message: { message_id: messageId, date, chat: { id: OWNER, type: "private" } } }),
      data
    }
  }
}

/** Makes a message a reply to the bot's message. */
export const answering = (message_id: number) => ({
  reply_to_message: { message_id, chat: { id: OWNER }, from: { id: 7, is_bot: true } }
})

/** The text of a message without markup. */
export const readOf = (message: ChatMessage | undefined): string => stripMarkup(message?.html ?? "")

/** The labels of a message's buttons, row by row. */
export const labelsOf = (message: ChatMessage | undefined): ReadonlyArray<ReadonlyArray<string>> =>
  (message?.buttons ?? []).map((row) => row.map(({ label }) => label))

/** The data of the message's button whose label starts with this text. */
export const dataOf = (message: ChatMessage | undefined, label: string): string => {
  const found = (message?.buttons ?? []).flat().find((one) => one.label.startsWith(label))
  if (found === undefined || !("data" in found)) throw new Error(`no button ${label}: ${labelsOf(message)}`)
  return found.data
}

/** The owner's chat with the bot of an app. */
export const ownerChat = (app: App) => {
  const deliver = async (one: unknown) => {
    const response = await app.webhook(one)
    if (response.status !== 200) throw new Error(`the webhook answers ${response.status}`)
  }
  const last = () => app.sent.at(-1)
  const urlOf = (title: string) =>
    `https://example.org/${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}?t=${encodeURIComponent(title)}`
  return {
    app,
    /** Sends a message; returns the last reply. */
    say: async (text: string, more: object = {}) => {
      await deliver(ownerMessage(text, more))
      await app.settled()
      return last()
    },
    /** Presses a button of the bot's message; returns the notice shown. */
    press: async (data: string, messageId = 900_000 + app.sent.length, date = 1) => {
      const before = app.acknowledged.length
      await deliver(ownerPress(data, messageId, date))
      await app.settled()
      // The notice follows the work.
      await until(() => app.acknowledged.length > before)
      return app.acknowledged.at(-1)
    },
    deliver,
    last,
    /** The id of the bot's last message. */
    lastId: () => 900_000 + app.sent.length,
    lastEdit: () => app.edits.at(-1),
    /** Saves a link with this title; returns the reply. */
    save: async (title: string, note = "") => {
      await deliver(ownerMessage(`${urlOf(title)} ${note}`))
      await app.settled()
      return app.sent.at(-1)
    },
    /** Saves links with these titles by one message, which is cheaper than one message each. */
    saveAll: async (titles: ReadonlyArray<string>) => {
      await deliver(ownerMessage(titles.map(urlOf).join(" ")))
      await app.settled()
    },
    links: async (query = ""): Promise<ReadonlyArray<Seen>> =>
      (await (await app.owner("GET", `/api/links?sort=oldest${query}`)).json()).links
  }
}
export type OwnerChat = ReturnType<typeof ownerChat>

/** Tests in a chat with an empty library; they share an app as `appTests` do. */
export const chatTests = () => {
  const appTest = appTests()
  return (
    name: string,
    body: (chat: OwnerChat) => Promise<void>,
    settings: Record<string, string> = {},
    timeout?: number
  ): void => appTest(name, (app) => body(ownerChat(app)), settings, timeout)
}
