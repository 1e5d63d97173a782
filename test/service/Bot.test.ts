import { afterAll, describe, expect, test } from "bun:test"
import type { App, SeenLink } from "../support/app.ts"
import { appsWithTelegram, expectAsWritten, holdWith } from "../support/conversation/places.ts"
import { scripts } from "../support/conversation/scripts.ts"
import { describeData, json } from "../support/data.ts"
import { CHAT, until, update } from "../support/service.ts"
import { type TestService, useTestService, withTestService } from "../support/testService.ts"
import { long } from "../support/tier.ts"

/** The chat with the bot over the real client of Telegram's API, and, with a service, at its pace. */

/** The calls of a method that Telegram has received. */
const callsTo =
  ({ calls }: TestService["world"]["telegram"]) =>
  (method: string) =>
    calls.filter((call) => call.method === method)

interface Case {
  readonly name: string
  readonly update: {
    readonly update_id: number
    readonly message?: { readonly message_id: number }
    readonly callback_query?: { readonly id: string }
  }
  readonly expect: {
    readonly action: string
    readonly urls?: ReadonlyArray<string>
    readonly note?: string
    readonly tags?: ReadonlyArray<string>
    readonly source?: string
    readonly command?: string
    readonly edit?: boolean
  }
}

describeData("telegram-updates.json", "an update of every kind", () => {
  /** The bot's message that the updates reply to and press buttons of, and the link it shows. */
  const CARD = 40
  const LINK = 12

  const { end, telegram, use } = appsWithTelegram()
  afterAll(end)

  const check = async (app: App) => {
    const calls = callsTo(telegram)
    const replyTo = (message: number) =>
      calls("sendMessage").filter(({ body }) => Object(body["reply_parameters"]).message_id === message)
    const deliver = async (one: unknown) => expect((await app.webhook(one)).status).toBe(200)
    const cases = json<ReadonlyArray<Case>>("telegram-updates.json")
    const saved = (ready: (link: SeenLink) => boolean) => until(async () => (await app.links()).find(ready))
    const textsOf = (method: string) => calls(method).map(({ body }) => String(body["text"]))
    const replyOf = ({ update: { message } }: Case) =>
      until(() => replyTo(message?.message_id ?? 0)[0]?.body["text"])
    const wasAnswered = ({ update: { callback_query } }: Case) =>
      calls("answerCallbackQuery").some(({ body }) => body["callback_query_id"] === callback_query?.id)

    // Gives the card the number that the updates name.
    telegram.answer = ({ body, method }) => {
      const result = { message_id: CARD, date: 1, chat: { id: CHAT, type: "private" } }
      const isCard = method === "sendMessage" && /^<a [^>]*><b>Page 12</.test(String(body["text"]))
      return isCard || body["message_id"] === CARD ? Response.json({ ok: true, result }) : undefined
    }
    for (let n = 1; n <= LINK; n++) await app.capture({ url: `https://example.org/${n}?t=Page+${n}` })
    await deliver(update(`#${LINK}`))
    await until(() => calls("sendMessage").length === 1)

    const [saves, others] = [true, false].map((isSave) =>
      cases.filter(({ expect: { action } }) => (action === "save") === isSave)
    )
    // The saves come first and together, so that digests report them.
    for (const one of saves ?? []) await deliver(one.update)
    // The message must have been handled before its edit arrives.
    await saved(({ url }) => url === "https://example.com/a")
    for (const one of others ?? []) await deliver(one.update)
    // One of them deletes the link, which comes back for the checks.
    const saysDeleted = (text: string) => /^Moved to the trash: .*Page 12/.test(text)
    await until(() => textsOf("sendMessage").some(saysDeleted))
    const restored = await app.owner("POST", "/api/mutate", { op: "restore", ids: [LINK] })
    expect(restored.status).toBe(200)

    const checks: Record<string, (one: Case) => Promise<void>> = {
      save: async ({ expect: { note = "", source, tags = [], urls = [] } }) => {
        for (const url of urls) {
          const lines = [note, source ?? ""].filter((line) => line !== "")
          const link = await saved(
            (one) => one.url === url && lines.every((line) => one.note.split("\n").includes(line))
          )
          for (const tag of tags) expect(link.tags).toContain(tag)
          await until(() => telegram.texts().some((text) => text.includes(`#${link.id}<`)))
        }
      },
      "update-from-edit": async ({ expect: { note = "", urls = [] } }) => {
        await saved((link) => link.url === urls[0] && link.note.split("\n").includes(note))
      },
      "set-note": async ({ expect: { note = "" } }) => {
        await saved((link) => link.id === LINK && link.note === note)
      },
      command: async (one) =>
        expect(await replyOf(one)).toContain(
          one.expect.command === "unknown" ? "/help lists what I do." : "Organizing"
        ),
      "search-or-hint": async (one) => expect(await replyOf(one)).toContain("To save a link"),
      hint: async (one) => expect(await replyOf(one)).toContain("link"),
      callback: async (one) => {
        await until(() => wasAnswered(one))
        if (one.expect.edit === false) expect(textsOf("editMessageText").some(saysDeleted)).toBe(false)
        else {
          await saved((link) => link.id === LINK && link.favorite)
          const edits = () => calls("editMessageText").filter(({ body }) => body["message_id"] === CARD)
          await until(() => edits().some(({ body }) => JSON.stringify(body).includes("★ Unfavorite")))
        }
      },
      "ignore-duplicate-update": async ({ expect: { urls = [] }, update: { message } }) => {
        const replies = replyTo(message?.message_id ?? 0).map(({ body }) => String(body["text"]))
        expect(replies.filter((text) => !text.startsWith("📝")).length).toBeLessThanOrEqual(1)
        const same = (await app.links()).filter(({ url }) => url === urls[0] || url.endsWith("com/a"))
        expect(same.length).toBe(1)
      }
    }
    const staysSilent = async (one: Case) => {
      expect(replyTo(one.update.message?.message_id ?? 0)).toEqual([])
      expect(wasAnswered(one)).toBe(false)
    }
    for (const one of cases)
      await (checks[one.expect.action] ?? staysSilent)(one).catch((error) => {
        throw new Error(`${one.name}: ${error}`)
      })

    // One digest reports the thirty links of one message.
    const reports = telegram.texts().filter((text) => text.includes('https://bulk.example/0"'))
    expect(reports).toEqual([expect.stringMatching(/^30 saved\n[\s\S]*https:\/\/bulk\.example\/29"/)])
    // Other chats get no reply, and nothing of theirs is kept.
    const chats = telegram.calls.flatMap(({ body }) => body["chat_id"] ?? [])
    expect(new Set(chats)).toEqual(new Set([CHAT]))
    expect((await app.links()).some(({ url }) => url.includes("steal"))).toBe(false)
    expect(telegram.problems).toEqual([])
  }
  long(test)("has its effect on the library and in the chat", () => use({}, check))
})

const pageOf = ({ pages }: TestService["world"], title: string) =>
  `${pages.url}/plain?t=${encodeURIComponent(title)}`

const refused = (error_code: number, parameters = {}) =>
  Response.json({ ok: false, error_code, description: "No", parameters }, { status: error_code })

/** Sends links at once, each in its own message; returns a way to wait for their reports. */
const flood = async ({ client, world }: TestService, count: number) => {
  const calls = callsTo(world.telegram)
  const sent = Array.from({ length: count }, (_, n) => client.webhook(update(pageOf(world, `Flood ${n}`))))
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(Array(count).fill(200))
  return {
    /** Waits until each link is reported, which must be once, in messages sent after the first `skipped`. */
    reported: async (skipped = 0) => {
      const reports = () => {
        const texts = calls("sendMessage").slice(skipped)
        return texts.flatMap(({ body }) =>
          [...String(body["text"]).matchAll(/>Flood (\d+)</g)].map(([, n]) => Number(n))
        )
      }
      await until(() => new Set(reports()).size === count)
      expect(reports().length).toBe(count)
      return calls("sendMessage").length - skipped
    }
  }
}

describe("the service", () => {
  const service = useTestService()

  for (const script of scripts.filter(({ needsService }) => needsService))
    test(`reads ${script.name}`, async () => expectAsWritten(await holdWith(service(), script)))

  long(test)("reports messages once after an outage of Telegram and a restart", async () => {
    const { client, restart, world } = service()
    const before = await client.count()
    world.telegram.answer = () => refused(502)
    const { reported } = await flood(service(), 12)
    await until(async () => {
      const links = await client.links()
      return (
        links.length === before + 12 && links.slice(0, 12).every(({ enrichment }) => enrichment !== "pending")
      )
    })
    expect(await restart()).toBe(0)
    await until(() => world.telegram.calls.at(-1)?.method === "sendMessage")
    // What was refused counts for no limit, which a quick restart would not keep.
    world.telegram.calls.splice(0)
    world.telegram.answer = () => undefined
    expect(await reported()).toBeLessThanOrEqual(4)
    expect([...world.telegram.problems, ...world.telegram.broken()]).toEqual([])
  })
})

long(describe)("a flood of messages", () => {
  const floodTest = (name: string, body: (service: TestService) => Promise<void>) =>
    test(name, () =>
      withTestService({}, async (service) => {
        await body(service)
        const { telegram } = service.world
        expect([...telegram.problems, ...telegram.broken()]).toEqual([])
      })
    )

  floodTest("is saved, and reported in few messages", async (service) => {
    const { client, world } = service
    const calls = callsTo(world.telegram)
    // No message until every page is read, or a slow machine would fill a message each second with few links.
    world.telegram.answer = ({ method }) =>
      method === "sendMessage" ? refused(429, { retry_after: 1 }) : undefined
    const { reported } = await flood(service, 80)
    await until(async () => {
      const links = await client.links("?limit=1000")
      return links.length === 80 && links.every(({ enrichment }) => enrichment !== "pending")
    })
    const tried = calls("sendMessage").length
    world.telegram.answer = () => undefined
    expect(await reported(tried)).toBeLessThan(16)
  })

  floodTest("waits, without any call, for as long as Telegram asks", async (service) => {
    const { client, world } = service
    const calls = callsTo(world.telegram)
    world.telegram.answer = ({ method }) =>
      method === "sendMessage" ? refused(429, { retry_after: 12 }) : undefined
    await client.webhook(update(pageOf(world, "First")))
    const { at } = await until(() => calls("sendMessage")[0])
    world.telegram.answer = () => undefined
    const { reported } = await flood(service, 12)
    await reported(1)
    // Calls that were on their way may still arrive at first, on a busy machine for seconds.
    expect(world.telegram.calls.filter((call) => call.at > at + 8_000 && call.at < at + 11_950)).toEqual([])
  })
})
