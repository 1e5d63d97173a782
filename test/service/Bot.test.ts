import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import { describeData, json } from "../support/data.ts"
import {
  CHAT,
  makeClient,
  makeWorld,
  type Running,
  type SeenLink,
  startService,
  until,
  update,
  type World
} from "../support/service.ts"

// A test that is cut off would take the service with it.
setDefaultTimeout(60_000)

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

/** The message of the bot's that the updates answer and press buttons of, and the link it is about. */
const CARD = 40
const LINK = 12
/** The slowest answer waits its turn among all the others, one a second. */
const PATIENCE = 40

describeData("telegram-updates.json", "every update of the table, over HTTP", () => {
  const cases = json<ReadonlyArray<Case>>("telegram-updates.json")
  let world: World
  let service: Running
  const client = () => makeClient(service, world)
  const field = (from: unknown, name: string): unknown =>
    typeof from === "object" && from !== null
      ? Object.entries(from).find(([key]) => key === name)?.[1]
      : undefined
  const calls = (method: string) => world.telegram.calls.filter((call) => call.method === method)
  const textOf = ({ body }: World["telegram"]["calls"][number]) => String(body["text"])
  const repliesTo = (message: number | undefined) =>
    calls("sendMessage").filter(({ body }) => field(body["reply_parameters"], "message_id") === message)
  const replyTo = (one: Case) =>
    until(() => repliesTo(one.update.message?.message_id).map(textOf)[0], PATIENCE)
  const saved = (ready: (link: SeenLink) => boolean) =>
    until(async () => (await client().links()).find(ready), PATIENCE)

  beforeAll(async () => {
    world = await makeWorld()
    // The card that the updates are about gets the number they know it by.
    world.telegram.answer = ({ body, method }) => {
      const result = { message_id: CARD, date: 1, chat: { id: CHAT, type: "private" } }
      const isCard = method === "sendMessage" && /^<a [^>]*><b>Page 12</.test(String(body["text"]))
      return isCard || body["message_id"] === CARD ? Response.json({ ok: true, result }) : undefined
    }
    service = await startService(world.settings)
    const page = (n: number) => client().capture({ url: `${world.pages.url}/plain?t=Page+${n}` })
    await Promise.all(Array.from({ length: LINK - 1 }, (_, n) => page(n + 1)))
    await page(LINK)
    await client().webhook(update(`#${LINK}`))
    await until(() => calls("sendMessage").length === 1)
    const delivered = async (one: Case) => {
      const response = await client().webhook(one.update)
      expect([one.name, response.status]).toEqual([one.name, 200])
    }
    const [saves, others] = [true, false].map((saving) =>
      cases.filter(({ expect: it }) => (it.action === "save") === saving)
    )
    // One behind another, so that their answers go into digests and the rest has not long to wait.
    for (const one of saves ?? []) await delivered(one)
    // An edit comes when the message has been seen.
    await saved(({ url }) => url === "https://example.com/a")
    for (const one of others ?? []) await delivered(one)
  })
  afterAll(async () => {
    await service.stop()
    service.clean()
    await world.stop()
  })

  /** What an update must bring about. */
  const check: Record<string, (one: Case) => Promise<void>> = {
    save: async ({ expect: { note = "", source, tags = [], urls = [] } }) => {
      for (const url of urls) {
        const wanted = [note, source ?? ""].filter((line) => line !== "")
        const link = await saved(
          (one) => one.url === url && wanted.every((line) => one.note.split("\n").includes(line))
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
      expect(await replyTo(one)).toContain(one.expect.command === "unknown" ? "/find words" : "Organizing"),
    "search-or-hint": async (one) => expect(await replyTo(one)).toContain("To save a link"),
    hint: async (one) => expect(await replyTo(one)).toContain("link"),
    callback: async ({ expect: { edit = true }, update: { callback_query } }) => {
      const id = callback_query?.id
      await until(
        () => calls("answerCallbackQuery").some(({ body }) => body["callback_query_id"] === id),
        PATIENCE
      )
      if (edit) {
        await saved((link) => link.id === LINK && link.favorite)
        const changed = () => calls("editMessageText").filter(({ body }) => body["message_id"] === CARD)
        await until(() => changed().some(({ body }) => JSON.stringify(body).includes("★ Favorite")), PATIENCE)
      } else {
        await until(
          () => calls("sendMessage").some((call) => textOf(call).includes("permanently?")),
          PATIENCE
        )
        expect(calls("editMessageText").some((call) => textOf(call).includes("permanently?"))).toBe(false)
        expect((await client().links()).some((link) => link.id === LINK)).toBe(true)
      }
    },
    "ignore-duplicate-update": async ({ expect: { urls = [] }, update: { message } }) => {
      const about = repliesTo(message?.message_id).filter((call) => !textOf(call).startsWith("Note changed"))
      expect(about.length).toBeLessThanOrEqual(1)
      expect(
        (await client().links()).filter(({ url }) => url === urls[0] || url.endsWith("com/a")).length
      ).toBe(1)
    }
  }

  for (const one of cases)
    test(`${one.name}: ${one.expect.action}`, async () => {
      const silent = one.expect.action === "ignore" || one.expect.action === "drop-silently"
      if (!silent) return await check[one.expect.action]?.(one)
      const message = one.update.message?.message_id
      if (message !== undefined) expect(repliesTo(message)).toEqual([])
      const pressed = one.update.callback_query?.id
      expect(calls("answerCallbackQuery").some(({ body }) => body["callback_query_id"] === pressed)).toBe(
        false
      )
    })

  test("thirty links of one message are told of in one", async () => {
    const told = () => world.telegram.texts().filter((text) => text.includes("https://bulk.example/"))
    await until(() => told().length > 0, PATIENCE)
    expect(told().length).toBe(1)
  })

  test("another chat is never answered, nor anything of it kept", async () => {
    const chats = world.telegram.calls.flatMap(({ body }) => body["chat_id"] ?? [])
    expect(new Set(chats)).toEqual(new Set([CHAT]))
    expect((await client().links()).some(({ url }) => url.includes("steal"))).toBe(false)
  })

  test("nothing was sent that Telegram would refuse, nor more than it allows", () => {
    expect(world.telegram.problems).toEqual([])
    expect(world.telegram.broken()).toEqual([])
  })
})
