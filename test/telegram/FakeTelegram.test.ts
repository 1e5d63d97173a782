import { describe, expect, test } from "bun:test"
import { fakeTelegram } from "../support/fakes.ts"
import { type BotCall, excessOf } from "../support/telegramLimits.ts"
import { problemsOf } from "../support/telegramRules.ts"

const text = (html: string, more = {}) => ({ chat_id: 1, text: html, parse_mode: "HTML", ...more })
const button = (fields: object) => text("x", { reply_markup: { inline_keyboard: [[fields]] } })

/** Calls of a method to a chat at these times (ms). */
const callsAt = (method: string, chat: number, times: ReadonlyArray<number>): ReadonlyArray<BotCall> =>
  times.map((at) => ({ method, body: { chat_id: chat }, at }))

const limitsOf = (calls: ReadonlyArray<BotCall>) => excessOf(calls).map(({ limit }) => limit)
const every = (milliseconds: number, count: number) =>
  Array.from({ length: count }, (_, n) => n * milliseconds)

describe("the fake Bot API rejects", () => {
  for (const [what, method, body, problem] of [
    ["an empty text", "sendMessage", text("<b></b>"), "a text of 0 units"],
    ["a text too long", "sendMessage", text("x".repeat(4097)), "a text of 4097 units"],
    ["an unclosed tag", "sendMessage", text("<b>x"), "markup"],
    ["overlapping tags", "editMessageText", text("<b><i>x</b></i>", { message_id: 1 }), "markup"],
    ["an unsupported tag", "sendMessage", text("<h1>x</h1>"), "no tag"],
    ["a bare ampersand", "sendMessage", text("a & b"), "ampersand"],
    ["too much button data", "sendMessage", button({ text: "x", callback_data: "é".repeat(33) }), "66 bytes"],
    ["a button without an action", "sendMessage", button({ text: "x" }), "does nothing"],
    [
      "a button with an invalid URL",
      "sendMessage",
      button({ text: "x", url: "javascript:1" }),
      "a button to"
    ],
    [
      "an edit with a prompt",
      "editMessageText",
      text("x", { message_id: 1, reply_markup: { force_reply: true } }),
      "ask"
    ],
    [
      "a notice too long",
      "answerCallbackQuery",
      { callback_query_id: "1", text: "x".repeat(201) },
      "200 units"
    ],
    [
      "an unsupported reaction",
      "setMessageReaction",
      { reaction: [{ type: "emoji", emoji: "✅" }] },
      "no reaction"
    ],
    [
      "a command name in capitals",
      "setMyCommands",
      { commands: [{ command: "Find", description: "x" }] },
      "Find"
    ]
  ] as const)
    test(what, () => expect(problemsOf(method, { ...body }).join()).toContain(problem))

  test("no valid call", () =>
    expect(
      problemsOf("sendMessage", text(`<blockquote expandable>${"&lt;".repeat(4096)}</blockquote>`))
    ).toEqual([]))
})

describe("the fake Bot API counts as beyond its limits", () => {
  test("two messages to one person within a second", () => {
    expect(limitsOf(callsAt("sendMessage", 1, [0, 999]))).toEqual(["messages"])
    expect(limitsOf(callsAt("editMessageText", 1, [0, 1000]))).toEqual([])
    expect(limitsOf([...callsAt("sendMessage", 1, [0]), ...callsAt("sendMessage", 2, [1])])).toEqual([])
  })
  test("more than 20 messages to a group within a minute", () => {
    expect(limitsOf(callsAt("sendMessage", -1, every(2000, 21)))).toEqual(["group messages"])
    expect(limitsOf(callsAt("sendMessage", -1, every(3000, 30)))).toEqual([])
  })
  test("more than 30 calls within a second", () => {
    expect(limitsOf(callsAt("getMe", 1, every(30, 31).toReversed()))).toEqual(["calls"])
    expect(limitsOf(callsAt("getMe", 1, every(34, 60)))).toEqual([])
    expect(limitsOf(callsAt("setMessageReaction", 1, every(30, 31)))).toEqual(["calls", "reactions"])
  })
})

