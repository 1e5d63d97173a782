import { cosine, vectorAt } from "./Cosine.ts"
import { type ListedLink, sectionOf } from "./Links.ts"

const NEIGHBOURS = 5
const LEAST_IN_SECTION = 5

const elected = (votes: ReadonlyArray<{ readonly section: string; readonly similarity: number }>): string => {
  const sums = new Map<string, number>()
  for (const { section, similarity } of votes)
    sums.set(section, (sums.get(section) ?? 0) + Math.max(similarity, 0))
  let best = ""
  for (const [section, sum] of sums) if (sum > (sums.get(best) ?? -1)) best = section
  return best
}

/**
 * The share of links, among those that `asks` selects, whose section wins a similarity-weighted vote of their five nearest
 * links of the same list. Omits sections of fewer than five links.
 */
export const neighboursRight = (
  links: ReadonlyArray<ListedLink>,
  vectors: ReadonlyArray<Float32Array>,
  asks: (link: ListedLink) => boolean = () => true
): number => {
  const sections = Map.groupBy(links, sectionOf)
  const entries = links
    .map((link, at) => ({ link, list: link.list, section: sectionOf(link), vector: vectorAt(vectors, at) }))
    .filter(({ section }) => (sections.get(section)?.length ?? 0) >= LEAST_IN_SECTION)
  let right = 0
  let asked = 0
  for (const list of Map.groupBy(entries, (entry) => entry.list).values()) {
    if (new Set(list.map(({ section }) => section)).size < 2) continue
    for (const entry of list) {
      if (!asks(entry.link)) continue
      const others = list
        .filter((other) => other !== entry)
        .map(({ section, vector }) => ({ section, similarity: cosine(entry.vector, vector) }))
        .sort((a, b) => b.similarity - a.similarity)
      asked++
      if (elected(others.slice(0, NEIGHBOURS)) === entry.section) right++
    }
  }
  return right / asked
}
