/** Maximum number of characters compared per word; longer words differ within them. */
const MAX_LENGTH = 40

/**
 * Counts the errors (a letter added, missing, replaced, or two swapped: Damerau 1964, in its optimal string alignment
 * form) that turn `known` into a prefix of `typed`, and the letters of `typed` left over after it. A known word may be a
 * stem, so `typed` may continue past it. Returns undefined if this takes more than `most` errors.
 */
export const typingErrors = (
  typed: string,
  known: string,
  most: number
): { readonly slips: number; readonly left: number } | undefined => {
  const [a, b] = [[...typed].slice(0, MAX_LENGTH), [...known].slice(0, MAX_LENGTH)]
  if (b.length > a.length + most) return undefined
  let before: Array<number> = []
  let last = b.map((_, j) => j).concat(b.length)
  let best: { slips: number; left: number } | undefined
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1)
      row.push(cost)
    }
    const cost = row[b.length] ?? 0
    if (cost <= most && (best === undefined || cost <= best.slips)) best = { slips: cost, left: a.length - i }
    before = last
    last = row
  }
  return best
}
