/** The closest matches of a pattern in a text: their ends, and the number of units in which each differs. */
export interface Nearest {
  readonly errors: number
  readonly ends: ReadonlyArray<number>
}

/** How many units of a pattern are compared at once: the bits of the integers that bitwise operators work on. */
const BITS = 32

/** The number of steps that `nearestEnds` takes for a text and a pattern of these lengths, whatever they contain. */
export const stepsOf = (text: number, pattern: number): number => text * Math.ceil(pattern / BITS)

/**
 * Finds where a text has a pattern with the fewest differences (insertions, deletions and substitutions of units), at most
 * `most` of them; no ends if there is no such place. Myers' algorithm with all blocks of the pattern in every column ("A
 * fast bit-vector algorithm for approximate string matching", JACM 46(3), 1999, figures 8 and 9).
 */
export const nearestEnds = (text: string, pattern: string, most: number): Nearest => {
  const blocks = Math.ceil(pattern.length / BITS)
  const last = blocks - 1
  const lowest = 1 << ((pattern.length - 1) % BITS)
  const rows = new Map<number, Int32Array>()
  for (let at = 0; at < pattern.length; at++) {
    const unit = pattern.charCodeAt(at)
    const row = rows.get(unit) ?? new Int32Array(blocks)
    const block = Math.floor(at / BITS)
    row[block] = (row[block] ?? 0) | (1 << (at % BITS))
    rows.set(unit, row)
  }
  const none = new Int32Array(blocks)
  /** Where a column grows and shrinks from one row to the next. */
  const grows = new Int32Array(blocks).fill(-1)
  const shrinks = new Int32Array(blocks)
  let score = pattern.length
  let errors = most
  let ends: Array<number> = []
  for (let at = 0; at < text.length; at++) {
    const row = rows.get(text.charCodeAt(at)) ?? none
    let carry = 0
    for (let block = 0; block < blocks; block++) {
      const up = grows[block] ?? 0
      const down = shrinks[block] ?? 0
      const equal = row[block] ?? 0
      const vertical = equal | down
      const matched = carry < 0 ? equal | 1 : equal
      const horizontal = (((matched & up) + up) ^ up) | matched
      const more = down | ~(horizontal | up)
      const less = up & horizontal
      const bit = block === last ? lowest : 1 << (BITS - 1)
      const moreIn = (more << 1) | (carry > 0 ? 1 : 0)
      const lessIn = (less << 1) | (carry < 0 ? 1 : 0)
      carry = (more & bit) !== 0 ? 1 : (less & bit) !== 0 ? -1 : 0
      grows[block] = lessIn | ~(vertical | moreIn)
      shrinks[block] = moreIn & vertical
    }
    score += carry
    if (score > errors) continue
    if (score < errors) ends = []
    errors = score
    ends.push(at + 1)
  }
  return { errors, ends }
}
