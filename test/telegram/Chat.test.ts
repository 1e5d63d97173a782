import { describe, expect, test } from "bun:test"
import type { ApiMethods } from "@grammyjs/types"
import { Duration, Effect, Exit, Layer } from "effect"
import { LinkId } from "../../src/domain/Link.ts"
import { BotApi, ChatError, deleteWebhook, setMyCommands, setWebhook } from "../../src/telegram/BotApi.ts"
import {
  answerCallbackQuery,
  Chat,
  type ChatMessage,
  editMessageText,
  sendChatAction,
  sendMessage,
  setMessageReaction,
  withoutMarkup
} from "../../src/telegram/Chat.ts"
import { Pace, type Turn } from "../../src/telegram/Pace.ts"
import { problemsOf } from "../support/telegramRules.ts"

/** Fields of a method by the Bot API's types. */
type Takes<Method extends keyof ApiMethods<unknown>> = NonNullable<Parameters<ApiMethods<unknown>[Method]>[0]>

const CHAT = 4242
const message: ChatMessage = { chatId: CHAT, html: "<b>Hi</b> &amp; bye", replyTo: 7 }
const withButtons: ChatMessage = {
  ...message,
  buttons: [[{ label: "Star", data: "1f:12:1" }], [{ label: "Open", url: "https://example.org/" }]]
}
const question: ChatMessage = { ...message, asks: { linkId: LinkId.make(12), what: "collection" } }

const rejected = (description: string) => Exit.fail(new ChatError({ reason: "rejected", description }))
const unreadable = rejected("Bad Request: can't parse entities: unexpected end tag")

/** A chat over a platform with these responses in order, and then message 9 for every call. */
const over = (...answers: ReadonlyArray<Exit.Exit<unknown, ChatError>>) => {
  const calls: Array<readonly [method: string, body: object, turn: Turn]> = []
  let turn: Turn = {}
  const pace = Layer.succeed(Pace, {
    paced: (next) => (call) =>
      Effect.suspend(() => {
        turn = next
        return call
      })
  })
  const api = Layer.mock(BotApi, {
    call: (method, body) =>
      Effect.suspend((): Effect.Effect<unknown, ChatError> => {
        calls.push([method, body, turn])
        return answers[calls.length - 1] ?? Effect.succeed({ message_id: 9 })
      }),
    describe: () => Effect.succeed("")
  })
  const layer = Chat.layer.pipe(Layer.provide([pace, api]))
  return {
    calls,
    exit: <A, E>(use: (chat: Chat["Type"]) => Effect.Effect<A, E>) =>
      Effect.runPromiseExit(Effect.provide(Effect.flatMap(Chat, use), layer))
  }
}

type Use = (chat: Chat["Type"]) => Effect.Effect<unknown, ChatError>

/** Both ways to write a message. */
const writes: ReadonlyArray<readonly [what: string, method: string, use: Use]> = [
  ["send", "sendMessage", (chat) => chat.send(withButtons)],
  ["edit", "editMessageText", (chat) => chat.edit(5, withButtons)]
]

