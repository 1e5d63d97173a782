import { afterAll, describe, expect, test } from "bun:test"
import { FastCheck as fc, Option } from "effect"
import { parseWebUrl } from "../../src/domain/WebUrl.ts"
import { MAX_NOTE } from "../../src/shared/Limits.ts"
import { normalizeTag } from "../../src/shared/Tags.ts"
import { messageText, messageUrls, richText } from "../../src/telegram/MessageText.ts"
import { type ChatUpdate, chatOf, readUpdate, updateIdOf } from "../../src/telegram/Update.ts"
import { makeApp } from "../support/app.ts"
import { cpuTime } from "../support/cpuTime.ts"
import { describeData, json } from "../support/data.ts"
import { readMessage } from "../support/messages.ts"
import { spoiltJson } from "../support/mutate.ts"
import { randomOf } from "../support/randomLibrary.ts"
import { always, alwaysAsync, deepJson, strangeJson, strangeText } from "../support/strange.ts"
import { long } from "../support/tier.ts"

const names =
  `update_id message edited_message channel_post callback_query chat id type text entities offset length url
  message_id date from is_bot reply_to_message quote external_reply origin username caption caption_entities data
  rich_message blocks items cells reply_markup inline_keyboard link_preview_options forward_origin media_group_id`.split(
    /\s+/
  )

const kinds = "url text_link hashtag bot_command mention bold cashtag code".split(" ")
const entity = fc.record({
  type: fc.constantFrom(...kinds),
  offset: fc.integer({ min: -2, max: 60 }),
  length: fc.integer({ min: -2, max: 60 }),
  url: fc.oneof(fc.webUrl(), strangeText(2), fc.constant("javascript:alert(1)"))
})

const words = fc
  .array(
    fc.oneof(
      strangeText(4),
      fc.webUrl(),
      fc.constantFrom(" ", "#tag ", "/save ", "http://", "(https://a.b/c)")
    )
  )
  .map((parts) => parts.join(""))

/** Any message of the owner. */
const message = fc
  .record({
    text: words,
    entities: fc.array(entity, { maxLength: 8 }),
    rich_message: fc.option(strangeJson(names), { nil: undefined }),
    reply_to_message: fc.option(fc.constant({ message_id: 3, from: { id: 7, is_bot: true } }), {
      nil: undefined
    }),
    forward_origin: fc.option(fc.constant({ type: "hidden_user" }), { nil: undefined })
  })
  .map((one) => ({ message_id: 5, date: 1, chat: { id: 4242, type: "private" }, ...one }))

const isWeb = (url: string) => Option.isSome(parseWebUrl(url))

/** Checks what every parsed update must satisfy. */
const expectValid = (read: ChatUpdate) => {
  if (read._tag === "Search") expect(read.text.length).toBeLessThanOrEqual(500)
  if (read._tag !== "Save" && read._tag !== "Edit") return
  expect(read.urls.filter((url) => !isWeb(url))).toEqual([])
  expect(read.urls.length).toBeLessThanOrEqual(1_000)
  expect(read.note.length).toBeLessThanOrEqual(MAX_NOTE)
  expect(read.note).toBe(read.note.trim())
  expect(read.tags.map(normalizeTag)).toEqual([...read.tags])
  expect(read.source === null || isWeb(read.source)).toBe(true)
}

