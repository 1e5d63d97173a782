import { Database } from "bun:sqlite"
import { readdirSync } from "node:fs"
import { join, resolve } from "node:path"
import { childrenOf } from "../support/processes.ts"
import { type SeenLink, update } from "../support/service.ts"
import { memoryOf } from "./footprint.ts"
import { limited } from "./limits.ts"
import { ms, percentile } from "./measure.ts"
import { makeLibrary } from "./realLinks.ts"
import { startContestant } from "./servers.ts"

const MINUTES = Number(process.env["SOAK_MINUTES"] ?? 60)
const SIZE = Number(process.env["SOAK_LINKS"] ?? 100_000)
/** A compiled binary to run instead of the source. */
const BINARY = process.env["SOAK_BINARY"]
/** A folder with the library of an earlier run to reuse; the run changes it. */
const LIBRARY = process.env["SOAK_LIBRARY"]
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
/** A gateway token is valid for five minutes. */
const TOKEN_LIFE = 120_000
/** Pause between consecutive jobs or files, in milliseconds. */
const BETWEEN_JOBS = 5_000
/** Factor of every rate below; at 1 they add up to about 43 requests per second. */
const RATE = Number(process.env.SOAK_RATE ?? 0.5)
/** Pause of all requests before usage is read, in milliseconds. */
const SETTLE = 3_000
/** Links of one import, and of one bulk change. */
const IMPORTED = 500
const BULK = 2_000
/** Minutes after which threads, open files and memory must stay constant. */
const WARM = 10

/** A kind of request: its rate per second, its times in milliseconds and its errors. */
const kind = (name: string, rate: number, ask: () => Promise<Response>) => ({
  name,
  rate,
  ask,
  times: [] as number[],
  errors: [] as string[]
})
type Kind = ReturnType<typeof kind>

const pick = <A>(all: ReadonlyArray<A>, otherwise: A): A =>
  all[Math.floor(Math.random() * all.length)] ?? otherwise

