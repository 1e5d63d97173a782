/** The most characters compared: words this long are told apart by less. */
const MAX_LENGTH = 40

/** How many slips a word of this length may hold, as people make them in typing. */
const slipsFor = (length: number): number => (length < 4 ? 0 : length < 8 ? 1 : 2)

/**
 * How many slips (a letter too many, too few, another one, or two swapped: Damerau 1964, in its optimal string alignment
 * form) make the beginning of `typed` out of `known`, and how much of `typed` is left over then. The index keeps stems,
 * so that what is typed may go on behind them. None where it takes more than `most`.
 */
export const slips = (
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

/** The longest ending looked for behind a stem (`-ness`, `-ally`). */
const MAX_ENDING = 4
/** How many words stand in for one that was mistyped. */
const MAX_INSTEAD = 3

/**
 * The words in use that somebody who typed `typed` most likely meant, the likeliest first: fewest slips, then least
 * left over, then in most links.
 */
export const meant = (
  typed: string,
  known: ReadonlyArray<{ readonly word: string; readonly links: number }>
): ReadonlyArray<string> => {
  const word = typed.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
  const most = slipsFor([...word].length)
  if (most === 0) return []
  const close = known.flatMap(({ links, word: other }) => {
    if (
      other.length < 3 ||
      other.length > word.length + most ||
      other.length < word.length - MAX_ENDING - most
    )
      return []
    const found = slips(word, other, most)
    return found === undefined || found.left > MAX_ENDING ? [] : [{ ...found, links, word: other }]
  })
  const fewest = Math.min(...close.map((one) => one.slips))
  return close
    .filter((one) => one.slips === fewest)
    .sort((a, b) => a.left - b.left || b.links - a.links)
    .slice(0, MAX_INSTEAD)
    .map((one) => one.word)
}
