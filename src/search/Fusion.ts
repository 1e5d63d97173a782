/** Links found in several ways, each list best first. */
interface Rankings {
  /** Exact matches of the typed text. */
  readonly exact: ReadonlyArray<number>
  readonly words: ReadonlyArray<number>
  readonly meaning: ReadonlyArray<number>
  /** Whether links found by meaning alone come after all links found by words. */
  readonly wordsFirst: boolean
}

/** Damps the advantage of the first ranks over the next: the constant of Cormack et al. 2009. */
const K = 60

/** Merges the lists: exact matches first, then by the sum of 1 / (60 + rank) over the lists that contain a link. */
export const fuse = ({ exact, meaning, words, wordsFirst }: Rankings): ReadonlyArray<number> => {
  const scores = new Map<number, number>()
  for (const ranking of [words, meaning])
    for (const [place, id] of ranking.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (K + 1 + place))
  const foundByWords = new Set(words)
  const first = new Set(exact)
  const tier = (id: number) => (wordsFirst && !foundByWords.has(id) ? 1 : 0)
  const fused = [...scores]
    .filter(([id]) => !first.has(id))
    .sort((a, b) => tier(a[0]) - tier(b[0]) || b[1] - a[1] || b[0] - a[0])
    .map(([id]) => id)
  return [...exact, ...fused]
}
