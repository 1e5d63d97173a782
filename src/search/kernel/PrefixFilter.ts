/** Number of levels, in sixteenths of the dimensions. */
export const LEVELS = 16

/** Similarity of a pair of rows by the first sixteenth of the dimensions, by the first two, and so on to all 16. */
export type Parts = ReadonlyArray<number>

/** Which dimensions decide whether a pair is compared in full, and how; see `packA` of the kernel. */
export interface PrefixFilter {
  readonly level: number
  readonly gain: number
}

/**
 * Share of the sampled pairs of near rows that the filter rejects at the similarity they have. Measured on 100,000 links,
 * that is one of 3,000 of their neighbours: a rejected pair is one that has just the least similarity.
 */
const REJECTED = 0.02
/** The time to compare a pair in full, as a multiple of the time that a pair takes within a block. */
const PRICE = 5
/** Highest gain: beyond it, a prefix says too little about a pair. */
const MOST_GAIN = 8

/**
 * Chooses the filter that costs the least time, by a sample: pairs of near rows, and other pairs with the similarity that
 * each must reach. Real vectors have most of their similarity in their first dimensions. Undefined if no filter is
 * quicker than comparing at level `exact`, which rejects no near pair.
 */
export const choosePrefixFilter = (
  near: ReadonlyArray<Parts>,
  others: ReadonlyArray<{ readonly parts: Parts; readonly least: number }>,
  exact: number
): PrefixFilter | undefined => {
  let best: PrefixFilter | undefined
  let least = exact / LEVELS
  for (let level = 1; level < exact; level++) {
    const shares = near
      .map((parts) => (parts[level - 1] ?? 0) / (parts[LEVELS - 1] ?? 1))
      .sort((a, b) => a - b)
    const share = shares[Math.floor(REJECTED * shares.length)] ?? 0
    // False too for NaN, from vectors of zeros.
    if (!(share >= 1 / MOST_GAIN)) continue
    const gain = Math.fround(1 / share)
    const passing = others.filter((pair) => gain * (pair.parts[level - 1] ?? 0) >= pair.least).length
    const time = level / LEVELS + (PRICE * passing) / Math.max(1, others.length)
    if (time >= least) continue
    least = time
    best = { level, gain }
  }
  return best
}
