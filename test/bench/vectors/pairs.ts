/**
 * All pairs of 30,000 rows of 512 dimensions at 0.8 and 0.5: `bun test/bench/vectors/pairs.ts`. One and two workers of
 * ours against C on one core, which multiplies every pair in full.
 */
import { ptr } from "bun:ffi"
import { interleaved, ms, report } from "../measure.ts"
import { clustered, quantized } from "./data.ts"
import { native } from "./native.ts"
import type { Run, Start } from "./pairsWorker.ts"

const count = 30_000
const dimensions = 512
const { matrix, codes, scales } = quantized(clustered(count, dimensions))
const c = native()

const worker = () => {
  const thread = new Worker(new URL("./pairsWorker.ts", import.meta.url).href)
  return (message: Start | Run) =>
    new Promise<number>((resolve, reject) => {
      thread.onmessage = ({ data }: MessageEvent<number>) => resolve(data)
      thread.onerror = reject
      thread.postMessage(message)
    })
}
const workers = [worker(), worker()]
await Promise.all(workers.map((ask) => ask({ share: matrix.share })))

const withWorkers = (many: number, threshold: number) => async () => {
  const next = new Int32Array(new SharedArrayBuffer(4))
  const found = await Promise.all(workers.slice(0, many).map((ask) => ask({ next, threshold })))
  return found.reduce((sum, part) => sum + part, 0)
}

for (const threshold of [0.8, 0.5]) {
  const inC = (pairs: typeof c.pairs) => () =>
    Number(pairs(ptr(codes), ptr(scales), count, dimensions, threshold))
  const contestants = {
    "C int8, a pair at a time": inC(c.pairs),
    "C int8, register tiles": inC(c.pairs_tiled),
    "ours, one worker": withWorkers(1, threshold),
    "ours, two workers": withWorkers(2, threshold)
  }
  const found = new Map<string, number>()
  const times = await interleaved(
    Object.entries(contestants).map(([name, run]) => ({
      name,
      run: async () => found.set(name, await run())
    })),
    5,
    { warmUp: 1 }
  )
  const base = times.get("C int8, a pair at a time") ?? Number.NaN
  console.log(
    `\nall pairs of ${count.toLocaleString("en")} x ${dimensions} at ${threshold}; C is ${c.kind()}`
  )
  for (const [name, time] of times)
    console.log(
      `  ${name.padEnd(26)} ${ms(time).padStart(8)}  ${(time / base).toFixed(2)} x C  ${found.get(name)} pairs`
    )
  const [one = Number.NaN, two = Number.NaN] = [times.get("ours, one worker"), times.get("ours, two workers")]
  report(`one worker over one-core C at ${threshold}`, one / base, { most: 1.05 }, ms(one))
  report(`two workers over one-core C at ${threshold}`, two / base, { most: 0.55 }, ms(two))
}
process.exit()
