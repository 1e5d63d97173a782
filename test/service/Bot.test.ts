import { describe, expect, setDefaultTimeout, test } from "bun:test"
import { describeData, json } from "../support/data.ts"
import { CHAT, type SeenLink, until, update } from "../support/service.ts"
import { type TestService, withTestService } from "../support/testService.ts"

/**
 * The chat with the bot, through the real Telegram client and its pace. Each test has its own service, and all run at
 * once: they mostly wait for their turn to send, once a second.
 */

// A test that is cut off would take the service with it.
setDefaultTimeout(180_000)

/** Seconds until the last of many replies has its turn. */
const PATIENCE = 90

/** A message as the chat shows it. */
interface Shown {
  readonly id: number
  readonly text: string
  /** The data or URL of each button, by its label. */
  readonly buttons: ReadonlyMap<string, string>
}

const shown = (id: number, body: Readonly<Record<string, unknown>>): Shown => {
  const rows: ReadonlyArray<ReadonlyArray<Record<string, string>>> =
    Object(body["reply_markup"]).inline_keyboard ?? []
  return {
    id,
    text: String(body["text"]),
    buttons: new Map(rows.flat().map((one) => [one["text"] ?? "", one["callback_data"] ?? one["url"] ?? ""]))
  }
}

const openChat = ({ client, world }: TestService) => {
  const calls = (method: string) => world.telegram.calls.filter((call) => call.method === method)
  const replyTo = (message: number) =>
    calls("sendMessage").filter(({ body }) => Object(body["reply_parameters"]).message_id === message)
  /** The messages of the chat; the fake Telegram numbers them from 500,001 on. */
  const messages = (): ReadonlyArray<Shown> => {
    const all = new Map<number, Shown>()
    for (const { body, method } of world.telegram.calls) {
      const id = method === "sendMessage" ? 500_001 + all.size : Number(body["message_id"])
      if (method === "sendMessage" || method === "editMessageText") all.set(id, shown(id, body))
    }
    return [...all.values()]
  }
  const message = (text: RegExp, button = "") =>
    until(
      () =>
        messages().findLast(
          (one) => text.test(one.text) && [...one.buttons.keys()].join(" ").includes(button)
        ),
      PATIENCE
    )
  const deliver = async (one: unknown) => expect((await client.webhook(one)).status).toBe(200)
  /** Sends a message, and returns its number. */
  const say = async (text: string, more: Record<string, unknown> = {}) => {
    const one = update(text, more)
    await deliver(one)
    return one.message.message_id
  }
  const page = (title: string) => `${world.pages.url}/plain?t=${encodeURIComponent(title)}`
  return {
    client,
    world,
    calls,
    replyTo,
    message,
    deliver,
    say,
    page,
    /** Presses the button with this label, and returns the notice that pops up. */
    press: async ({ buttons, id }: Shown, label: string) => {
      const { update_id } = update("")
      const from = { id: CHAT, is_bot: false }
      const message = { message_id: id, date: 1, chat: { id: CHAT, type: "private" } }
      const data = [...buttons].find(([name]) => name.includes(label))?.[1] ?? `no button ${label}`
      const callback_query = { id: `press ${update_id}`, from, chat_instance: "1", message, data }
      await deliver({ update_id, callback_query })
      const answer = await until(
        () =>
          calls("answerCallbackQuery").find(({ body }) => body["callback_query_id"] === callback_query.id),
        PATIENCE
      )
      return String(answer.body["text"] ?? "")
    },
    save: async (title: string) => {
      await say(page(title))
      return await message(new RegExp(title))
    },
    links: () => client.links("?sort=oldest"),
    /** Calls that Telegram would refuse, and calls beyond its limits. */
    violations: () => [...world.telegram.problems, ...world.telegram.broken()]
  }
}
type Chat = ReturnType<typeof openChat>