describe("any update", () => {
  always(
    "is parsed",
    fc.oneof(
      strangeJson(names),
      message.map((one) => ({ message: one, update_id: 1 }))
    ),
    (value) => {
      expect(updateIdOf(value) === null || Number.isSafeInteger(updateIdOf(value))).toBe(true)
      expect(chatOf(value) === null || Number.isSafeInteger(chatOf(value))).toBe(true)
      expectValid(readUpdate(value))
    },
    1_500
  )

  always(
    "is a command if it begins with one, and a save only with /save",
    fc.tuple(fc.stringMatching(/^[a-z][a-z0-9_]{0,20}(@[a-z_]{3,12})?$/), words, message),
    ([name, rest, one]) => {
      const called = `/${name}`
      const offset = called.length + 1
      const moved = one.entities.map((entity) => ({ ...entity, offset: Math.abs(entity.offset) + offset }))
      const entities = [{ type: "bot_command", offset: 0, length: called.length }, ...moved]
      const { forward_origin: _, ...own } = one
      const read = readUpdate({ message: { ...own, text: `${called} ${rest}`, entities } })
      if (/^save(@|$)/.test(name)) expect(["Save", "Hint"]).toContain(read._tag)
      else expect(read).toMatchObject({ _tag: "Command", args: rest.trim() })
    },
    1_000
  )

  always("has URLs within its text, and each page once", message, (one) => {
    const text = messageText(one)
    const { ranges, urls } = messageUrls(one, text)
    for (const { end, start } of [...ranges, ...text.entities]) {
      expect(start).toBeGreaterThanOrEqual(0)
      expect(end).toBeLessThanOrEqual(text.text.length)
      expect(end).toBeGreaterThan(start)
    }
    expect(new Set(urls).size).toBe(urls.length)
  })

  always("has rich text with its marks inside", strangeJson(names), (value) => {
    const { entities, text } = richText({ rich_message: value })
    for (const { end, start } of entities) expect(start >= 0 && end > start && end <= text.length).toBe(true)
  })

  long(test)("is parsed quickly, however large or nested", () => {
    const begun = cpuTime()
    const entities = Array.from({ length: 5_000 }, (_, n) => ({ type: "url", offset: n, length: 1 }))
    const links = entities.map((one) => ({ ...one, type: "text_link", url: "https://e.org/" }))
    const rows = "button ".repeat(20_000).split(" ")
    for (const value of [
      { text: "(".repeat(4_096) },
      { text: "https://e.org/".repeat(5_000) },
      { text: `https://e.org/${")".repeat(100_000)}` },
      { text: " (((,".repeat(4_000) },
      { text: "x".repeat(5_000), entities: [...entities, ...links] },
      {
        reply_markup: { inline_keyboard: [rows.map((label) => ({ label, url: `https://e.org/${label}` }))] }
      },
      { rich_message: JSON.parse(deepJson(100_000)) },
      {
        rich_message: JSON.parse(`${'{"type":"url","url":"x","text":'.repeat(9_000)}"x"${"}".repeat(9_000)}`)
      }
    ])
      expectValid(readUpdate({ message: { message_id: 1, date: 1, chat: { id: 4242 }, ...value } }))
    expect(cpuTime() - begun).toBeLessThan(5_000)
  })
})

describe("the webhook", () => {
  const app = makeApp()
  afterAll(() => app.dispose())
  let next = 800_000

  /** Delivers an update, waits until it is processed, and checks every message sent. */
  const deliver = async (body: unknown) => {
    const before = app.sent.length
    const response = await app.webhook(body)
    expect([200, 400]).toContain(response.status)
    await app.settled()
    for (const { html } of app.sent.slice(before)) expect(readMessage(html)?.length ?? 0).toBeGreaterThan(0)
    for (const { html } of app.sent.slice(before))
      expect((readMessage(html) ?? "").length).toBeLessThanOrEqual(4_096)
    return response.status
  }

  alwaysAsync(
    "answers any message of the owner in well-formed markup",
    message,
    async (one) => {
      expect(await deliver({ update_id: ++next, message: { ...one, message_id: next } })).toBe(200)
    },
    60
  )

  alwaysAsync(
    "accepts any JSON and any other text",
    fc.oneof(
      strangeJson(names).map((value) => JSON.stringify(value) ?? ""),
      strangeText().map((text) => text.toWellFormed()),
      fc.integer({ min: 1, max: 200_000 }).map((depth) => deepJson(depth)),
      fc.integer({ min: 1, max: 200_000 }).map((depth) => `{"update_id":1,"message":${deepJson(depth)}}`)
    ),
    async (body) => void (await deliver(body)),
    60
  )

  test("answers 400 to invalid UTF-8", async () => {
    const body = new TextDecoder("latin1").decode(Uint8Array.of(0xff, 0xfe, 0x7b, 0x7d))
    expect(await deliver(body)).toBe(400)
  })
})

describeData("telegram-updates.json", "mutated real updates", () => {
  const updates = json<ReadonlyArray<{ readonly update: Record<string, unknown> }>>("telegram-updates.json")
  const app = makeApp()
  afterAll(() => app.dispose())
  const mutated = fc
    .tuple(fc.constantFrom(...updates), fc.integer())
    .map(([{ update }, seed]) => spoiltJson(update, randomOf(seed)))

  always("are parsed", mutated, (update) => expectValid(readUpdate(update)), 1_500)

  let next = 900_000
  alwaysAsync(
    "are processed and answered in well-formed markup",
    mutated,
    async (update) => {
      const before = app.sent.length
      const numbered =
        typeof update === "object" && update !== null ? { ...update, update_id: ++next } : update
      expect((await app.webhook(JSON.stringify(numbered))).status).toBe(200)
      await app.settled()
      for (const { html } of app.sent.slice(before)) expect(readMessage(html)).toBeString()
    },
    60
  )
})
