import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { answering, ownerMessage, ownerPress } from "../support/ownerChat.ts"
import { makeClient, makeWorld, startService, until } from "../support/service.ts"

// A test that is cut off would take the service with it.
setDefaultTimeout(60_000)
const PATIENCE = 30

interface Shown {
  readonly id: number
  readonly text: string
  /** What each button carries, by its label. */
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

/** A service of its own, and the owner in its chat. */
const startChat = async () => {
  const world = await makeWorld()
  const service = await startService(world.settings)
  const client = makeClient(service, world)

  /** The messages of the chat as they stand: the fake numbers them from 500,001 on. */
  const chat = (): ReadonlyArray<Shown> => {
    const all = new Map<number, Shown>()
    for (const { body, method } of world.telegram.calls) {
      if (method === "sendMessage") all.set(500_001 + all.size, shown(500_001 + all.size, body))
      if (method === "editMessageText") {
        const id = Number(body["message_id"])
        all.set(id, shown(id, body))
      }
    }
    return [...all.values()]
  }
  const message = (text: RegExp, button = "") =>
    until(
      () =>
        chat().findLast((one) => text.test(one.text) && [...one.buttons.keys()].join(" ").includes(button)),
      PATIENCE
    )

  /** Presses the button of this label; the notice that shows. */
  const press = async ({ buttons, id }: Shown, label: string) => {
    const data = [...buttons].find(([name]) => name.includes(label))?.[1] ?? `no button ${label}`
    const update = ownerPress(data, id)
    expect((await client.webhook(update)).status).toBe(200)
    const answer = await until(
      () =>
        world.telegram.calls.find(
          ({ body, method }) =>
            method === "answerCallbackQuery" && body["callback_query_id"] === update.callback_query.id
        ),
      PATIENCE
    )
    return String(answer.body["text"] ?? "")
  }

  return {
    world,
    client,
    message,
    press,
    say: (text: string) => client.webhook(ownerMessage(text)),
    links: async (): Promise<ReadonlyArray<Record<string, unknown>>> =>
      (await (await client.owner("GET", "/api/links?sort=oldest")).json()).links,
    save: async (title: string) => {
      await client.webhook(ownerMessage(`${world.pages.url}/plain?t=${encodeURIComponent(title)}`))
      return await message(new RegExp(title))
    },
    /** What Telegram would not have taken, and where its limits were passed. */
    wrongs: () => [...world.telegram.problems, ...world.telegram.broken()],
    stop: async () => {
      await service.stop()
      service.clean()
      await world.stop()
    }
  }
}
type OwnerChat = Awaited<ReturnType<typeof startChat>>

let first: OwnerChat
let second: OwnerChat
beforeAll(async () => {
  ;[first, second] = await Promise.all([startChat(), startChat()])
})
afterAll(async () => {
  await Promise.all([first.stop(), second.stop()])
})

describe("every button, over HTTP", () => {
  test("under a card does what it says, and shows it", async () => {
    const card = await first.save("Sourdough bread")
    expect(card.buttons.get("Open ↗")).toStartWith(first.world.pages.url)
    expect(await first.press(card, "☆ Favorite")).toBe("★ Favorite")
    expect(await first.press(card, "🌐 Share")).toBe("On the public list")
    expect(await first.links()).toMatchObject([{ favorite: true, shareable: true }])
    expect(await first.press(card, "📁 Collection")).toBe("")
    const picker = await first.message(/Sourdough/, "Another…")
    await first.press(picker, "✏️ Another…")
    const question = await first.message(/Which collection/)
    await first.client.webhook(ownerMessage("Baking", answering(question.id)))
    const moved = await first.message(/Now in Baking/)
    expect(await first.links()).toMatchObject([{ collection: { name: "Baking" } }])
    expect(await first.press(moved, "↩ Undo")).toBe("Undone")
    expect(await first.links()).toMatchObject([{ collection: null }])
    const hits = first.world.pages.hits.get("/plain") ?? 0
    expect(await first.press(card, "🔄 Refresh")).toContain("Reading the page again")
    await until(() => (first.world.pages.hits.get("/plain") ?? 0) > hits)
    expect(await first.press(card, "Similar")).toBe("")
    await first.message(/Nothing similar to #1/)
  })

  test("under a list turns its pages and shows its links; the confirmed deletion is final", async () => {
    await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        first.client.capture({ url: `${first.world.pages.url}/plain?t=Ledger+${n + 1}` })
      )
    )
    await first.client.capture({ url: `${first.world.pages.url}/plain?t=Ledger+6` })
    await first.client.webhook(ownerMessage("/find ledger"))
    const page = await first.message(/ledger” \(page 1 of 2\)/)
    await first.press(page, "More ›")
    const next = await first.message(/ledger” \(page 2 of 2\)/)
    await first.press(next, "1")
    const card = await first.message(/^<a [^>]*><b>Ledger/)
    await first.press(card, "🗑 Delete")
    const question = await first.message(/Delete .*Ledger.* permanently/)
    expect((await first.links()).length).toBe(7)
    expect(await first.press(question, "🗑 Delete")).toBe("Deleted")
    expect((await first.links()).length).toBe(6)
    expect(await first.press(question, "Keep")).toBe("This link was deleted.")
    expect((await first.message(/^Deleted: <b>Ledger/)).buttons.size).toBe(0)
  })

  test("of a collection moves, lists, and takes out of it", async () => {
    const card = await second.save("Rye bread")
    await second.say("/move 1 Baking")
    await second.message(/Now in Baking/)
    const other = await second.save("Kneading by hand")
    await second.press(other, "📁 Collection")
    const picker = await second.message(/Kneading/, "Another…")
    expect(await second.press(picker, "Cancel")).toBe("")
    await second.message(/Kneading/, "📁 Collection")
    expect(await second.press(picker, "Baking")).toContain("Baking")
    expect(await second.links()).toMatchObject([
      { collection: { name: "Baking" } },
      { collection: { name: "Baking" } }
    ])
    expect(await second.press(picker, "None")).not.toBe("This button has expired.")
    expect((await second.links())[1]).toMatchObject({ collection: null })
    await second.say("/collections")
    const overview = await second.message(/<b>1 collection<\/b>/)
    await second.press(overview, "Baking")
    expect((await second.message(/Rye bread/, "1")).text).not.toContain("Kneading")
    expect(card.buttons.size).toBeGreaterThan(5)
  })

  test("under the report of a job merges duplicates for good, and takes back what a job has done", async () => {
    await second.client.capture({ url: `${second.world.pages.url}/plain?t=Twice&a=1`, note: "one" })
    await second.client.capture({ url: `${second.world.pages.url}/plain?t=Twice&a=2`, note: "two" })
    await second.say("/dupes")
    const report = await second.message(/of duplicates/, "Merge 1")
    await second.press(report, "Merge 1")
    const question = await second.message(/Merge 2 links into/)
    expect((await second.links()).length).toBe(4)
    expect(await second.press(question, "Merge")).toStartWith("Merged into #")
    const left = await second.links()
    expect(left.map(({ title }) => title)).toEqual(["Rye bread", "Kneading by hand", "Twice"])
    expect(left[2]).toMatchObject({ note: "one\ntwo" })
    second.world.model.reply = JSON.stringify({ links: left.map(({ id }) => ({ id, category: "kitchen" })) })
    await second.say("/recategorize")
    const done = await second.message(/recategorized/, "Undo")
    expect((await second.links()).every(({ category }) => category === "kitchen")).toBe(true)
    await second.press(done, "Undo")
    await until(async () => (await second.links()).every(({ category }) => category === "reading"))
    expect(second.wrongs()).toEqual([])
  })

  test("that is old, foreign or unknown is acknowledged and does nothing", async () => {
    const before = await first.links()
    for (const data of ["", "zzz", "1f:1:9", "9f:1:1"])
      expect(await first.press({ id: 1, text: "", buttons: new Map([["x", data]]) }, "x")).toBe(
        "This button has expired."
      )
    expect(await first.links()).toEqual(before)
    expect(first.wrongs()).toEqual([])
  })
})
