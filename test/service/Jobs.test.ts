import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import {
  makeClient,
  makeWorld,
  type Running,
  startService,
  until,
  update,
  type World
} from "../support/service.ts"

// A test that is cut off would take the service with it.
setDefaultTimeout(60_000)

let world: World
let service: Running
beforeAll(async () => {
  world = await makeWorld()
  service = await startService(world.settings)
})
afterAll(async () => {
  await service.stop()
  service.clean()
  await world.stop()
})

const client = () => makeClient(service, world)

interface SeenJob {
  readonly id: number
  readonly state: string
  readonly done: number
  readonly total: number
  readonly undo?: string
  readonly result: { readonly filed: number; readonly changed: number } | null
}

const act = async (body: unknown): Promise<SeenJob> =>
  (await (await client().owner("POST", "/api/action", body)).json()).job
const look = async (id: number): Promise<SeenJob> =>
  (await (await client().owner("GET", `/api/jobs/${id}`)).json()).job
const ended = (id: number) =>
  until(async () => {
    const job = await look(id)
    return job.state === "running" ? undefined : job
  }, 30)

const command = (name: string, args = "") =>
  client().webhook(
    update(`/${name} ${args}`.trim(), {
      entities: [{ type: "bot_command", offset: 0, length: name.length + 1 }]
    })
  )

const subjects = ["sourdough bread recipe", "vegan cake recipe", "bread baking recipe", "cake baking recipe"]

describe("a library read by threads of its own", () => {
  test("is searched by word and meaning, also after a restart", async () => {
    const pages = Array.from({ length: 60 }, (_, n) => `A ${subjects[n % subjects.length]}, number ${n}`)
    for (const title of pages)
      await client().capture({ url: `${world.pages.url}/plain?t=${encodeURIComponent(title)}` })
    await until(async () => (await client().links()).every(({ enrichment }) => enrichment === "complete"))
    expect((await client().links("?q=sourdouhg"))[0]?.title).toContain("sourdough")
    const near = await client().links("?like=1&limit=5")
    await service.stop()
    service = await startService(world.settings, service.folder)
    expect((await client().links("?q=sourdough&limit=3"))[0]?.title).toContain("sourdough")
    expect(await client().links("?like=1&limit=5")).toEqual(near)
  })

  test("finds at once what has just been saved, and no more what has just been deleted", async () => {
    await client().capture({ url: `${world.pages.url}/plain?t=Xylophone+tuning` })
    const [link] = await client().links("?q=xylophone")
    expect(link?.title).toBe("Xylophone tuning")
    await client().owner("POST", "/api/mutate", { op: "delete", ids: [link?.id] })
    expect(await client().links("?q=xylophone")).toEqual([])
  })

  test("is organized from the chat, with one message that ends with the result", async () => {
    await command("organize")
    const text = await until(() => world.telegram.texts().find((one) => one.includes("Filed")), 30)
    expect(text).toMatch(/Filed \d+ links, \d+ new collections?/)
    const edits = world.telegram.calls.filter(({ method }) => method === "editMessageText")
    expect(new Set(edits.map(({ body }) => body["message_id"])).size).toBe(1)
  })
})

describe("a job that a crash cuts off", () => {
  test("is interrupted, says so in the chat, and goes on from there when it is started again", async () => {
    const all = await client().links()
    const [mine, ...others] = all.toReversed()
    if (mine === undefined) return expect.unreachable()
    await client().owner("POST", "/api/mutate", { op: "category", ids: [mine.id], category: "mine" })
    // The model puts whatever it is shown on one shelf; how often it is asked shows how far the job has come.
    world.model.reply = JSON.stringify({ links: all.map(({ id }) => ({ id, category: "kitchen" })) })
    world.model.delay = 400
    await command("recategorize", "all")
    const running = await until(async () => {
      const { job } = await (await client().owner("GET", "/api/jobs/2")).json()
      return job?.done >= 20 ? job : undefined
    }, 30)
    await service.stop("SIGKILL")
    service = await startService(world.settings, service.folder)
    expect((await look(running.id)).state).toBe("interrupted")
    await until(() => world.telegram.texts().some((text) => text.includes("was interrupted at")))

    world.model.requests = 0
    world.model.delay = 0
    const again = await ended((await act({ action: "recategorize", all: true })).id)
    expect(again).toMatchObject({ state: "done", result: { changed: all.length, categories: 1 } })
    expect(world.model.requests).toBeLessThan(all.length / 20)
    expect((await client().links()).every(({ category }) => category === "kitchen")).toBe(true)

    // What was changed before the crash and after it is undone at once, and the owner's category is the owner's again.
    await client().owner("POST", "/api/mutate", { op: "undo", token: again.undo })
    const categories = async () => new Map((await client().links()).map(({ category, id }) => [id, category]))
    expect(await categories()).toEqual(
      new Map([[mine.id, "mine"], ...others.map(({ category, id }) => [id, category] as const)])
    )
    await ended((await act({ action: "recategorize" })).id)
    expect((await categories()).get(mine.id)).toBe("mine")
  })
})
