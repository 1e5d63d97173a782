import { median, ms } from "./measure.ts"
import { type MadeLink, makeLibrary } from "./realLinks.ts"
import { type Contestant, startContestant } from "./servers.ts"

const SIZES = [10_000, 100_000]

interface Move {
  readonly id: number
  readonly to: string
}
interface EndedJob {
  readonly id: number
  readonly state: string
  readonly result: {
    readonly filed: number
    readonly collections: number
    readonly moves: ReadonlyArray<Move>
    readonly groups: ReadonlyArray<unknown>
  } | null
}

/** Runs a job to its end; returns its duration in seconds and the waits of concurrent requests in milliseconds. */
const runJob = async (service: Contestant, body: unknown) => {
  const headers = {
    "cf-access-jwt-assertion": await service.world.gateway.token(),
    "content-type": "application/json",
    "sec-fetch-site": "same-origin"
  }
  // Warms up compiled code and cached pages.
  for (let turn = 0; turn < 100; turn++)
    await (
      await fetch(`${service.base}/dashboard/api/links?limit=20&q=word${turn}`, { headers })
    ).arrayBuffer()
  const answer = await fetch(`${service.base}/dashboard/api/action`, {
    method: "POST",
    headers,
    body: JSON.stringify(body)
  })
  const start = performance.now()
  let { job }: { job: EndedJob } = await answer.json()
  const waits: Array<{ readonly path: string; readonly wait: number }> = []
  while (job.state === "running") {
    for (const path of [
      "/healthz",
      "/dashboard/api/links?limit=20",
      "/dashboard/api/links?limit=20&q=editor"
    ]) {
      const asked = performance.now()
      await (await fetch(service.base + path, { headers })).arrayBuffer()
      waits.push({ path, wait: performance.now() - asked })
    }
    await Bun.sleep(20)
    ;({ job } = await (await fetch(`${service.base}/dashboard/api/jobs/${job.id}`, { headers })).json())
  }
  return { job, seconds: (performance.now() - start) / 1000, waits }
}

/** The share of moved links that went to a collection with a majority from their section. */
const purityOf = (moves: ReadonlyArray<Move>, made: ReadonlyArray<MadeLink>) => {
  const sectionOf = (id: number) => `${made[id - 1]?.of.list} ${made[id - 1]?.of.section}`
  let pure = 0
  for (const group of Map.groupBy(moves, ({ to }) => to).values()) {
    const sections = Map.groupBy(group, ({ id }) => sectionOf(id))
    pure += Math.max(...[...sections.values()].map((links) => links.length))
  }
  return pure / Math.max(1, moves.length)
}

/** Runs organize and dupes over a whole library: duration, purity and the waits of concurrent requests. */
const organizeAt = async (size: number, folder: string, made: ReadonlyArray<MadeLink>) => {
  const service = await startContestant({}, folder)
  for (const body of [{ action: "dupes" }, { action: "organize" }]) {
    const { job, seconds, waits } = await runJob(service, body)
    const { collections = 0, filed = 0, groups = [], moves = [] } = job.result ?? {}
    const outcome =
      body.action === "dupes"
        ? `${groups.length} groups`
        : `${filed} filed into ${collections} collections, purity ${purityOf(moves, made).toFixed(2)}`
    console.log(`${body.action} over ${size} links: ${seconds.toFixed(1)} s, ${outcome}`)
    for (const [path, some] of Map.groupBy(waits, (one) => one.path)) {
      const times = some.map(({ wait }) => wait)
      console.log(
        `  meanwhile ${times.length} x ${path} waited ${ms(median(times))}, at most ${ms(Math.max(...times))}`
      )
    }
  }
  await service.stop()
}

export const organize = async () => {
  for (const size of SIZES) {
    const { folder, made } = await makeLibrary(size)
    await organizeAt(size, folder, made)
  }
}
