import { Database } from "bun:sqlite"
import { freePort, type SeenLink, until, update } from "../support/service.ts"
import { sizeOf, table, timed, usageOf, Waits } from "./harness.ts"
import { type Contestant, fileIn, libraryOf, withService } from "./services.ts"

const numberOf = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise)
/** Minutes of jobs and requests of every kind, and the factor of all rates; at 1 they are 45 requests a second. */
const MINUTES = numberOf("LOAD_MINUTES", 60)
const RATE = numberOf("LOAD_RATE", 0.5)
/** Links of the imported file, messages that arrive at once, and listeners. */
const IMPORTED = numberOf("LOAD_IMPORT", 50_000)
const BURST = numberOf("LOAD_BURST", 1_000)
const LISTENERS = numberOf("LOAD_LISTENERS", 100)
/** Links of one bulk change, and of one of the imports among the jobs. */
const CHANGED = 2_000
const SMALL_IMPORT = 500
/** Seconds of requests of every kind without anything else, and between two jobs. */
const IDLE = 15
const BETWEEN_JOBS = 5

const WORDS = "editor,database,music theory,the,go,kubrnetes,tag:css,site:github.com rust".split(",")

const pick = <A>(all: ReadonlyArray<A>, otherwise: A): A =>
  all[Math.floor(Math.random() * all.length)] ?? otherwise

