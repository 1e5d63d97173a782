import { ms } from "./measure.ts"
import { makeLibrary } from "./realLinks.ts"
import { startContestant } from "./servers.ts"

const SIZE = 100_000

/** Resident memory of a process in megabytes, with or without (`RssAnon`) file pages. */
export const memoryOf = async (pid: number, kind: "VmRSS" | "RssAnon" = "VmRSS") => {
  const status = await Bun.file(`/proc/${pid}/status`).text()
  return Number(new RegExp(`${kind}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024
}

/** Measures the start until the first response, and the memory then and after some searches. */
const footprintAt = async (size: number, folder: string) => {
  const start = performance.now()
  const service = await startContestant({}, folder)
  const took = performance.now() - start
  const idle = await memoryOf(service.pid)
  const headers = { "cf-access-jwt-assertion": await service.world.gateway.token() }
  for (const word of ["editor", "database", "music", "the", "go"])
    await (await fetch(`${service.base}/dashboard/api/links?limit=50&q=${word}`, { headers })).arrayBuffer()
  console.log(
    `${size} links: first 200 after ${ms(took)} from source, ${idle.toFixed(0)} MB then, ${(await memoryOf(service.pid)).toFixed(0)} MB after five searches (mapped pages of the database included)`
  )
  await service.stop()
}

export const footprint = async () => footprintAt(SIZE, (await makeLibrary(SIZE)).folder)
