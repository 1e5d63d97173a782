import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { childrenOf } from "./processes.ts"
import {
  makeClient,
  makeWorld,
  type Running,
  type SeenLink,
  startService,
  until,
  update,
  type World
} from "./service.ts"

/** How a round ends: the process, one of its threads or a page-reading child dies. */
const DEATHS = ["SIGKILL", "SIGTERM", "thread", "child"] as const
/** Links of one import. */
const IMPORTED = 40
/** A page this slow, in milliseconds, is still being read when its link is deleted or the process dies. */
const SLOW = 400

/** What a link may hold after a restart: more than one value while a change was sent but not acknowledged. */
interface Expected {
  readonly note: string
  readonly favorite: Set<boolean>
  readonly category: Set<string>
  /** Whether a list has shown it: from then on every list does. Before, it may still be in the inbox. */
  isSeen: boolean
  state: "saved" | "deleting" | "deleted"
}

const pick = <A>(all: ReadonlyArray<A>): A | undefined => all[Math.floor(Math.random() * all.length)]

/** Everything the service has acknowledged, and what must therefore be in the library. */
class Ledger {
  readonly links = new Map<string, Expected>()
  readonly jobs = new Set<number>()
  readonly counts = new Map<string, number>()
  readonly broken = new Set<string>()
  private told = 0

  /** The promises that broke since this was asked last. */
  newlyBroken() {
    const all = [...this.broken].slice(this.told)
    this.told = this.broken.size
    return all
  }

  count(what: string) {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1)
  }

  saved(url: string, note: string) {
    this.links.set(url, {
      note,
      favorite: new Set([false]),
      category: new Set(),
      isSeen: false,
      state: "saved"
    })
  }

  /** Compares a complete list of the library's links with what was acknowledged. */
  check(seen: ReadonlyArray<SeenLink>, isSettled: boolean) {
    const byUrl = Map.groupBy(seen, ({ url }) => url)
    for (const [url, same] of byUrl) if (same.length > 1) this.broken.add(`twice: ${url}`)
    for (const [url, expected] of this.links) {
      const link = byUrl.get(url)?.[0]
      if (expected.state === "deleted" && link !== undefined) this.broken.add(`back: ${url}`)
      if (expected.state !== "saved") continue
      if (link === undefined) {
        if (isSettled || expected.isSeen) this.broken.add(`lost: ${url}`)
        continue
      }
      expected.isSeen = true
      if (isSettled && link.note !== expected.note)
        this.broken.add(`note of ${url}: “${link.note}” instead of “${expected.note}”`)
      if (!expected.favorite.has(link.favorite)) this.broken.add(`favorite of ${url}: ${link.favorite}`)
      if (expected.category.size > 0 && !expected.category.has(link.category))
        this.broken.add(`category of ${url}: ${link.category} instead of ${[...expected.category]}`)
    }
  }
}

