/**
 * Compares our kernel with C on one core: all pairs of 30,000 rows of 512 dimensions at 0.8 and 0.5, and the 32 neighbours
 * of each row. C multiplies every pair in full. `bun test/bench/vectors/pairs.ts`
 */
import { ptr } from "bun:ffi"
import { compared } from "../../search/kernel/compared.ts"
import { interleaved, ms, report } from "../measure.ts"
import { clustered, quantized } from "./data.ts"
import { native } from "./native.ts"

const count = 30_000
const dimensions = 512
const block = 256
/** More pairs than any row has at 0.8. */
const most = 500
const { matrix, codes, scales } = quantized(clustered(count, dimensions))
const c = native()

const ours = (threshold: number) => () => {
  let found = 0
  for (let from = 0; from < matrix.slots; from += block)
    found += matrix.pairs(threshold, from, from + block, most).length
  return found
}

const neighbours = () => {
  let found = 0
  const near = compared(matrix, 32, 0.2)
  for (let id = 1; id <= count; id++) found += near.of(id).length
  return found
}

for (const threshold of [0.8, 0.5]) {
  const inC = (pairs: typeof c.pairs) => () =>
    Number(pairs(ptr(codes), ptr(scales), count, dimensions, threshold))
  const contestants = {
    "C int8, a pair at a time": inC(c.pairs),
    "C int8, register tiles": inC(c.pairs_tiled),
    ours: ours(threshold),
    "ours, neighbours": neighbours
  }
  const found = new Map<string, number>()
  const times = await interleaved(
    Object.entries(contestants).map(([name, run]) => ({ name, run: () => found.set(name, run()) })),
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
  const one = times.get("ours") ?? Number.NaN
  report(`all pairs over one-core C at ${threshold}`, one / base, { most: 1.05 }, ms(one))
}
