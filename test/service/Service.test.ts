import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { connect } from "node:net"
import { join } from "node:path"
import { numberIn } from "../support/libraryFile.ts"
import { EXTENSION_TOKEN, until, update, WEBHOOK_SECRET } from "../support/service.ts"
import { useTestService } from "../support/testService.ts"
import { byTier, isLong, long } from "../support/tier.ts"

const service = useTestService()

const page = (title: string) => `${service().world.pages.url}/plain?t=${encodeURIComponent(title)}`
/** The links with this title whose page was read. */
const links = async (title: string) =>
  (await service().client.links("?limit=1000")).filter(
    (link) => link.title === title && link.enrichment !== "pending"
  )
const saved = (title: string) => until(async () => (await links(title))[0])
const libraryFile = () => join(service().running.folder, "data/library.db")

describe("the service", () => {
  test("saves a link from the chat, and one of a repository", async () => {
    const { client, world } = service()
    await client.webhook(update(`${world.pages.url}/plain?t=A+page worth it`))
    expect(await saved("A page")).toMatchObject({
      note: "worth it",
      summary: "What the page says.",
      tags: ["some-tag"],
      category: "reading",
      enrichment: "complete"
    })
    await until(() => world.telegram.texts().some((text) => text.includes("A page")))
    await client.webhook(update("see https://github.com/acme/rocket/tree/main/src"))
    const link = await until(async () => (await client.links()).find(({ repository }) => repository !== null))
    expect(link).toMatchObject({ repository: { fullName: "acme/rocket" }, enrichment: "partial" })
  })

  const replies: ReadonlyArray<readonly [reply: string, status: number]> = [
    ["prose, not JSON", 200],
    ["{}", 200],
    ["", 500]
  ]
  test("saves a link whatever the model and the page return", async () => {
    const { client, world } = service()
    const { reply: usual } = world.model
    for (const [n, [reply, status]] of replies.entries()) {
      Object.assign(world.model, { reply, status })
      expect((await client.capture({ url: page(`Source ${n}`) })).ok).toBe(true)
      expect(await saved(`Source ${n}`)).toMatchObject({
        summary: "",
        enrichment: "partial",
        category: "unsorted"
      })
    }
    Object.assign(world.model, { reply: usual, status: 200 })
    const gone = await client.capture({ url: `${world.pages.url}/gone` })
    expect((await gone.json()).title).toBe("127.0.0.1")
  })

  long(test)("handles an update that is delivered twenty times once, also after a restart", async () => {
    const { client, restart, world } = service()
    const one = update(page("Redelivered"))
    const deliver = async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => client.webhook(one)))
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    }
    // On a busy machine a reply is first sent without the page, then edited.
    const replies = () =>
      world.telegram.calls.filter(
        ({ body, method }) => method === "sendMessage" && String(body["text"]).includes("Redelivered")
      )
    await deliver()
    await saved("Redelivered")
    await until(() => replies().length > 0)
    expect(await restart()).toBe(0)
    await deliver()
    // Updates are handled in order.
    await client.webhook(update(page("Delivered last")))
    await saved("Delivered last")
    expect((await links("Redelivered")).length).toBe(1)
    await until(() => world.telegram.texts().some((text) => text.includes("Delivered last")))
    expect(replies().length).toBe(1)
  })

  test("keeps a request whole or not at all when its client disconnects", async () => {
    const { client, running } = service()
    /** Sends a request and disconnects: at once, or in the middle of its body. */
    const sendAndLeave = (path: string, headers: Record<string, string>, body: string, isWhole: boolean) =>
      new Promise<void>((resolve) => {
        const socket = connect(Number(new URL(running.base).port), "127.0.0.1", () => {
          const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
          const head = `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${lines.join("\r\n")}\r\n\r\n`
          socket.write(head + (isWhole ? body : body.slice(0, -5)), () => {
            socket.destroy()
            resolve()
          })
        })
      })
    const secret = { "x-telegram-bot-api-secret-token": WEBHOOK_SECRET }
    const token = { authorization: `Bearer ${EXTENSION_TOKEN}` }
    for (let n = 0; n < byTier(8, 20); n++) {
      const [chat, capture] = [`Left ${n}`, `Captured ${n}`]
      await sendAndLeave("/webhook", secret, JSON.stringify(update(page(chat))), n % 4 !== 0)
      await sendAndLeave("/capture/api/link", token, JSON.stringify({ url: page(capture) }), n % 4 !== 0)
    }
    await client.webhook(update(page("After those who left")))
    await saved("After those who left")
    const all = await client.links("?limit=1000")
    const kept = all.filter(({ title }) => /^(?:Left|Captured) \d+$/.test(title))
    expect(new Set(kept.map(({ url }) => url)).size).toBe(kept.length)
    for (const { title } of kept) expect(Number(/\d+/.exec(title)?.[0]) % 4).not.toBe(0)
  })

  test("deletes a link for good while its page is read again", async () => {
    const { client, world } = service()
    await client.webhook(update(`${world.pages.url}/slow?ms=500&t=Deleted+meanwhile`))
    const { id } = await saved("Deleted meanwhile")
    const hits = () => world.pages.hits.get("/slow") ?? 0
    const before = hits()
    await client.start({ action: "refresh", id })
    await until(() => hits() > before)
    expect((await client.change({ op: "delete", ids: [id] })).status).toBe(200)
    await until(async () => {
      const { jobs } = await (await client.owner("GET", "/api/jobs")).json()
      return jobs.every(({ state }: { readonly state: string }) => state !== "running")
    })
    expect(await links("Deleted meanwhile")).toEqual([])
    for (const rows of [
      `links WHERE id = ${id}`,
      `links_fts WHERE rowid = ${id}`,
      `link_tags WHERE link_id = ${id}`
    ])
      expect([rows, numberIn(libraryFile(), `SELECT count(*) FROM ${rows}`)]).toEqual([rows, 0])
  })

  test("stays up on SIGHUP", async () => {
    const { client, running } = service()
    process.kill(running.pid, "SIGHUP")
    await Bun.sleep(100)
    expect((await client.health()).code).toBe(200)
  })

  test("reads changed secrets from its files at once", async () => {
    const { client, running } = service()
    running.writeEnv({ EXTENSION_TOKEN: "rotated" })
    expect((await client.capture({ url: "https://example.org" })).status).toBe(401)
    running.writeEnv({})
    expect((await client.capture({ url: "not a url" })).status).toBe(400)
  })

  test("logs no secret", () => {
    const log = service().running.output()
    for (const secret of [WEBHOOK_SECRET, EXTENSION_TOKEN, "a-bot-token", "sk-a-model-key"])
      expect(log).not.toContain(secret)
  })
})

