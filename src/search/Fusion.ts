/** Links found in several ways, each list best first. */
interface Rankings {
  /** Exactly what was typed. */
  readonly exact: ReadonlyArray<number>
  readonly words: ReadonlyArray<number>
  readonly meaning: ReadonlyArray<number>
  /** Whether what meaning alone has found comes after all that words have. */
  readonly wordsFirst: boolean
}

/** How much the first places count over the next ones: the constant of Cormack et al. 2009. */
const K = 60

/** One list of all: what is exact first, then by the sum of 1 / (60 + place) over the lists a link stands in. */
export const fuse = ({ exact, meaning, words, wordsFirst }: Rankings): ReadonlyArray<number> => {
  const scores = new Map<number, number>()
  for (const ranking of [words, meaning])
    for (const [place, id] of ranking.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (K + 1 + place))
  const held = new Set(words)
  const first = new Set(exact)
  const tier = (id: number) => (wordsFirst && !held.has(id) ? 1 : 0)
  const fused = [...scores]
    .filter(([id]) => !first.has(id))
    .sort((a, b) => tier(a[0]) - tier(b[0]) || b[1] - a[1] || b[0] - a[0])
    .map(([id]) => id)
  return [...exact, ...fused]
}