/** Sends the service all kinds of work until `isOver`; requests that fail for its death prove nothing and are ignored. */
const work = (service: Running, world: World, ledger: Ledger, isOver: () => boolean, next: () => number) => {
  const client = makeClient(service, world)
  const { owner } = client
  const ids = new Map<string, number>()
  const pageOf = (kind: string, more = "") => {
    const slow = Math.random() < 0.3
    return `${world.pages.url}/${slow ? "slow" : "plain"}?t=${kind}+${next()}${slow ? `&ms=${SLOW}` : ""}${more}`
  }
  /** Runs an actor again and again until the round is over. */
  const repeat = async (what: string, pause: number, act: () => Promise<boolean>) => {
    while (!isOver()) {
      try {
        if (await act()) ledger.count(what)
      } catch (error) {
        // A connection that breaks is the service's death; anything else is a fault of this program.
        if (isOver() || (error instanceof Error && /socket|connect|closed/i.test(error.message))) continue
        throw error
      }
      await Bun.sleep(Math.random() * pause)
    }
  }

  const chat = () =>
    repeat("message", 20, async () => {
      const url = pageOf("chat")
      const note = `note ${next()}`
      const body = update(`${url} ${note}`)
      const sent = await client.webhook(body)
      if (sent.status !== 200) return false
      ledger.saved(url, note)
      // Telegram delivers again what it believes was lost.
      if (Math.random() < 0.2) await client.webhook(body)
      return true
    })

  const capture = () =>
    repeat("capture", 30, async () => {
      const url = pageOf("capture")
      const key = { "idempotency-key": `key-${next()}` }
      const sent = await client.capture({ url, note: "captured" }, key)
      if (sent.status !== 200 && sent.status !== 202) return false
      await sent.body?.cancel()
      ledger.saved(url, "captured")
      if (Math.random() < 0.2) await client.capture({ url, note: "captured" }, key)
      return true
    })

  const look = () =>
    repeat("list", 60, async () => {
      const response = await owner("GET", "/api/links?limit=80")
      if (response.status !== 200) return false
      const { links }: { links: ReadonlyArray<SeenLink> } = await response.json()
      for (const { id, url } of links) ids.set(url, id)
      return true
    })

  const search = () =>
    repeat("search", 40, async () => {
      const response = await owner("GET", `/api/links?limit=20&q=chat+${Math.floor(Math.random() * 20)}`)
      const seen: unknown = await response.json()
      if (response.status !== 200 && response.status !== 503)
        ledger.broken.add(`a search was answered ${response.status}: ${JSON.stringify(seen)}`)
      return response.status === 200
    })

  const known = () =>
    [...ids].flatMap(([url, id]) => {
      const expected = ledger.links.get(url)
      return expected?.state === "saved" ? [{ id, expected }] : []
    })

  const favorite = () =>
    repeat("edit", 40, async () => {
      const link = pick(known())
      if (link === undefined) return false
      const [before] = link.expected.favorite
      const value = Math.random() < 0.5
      link.expected.favorite.add(value)
      const changed = await owner("POST", "/api/mutate", { op: "favorite", ids: [link.id], favorite: value })
      const { undo }: { undo?: string } = await changed.json()
      if (changed.status !== 200) return false
      link.expected.favorite.clear()
      link.expected.favorite.add(value)
      if (undo === undefined || before === undefined || Math.random() < 0.7) return true
      link.expected.favorite.add(before)
      const undone = await owner("POST", "/api/mutate", { op: "undo", token: undo })
      await undone.body?.cancel()
      if (undone.status !== 200) return true
      link.expected.favorite.clear()
      link.expected.favorite.add(before)
      return true
    })

  /** A change of many links at once: all of them or none. */
  const bulk = () =>
    repeat("bulk edit", 300, async () => {
      const some = known().filter(() => Math.random() < 0.5)
      if (some.length === 0) return false
      const category = `bulk ${next()}`
      const before = some.map(({ expected }) => new Set(expected.category))
      for (const [index, { expected }] of some.entries()) {
        // A category found by the model is any: only what the owner has set is looked at.
        if (before[index]?.size !== 0) expected.category.add(category)
      }
      const changed = await owner("POST", "/api/mutate", {
        op: "category",
        ids: some.map(({ id }) => id),
        category
      })
      await changed.body?.cancel()
      if (changed.status !== 200) return false
      for (const { expected } of some) {
        expected.category.clear()
        expected.category.add(category)
      }
      return true
    })

  /** Deletes links, most of them while their page is still being read. */
  const remove = () =>
    repeat("delete", 80, async () => {
      const response = await owner("GET", "/api/links?limit=10")
      if (response.status !== 200) return false
      const { links }: { links: ReadonlyArray<SeenLink> } = await response.json()
      const link = links.find(({ enrichment }) => enrichment === "pending") ?? pick(links)
      const expected = link && ledger.links.get(link.url)
      // Only what is acknowledged: the answer to a save may still be under way.
      if (link === undefined || expected === undefined || expected.state !== "saved") return false
      expected.state = "deleting"
      const deleted = await owner("POST", "/api/mutate", { op: "delete", ids: [link.id] })
      await deleted.body?.cancel()
      if (deleted.status === 404) ledger.broken.add(`listed, then unknown: ${link.url}`)
      if (deleted.status !== 200) return false
      expected.state = "deleted"
      return true
    })

  const takeFile = () =>
    repeat("import", 400, async () => {
      const urls = Array.from({ length: IMPORTED }, () => pageOf("file"))
      const sent = await owner("POST", `/api/import?pages=later&name=${next()}.txt`, urls.join("\n"))
      if (sent.status !== 202) return false
      const { job }: { job: { id: number } } = await sent.json()
      ledger.jobs.add(job.id)
      for (const url of urls) ledger.saved(url, "")
      return true
    })

  const jobs = () =>
    repeat("job", 300, async () => {
      const action = pick(["organize", "dupes", "recategorize"])
      const started = await owner("POST", "/api/action", { action })
      const { job }: { job?: { id: number } } = await started.json()
      if (started.status !== 202 || job === undefined) return false
      ledger.jobs.add(job.id)
      return true
    })

  return Promise.all([
    chat(),
    chat(),
    capture(),
    capture(),
    look(),
    search(),
    favorite(),
    bulk(),
    remove(),
    takeFile(),
    jobs()
  ])
}

