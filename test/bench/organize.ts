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

/** Runs the job to its end; the seconds it took, and how long other requests waited meanwhile, in milliseconds. */
const runJob = async (service: Contestant, body: unknown) => {
  const headers = {
    "cf-access-jwt-assertion": await service.world.gateway.token(),
    "content-type": "application/json",
    "sec-fetch-site": "same-origin"
  }
  // A service that has run for a while has its code compiled and its pages in memory.
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

/** The share of filed links whose collection is mostly of their own section: of the moves the result names. */
const purityOf = (moves: ReadonlyArray<Move>, made: ReadonlyArray<MadeLink>) => {
  const sectionOf = (id: number) => `${made[id - 1]?.of.list} ${made[id - 1]?.of.section}`
  let pure = 0
  for (const group of Map.groupBy(moves, ({ to }) => to).values()) {
    const sections = Map.groupBy(group, ({ id }) => sectionOf(id))
    pure += Math.max(...[...sections.values()].map((links) => links.length))
  }
  return pure / Math.max(1, moves.length)
}

/** Organize and dupes over a whole library: time, purity, and the longest a request waited meanwhile. */
export const organizeAt = async (size: number, folder: string, made: ReadonlyArray<MadeLink>) => {
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
