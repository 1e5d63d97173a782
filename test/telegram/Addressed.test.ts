import { describe, expect, test } from "bun:test"
import { Option } from "effect"
import { isAddressed } from "../../src/telegram/Addressed.ts"
import { topicOf } from "../../src/telegram/Topic.ts"
import { readUpdate } from "../../src/telegram/Update.ts"
import { entitiesOf } from "../support/telegramEntities.ts"

const own = Option.some("my_bot")

const message = (text: string, more: object = {}, type = "supergroup") => ({
  message_id: 5,
  date: 1,
  chat: { id: -100, type },
  from: { id: 9, is_bot: false },
  text,
  entities: entitiesOf(text),
  ...more
})

const from = (username: string) => ({ message_id: 4, from: { id: 7, is_bot: true, username } })

describe("isAddressed", () => {
  for (const [text, more, wanted] of [
    ["good morning", {}, false],
    ["https://e.org/a", {}, false],
    ["@my_bot https://e.org/a", {}, true],
    ["see this @MY_BOT", {}, true],
    ["@my_bots https://e.org/a", {}, false],
    ["@other_bot https://e.org/a", {}, false],
    ["mail me@my_bot.com", {}, false],
    ["/find bread", {}, true],
    ["/find@my_bot bread", {}, true],
    ["/find@other_bot bread", {}, false],
    ["say /find bread", {}, false],
    ["/find bread", { forward_origin: { type: "hidden_user", sender_user_name: "x" } }, false],
    ["a note", { reply_to_message: from("my_bot") }, true],
    ["a note", { reply_to_message: from("other_bot") }, false],
    ["a note", { reply_to_message: { message_id: 4, from: { id: 9, is_bot: false } } }, false],
    // A message in a topic that the bot has opened.
    [
      "hello",
      {
        message_thread_id: 4,
        is_topic_message: true,
        reply_to_message: { ...from("my_bot"), forum_topic_created: {} }
      },
      false
    ],
    ["hello", { message_thread_id: 4, is_topic_message: true, reply_to_message: from("my_bot") }, false]
  ] as const)
    test(`is ${wanted} for ${JSON.stringify(text)} ${JSON.stringify(more)}`, () =>
      expect(isAddressed(message(text, more), own)).toBe(wanted))

  test("is true in other chats", () => {
    for (const type of ["private", "channel"]) expect(isAddressed(message("hello", {}, type), own)).toBe(true)
  })
  test("keeps what may be meant for the bot while its name is unknown", () => {
    expect(isAddressed(message("@my_bot hello"), Option.none())).toBe(true)
    expect(isAddressed(message("@ann hello"), Option.none())).toBe(false)
  })
})

describe("a message of a group", () => {
  const read = (text: string, more: object = {}) => readUpdate({ message: message(text, more) }, own)
  test("is read without the mention, wherever it is", () => {
    const links = { _tag: "Save", urls: ["https://e.org/a"], note: "a note" }
    for (const text of [
      "@my_bot https://e.org/a a note",
      "https://e.org/a a note @my_bot",
      "https://e.org/a @my_bot a note",
      "@my_bot, https://e.org/a a note",
      "@my_bot\nhttps://e.org/a\na note"
    ])
      expect(read(text)).toMatchObject(links)
    expect(read("@my_bot site:e.org bread")).toMatchObject({ _tag: "Search", text: "site:e.org bread" })
    expect(read("@my_bot e.org")).toMatchObject({ _tag: "Save", urls: ["https://e.org"], note: "" })
    expect(read("@ann @my_bot bread")).toMatchObject({ _tag: "Search", text: "@ann bread" })
  })
  test("saves the link of the message that a mention alone points at", () => {
    const pointed = message("https://e.org/b later", { message_id: 3 })
    const saved = { _tag: "Save", messageId: 5, urls: ["https://e.org/b"], note: "later" }
    expect(read("@my_bot", { reply_to_message: pointed })).toMatchObject(saved)
    expect(read("/save", { reply_to_message: pointed })).toMatchObject(saved)
    expect(read("/find", { reply_to_message: pointed })._tag).toBe("Command")
  })
})

describe("topicOf", () => {
  test("is the thread of the message or of the pressed button's message", () => {
    expect(topicOf({ message: message("x", { message_thread_id: 7 }) })).toBe(7)
    expect(topicOf({ edited_message: message("x", { message_thread_id: 8 }) })).toBe(8)
    expect(topicOf({ callback_query: { message: message("x", { message_thread_id: 9 }) } })).toBe(9)
    expect(topicOf({ message: message("x") })).toBeNull()
    for (const update of [undefined, null, [], {}, { message: { message_thread_id: "7" } }])
      expect(topicOf(update)).toBeNull()
  })
})
