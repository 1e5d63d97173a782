/** Reads pages with one library, in a process of its own, as its parent asks: `bun worker.ts <library>`. */
import { existsSync, readFileSync } from "node:fs"
import { noAnswer } from "./Answer.ts"
import { linkbower } from "./Linkbower.ts"
import { peers } from "./Peers.ts"
import type { FromWorker, ToWorker } from "./Workers.ts"

const STATUS = "/proc/self/status"

/** The largest resident memory of this process; the usage that the system reports would include its parent's. */
const largestMemory = (): number => {
  const [, kilobytes] = existsSync(STATUS)
    ? (/VmHWM:\s*(\d+) kB/.exec(readFileSync(STATUS, "utf8")) ?? [])
    : []
  return kilobytes === undefined ? process.memoryUsage.rss() : Number(kilobytes) * 1024
}

const name = process.argv[2] ?? ""
const library = await (peers.get(name)?.() ?? linkbower())

const send = (message: Omit<FromWorker, "memory">) => process.send?.({ ...message, memory: largestMemory() })

process.on("message", async ({ page }: ToWorker) => {
  const read = library.prepare(page)
  const start = performance.now()
  try {
    const answer = await read()
    send({ answer, milliseconds: performance.now() - start, failure: null })
  } catch (error) {
    const failure = String(error).slice(0, 200)
    send({ answer: noAnswer, milliseconds: performance.now() - start, failure })
  }
})
process.on("disconnect", () => process.exit())
send({ answer: noAnswer, milliseconds: 0, failure: null })