describe("while another process holds the database's write lock", () => {
  const locked = async (work: () => Promise<void>) => {
    const other = new Database(libraryFile())
    try {
      other.run("PRAGMA busy_timeout = 5000")
      other.run("BEGIN IMMEDIATE")
      await work()
    } finally {
      if (other.inTransaction) other.run("ROLLBACK")
      other.close()
    }
  }
  /** Timeout for a rejection, in milliseconds: two seconds of waiting for the lock, and a busy machine. */
  const REJECTED_WITHIN = 20_000

  test("for a second, an update waits and is saved", async () => {
    const { client } = service()
    const answers: Array<Promise<Response>> = []
    await locked(async () => {
      answers.push(client.webhook(update(page("After a second"))))
      await Bun.sleep(1_000)
    })
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200])
    await saved("After a second")
  })

  long(test)("for longer, every save is rejected in time, and reads go on", async () => {
    const { client } = service()
    await locked(async () => {
      const saves = [
        () => client.webhook(update(page("Locked out"))),
        () => client.capture({ url: page("Locked out") })
      ]
      const rejected = Promise.all(
        [...saves, ...saves, ...saves].map(async (save, number) => {
          // Later requests wait no longer than the first.
          await Bun.sleep(number * 200)
          const begun = performance.now()
          const answer = await save()
          expect(answer.status).toBe(503)
          expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0)
          if (isLong) expect(performance.now() - begun).toBeLessThan(REJECTED_WITHIN - number * 200)
        })
      )
      for (let look = 0; look < 5; look++) {
        await Bun.sleep(200)
        expect((await links("After a second")).length).toBe(1)
      }
      await rejected
    })
    expect((await client.webhook(update(page("Accepted again")))).status).toBe(200)
    await saved("Accepted again")
    expect(await links("Locked out")).toEqual([])
  })
})

// Last, because its pages hang.
test("the service accepts links, and answers about the next, while pages and the model hang", async () => {
  const { client, world } = service()
  world.model.delay = 150_000
  for (let n = 0; n < 5; n++) await client.webhook(update(`${world.pages.url}/held?n=${n}`))
  world.model.delay = 0
  expect((await client.capture({ url: `http://127.0.0.1:${world.model.port}/private` })).status).toBe(200)
})
