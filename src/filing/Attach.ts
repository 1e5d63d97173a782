import { type Graph, STEP } from "./AverageLink.ts"
import { groupScore } from "./Vote.ts"

/**
 * Puts links that no group has taken where filing would put them, by the similarities to the links that were grouped
 * before: their order makes no difference but to which of them fill a group up. Yields the share done.
 */
export function* attach(
  { ids, most, neighboursOf, threshold }: Graph,
  groups: ReadonlyArray<ReadonlyArray<number>>
): Generator<number, ReadonlyArray<ReadonlyArray<number>>> {
  const grown: Array<Array<number>> = []
  const groupOf = new Map<number, number>()
  let work = 0
  for (const members of groups) {
    for (const id of members) groupOf.set(id, grown.length)
    grown.push([...members])
    if (grown.length % STEP === 0) yield 0
  }
  for (const id of ids) {
    if (++work % STEP === 0) yield work / ids.length
    if (groupOf.has(id)) continue
    const near = new Map<number, Array<number>>()
    for (const neighbour of neighboursOf(id)) {
      const group = groupOf.get(neighbour.id)
      if (group === undefined) continue
      const voices = near.get(group)
      if (voices === undefined) near.set(group, [neighbour.similarity])
      else voices.push(neighbour.similarity)
    }
    const [best] = [...near]
      .map(([group, similarities]) => ({ group, score: groupScore(similarities) }))
      .sort((a, b) => b.score - a.score)
    const members = best && best.score >= threshold ? grown[best.group] : undefined
    if (members !== undefined && members.length < most) members.push(id)
  }
  return grown
}
