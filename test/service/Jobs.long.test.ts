import { describe, expect, test } from "bun:test"
import { encode } from "../../src/telegram/Buttons.ts"
import { CHAT, until, update } from "../support/service.ts"
import { useTestService } from "../support/testService.ts"

const LINKS = 60

const service = useTestService()

const subjects = ["sourdough bread recipe", "vegan cake recipe", "bread baking recipe", "cake baking recipe"]

describe("a library in a running service", () => {
  test("is searched by word and meaning, also after a restart", async () => {
    const { client, restart, world } = service()
    const titles = Array.from({ length: LINKS }, (_, n) => `A ${subjects[n % subjects.length]}, number ${n}`)
    await Promise.all(
      titles.map((title) =>
        client.capture({ url: `${world.pages.url}/plain?t=${encodeURIComponent(title)}` })
      )
    )
    await until(async () => (await client.links()).every(({ enrichment }) => enrichment === "complete"))
    expect((await client.links("?q=sourdouhg"))[0]?.title).toContain("sourdough")
    const near = await client.links("?like=1&limit=5")
    expect(near.length).toBeGreaterThan(0)
    await restart()
    expect((await client.links("?q=sourdough&limit=3"))[0]?.title).toContain("sourdough")
    expect(await client.links("?like=1&limit=5")).toEqual(near)
  })

  test("finds a link as soon as it is saved, and no longer once it is deleted", async () => {
    const { client, world } = service()
    await client.capture({ url: `${world.pages.url}/plain?t=Xylophone+tuning` })
    const [link] = await client.links("?q=xylophone")
    expect(link?.title).toBe("Xylophone tuning")
    await client.change({ op: "delete", ids: [link?.id] })
    expect(await client.links("?q=xylophone")).toEqual([])
  })

  test("is organized from the chat, in one message that ends with the result", async () => {
    const { client, world } = service()
    await client.webhook(update("/organize"))
    const preview = await until(() =>
      world.telegram.calls.findLast(
        ({ body, method }) => method === "editMessageText" && JSON.stringify(body).includes("links to file")
      )
    )
    const { update_id } = update("")
    const message = { message_id: preview.body["message_id"], date: 1, chat: { id: CHAT, type: "private" } }
    const data = /"(1F:\d+)"/.exec(JSON.stringify(preview.body["reply_markup"]))?.[1]
    const from = { id: CHAT, is_bot: false }
    await client.webhook({
      update_id,
      callback_query: { id: "press", from, chat_instance: "1", message, data }
    })
    const text = await until(() => world.telegram.texts().find((one) => one.includes("Filed")))
    expect(text).toMatch(/Filed \d+ links, \d+ new collections?/)
    const edits = world.telegram.calls.filter(({ method }) => method === "editMessageText")
    expect(new Set(edits.map(({ body }) => body["message_id"])).size).toBe(1)
  })

  test("keeps a job that a crash interrupts, reports it, and continues it when it is started again", async () => {
    const { client, restart, world } = service()
    const all = await client.links()
    const [mine, ...others] = all.toReversed()
    if (mine === undefined) return expect.unreachable()
    await client.change({ op: "category", ids: [mine.id], category: "mine" })
    // The number of requests to the model shows how far the job has come.
    world.model.reply = JSON.stringify({ links: all.map(({ id }) => ({ id, category: "kitchen" })) })
    world.model.delay = 300
    world.model.requests = 0
    await client.webhook({
      update_id: update("").update_id,
      callback_query: {
        id: "1",
        from: { id: CHAT, is_bot: false },
        chat_instance: "1",
        message: { message_id: 1, date: 0, chat: { id: CHAT, type: "private" } },
        data: encode({ _tag: "Recategorize", scope: { all: true, otherModel: false }, on: true })
      }
    })
    await until(() => world.model.requests > 0)
    // The next request does not return before the kill.
    world.model.delay = 60_000
    const running = await until(async () => {
      const { jobs } = await (await client.owner("GET", "/api/jobs")).json()
      return jobs.find(
        ({ action, done }: { action: string; done: number }) => action === "recategorize" && done >= 20
      )
    })
    await restart("SIGKILL")
    expect((await client.job(running.id)).state).toBe("interrupted")
    await until(() => world.telegram.texts().some((text) => text.includes("was interrupted at")))

    world.model.requests = 0
    world.model.delay = 0
    const { id } = await client.start({ action: "recategorize", all: true })
    const again = await client.ended(id)
    expect(again).toMatchObject({ state: "done", result: { changed: all.length, categories: 1 } })
    expect(world.model.requests).toBeLessThan(all.length / 20)
    expect((await client.links()).every(({ category }) => category === "kitchen")).toBe(true)

    // One undo reverts the changes before and after the crash, and the owner's category is the owner's again.
    await client.change({ op: "undo", token: again.undo })
    const categories = async () => new Map((await client.links()).map(({ category, id }) => [id, category]))
    expect(await categories()).toEqual(
      new Map([[mine.id, "mine"], ...others.map(({ category, id }) => [id, category] as const)])
    )
    await client.ended((await client.start({ action: "recategorize" })).id)
    expect((await categories()).get(mine.id)).toBe("mine")
  })
})