/** Everything that the service is asked, and what it has acknowledged. */
const makeRequests = ({ base, client, world }: Contestant, size: number) => {
  const owner = (method: string, path: string, body?: unknown) => client.owner(method, `/api${path}`, body)
  const saved = new Set<string>()
  let sent = 0
  const page = (what: string) =>
    `${world.pages.url}/plain?t=${what}+${sent++}&image=${encodeURIComponent(`${world.pages.url}/picture/${sent}`)}`
  const save = async (send: (url: string) => Promise<Response>) => {
    const url = page("Loaded")
    const response = await send(url)
    if (response.ok) saved.add(url)
    return response
  }
  const anyId = () => 1 + Math.floor(Math.random() * size)
  const change = (more: object) => owner("POST", "/mutate", { ids: [anyId()], ...more })
  const newest = async (): Promise<ReadonlyArray<SeenLink>> =>
    (await (await owner("GET", "/links?limit=50")).json()).links
  const undone = async (changing: Promise<Response>) => {
    const response = await changing
    if (!response.ok) return response
    const { undo }: { undo?: string } = await response.json()
    return owner("POST", "/mutate", { op: "undo", token: undo })
  }
  /** Deletes an older link of this run. */
  const remove = async () => {
    const link = (await newest()).findLast(({ url }) => saved.has(url))
    if (link === undefined) return owner("GET", "/jobs")
    saved.delete(link.url)
    return owner("POST", "/mutate", { op: "delete", ids: [link.id] })
  }
  const picture = async () => {
    const response = await owner("GET", `/links/${pick(await newest(), undefined)?.id ?? 1}/image`)
    // A link has no picture until its page is read.
    return response.status === 404 ? Response.json(null) : response
  }
  /** A token that the service has not verified yet. */
  const newToken = async () =>
    client.send("GET", "/dashboard/api/jobs", undefined, {
      "cf-access-jwt-assertion": await world.gateway.token({ jti: crypto.randomUUID() })
    })
  /** Waits for the job that a request starts. */
  const job = async (start: Promise<Response>) => {
    const response = await start
    if (!response.ok) return response
    const { job }: { job: { id: number } } = await response.json()
    const { state } = await client.ended(job.id, 3_600)
    return Response.json(state, { status: state === "done" ? 200 : 500 })
  }
  const importFile = async (many: number) => {
    const urls = Array.from({ length: many }, () => page("Imported"))
    const response = await job(owner("POST", "/import?name=load.txt&pages=later", urls.join("\n")))
    if (response.ok) for (const url of urls) saved.add(url)
    return response
  }
  const favorites = () => {
    const first = anyId()
    const ids = Array.from({ length: Math.min(CHANGED, size) }, (_, n) => 1 + ((first + n) % size))
    return undone(owner("POST", "/mutate", { op: "favorite", ids, favorite: true }))
  }
  const action = (body: object) => job(owner("POST", "/action", body))
  const refresh = async () => action({ action: "refresh", id: pick(await newest(), undefined)?.id })
  const word = () => encodeURIComponent(pick(WORDS, "the"))
  const kinds: Readonly<Record<string, readonly [perSecond: number, ask: () => Promise<Response>]>> = {
    "page of the list": [10, () => owner("GET", "/links?limit=50")],
    search: [8, () => owner("GET", `/links?limit=50&q=${word()}`)],
    similar: [1, () => owner("GET", `/links?limit=20&like=${anyId()}`)],
    counts: [2, () => owner("GET", "/meta")],
    "a new token": [2, newToken],
    picture: [2, picture],
    favorite: [3, () => change({ op: "favorite", favorite: Math.random() < 0.5 })],
    share: [1, () => change({ op: "shareable", shareable: Math.random() < 0.9 })],
    edit: [2, () => change({ op: "edit", title: `A title given by hand ${sent}` })],
    "change and undo": [0.5, () => undone(change({ op: "category", category: "loaded" }))],
    delete: [0.2, remove],
    "public list": [5, () => fetch(`${base}/list/api/links?limit=50`)],
    "public search": [2, () => fetch(`${base}/list/api/links?q=${word()}`)],
    feed: [1, () => fetch(`${base}/list/feed.xml`)],
    chat: [1, () => save((url) => client.webhook(update(`${url} a note`)))],
    "chat search": [0.5, () => client.webhook(update(pick(WORDS, "the")))],
    capture: [2, () => save((url) => client.capture({ url }))],
    health: [2, () => fetch(`${base}/healthz`)]
  }
  const jobs: Readonly<Record<string, () => Promise<Response>>> = {
    "organize, dry run": () => action({ action: "organize", dryRun: true }),
    duplicates: () => action({ action: "dupes" }),
    refresh,
    [`import of ${SMALL_IMPORT}`]: () => importFile(SMALL_IMPORT),
    "read pages": () => action({ action: "read" }),
    "bulk change, undone": favorites,
    "export as JSON": () => owner("GET", "/export?format=json"),
    "export as HTML": () => owner("GET", "/export?format=html"),
    "export as CSV": () => owner("GET", "/export?format=csv"),
    "whole list": () => owner("GET", "/links"),
    "/organize in the chat": () => client.webhook(update("/organize")),
    "/dupes in the chat": () => client.webhook(update("/dupes"))
  }
  return { saved, save, kinds, jobs, importFile, favorites }
}

/** Waits for jobs that were started in the chat. */
const jobsEnd = ({ client }: Contestant) =>
  until(async () => {
    const { jobs }: { jobs: ReadonlyArray<{ state: string }> } = await (
      await client.owner("GET", "/api/jobs")
    ).json()
    return jobs.every(({ state }) => state !== "running")
  }, 3_600)

/**
 * Sends requests of every kind at steady rates to the compiled service over a large library: alone; while a large file is
 * imported, a thousand messages arrive at once and a hundred listeners hear of everything; and for an hour beside one job
 * after another. Prints how long each kind waits in each part, what the service uses, and whether anything that it
 * acknowledged is lost: threads, files and memory must stay what they are after ten minutes, and below the limits of the
 * shipped systemd unit.
 */
