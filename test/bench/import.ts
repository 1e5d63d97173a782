import { netscapeFoot, netscapeHead, netscapeLink } from "../../src/transfer/formats/Netscape.ts"
import { until } from "../support/service.ts"
import { memoryOf } from "./footprint.ts"
import { median, ms, percentile, perSecond } from "./measure.ts"
import { acknowledge, type Contestant, read, startContestant } from "./servers.ts"

const SIZE = 50_000
const WORDS = [
  "engine",
  "music",
  "garden",
  "bread",
  "kernel",
  "river",
  "compiler",
  "photograph",
  "index",
  "harbour"
]

/** A browser's bookmark file of `size` different links with notes and tags. */
const bookmarks = (size: number) => {
  const at = new Date(1_600_000_000_000).toISOString()
  const word = (n: number) => WORDS[n % WORDS.length] ?? ""
  const links = Array.from({ length: size }, (_, n) =>
    netscapeLink({
      url: `https://example-${n % 997}.org/articles/${n}`,
      title: `${word(n)} ${word(n >> 3)} ${word(n >> 6)} number ${n}`,
      note: `What there is to say of ${word(n >> 2)} and ${word(n >> 5)}.`,
      summary: "",
      description: "",
      tags: [word(n), word(n >> 1)],
      category: "",
      collection: null,
      favorite: false,
      shareable: false,
      state: "read",
      createdAt: at,
      updatedAt: at
    })
  )
  return netscapeHead("Bookmarks", at) + links.join("") + netscapeFoot
}

/** The times of a page, a search and an acknowledgement, in milliseconds. */
const asking = async ({ base }: Contestant, headers: Record<string, string>) => {
  const timed = async (ask: () => Promise<unknown>) => {
    const start = performance.now()
    await ask()
    return performance.now() - start
  }
  const list = `${base}/dashboard/api/links?limit=50`
  return {
    page: await timed(() => read(list, headers)),
    search: await timed(() => read(`${list}&q=music`, headers)),
    save: await timed(() => acknowledge(base))
  }
}
type Times = Awaited<ReturnType<typeof asking>>

const show = (all: ReadonlyArray<Times>, before: ReadonlyArray<Times>) =>
  (["page", "search", "save"] as const)
    .map((what) => {
      const times = all.map((one) => one[what])
      const usual = median(before.map((one) => one[what]))
      const ratio = (median(times) / usual).toFixed(1)
      return `${what} p50 ${ms(median(times))} (×${ratio}), p95 ${ms(percentile(times, 0.95))}, longest ${ms(Math.max(...times))}`
    })
    .join("; ")

interface Job {
  readonly action: string
  readonly state: string
  readonly done: number
}

/** Imports 50,000 bookmarks: duration, memory and the response times meanwhile. */
export const importing = async () => {
  const file = bookmarks(SIZE)
  const service = await startContestant()
  const headers = { "cf-access-jwt-assertion": await service.world.gateway.token() }
  const jobs = async () => {
    const answer: { readonly jobs: ReadonlyArray<Job> } = await (
      await fetch(`${service.base}/dashboard/api/jobs`, { headers })
    ).json()
    return answer.jobs
  }
  const stateOf = async (action: string) => (await jobs()).find((job) => job.action === action)

  const before: Array<Times> = []
  for (let n = 0; n < 30; n++) before.push(await asking(service, headers))
  const idle = await memoryOf(service.pid)

  const start = performance.now()
  const sent = await fetch(`${service.base}/dashboard/api/import?name=bookmarks.html&pages=later`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/octet-stream", "sec-fetch-site": "same-origin" },
    body: file
  })
  if (sent.status !== 202) throw new Error(`the import was answered ${sent.status}`)

  const follow = async (action: string) => {
    const times: Array<Times> = []
    let most = 0
    for (;;) {
      times.push(await asking(service, headers))
      most = Math.max(most, await memoryOf(service.pid))
      const job = await stateOf(action)
      if (job !== undefined && job.state !== "running") return { job, times, most }
      await Bun.sleep(50)
    }
  }
  const taken = await follow("import")
  const took = performance.now() - start
  console.log(
    `${SIZE} bookmarks (${(file.length / 1e6).toFixed(1)} MB) in one file: ${taken.job.done} links after ${(took / 1000).toFixed(1)} s ` +
      `(${perSecond((taken.job.done * 1000) / took)}), memory ${idle.toFixed(0)} MB before, at most ${taken.most.toFixed(0)} MB`
  )
  console.log(`  response times: ${show(taken.times, before)}`)
  await until(() => stateOf("reindex"), 30)
  const again = performance.now()
  const embedded = await follow("reindex")
  console.log(
    `  their vectors ${((performance.now() - again) / 1000).toFixed(1)} s more, at most ${embedded.most.toFixed(0)} MB; response times: ${show(embedded.times, before)}`
  )
  await service.stop()
}