describe("the fake Bot API", () => {
  test("edits known messages and rejects unchanged text", async () => {
    const telegram = fakeTelegram()
    const call = async (method: string, body: object) => {
      const response = await fetch(`${telegram.url}/bot1:a/${method}`, {
        method: "POST",
        body: JSON.stringify(body)
      })
      return await response.json()
    }
    const { result } = await call("sendMessage", text("one"))
    const edit = (html: string, id = result.message_id) =>
      call("editMessageText", text(html, { message_id: id }))
    expect(await edit("one")).toMatchObject({ ok: false, error_code: 400 })
    expect(await edit("two")).toMatchObject({
      ok: true,
      result: { message_id: result.message_id, text: "two" }
    })
    expect((await edit("two", 1)).description).toContain("message to edit not found")
    expect((await edit("<b>x")).description).toContain("can't parse entities")
    expect((await call("sendMesage", {})).error_code).toBe(404)
    expect((await call("getMe", {})).result.username).toBe("my_bot")
    expect(telegram.problems.length).toBeGreaterThan(0)
    await telegram.stop()
  })
})

describe("the fake's getUpdates", () => {
  const open = () => {
    const telegram = fakeTelegram()
    const call = async (method: string, body: object = {}) =>
      (await fetch(`${telegram.url}/bot1:a/${method}`, { method: "POST", body: JSON.stringify(body) })).json()
    const ids = async (body: object = {}) =>
      (await call("getUpdates", body)).result.map(({ update_id }: { update_id: number }) => update_id)
    const send = (...numbers: ReadonlyArray<number>) =>
      telegram.send(...numbers.map((update_id) => ({ update_id, message: {} })))
    return { telegram, call, ids, send }
  }

  test("repeats updates until an offset confirms them", async () => {
    const { ids, send, telegram } = open()
    send(11, 12, 13, 14)
    expect(await ids()).toEqual([11, 12, 13, 14])
    expect(await ids({ limit: 2 })).toEqual([11, 12])
    expect(await ids({ offset: 12, limit: 2 })).toEqual([12, 13])
    expect(await ids({ offset: 11 })).toEqual([12, 13, 14])
    expect(await ids({ offset: -1 })).toEqual([14])
    // An offset from before the platform numbered the updates anew confirms none.
    expect(await ids({ offset: 5_000 })).toEqual([14])
    expect(await ids({ offset: 15 })).toEqual([])
    await telegram.stop()
  })

  test("holds a request until there is an update, and ends it for another one or for a webhook", async () => {
    const { call, ids, send, telegram } = open()
    const held = ids({ timeout: 50 })
    while (!telegram.updates.isHeld()) await Bun.sleep(5)
    send(1)
    expect(await held).toEqual([1])
    const first = call("getUpdates", { timeout: 50, offset: 2 })
    while (!telegram.updates.isHeld()) await Bun.sleep(5)
    const second = call("getUpdates", { timeout: 50, offset: 2 })
    expect(await first).toMatchObject({ error_code: 409, description: expect.stringContaining("other") })
    await call("setWebhook", { url: "http://127.0.0.1:1/webhook", secret_token: "a" })
    expect(await second).toMatchObject({
      error_code: 409,
      description: expect.stringContaining("setWebhook")
    })
    expect(await call("getUpdates")).toMatchObject({ error_code: 409 })
    await telegram.stop()
  })

  test("keeps waiting updates when a webhook is deleted, unless they are dropped", async () => {
    const { call, ids, send, telegram } = open()
    await call("getUpdates", { allowed_updates: ["message"] })
    telegram.send({ update_id: 1, ...{ poll: {} } })
    send(2)
    expect((await call("getWebhookInfo")).result.pending_update_count).toBe(1)
    await call("deleteWebhook", { drop_pending_updates: false })
    expect(await ids()).toEqual([2])
    await call("deleteWebhook", { drop_pending_updates: true })
    expect(await ids()).toEqual([])
    await telegram.stop()
  })
})