const chatTest = (name: string, body: (chat: Chat, service: TestService) => Promise<void>) =>
  test.concurrent(name, () =>
    withTestService({}, async (service) => {
      const chat = openChat(service)
      await body(chat, service)
      expect(chat.violations()).toEqual([])
    })
  )

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

  chatTest("has its effect on the library and in the chat", async (chat) => {
    const { calls, client, deliver, page, replyTo, say, world } = chat
    const cases = json<ReadonlyArray<Case>>("telegram-updates.json")
    const saved = (ready: (link: SeenLink) => boolean) =>
      until(async () => (await client.links()).find(ready), PATIENCE)
    const textsOf = (method: string) => calls(method).map(({ body }) => String(body["text"]))
    const replyOf = ({ update: { message } }: Case) =>
      until(() => replyTo(message?.message_id ?? 0)[0]?.body["text"], PATIENCE)
    const wasAnswered = ({ update: { callback_query } }: Case) =>
      calls("answerCallbackQuery").some(({ body }) => body["callback_query_id"] === callback_query?.id)

    // Gives the card the number that the updates name.
    world.telegram.answer = ({ body, method }) => {
      const result = { message_id: CARD, date: 1, chat: { id: CHAT, type: "private" } }
      const isCard = method === "sendMessage" && /^<a [^>]*><b>Page 12</.test(String(body["text"]))
      return isCard || body["message_id"] === CARD ? Response.json({ ok: true, result }) : undefined
    }
    await Promise.all(
      Array.from({ length: LINK - 1 }, (_, n) => client.capture({ url: page(`Page ${n + 1}`) }))
    )
    await client.capture({ url: page(`Page ${LINK}`) })
    await say(`#${LINK}`)
    await until(() => calls("sendMessage").length === 1)

    const [saves, others] = [true, false].map((isSave) =>
      cases.filter(({ expect: { action } }) => (action === "save") === isSave)
    )
    // The saves come first and together, so that digests report them and the other replies have less to wait for.
    for (const one of saves ?? []) await deliver(one.update)
    // The message must have been handled before its edit arrives.
    await saved(({ url }) => url === "https://example.com/a")
    for (const one of others ?? []) await deliver(one.update)
    // One of them deletes the link, which comes back for the checks.
    const saysDeleted = (text: string) => /^Moved to the trash: .*Page 12/.test(text)
    await until(() => textsOf("sendMessage").some(saysDeleted), PATIENCE)
    expect((await client.change({ op: "restore", ids: [LINK] })).status).toBe(200)

    const checks: Record<string, (one: Case) => Promise<void>> = {
      save: async ({ expect: { note = "", source, tags = [], urls = [] } }) => {
        for (const url of urls) {
          const lines = [note, source ?? ""].filter((line) => line !== "")
          const link = await saved(
            (one) => one.url === url && lines.every((line) => one.note.split("\n").includes(line))
          )
          for (const tag of tags) expect(link.tags).toContain(tag)
          await until(() => world.telegram.texts().some((text) => text.includes(`#${link.id}<`)), PATIENCE)
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
        await until(() => wasAnswered(one), PATIENCE)
        if (one.expect.edit === false) expect(textsOf("editMessageText").some(saysDeleted)).toBe(false)
        else {
          await saved((link) => link.id === LINK && link.favorite)
          const edits = () => calls("editMessageText").filter(({ body }) => body["message_id"] === CARD)
          await until(() => edits().some(({ body }) => JSON.stringify(body).includes("★ Favorite")), PATIENCE)
        }
      },
      "ignore-duplicate-update": async ({ expect: { urls = [] }, update: { message } }) => {
        const replies = replyTo(message?.message_id ?? 0).map(({ body }) => String(body["text"]))
        expect(replies.filter((text) => !text.startsWith("📝")).length).toBeLessThanOrEqual(1)
        const same = (await client.links()).filter(({ url }) => url === urls[0] || url.endsWith("com/a"))
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
    expect(world.telegram.texts().filter((text) => text.includes("https://bulk.example/")).length).toBe(1)
    // Other chats get no reply, and nothing of theirs is kept.
    const chats = world.telegram.calls.flatMap(({ body }) => body["chat_id"] ?? [])
    expect(new Set(chats)).toEqual(new Set([CHAT]))
    expect((await client.links()).some(({ url }) => url.includes("steal"))).toBe(false)
  })
})

describe("the buttons", () => {
  chatTest("of a card act on its link and update it", async ({ links, message, press, save, say, world }) => {
    const card = await save("Sourdough bread")
    expect(card.buttons.get("Open ↗")).toStartWith(world.pages.url)
    expect(await press(card, "☆ Favorite")).toBe("Added to favorites")
    expect(await press(card, "🌐 Share")).toBe("Now on the public list")
    expect(await links()).toMatchObject([{ favorite: true, shareable: true }])
    expect(await press(card, "📁 Collection")).toBe("")
    const picker = await message(/Sourdough/, "Another…")
    await press(picker, "✏️ Another…")
    const question = await message(/Which collection/)
    const from = { id: 7, is_bot: true }
    await say("Baking", { reply_to_message: { message_id: question.id, chat: { id: CHAT }, from } })
    const moved = await message(/Now in Baking/)
    expect(await links()).toMatchObject([{ collection: { name: "Baking" } }])
    expect(await press(moved, "↩ Undo")).toBe("Undone")
    expect(await links()).toMatchObject([{ collection: null }])
    const hits = () => world.pages.hits.get("/plain") ?? 0
    const before = hits()
    expect(await press(card, "🔄 Refresh")).toContain("Reading the page again")
    await until(() => hits() > before)
    expect(await press(card, "Similar")).toBe("Nothing similar yet")
  })

  chatTest("of a list turn its pages and show its links", async (chat) => {
    const { client, links, message, page, press, say } = chat
    await Promise.all([1, 2, 3, 4, 5].map((n) => client.capture({ url: page(`Ledger ${n}`) })))
    await client.capture({ url: page("Ledger 6") })
    await say("/find ledger")
    await press(await message(/ledger” \(page 1 of 2\)/), "More ›")
    await press(await message(/ledger” \(page 2 of 2\)/), "1")
    const card = await message(/^<a [^>]*><b>Ledger/)
    expect(await press(card, "🗑 Delete")).toBe("Moved to the trash")
    const moved = await message(/^Moved to the trash: .*Ledger/)
    expect((await links()).length).toBe(5)
    expect(await press(moved, "↩ Undo")).toBe("Undone")
    expect((await links()).length).toBe(6)
    await press(await message(/^<a [^>]*><b>Ledger/), "🗑 Delete")
    await press(await message(/^Moved to the trash: .*Ledger/), "Delete forever")
    const question = await message(/^Delete .*Ledger.* forever\?/)
    await press(question, "Cancel")
    await press(await message(/^In the trash: .*Ledger/), "Delete forever")
    expect(await press(question, "🗑 Delete forever")).toBe("Deleted forever")
    expect((await links()).length).toBe(5)
    expect(await press(question, "Cancel")).toBe("This link was deleted.")
    expect((await message(/^Deleted #\d+ forever/)).buttons.size).toBe(0)
    for (const data of ["", "zzz", "1f:1:9", "9f:1:1"])
      expect(await press({ id: 1, text: "", buttons: new Map([["x", data]]) }, "x")).toBe(
        "This button has expired."
      )
    expect((await links()).length).toBe(5)
  })

  chatTest("of a collection file its links and list them", async ({ links, message, press, save, say }) => {
    await save("Rye bread")
    await say("/move 1 Baking")
    await message(/Now in Baking/)
    await press(await save("Kneading by hand"), "📁 Collection")
    const picker = await message(/Kneading/, "Another…")
    expect(await press(picker, "Cancel")).toBe("")
    await message(/Kneading/, "📁 Collection")
    expect(await press(picker, "Baking")).toContain("Baking")
    expect(await links()).toMatchObject([
      { collection: { name: "Baking" } },
      { collection: { name: "Baking" } }
    ])
    expect(await press(picker, "None")).not.toBe("This button has expired.")
    expect((await links())[1]).toMatchObject({ collection: null })
    await say("/collections")
    await press(await message(/<b>1 collection<\/b>/), "Baking")
    expect((await message(/Rye bread/, "1")).text).not.toContain("Kneading")
  })

  chatTest("of a report merge duplicates and undo a job", async (chat) => {
    const { client, links, message, page, press, say, world } = chat
    for (const [url, note] of [
      [page("Biscuits that are baked twice"), "one"],
      [`${page("Biscuits that are baked twice")}&paper=thick`, "two"]
    ])
      await client.capture({ url, note })
    await say("/dupes")
    await press(await message(/of duplicates/, "Merge 1"), "Merge 1")
    const question = await message(/Merge 2 links into/)
    expect((await links()).length).toBe(2)
    expect(await press(question, "Merge")).toStartWith("Merged into #")
    const left = await links()
    expect(left).toMatchObject([{ title: "Biscuits that are baked twice", note: "one\ntwo" }])
    await say("/undo")
    await message(/Undone: the merge into #\d+\. Restored #\d+\./)
    expect((await links()).map(({ note }) => note).toSorted()).toEqual(["one", "two"])
    await press(question, "Merge")
    expect(await links()).toMatchObject([{ note: "one\ntwo" }])
    world.model.reply = JSON.stringify({ links: left.map(({ id }) => ({ id, category: "kitchen" })) })
    await say("/recategorize")
    const done = await message(/recategorized/, "Undo")
    expect(await links()).toMatchObject([{ category: "kitchen" }])
    await press(done, "Undo")
    await until(async () => (await links())[0]?.category === "reading")
  })
})

describe("a flood of messages", () => {
  const refused = (error_code: number, parameters = {}) =>
    Response.json({ ok: false, error_code, description: "No", parameters }, { status: error_code })

  /** Sends links at once, each in its own message; returns a way to wait for their reports. */
  const flood = async ({ client, page, calls }: Chat, count: number) => {
    const sent = Array.from({ length: count }, (_, n) => client.webhook(update(page(`Flood ${n}`))))
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
        await until(() => new Set(reports()).size === count, PATIENCE)
        expect(reports().length).toBe(count)
        return calls("sendMessage").length - skipped
      }
    }
  }

  chatTest("is saved, and reported in few messages", async (chat) => {
    const { calls, client, world } = chat
    // No message until every page is read, or a slow machine would fill a message each second with few links.
    world.telegram.answer = ({ method }) =>
      method === "sendMessage" ? refused(429, { retry_after: 1 }) : undefined
    const { reported } = await flood(chat, 80)
    await until(async () => {
      const links = await client.links("?limit=1000")
      return links.length === 80 && links.every(({ enrichment }) => enrichment !== "pending")
    }, PATIENCE)
    const tried = calls("sendMessage").length
    world.telegram.answer = () => undefined
    expect(await reported(tried)).toBeLessThan(16)
  })

  chatTest("waits, without any call, for as long as Telegram asks", async (chat) => {
    const { calls, page, say, world } = chat
    world.telegram.answer = ({ method }) =>
      method === "sendMessage" ? refused(429, { retry_after: 2 }) : undefined
    await say(page("First"))
    const { at } = await until(() => calls("sendMessage")[0])
    world.telegram.answer = () => undefined
    const { reported } = await flood(chat, 12)
    await reported(1)
    // Calls that were on their way may still arrive at first.
    expect(world.telegram.calls.filter((call) => call.at > at + 1_200 && call.at < at + 1_950)).toEqual([])
  })

  chatTest("is reported once after an outage of Telegram and a restart", async (chat, { restart }) => {
    const { calls, client, world } = chat
    world.telegram.answer = () => refused(502)
    const { reported } = await flood(chat, 12)
    await until(async () => {
      const links = await client.links()
      return links.length === 12 && links.every(({ enrichment }) => enrichment !== "pending")
    }, PATIENCE)
    expect(await restart()).toBe(0)
    await until(() => world.telegram.calls.at(-1)?.method === "sendMessage")
    const failed = calls("sendMessage").length
    world.telegram.answer = () => undefined
    expect(await reported(failed)).toBeLessThanOrEqual(4)
  })
})
