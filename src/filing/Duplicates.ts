import { type Keyed, samePage } from "./SamePage.ts"
import { sameTitle } from "./SameTitle.ts"
import type { ShownTitle } from "./TitleWords.ts"

/** Links that are one page, or nearly, and the least similarity that holds them together; 1 for one page. */
export interface DuplicateGroup {
  readonly reason: "same-page" | "near-identical"
  readonly similarity: number
  readonly ids: ReadonlyArray<number>
}

/** Two links whose vectors are nearly the same. */
export interface Pair {
  readonly a: number
  readonly b: number
  readonly similarity: number
}

/** A link as far as its likeness to another goes. */
export interface Titled extends Keyed, ShownTitle {}

/** Where two addresses are two things, however alike their descriptions: forks, packages, apps. */
const hosting =
  /^(?:www\.)?(?:github\.com|gitlab\.com|codeberg\.org|bitbucket\.org|sr\.ht|npmjs\.com|pypi\.org|crates\.io|hub\.docker\.com|huggingface\.co|apps\.apple\.com|play\.google\.com)$/

const bare = (host: string) => host.replace(/^www\./, "")

const areTwoThings = (one: Titled, other: Titled): boolean =>
  hosting.test(one.host) &&
  bare(one.host) === bare(other.host) &&
  !one.keys.some((key) => other.keys.includes(key))

/** From here on two links say the same to the letter, so that their one title may be as short as it likes. */
const TO_THE_LETTER = 0.995

/** Whether two links with nearly the same vector say the same: a title each tells, and it is not the host's name. */
export const nearIdentical = (one: Titled, other: Titled, similarity = 0): boolean =>
  one.title !== one.host &&
  other.title !== other.host &&
  !areTwoThings(one, other) &&
  (sameTitle(one, other) || (similarity >= TO_THE_LETTER && one.title === other.title))

/** A title on more pages of one host than this is the site's: it says nothing of a page. */
const MOST_OF_TITLE = 3

const titleOnHost = ({ host, title }: Titled): string => `${host} ${title}`

/** Groups links that share a page's key, then those left over that are nearly identical, each to all others of its group. */
export const duplicateGroups = (
  links: ReadonlyArray<Titled>,
  pairs: ReadonlyArray<Pair>
): ReadonlyArray<DuplicateGroup> => {
  const groups: Array<{ ids: Array<number>; similarity: number; reason: DuplicateGroup["reason"] }> = []
  const groupOf = new Map<number, (typeof groups)[number]>()
  const start = (ids: ReadonlyArray<number>, similarity: number, reason: DuplicateGroup["reason"]) => {
    const group = { ids: [...ids], similarity, reason }
    for (const id of ids) groupOf.set(id, group)
    groups.push(group)
  }
  for (const ids of samePage(links)) start(ids, 1, "same-page")

  const confirmed = confirmedPairs(links, pairs)
  for (const { a, b, similarity } of confirmed.values()) {
    const [first, second] = [groupOf.get(a), groupOf.get(b)]
    const group = first ?? second
    if (group === undefined) start([a, b], similarity, "near-identical")
    else if (first === undefined || second === undefined) {
      const added = first === undefined ? a : b
      // Or else a chain would end far from where it began.
      const to = group.ids.map((id) => confirmed.get(pairKey(id, added))?.similarity ?? 0)
      const [nearest, farthest] = [Math.max(...to), Math.min(...to)]
      if (group.reason === "near-identical" && farthest === 0) continue
      group.similarity = Math.min(group.similarity, farthest === 0 ? nearest : farthest)
      group.ids.push(added)
      group.reason = "near-identical"
      groupOf.set(added, group)
    }
  }
  return groups.map(({ ids, reason, similarity }) => ({
    ids: ids.toSorted((x, y) => x - y),
    reason,
    similarity
  }))
}

const pairKey = (a: number, b: number) => (a < b ? `${a} ${b}` : `${b} ${a}`)

/** The pairs that their titles confirm, the most similar first, by their two numbers. */
const confirmedPairs = (
  links: ReadonlyArray<Titled>,
  pairs: ReadonlyArray<Pair>
): ReadonlyMap<string, Pair> => {
  const byId = new Map(links.map((link) => [link.id, link]))
  const uses = new Map<string, number>()
  for (const link of links) uses.set(titleOnHost(link), (uses.get(titleOnHost(link)) ?? 0) + 1)
  const isSites = (link: Titled) => (uses.get(titleOnHost(link)) ?? 0) > MOST_OF_TITLE
  return new Map(
    pairs
      .filter(({ a, b, similarity }) => {
        const [one, other] = [byId.get(a), byId.get(b)]
        return (
          one !== undefined &&
          other !== undefined &&
          !isSites(one) &&
          !isSites(other) &&
          nearIdentical(one, other, similarity)
        )
      })
      .toSorted((one, other) => other.similarity - one.similarity || one.a - other.a || one.b - other.b)
      .map((pair) => [pairKey(pair.a, pair.b), pair])
  )
}