/** Sends one request, reads the whole response and records its duration. */
const timed = async ({ ask, errors, times }: Kind) => {
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

/** Threads, open files and private memory in MB of a process, and the number and memory of its children. */
const usage = async (pid: number) => {
  const status = await Bun.file(`/proc/${pid}/status`).text()
  const children = childrenOf(pid)
  const memories = await Promise.all(children.map((child) => memoryOf(child, "RssAnon").catch(() => 0)))
  return {
    threads: Number(/Threads:\s+(\d+)/.exec(status)?.[1]),
    files: readdirSync(`/proc/${pid}/fd`).length,
    memory: await memoryOf(pid, "RssAnon"),
    children: children.length,
    childMemory: memories.reduce((sum, one) => sum + one, 0)
  }
}
type Usage = Awaited<ReturnType<typeof usage>>

/** The ranges of all usage figures after the first minutes. */
const spread = (figures: ReadonlyArray<Usage>) => {
  const later = figures.slice(Math.min(WARM, figures.length - 1))
  const range = (of: (one: Usage) => number) => {
    const all = later.map(of)
    return { least: Math.min(...all), most: Math.max(...all) }
  }
  const [threads, files, memory] = [range((u) => u.threads), range((u) => u.files), range((u) => u.memory)]
  return (
    `after minute ${WARM}: threads ${threads.least} to ${threads.most}, open files ${files.least} to ${files.most}, ` +
    `private memory ${memory.least.toFixed(0)} to ${memory.most.toFixed(0)} MB (${(memory.most / memory.least).toFixed(2)} times)`
  )
}

/**
 * Sends every kind of request and runs every job over a large library for an hour, within the limits of the shipped unit
 * if this user may set them. Expects no error, no lost save, and the same threads, open files and memory as after ten
 * minutes. `SOAK_MINUTES`, `SOAK_LINKS`, `SOAK_RATE`, `SOAK_BINARY` and `SOAK_LIBRARY` override the sizes, the load, the
 * program and the library.
 */
export const soak = async () => {
  const folder = LIBRARY ?? (await makeLibrary(SIZE)).folder
  const group = limited()
  const program =
    BINARY === undefined
      ? [process.execPath, resolve(import.meta.dir, "../../src/main.ts"), "serve"]
      : [BINARY, "serve"]
  const service = await startContestant({}, folder, group?.wrap(program) ?? program)
  console.log(group === undefined ? "without limits" : "within 1 GiB of memory and 256 threads")
  const { base, client, pid, world } = service
  const gate = { token: "", until: 0 }
  const owner = async (method: string, path: string, body?: unknown) => {
    if (Date.now() > gate.until)
      Object.assign(gate, { token: await world.gateway.token(), until: Date.now() + TOKEN_LIFE })
    return client.send(method, `/dashboard/api${path}`, body, {
      "cf-access-jwt-assertion": gate.token,
      "sec-fetch-site": "same-origin"
    })
  }
  const saved = new Set<string>()
  let sent = 0
  const page = (what: string) =>
    `${world.pages.url}/plain?t=${what}+${sent++}&image=${encodeURIComponent(`${world.pages.url}/picture/${sent}`)}`
  const save = async (send: (url: string) => Promise<Response>) => {
    const url = page("Soaked")
    const response = await send(url)
    if (response.ok) saved.add(url)
    return response
  }
  const anyId = () => 1 + Math.floor(Math.random() * SIZE)
  const change = (more: object) => owner("POST", "/mutate", { ids: [anyId()], ...more })
  const newest = async (): Promise<ReadonlyArray<SeenLink>> =>
    (await (await owner("GET", "/links?limit=50")).json()).links
  const command = (name: string) =>
    client.webhook(
      update(`/${name}`, { entities: [{ type: "bot_command", offset: 0, length: name.length + 1 }] })
    )

  /** Deletes an older link of this run. */
  const remove = async () => {
    const link = (await newest()).findLast(({ url }) => saved.has(url))
    if (link === undefined) return owner("GET", "/jobs")
    saved.delete(link.url)
    return owner("POST", "/mutate", { op: "delete", ids: [link.id] })
  }
  /** Changes a link and undoes the change. */
  const undone = async () => {
    const response = await change({ op: "category", category: "soaked" })
    const { undo }: { undo?: string } = await response.json()
    return owner("POST", "/mutate", { op: "undo", token: undo })
  }
  const picture = async () => {
    const link = pick(await newest(), undefined)
    const response = await owner("GET", `/links/${link?.id ?? 1}/image`)
    // A link has no picture until its page is read.
    return response.status === 404 ? Response.json(null) : response
  }

  const kinds = [
    kind("page of the list", 10, () => owner("GET", "/links?limit=50")),
    kind("search", 8, () => owner("GET", `/links?limit=50&q=${encodeURIComponent(pick(WORDS, "the"))}`)),
    kind("similar", 1, () => owner("GET", `/links?limit=20&like=${anyId()}`)),
    kind("counts", 2, () => owner("GET", "/meta")),
    kind("picture", 2, picture),
    kind("favorite", 3, () => change({ op: "favorite", favorite: Math.random() < 0.5 })),
    kind("share", 1, () => change({ op: "shareable", shareable: Math.random() < 0.9 })),
    kind("edit", 2, () => change({ op: "edit", title: `A title given by hand ${sent}` })),
    kind("change and undo", 0.5, undone),
    kind("delete", 0.2, remove),
    kind("public list", 5, () => fetch(`${base}/list/api/links?limit=50`)),
    kind("public search", 2, () =>
      fetch(`${base}/list/api/links?q=${encodeURIComponent(pick(WORDS, "the"))}`)
    ),
    kind("feed", 1, () => fetch(`${base}/list/feed.xml`)),
    kind("chat", 1, () => save((url) => client.webhook(update(`${url} a note`)))),
    kind("chat search", 0.5, () => client.webhook(update(pick(WORDS, "the")))),
    kind("capture", 2, () => save((url) => client.capture({ url }))),
    kind("health", 2, () => fetch(`${base}/healthz`))
  ]

  /** Waits for the job that this request starts. */
  const job = async (start: Promise<Response>) => {
    const response = await start
    if (!response.ok) return response
    const { job }: { job: { id: number } } = await response.json()
    for (;;) {
      const seen = await owner("GET", `/jobs/${job.id}`)
      const text = await seen.text()
      const state: string = seen.ok ? JSON.parse(text).job.state : "failed"
      if (state !== "running") return new Response(text, { status: seen.ok && state === "done" ? 200 : 500 })
      await Bun.sleep(250)
    }
  }
  const action = (body: object) => job(owner("POST", "/action", body))
  const importFile = async () => {
    const urls = Array.from({ length: IMPORTED }, () => page("Imported"))
    const response = await job(owner("POST", "/import?name=soak.txt", urls.join("\n")))
    if (response.ok) for (const url of urls) saved.add(url)
    return response
  }
  const bulk = async () => {
    const first = anyId()
    const ids = Array.from({ length: BULK }, (_, n) => 1 + ((first + n) % SIZE))
    const response = await owner("POST", "/mutate", { op: "favorite", ids, favorite: true })
    if (!response.ok) return response
    const { undo }: { undo?: string } = await response.json()
    return owner("POST", "/mutate", { op: "undo", token: undo })
  }
  const long = [
    kind("organize (dry run)", 0, () => action({ action: "organize", dryRun: true })),
    kind("duplicates", 0, () => action({ action: "dupes" })),
    kind("refresh", 0, async () => action({ action: "refresh", id: pick(await newest(), undefined)?.id })),
    kind(`import of ${IMPORTED}`, 0, importFile),
    kind("read pages", 0, () => action({ action: "read" })),
    kind(`change of ${BULK}, undone`, 0, bulk),
    kind("export as JSON", 0, () => owner("GET", "/export?format=json")),
    kind("export as HTML", 0, () => owner("GET", "/export?format=html")),
    kind("export as CSV", 0, () => owner("GET", "/export?format=csv")),
    kind("whole list", 0, () => owner("GET", "/links")),
    kind("/organize in the chat", 0, () => command("organize")),
    kind("/dupes in the chat", 0, () => command("dupes"))
  ]

  const waiting = new Set<Promise<void>>()
  let isPaused = false
  let isOver = false
  const timers = kinds.map((one) =>
    setInterval(
      () => {
        if (isPaused) return
        const request: Promise<void> = timed(one).finally(() => waiting.delete(request))
        waiting.add(request)
      },
      1_000 / (one.rate * RATE)
    )
  )
  const all = [...kinds, ...long]
  const figures: Array<Usage> = []

  /** Prints the usage while nothing runs, because running jobs would hide leaks. */
  const report = async (minute: number) => {
    isPaused = true
    await Promise.all(waiting)
    await Bun.sleep(SETTLE)
    const now = await usage(pid)
    isPaused = false
    figures.push(now)
    const count = all.reduce((sum, { times }) => sum + times.length, 0)
    const errors = all.reduce((sum, { errors }) => sum + errors.length, 0)
    console.log(
      `minute ${minute}: ${count} requests, ${errors} errors, ${now.threads} threads, ${now.files} open files, ` +
        `${now.memory.toFixed(0)} MB private, ${now.children} children with ${now.childMemory.toFixed(0)} MB`
    )
  }

  /** Waits for jobs started in the chat. */
  const jobsEnd = async () => {
    for (;;) {
      const response = await owner("GET", "/jobs")
      const { jobs }: { jobs: ReadonlyArray<{ state: string }> } = await response.json()
      if (jobs.every(({ state }) => state !== "running")) return
      await Bun.sleep(500)
    }
  }

  const longWork = async () => {
    const begun = performance.now()
    for (let turn = 0, reported = 0; ; turn++) {
      const next = long[turn % long.length]
      if (next !== undefined) await timed(next)
      await Bun.sleep(BETWEEN_JOBS)
      await jobsEnd()
      const minute = Math.floor((performance.now() - begun) / 60_000)
      if (minute > reported) await report(minute)
      reported = minute
      if (minute >= MINUTES) return
    }
  }
  const listeners = new AbortController()
  const events = [1, 2, 3].map(async () => {
    while (!isOver) {
      const response = await fetch(`${base}/dashboard/api/events`, {
        headers: { "cf-access-jwt-assertion": await world.gateway.token() },
        signal: listeners.signal
      })
      for await (const _ of response.body ?? []) {
        // Discards the events.
      }
    }
  })

  await longWork()
  isOver = true
  for (const timer of timers) clearInterval(timer)
  await Promise.all(waiting)
  listeners.abort()
  await Promise.allSettled(events)

  console.log(spread(figures))
  if (group !== undefined)
    console.log(`peak of the control group: ${(group.peak() / 1024 ** 2).toFixed(0)} MB`)
  for (const { errors, name, times } of all)
    console.log(
      `${name}: ${times.length} requests, ${errors.length} errors${errors.length > 0 ? ` (${[...new Set(errors)].join(", ")})` : ""}, ` +
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
  const lost = [...saved].filter((url) => !urls.has(url))
  console.log(`saved: ${saved.size} acknowledged, ${lost.length} lost; remaining: ${JSON.stringify(states)}`)
  await service.stop()
  group?.remove()
}
