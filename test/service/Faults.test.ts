import { Database } from "bun:sqlite"
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { connect } from "node:net"
import { join } from "node:path"
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
setDefaultTimeout(60_000)

/** Without a model: what is tried here has nothing to do with what it says. */
const settingsOf = ({ settings: { ANTHROPIC_API_KEY: _, ...settings } }: World) => ({
  ...settings,
  CAPTURE_WAIT: "1 second"
})

let world: World
let service: Running
beforeAll(async () => {
  world = await makeWorld()
  service = await startService(settingsOf(world))
})
afterAll(async () => {
  await service.stop()
  service.clean()
  await world.stop()
})

const client = () => makeClient(service, world)
const page = (title: string) => `${world.pages.url}/plain?t=${encodeURIComponent(title)}`
const links = async (title: string) =>
  (await client().links("?limit=1000")).filter(
    (link) => link.title === title && link.enrichment !== "pending"
  )

/** Holds the database's write lock from another process' place, while `work` goes on. */
const locked = async (work: () => Promise<void>) => {
  const other = new Database(join(service.folder, "data/library.db"))
  try {
    other.run("PRAGMA busy_timeout = 5000")
    other.run("BEGIN IMMEDIATE")
    await work()
  } finally {
    if (other.inTransaction) other.run("ROLLBACK")
    other.close()
  }
}

/** How soon whoever cannot be served is told so, in ms: two seconds of waiting for the lock, and a busy machine. */
const TURN = 3_500

describe("a database that another process has locked", () => {
  test("for a second keeps an update waiting, which is then kept", async () => {
    const answers: Array<Promise<Response>> = []
    await locked(async () => {
      answers.push(client().webhook(update(page("After a second"))))
      await Bun.sleep(1_000)
    })
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200])
    await until(async () => (await links("After a second")).length === 1)
  })

  test("for longer has everything refused in time, and reading goes on", async () => {
    await locked(async () => {
      const doors = [
        () => client().webhook(update(page("Locked out"))),
        () => client().capture({ url: page("Locked out") })
      ]
      const refused = Promise.all(
        [...doors, ...doors, ...doors].map(async (door, number) => {
          // Who comes later does not wait for longer.
          await Bun.sleep(number * 200)
          const begun = performance.now()
          const answer = await door()
          expect(answer.status).toBe(503)
          expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0)
          expect(performance.now() - begun).toBeLessThan(TURN - number * 200)
        })
      )
      // Waiting for the lock holds nobody up who only reads.
      let slowest = 0
      for (let look = 0; look < 5; look++) {
        await Bun.sleep(200)
        const begun = performance.now()
        expect((await links("After a second")).length).toBe(1)
        slowest = Math.max(slowest, performance.now() - begun)
      }
      console.log(`a list is answered after ${slowest.toFixed(0)} ms at most meanwhile`)
      expect(slowest).toBeLessThan(TURN / 3)
      await refused
    })
    expect((await client().webhook(update(page("Let in again")))).status).toBe(200)
    await until(async () => (await links("Let in again")).length === 1)
    expect(await links("Locked out")).toEqual([])
  })
})

describe("an update that comes twenty times at once", () => {
  test("has one effect, also after a restart", async () => {
    const one = update(page("Replayed"))
    const replay = async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => client().webhook(one)))
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    }
    await replay()
    await until(async () => (await links("Replayed")).length === 1)
    expect(await service.stop()).toBe(0)
    service = await startService(settingsOf(world), service.folder)
    await replay()
    // Whatever comes after it is done after it.
    await client().webhook(update(page("After the replay")))
    await until(async () => (await links("After the replay")).length === 1)
    expect((await links("Replayed")).length).toBe(1)
    await until(() => world.telegram.texts().some((text) => text.includes("After the replay")))
    expect(world.telegram.texts().filter((text) => text.includes("Replayed")).length).toBe(1)
  })
})

describe("a client that leaves as soon as it has sent", () => {
  /** Sends a request and hangs up: at once, or in the midst of its body. */
  const sendAndLeave = (path: string, headers: Record<string, string>, body: string, whole: boolean) =>
    new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(service.base).port), "127.0.0.1", () => {
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
        const head = `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${lines.join("\r\n")}\r\n\r\n`
        socket.write(head + (whole ? body : body.slice(0, -5)), () => {
          socket.destroy()
          resolve()
        })
      })
    })

  test("has sent it whole or not at all, and the service goes on", async () => {
    const secret = { "x-telegram-bot-api-secret-token": WEBHOOK_SECRET }
    const token = { authorization: `Bearer ${EXTENSION_TOKEN}` }
    for (let n = 0; n < 20; n++) {
      const [chat, capture] = [`Left ${n}`, `Captured ${n}`]
      await sendAndLeave("/webhook", secret, JSON.stringify(update(page(chat))), n % 4 !== 0)
      await sendAndLeave("/capture/api/link", token, JSON.stringify({ url: page(capture) }), n % 4 !== 0)
    }
    await client().webhook(update(page("After those who left")))
    await until(async () => (await links("After those who left")).length === 1)
    const all = await client().links("?limit=1000")
    const half = all.filter(({ title }) => /^(?:Left|Captured) \d+$/.test(title))
    expect(new Set(half.map(({ url }) => url)).size).toBe(half.length)
    for (const { title } of half) expect(Number(/\d+/.exec(title)?.[0]) % 4).not.toBe(0)
  })
})

describe("a link that is deleted while its page is read anew", () => {
  test("stays deleted, and leaves nothing behind", async () => {
    const url = `${world.pages.url}/slow?ms=700&t=Deleted+meanwhile`
    await client().webhook(update(url))
    const [link] = await until(async () => {
      const found = await links("Deleted meanwhile")
      return found.length === 1 ? found : undefined
    })
    const id = link?.id ?? 0
    expect((await client().owner("POST", "/api/action", { action: "refresh", id })).status).toBe(202)
    await Bun.sleep(200)
    expect((await client().owner("POST", "/api/mutate", { op: "delete", ids: [id] })).status).toBe(200)
    await until(async () => {
      const { jobs } = await (await client().owner("GET", "/api/jobs")).json()
      return jobs.every(({ state }: { readonly state: string }) => state !== "running")
    })
    expect(await links("Deleted meanwhile")).toEqual([])
    const library = new Database(join(service.folder, "data/library.db"), { readonly: true })
    try {
      const count = (query: string) =>
        Object.values(library.query<Record<string, number>, [number]>(query).get(id) ?? {})[0]
      for (const query of [
        "SELECT count(*) FROM links WHERE id = ?",
        "SELECT count(*) FROM links_fts WHERE rowid = ?",
        "SELECT count(*) FROM link_tags WHERE link_id = ?"
      ])
        expect([query, count(query)]).toEqual([query, 0])
    } finally {
      library.close()
    }
  })
})

describe("an owner who has blocked the bot", () => {
  test("still has links saved, and the queue goes on", async () => {
    world.telegram.answer = () =>
      Response.json(
        { ok: false, error_code: 403, description: "Forbidden: bot was blocked by the user" },
        { status: 403 }
      )
    await client().webhook(update(page("Blocked")))
    await until(async () => (await links("Blocked")).length === 1)
    await until(() => world.telegram.calls.some(({ body }) => String(body["text"]).includes("Blocked")))
    world.telegram.answer = () => undefined
    world.telegram.calls.length = 0
    await client().webhook(update(page("Unblocked")))
    await until(() => world.telegram.texts().some((text) => text.includes("Unblocked")), 20)
    expect(world.telegram.texts().some((text) => text.includes(">Blocked<"))).toBe(false)
  })
})
