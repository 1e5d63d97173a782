import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import {
  EXTENSION_TOKEN,
  makeClient,
  makeWorld,
  type Running,
  startService,
  until,
  update,
  WEBHOOK_SECRET,
  type World
} from "../support/service.ts"

// A test that is cut off would take the service with it.
setDefaultTimeout(30_000)

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
const saved = (title: string) =>
  until(async () =>
    (await client().links()).find((link) => link.title === title && link.enrichment !== "pending")
  )

describe("the whole service over HTTP", () => {
  test("saves, enriches and answers a link from the chat, and one of a repository", async () => {
    await client().webhook(update(`${world.pages.url}/plain?t=A+page worth it`))
    expect(await saved("A page")).toMatchObject({
      note: "worth it",
      summary: "What the page says.",
      tags: ["some-tag"],
      category: "reading",
      enrichment: "complete"
    })
    await until(() => world.telegram.texts().some((text) => text.includes("A page")))
    await client().webhook(update("see https://github.com/acme/rocket/tree/main/src"))
    const link = await until(async () =>
      (await client().links()).find(({ repository }) => repository !== null)
    )
    expect(link).toMatchObject({ repository: { fullName: "acme/rocket" }, enrichment: "partial" })
  })

  test("acknowledges, and answers the next link, while a page and the model hang", async () => {
    world.model.delay = 3_000
    const start = performance.now()
    for (let n = 0; n < 5; n++) await client().webhook(update(`${world.pages.url}/slow?ms=4000&n=${n}`))
    expect(performance.now() - start).toBeLessThan(1_000)
    world.model.delay = 0
    await client()
      .capture({ url: `http://127.0.0.1:${world.model.port}/private` })
      .then((response) => expect(response.status).toBe(200))
    expect(performance.now() - start).toBeLessThan(2_500)
  })

  test("saves a link whatever its sources do", async () => {
    for (const [n, [reply, status]] of [
      ["prose, not JSON", 200],
      ["{}", 200],
      ["", 500]
    ].entries() as ArrayIterator<[number, [string, number]]>) {
      world.model.reply = reply
      world.model.status = status
      const response = await client().capture({ url: `${world.pages.url}/plain?t=Source+${n}` })
      expect(response.status).toBe(200)
      expect(await saved(`Source ${n}`)).toMatchObject({
        summary: "",
        enrichment: "partial",
        category: "unsorted"
      })
    }
    world.model.status = 200
    const gone = await client().capture({ url: `${world.pages.url}/gone` })
    expect((await gone.json()).title).toBe("127.0.0.1")
  })

  test("sends a reply once the platform is back, in its order, over a restart", async () => {
    world.telegram.answer = () =>
      Response.json({ ok: false, error_code: 502, description: "Bad Gateway" }, { status: 502 })
    await client().webhook(update(`${world.pages.url}/plain?t=Down`))
    await saved("Down")
    expect(await service.stop()).toBe(0)
    world.telegram.answer = () => undefined
    world.telegram.calls.length = 0
    service = await startService(world.settings, service.folder)
    await until(() => world.telegram.texts().some((text) => text.includes("Down")))
    await Bun.sleep(300)
    expect(world.telegram.texts().filter((text) => text.includes("Down")).length).toBe(1)
  })

  test("waits as long as the platform asks before it sends again", async () => {
    const times: Array<number> = []
    world.telegram.answer = ({ body }) => {
      if (!String(body["text"]).includes("Patient")) return undefined
      times.push(performance.now())
      return times.length === 1
        ? Response.json(
            { ok: false, error_code: 429, description: "Too Many Requests", parameters: { retry_after: 2 } },
            { status: 429 }
          )
        : undefined
    }
    await client().webhook(update(`${world.pages.url}/plain?t=Patient`))
    await until(() => times.length === 2)
    world.telegram.answer = () => undefined
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1_950)
  })

  test("finishes what is in hand when it is asked to stop", async () => {
    const late = client().webhook(update(`${world.pages.url}/slow?ms=600&t=In+hand`))
    expect((await late).status).toBe(200)
    await Bun.sleep(100)
    expect(await service.stop()).toBe(0)
    service = await startService(world.settings, service.folder)
    expect(await saved("In hand")).toMatchObject({ enrichment: "partial" })
  })

  test("stays up on SIGHUP", async () => {
    process.kill(service.pid, "SIGHUP")
    await Bun.sleep(100)
    expect((await fetch(`${service.base}/healthz`)).status).toBe(200)
  })

  test("takes new secrets from its files at once", async () => {
    service.writeEnv({ EXTENSION_TOKEN: "rotated" })
    expect((await client().capture({ url: "https://example.org" })).status).toBe(401)
    service.writeEnv({})
    expect((await client().capture({ url: "not a url" })).status).toBe(400)
  })

  test("says no secret in its log", () => {
    const log = service.output()
    for (const secret of [WEBHOOK_SECRET, EXTENSION_TOKEN, "a-bot-token", "sk-a-model-key"])
      expect(log).not.toContain(secret)
  })
})