describe("Chat", () => {
  test("sends an HTML reply without link previews", async () => {
    const { calls, exit } = over()
    expect(await exit((chat) => chat.send(message))).toEqual(Exit.succeed({ messageId: 9 }))
    const wanted: Takes<"sendMessage"> = {
      chat_id: CHAT,
      text: "<b>Hi</b> &amp; bye",
      parse_mode: "HTML",
      link_preview_options: { is_disabled: true },
      reply_parameters: { message_id: 7, allow_sending_without_reply: true }
    }
    expect(calls).toEqual([["sendMessage", wanted, { chatId: CHAT }]])
  })

  test("sends buttons", async () => {
    const { calls, exit } = over()
    await exit((chat) => chat.send(withButtons))
    const markup: Takes<"sendMessage">["reply_markup"] = {
      inline_keyboard: [
        [{ text: "Star", callback_data: "1f:12:1" }],
        [{ text: "Open", url: "https://example.org/" }]
      ]
    }
    expect(calls[0]?.[1]).toMatchObject({ reply_markup: markup })
  })

  test("opens the reply field for a prompt", async () => {
    const { calls, exit } = over()
    await exit((chat) => chat.send({ ...question, buttons: [[{ label: "Star", data: "1f:12:1" }]] }))
    const markup: Takes<"sendMessage">["reply_markup"] = {
      force_reply: true,
      input_field_placeholder: "Collection name"
    }
    expect(calls[0]?.[1]).toMatchObject({ reply_markup: markup })
  })

  test("edits a message and removes its buttons", async () => {
    const { calls, exit } = over(Exit.succeed(true))
    expect(await exit((chat) => chat.edit(5, message))).toEqual(Exit.void)
    const wanted: Takes<"editMessageText"> = {
      chat_id: CHAT,
      message_id: 5,
      text: "<b>Hi</b> &amp; bye",
      parse_mode: "HTML",
      link_preview_options: { is_disabled: true }
    }
    expect(calls).toEqual([["editMessageText", wanted, { chatId: CHAT }]])
  })

  for (const [what, method, use] of writes) {
    test(`retries ${what} without markup when the platform rejects the markup`, async () => {
      const { calls, exit } = over(unreadable)
      expect(Exit.isSuccess(await exit(use))).toBe(true)
      expect(calls.map(([name]) => name)).toEqual([method, method])
      expect(calls[1]?.[1]).toMatchObject({ text: "Hi & bye", reply_markup: expect.anything() })
      expect(calls[1]?.[1]).not.toHaveProperty("parse_mode")
    })

    test(`retries ${what} once at most`, async () => {
      const { calls, exit } = over(unreadable, unreadable)
      expect(await exit(use)).toEqual(unreadable)
      expect(calls.length).toBe(2)
    })
  }

  test("accepts an edit that changes nothing", async () => {
    const { exit } = over(rejected("Bad Request: message is not modified: it is the same"))
    expect(await exit((chat) => chat.edit(5, message))).toEqual(Exit.void)
  })

  const refusals = [
    "Bad Request: BUTTON_URL_INVALID",
    "Bad Request: inline keyboard button URL 'https://x' is invalid: Wrong HTTP URL"
  ]

  for (const refusal of refusals)
    test(`sends and edits without URL buttons after ${refusal}`, async () => {
      for (const use of [
        (chat) => chat.send(withButtons),
        (chat) => chat.edit(5, withButtons)
      ] satisfies ReadonlyArray<Use>) {
        const { calls, exit } = over(rejected(refusal))
        expect(Exit.isSuccess(await exit(use))).toBe(true)
        expect(calls.map(([, body]) => Object(body).reply_markup?.inline_keyboard?.length)).toEqual([2, 1])
      }
    })

  test("sends outside a topic that does not exist", async () => {
    const { calls, exit } = over(rejected("Bad Request: message thread not found"))
    await exit((chat) => chat.send({ ...message, topic: 7 }))
    expect(calls.map(([, body]) => Object(body).message_thread_id)).toEqual([7, undefined])
  })

  test("gives up what is refused one after another, each once", async () => {
    const { calls, exit } = over(unreadable, ...refusals.map(rejected))
    expect(Exit.isFailure(await exit((chat) => chat.send(withButtons)))).toBe(true)
    expect(calls.length).toBe(3)
  })

  test("returns why a message cannot be edited", async () => {
    const gone = rejected("Bad Request: message to edit not found")
    expect(await over(gone).exit((chat) => chat.edit(5, message))).toEqual(gone)
  })

  test("rejects a response without a message", async () => {
    const reason = await over(Exit.succeed(true)).exit((chat) =>
      Effect.map(Effect.flip(chat.send(message)), (error) => error.reason)
    )
    expect(reason).toEqual(Exit.succeed("unavailable"))
  })

  test("acknowledges a button within a second, and ignores failures", async () => {
    const { calls, exit } = over(rejected("Bad Request: query is too old"))
    expect(await exit((chat) => chat.acknowledge("q1", "x".repeat(300)))).toEqual(Exit.void)
    const wanted: Takes<"answerCallbackQuery"> = { callback_query_id: "q1", text: "x".repeat(200) }
    expect(calls).toEqual([["answerCallbackQuery", wanted, { patience: Duration.seconds(1) }]])
  })

  test("reacts and shows typing only within the rate limit, and ignores failures", async () => {
    const { calls, exit } = over(rejected("REACTION_INVALID"), rejected("no"))
    expect(await exit((chat) => chat.react(CHAT, 7, "👀"))).toEqual(Exit.void)
    expect(await exit((chat) => chat.typing(CHAT))).toEqual(Exit.void)
    const reaction: Takes<"setMessageReaction"> = {
      chat_id: CHAT,
      message_id: 7,
      reaction: [{ type: "emoji", emoji: "👀" }]
    }
    const action: Takes<"sendChatAction"> = { chat_id: CHAT, action: "typing" }
    expect(calls).toEqual([
      ["setMessageReaction", reaction, { patience: Duration.zero }],
      ["sendChatAction", action, { patience: Duration.zero }]
    ])
  })
})

/** Every payload, checked against the Bot API's types. */
const payloads: { readonly [Method in keyof ApiMethods<unknown>]?: ReadonlyArray<Takes<Method>> } = {
  sendMessage: [message, withButtons, question, { ...message, replyTo: null }].map((one) => sendMessage(one)),
  editMessageText: [message, withButtons, question].map((one) => editMessageText(5, one)),
  answerCallbackQuery: [answerCallbackQuery("q"), answerCallbackQuery("q", `${"x".repeat(199)}🎉`)],
  setMessageReaction: (["👀", "👍", "✍", "🤷"] as const).map((emoji) => setMessageReaction(CHAT, 7, emoji)),
  sendChatAction: [sendChatAction(CHAT)],
  setMyCommands: [setMyCommands(CHAT, [{ command: "find", description: "Find links" }])],
  setWebhook: [false, true].map((isInline) =>
    setWebhook("https://example.org/webhook", "a-secret", isInline)
  ),
  deleteWebhook: [deleteWebhook(true)]
}

describe("payloads", () => {
  for (const [method, bodies] of Object.entries(payloads))
    test(`of ${method} are within the platform's limits`, () => {
      expect(bodies.length).toBeGreaterThan(0)
      for (const body of bodies) expect(problemsOf(method, { ...body })).toEqual([])
    })

  test("without markup have the same text", () => {
    const plain: Takes<"editMessageText"> = withoutMarkup(editMessageText(5, message))
    expect(plain).toMatchObject({ message_id: 5, text: "Hi & bye" })
    const sent: Takes<"sendMessage"> = withoutMarkup(sendMessage(message))
    expect(sent.text).toBe("Hi & bye")
  })
})