export const load = async () => {
  const size = sizeOf(100_000)
  const folder = await libraryOf(size)
  const port = await freePort()
  const settings = { ANTHROPIC_API_KEY: "", METRICS_PORT: String(port), CAPTURE_WAIT: "60 seconds" }
  await withService({ folder, settings }, async (service) => {
    const { client, pid } = service
    const requests = makeRequests(service, size)
    const usages: Array<Record<string, string | number>> = []
    /** Adds a row of what the service uses, and the longest stall of its event loop since the last row. */
    const use = async (when: string) => {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      const stall = /^linkbower_event_loop_longest_delay_seconds (\S+)$/m.exec(text)?.[1]
      usages.push({ when, ...usageOf(pid), "longest stall ms": Number(stall) * 1_000 })
    }
    let usual: ReadonlyMap<string, Waits> | undefined
    /** Sends requests of every kind during some work, and prints their waits beside those of the first part. */
    const during = async (part: string, work: (add: (name: string) => Waits) => Promise<unknown>) => {
      const all = new Map<string, Waits>(Object.keys(requests.kinds).map((name) => [name, new Waits()]))
      const add = (name: string) => {
        const waits = all.get(name) ?? new Waits()
        all.set(name, waits)
        return waits
      }
      const open = new Set<Promise<void>>()
      const timers = Object.entries(requests.kinds).map(([name, [perSecond, ask]]) =>
        setInterval(
          () => {
            const one: Promise<void> = add(name)
              .ask(ask)
              .finally(() => open.delete(one))
            open.add(one)
          },
          1_000 / (perSecond * RATE)
        )
      )
      const { took } = await timed(() => work(add))
      for (const timer of timers) clearInterval(timer)
      await Promise.all(open)
      await use(part)
      console.log(`\n${part}: ${(took / 1_000).toFixed(0)} s`)
      table([...all].map(([request, own]) => ({ request, ...own.row(usual?.get(request)) })))
      usual ??= all
    }

    await during("alone", () => Bun.sleep(IDLE * 1_000))
    const listeners = new AbortController()
    let heard = 0
    for (let n = 0; n < LISTENERS; n++) {
      const { body } = await fetch(`${service.base}/dashboard/api/events`, {
        headers: await service.owner(),
        signal: listeners.signal
      })
      const listen = async () => {
        for await (const bytes of body ?? []) heard += bytes.length
      }
      listen().catch(() => {})
    }
    await during("crowd", async (add) => {
      const imported = add(`import of ${IMPORTED}`).ask(() => requests.importFile(IMPORTED))
      const changed = add("bulk change, undone").ask(requests.favorites)
      const burst = add("a message of the burst")
      const messages = Array.from({ length: BURST }, () =>
        burst.ask(() => requests.save((url) => client.webhook(update(url))))
      )
      await Promise.all([imported, changed, ...messages])
    })
    listeners.abort()
    console.log(`listeners heard ${(heard / 1e6).toFixed(1)} MB`)
    await during("jobs", async (add) => {
      const begun = performance.now()
      const jobs = Object.entries(requests.jobs)
      for (let turn = 0, reported = 0; ; turn++) {
        const [name, ask] = jobs[turn % jobs.length] ?? []
        if (name !== undefined && ask !== undefined) await add(name).ask(ask)
        await Bun.sleep(BETWEEN_JOBS * 1_000)
        await jobsEnd(service)
        const minute = Math.floor((performance.now() - begun) / 60_000)
        if (minute > reported) await use(`minute ${minute}`)
        reported = minute
        if (minute >= MINUTES) return
      }
    })
    console.log()
    table(usages)
    const database = new Database(fileIn(folder), { readonly: true })
    const undone = database.query<{ n: number }, []>("SELECT count(*) AS n FROM inbox WHERE state <> 'done'")
    await until(() => undone.get()?.n === 0, 600).catch(() => {})
    const rows = database.query<{ url: string }, []>("SELECT url FROM links").all()
    const urls = new Set(rows.map(({ url }) => url))
    const lost = [...requests.saved].filter((url) => !urls.has(url))
    console.log(
      `${requests.saved.size} saves acknowledged, ${lost.length} lost; ${undone.get()?.n} messages waiting`
    )
    database.close()
  })
}
