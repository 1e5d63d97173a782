/** A deterministic uniform generator over [0, 1) (Mulberry32). */
export type Random = () => number

export const seeded = (seed: number): Random => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A draw from the normal distribution of mean 0 and variance 1 (Box and Muller). */
export const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** Draws an index in proportion to its weight. */
export const weighted = (weights: ReadonlyArray<number>, random: Random): (() => number) => {
  const sums = new Float64Array(weights.length)
  let total = 0
  weights.forEach((weight, at) => {
    total += weight
    sums[at] = total
  })
  return () => {
    const wanted = random() * total
    let low = 0
    let high = sums.length - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((sums[middle] ?? 0) > wanted) high = middle
      else low = middle + 1
    }
    return low
  }
}
