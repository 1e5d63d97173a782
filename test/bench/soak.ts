import { Database } from "bun:sqlite"
import { join } from "node:path"
import { type SeenLink, update } from "../support/service.ts"
import { memoryOf } from "./footprint.ts"
import { ms, percentile } from "./measure.ts"
import { makeLibrary } from "./realLinks.ts"
import { startContestant } from "./servers.ts"

const MINUTES = Number(process.env["SOAK_MINUTES"] ?? 10)
const SIZE = Number(process.env["SOAK_LINKS"] ?? 100_000)
const WORDS = [
  "editor",
  "database",
  "music theory",
  "the",
  "go",
  "kubrnetes",
  "tag:css",
  "site:github.com rust"
]
/** A token of the gateway is good for five minutes. */
const TOKEN_LIFE = 120_000

/** One way of asking: so often a second, and what came of it, in milliseconds and in words. */
const kind = (name: string, rate: number, ask: () => Promise<Response>) => ({
  name,
  rate,
  ask,
  times: [] as number[],
  errors: [] as string[]
})

const anyWord = () => WORDS[Math.floor(Math.random() * WORDS.length)] ?? ""

/**
 * Some 40 requests a second, reads and writes mixed, over a large library for ten minutes: no error, no lost save, and
 * as much memory at the end as at the beginning. `SOAK_MINUTES` and `SOAK_LINKS` set other sizes.
 */
export const soak = async () => {
  const library = await makeLibrary(SIZE)
  const service = await startContestant({}, library.folder)
  const { base, client, pid, world } = service
  const gate = { token: "", until: 0 }
  const owner = async (method: string, path: string, body?: unknown) => {
    if (Date.now() > gate.until)
      Object.assign(gate, { token: await world.gateway.token(), until: Date.now() + TOKEN_LIFE })
    return client.send(method, `/dashboard/api${path}`, body, { "cf-access-jwt-assertion": gate.token })
  }
  const saved: Array<string> = []
  let sent = 0
  const save = async (send: (url: string) => Promise<Response>) => {
    const url = `${world.pages.url}/plain?t=Soaked+${sent++}`
    const response = await send(url)
    if (response.ok) saved.push(url)
    return response
  }
  const anyId = () => 1 + Math.floor(Math.random() * SIZE)
  const change = (more: object) => owner("POST", "/mutate", { ids: [anyId()], ...more })

  /** Deletes a link that this run saved some time ago. */
  const remove = async () => {
    const { links }: { links: ReadonlyArray<SeenLink> } = await (await owner("GET", "/links?limit=50")).json()
    const link = links.findLast(({ url }) => saved.includes(url))
    if (link === undefined) return owner("GET", "/jobs")
    saved.splice(saved.indexOf(link.url), 1)
    return owner("POST", "/mutate", { op: "delete", ids: [link.id] })
  }

  const kinds = [
    kind("page of the list", 10, () => owner("GET", "/links?limit=50")),
    kind("search", 8, () => owner("GET", `/links?limit=50&q=${encodeURIComponent(anyWord())}`)),
    kind("similar", 1, () => owner("GET", `/links?limit=20&like=${anyId()}`)),
    kind("counts", 2, () => owner("GET", "/meta")),
    kind("favorite", 3, () => change({ op: "favorite", favorite: Math.random() < 0.5 })),
    kind("share", 1, () => change({ op: "shareable", shareable: true })),
    kind("edit", 2, () => change({ op: "edit", title: `A title given by hand ${sent}` })),
    kind("delete", 0.2, remove),
    kind("public list", 5, () => fetch(`${base}/list/api/links?limit=50`)),
    kind("feed", 1, () => fetch(`${base}/list/feed.xml`)),
    kind("chat", 1, () => save((url) => client.webhook(update(`${url} a note`)))),
    kind("capture", 2, () => save((url) => client.capture({ url }))),
    kind("health", 2, () => fetch(`${base}/healthz`))
  ]
  const waiting = new Set<Promise<void>>()
  const ask = async ({ ask, errors, times }: (typeof kinds)[number]) => {
    const start = performance.now()
    try {
      const response = await ask()
      await response.arrayBuffer()
      if (!response.ok) errors.push(String(response.status))
    } catch (error) {
      errors.push(String(error))
    }
    times.push(performance.now() - start)
  }
  const timers = kinds.map((one) =>
    setInterval(() => {
      const work: Promise<void> = ask(one).finally(() => waiting.delete(work))
      waiting.add(work)
    }, 1_000 / one.rate)
  )
  const listeners = new AbortController()
  const events = [1, 2, 3].map(async () => {
    const response = await fetch(`${base}/dashboard/api/events`, {
      headers: { "cf-access-jwt-assertion": await world.gateway.token() },
      signal: listeners.signal
    })
    for await (const _ of response.body ?? []) {
      // What happens is read, and forgotten.
    }
  })

  const memory: Array<number> = []
  const own: Array<number> = []
  for (let minute = 1; minute <= MINUTES; minute++) {
    await Bun.sleep(60_000)
    memory.push(await memoryOf(pid))
    own.push(await memoryOf(pid, "RssAnon"))
    const count = kinds.reduce((sum, { times }) => sum + times.length, 0)
    const errors = kinds.reduce((sum, { errors }) => sum + errors.length, 0)
    console.log(`minute ${minute}: ${count} requests, ${errors} errors, ${memory.at(-1)?.toFixed(0)} MB`)
  }
  for (const timer of timers) clearInterval(timer)
  await Promise.all(waiting)
  listeners.abort()
  await Promise.allSettled(events)

  for (const { errors, name, times } of kinds)
    console.log(
      `${name}: ${times.length} asked, ${errors.length} errors${errors.length > 0 ? ` (${[...new Set(errors)].join(", ")})` : ""}, ` +
        `p50 ${ms(percentile(times, 0.5))}, p99 ${ms(percentile(times, 0.99))}, longest ${ms(Math.max(...times))}`
    )
  await Bun.sleep(15_000)
  const database = new Database(join(service.folder, "data/library.db"), { readonly: true })
  const urls = new Set(
    database
      .query<{ url: string }, []>("SELECT url FROM links")
      .all()
      .map(({ url }) => url)
  )
  const states = database
    .query(
      "SELECT (SELECT count(*) FROM inbox WHERE state <> 'done') AS undone, (SELECT count(*) FROM embedding_queue) AS unembedded"
    )
    .get()
  database.close()
  const lost = saved.filter((url) => !urls.has(url))
  console.log(
    `saved: ${saved.length} acknowledged, ${lost.length} lost; left behind: ${JSON.stringify(states)}`
  )
  const listed = (sizes: ReadonlyArray<number>) => sizes.map((size) => size.toFixed(0)).join(", ")
  console.log(
    `memory, minute by minute: ${listed(memory)} MB, of which without pages of files ${listed(own)}`
  )
  await service.stop()
}