/**
 * Ends the process, its threads and its children over and over while saves, edits, deletes, searches, imports and jobs go
 * on. Answers what broke a promise (nothing, if all is well) and how much was acknowledged.
 */
export const runChaos = async (rounds: number, report: (line: string) => void = () => {}) => {
  const world = await makeWorld()
  const ledger = new Ledger()
  let counter = 0
  const next = () => counter++
  const threads = mkdtempSync(join(tmpdir(), "linkbower-threads-"))
  const start = (folder?: string) => startService({ ...world.settings, TEST_THREADS: threads }, folder)
  let service = await start()
  const deaths = new Map<string, number>()
  try {
    for (let round = 0; round < rounds; round++) {
      const death = DEATHS[round % DEATHS.length] ?? "SIGKILL"
      let isOver = false
      const working = work(service, world, ledger, () => isOver, next)
      await Bun.sleep(300 + Math.random() * 900)
      deaths.set(death, (deaths.get(death) ?? 0) + 1)
      if (death === "thread") {
        const thread = pick(readdirSync(threads))
        if (thread !== undefined) rmSync(join(threads, thread))
        await Bun.sleep(500)
      } else if (death === "child") {
        const child = pick(childrenOf(service.pid))
        if (child !== undefined) process.kill(child, "SIGKILL")
        await Bun.sleep(500)
      } else {
        isOver = true
        await service.stop(death)
        for (const thread of readdirSync(threads)) rmSync(join(threads, thread))
      }
      isOver = true
      await working
      if (death === "SIGKILL" || death === "SIGTERM") service = await start(service.folder)
      const links = await makeClient(service, world).links()
      ledger.check(links, false)
      // Now, because a service prunes the oldest of many jobs.
      for (const id of ledger.jobs) {
        const found = await makeClient(service, world).owner("GET", `/api/jobs/${id}`)
        await found.body?.cancel()
        if (found.status !== 200) ledger.broken.add(`job ${id}: ${found.status}`)
      }
      ledger.jobs.clear()
      for (const promise of ledger.newlyBroken()) report(promise)
      report(`round ${round + 1}, ${death}: ${links.length} links, ${ledger.broken.size} broken promises`)
    }

    const client = makeClient(service, world)
    const isPending = ({ enrichment, url }: SeenLink) => enrichment === "pending" && !url.includes("t=file")
    await until(async () => {
      const links = await client.links()
      const urls = new Set(links.map(({ url }) => url))
      const isThere = [...ledger.links].every(([url, { state }]) => state !== "saved" || urls.has(url))
      return isThere && !links.some(isPending)
    }, 120).catch((error) => report(String(error)))
    ledger.check(await client.links(), true)
    const answered = await client.owner("GET", "/api/links?limit=5&q=chat")
    await answered.body?.cancel()
    if (answered.status !== 200) ledger.broken.add(`the last search was answered ${answered.status}`)
    const states = [...ledger.links.values()]
    return {
      broken: [...ledger.broken],
      acknowledged: Object.fromEntries(ledger.counts),
      deleted: states.filter(({ state }) => state === "deleted").length,
      deaths: Object.fromEntries(deaths),
      log: service.output()
    }
  } finally {
    await service.stop()
    service.clean()
    rmSync(threads, { recursive: true })
    await world.stop()
  }
}
