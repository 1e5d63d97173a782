/** Side by side measurements: contestants take turns, so that other load on the machine affects all alike. */

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** The value below which this share of all values lies. */
export const percentile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN

export interface Contestant {
  readonly name: string
  /** Runs the work once. */
  readonly run: () => unknown | Promise<unknown>
}

/**
 * Returns the median milliseconds of one run of each contestant over `rounds` interleaved rounds; each round runs a
 * contestant `block` times in a row.
 */
export const interleaved = async (
  contestants: ReadonlyArray<Contestant>,
  rounds: number,
  { block = 1, warmUp = Math.min(20, rounds) } = {}
) => {
  const times = new Map<string, Array<number>>(contestants.map(({ name }) => [name, []]))
  for (let round = -warmUp; round < rounds; round++)
    for (const { name, run } of contestants)
      for (let turn = 0; turn < block; turn++) {
        const start = performance.now()
        await run()
        if (round >= 0) times.get(name)?.push(performance.now() - start)
      }
  return new Map([...times].map(([name, all]) => [name, median(all)]))
}

/** The runs per second of `clients` concurrent loops within `seconds`. */
export const throughput = async (run: () => Promise<unknown>, clients: number, seconds: number) => {
  let done = 0
  const end = performance.now() + seconds * 1000
  const start = performance.now()
  const loop = async () => {
    while (performance.now() < end) {
      await run()
      done++
    }
  }
  await Promise.all(Array.from({ length: clients }, loop))
  return (done * 1000) / (performance.now() - start)
}

const digits = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))

/** Prints a ratio, its figures and whether it reaches its goal. */
export const report = (
  what: string,
  ratio: number,
  goal: { most: number } | { least: number },
  figures: string
) => {
  const reached = "most" in goal ? ratio <= goal.most : ratio >= goal.least
  const bound = "most" in goal ? `at most ${goal.most}` : `at least ${goal.least}`
  console.log(`${reached ? "reached" : "MISSED "}  ${what}: ${digits(ratio)} (${bound})  ${figures}`)
  return reached
}

export const ms = (value: number) => `${digits(value)} ms`
export const perSecond = (value: number) => `${digits(value)}/s`
