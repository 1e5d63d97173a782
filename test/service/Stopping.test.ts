import { Database } from "bun:sqlite"
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { join } from "node:path"
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

/** How long the service may take to stop: it waits eight seconds for what is in hand, and the machine may be busy. */
const STOPPED = 10_000

let world: World
let service: Running
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(async () => {
  service.clean()
  await world.stop()
})

const library = <A>(ask: (database: Database) => A): A => {
  const database = new Database(join(service.folder, "data/library.db"), { readonly: true })
  try {
    return ask(database)
  } finally {
    database.close()
  }
}
const count = (query: string) =>
  library(
    (database) =>
      database.query<{ readonly n: number }, []>(`SELECT count(*) AS n FROM ${query}`).get()?.n ?? -1
  )

describe("a service that is told to stop", () => {
  test("twice, stops at once, and does after its next start what it had in hand", async () => {
    service = await startService(world.settings)
    await makeClient(service, world).webhook(update(`${world.pages.url}/slow?ms=3000&t=In+hand`))
    await until(() => world.pages.hits.has("/slow"))
    const begun = performance.now()
    process.kill(service.pid, "SIGTERM")
    await Bun.sleep(200)
    process.kill(service.pid, "SIGTERM")
    expect(await service.exited).toBe(143)
    expect(performance.now() - begun).toBeLessThan(2_000)
    expect(count("inbox WHERE state = 'waiting'")).toBe(1)

    service = await startService(world.settings, service.folder)
    const client = makeClient(service, world)
    await until(async () =>
      (await client.links()).some(({ enrichment, title }) => title === "In hand" && enrichment !== "pending")
    )
    expect((await client.links()).length).toBe(1)
    expect(await service.stop("SIGINT")).toBe(0)
  })

  test("amidst a thousand updates, has kept them all, has no link twice or half, and goes on when it is started", async () => {
    service = await startService(world.settings, service.folder)
    const before = count("inbox")
    const sent = Array.from({ length: 1_000 }, (_, n) => update(`https://127.0.0.1:1/flood/${n}`))
    const answers = await Promise.all(sent.map((one) => makeClient(service, world).webhook(one)))
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    const begun = performance.now()
    expect(await service.stop()).toBe(0)
    expect(performance.now() - begun).toBeLessThan(STOPPED)

    const floods = "links WHERE url LIKE '%/flood/%'"
    const here = count(floods)
    console.log(`${here} of 1000 done when it stopped, after ${(performance.now() - begun).toFixed(0)} ms`)
    expect(service.output()).not.toContain('"ERROR"')
    expect(count("inbox")).toBe(before + 1_000)
    expect(count(`(SELECT DISTINCT url FROM ${floods})`)).toBe(here)
    expect(count(`${floods} AND id NOT IN (SELECT rowid FROM links_fts)`)).toBe(0)

    service = await startService(world.settings, service.folder)
    await until(() => count(floods) >= Math.min(1_000, here + 60), 40)
    expect(count(`(SELECT DISTINCT url FROM ${floods})`)).toBe(count(floods))
    await service.stop("SIGKILL")
  })
})
