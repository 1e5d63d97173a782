import { folded } from "../shared/Text.ts"
import { registeredDomain, withoutWww } from "../shared/WebAddress.ts"
import { areSiblings } from "./Siblings.ts"
import { UnionFind } from "./UnionFind.ts"

interface ShownTitle {
  readonly title: string
  readonly host: string
}

interface Reading {
  readonly words: ReadonlyArray<string>
  /** The part left out; site names usually stand after a bar. */
  readonly without: "nothing" | "a part after a bar" | "a part"
  readonly isCut: boolean
}

/** Separators: between a title and the site's name after it, and between a site's name and the title after it. */
const beforeSite = /\s+(?:[|·•»«⋅—–]+|-+)\s+(?=[^|·•»«⋅—–]*$)|\s*\|\s*(?=[^|]*$)/u
const afterSite = /\s+(?:[|·•»«⋅—–]+|-+)\s+|:\s+|\s*\|\s*/u
const MAX_SITE = 30
const unread = /^\(\d+\+?\)\s+/
const dots = /(?:…|\.{2,})\s*$/u

/** Drops case, accents and punctuation; keeps `1.2`, `c++` and `c#` whole. */
const titleWords = (text: string): ReadonlyArray<string> =>
  folded(text)
    .replace(/(?<=\p{L})['’](?=\p{L})/gu, "")
    .replaceAll("&", " and ")
    .match(/[\p{L}\p{N}]+(?:\.\p{N}+)*[+#]*/gu) ?? []

const LEAST_LABEL = 4

/** Whether a part of a title contains the host's name: `The Daily Example` on `www.example.com`. */
const namesHost = (part: string, host: string): boolean => {
  const name = titleWords(part).join("")
  const labels = host.toLowerCase().split(".").slice(0, -1)
  return labels.some((label) => {
    const plain = label.replaceAll("-", "")
    return plain === name || (plain.length >= LEAST_LABEL && name.includes(plain))
  })
}

/** All of the title, and the rest without the part at either end that may be the site's name. */
const readings = ({ host, title }: ShownTitle): ReadonlyArray<Reading> => {
  const isCut = dots.test(title)
  const text = title.replace(unread, "").replace(dots, "")
  const whole = titleWords(text)
  if (whole.length === 0) return []
  const all: Array<Reading> = [{ words: whole, without: "nothing", isCut }]
  const without = (rest: string, part: string, kind: Reading["without"]) => {
    const words = titleWords(rest)
    if (words.length === 0 || part.length > MAX_SITE || /\p{N}/u.test(part)) return
    all.push({ words, without: namesHost(part, host) ? "nothing" : kind, isCut })
  }
  const [back, front] = [beforeSite.exec(text), afterSite.exec(text)]
  if (back !== null)
    without(
      text.slice(0, back.index),
      text.slice(back.index + back[0].length),
      back[0].includes("|") ? "a part after a bar" : "a part"
    )
  if (front !== null) without(text.slice(front.index + front[0].length), text.slice(0, front.index), "a part")
  return all
}

const LONG = 15
const SOME_WORDS = 3
/** Maximum length of a word that is too short to identify a page: all of a site's pages may be called `Docs`. */
const SHORT = 7
const LEFT = 0.4
/** In characters: within a word and at the end of one, and their share of the title. */
const LEFT_IN_WORD = 20
const LEFT_AT_WORD = 50
const SURELY_LEFT = 0.7
/** Tells one of several titles from the others: a number, possibly in Roman letters, or a word beside one. */
const ofPart =
  /\p{N}|^.?\p{L}{0,2}(?: |$)|(?:^| )(?:part|volume|vol|chapter|episode|season|series|lesson|week|day|edition|[ivx]+)(?: |$)/u
const SPELLED = 5

const written = (words: ReadonlyArray<string>): string => words.join(" ")

const isLong = (words: ReadonlyArray<string>): boolean =>
  words.length >= SOME_WORDS || written(words).length >= LONG

const isMisspelled = (a: string, b: string): boolean => {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (short.length < SPELLED || long.length - short.length > 1 || a[0] !== b[0]) return false
  // In a script without spaces a letter is a word; in a number, another digit makes another number.
  if (!/^[\p{L}--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]]+$/v.test(a + b))
    return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at++
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1)
  const swapped = short[at] === long[at + 1] && short[at + 1] === long[at]
  return short.slice(at + 1) === long.slice(at + 1) || (swapped && short.slice(at + 2) === long.slice(at + 2))
}

const sameWords = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean => {
  if (written(a).replaceAll(" ", "") === written(b).replaceAll(" ", "")) return true
  if (a.length !== b.length || a.length < SOME_WORDS) return false
  const apart = a.flatMap((word, i) => (word === b[i] ? [] : [[word, b[i] ?? ""] as const]))
  return apart.length === 1 && apart.every(([one, other]) => isMisspelled(one, other))
}

const isCutOff = (short: Reading, long: Reading): boolean => {
  const [kept, whole] = [written(short.words), written(long.words)]
  const rest = whole.slice(kept.length)
  const share = kept.length / whole.length
  if (rest === "" || !whole.startsWith(kept)) return false
  if (short.isCut) return share >= LEFT && kept.length >= LONG
  // Without dots it may just as well be a different title.
  if (share < SURELY_LEFT || ofPart.test(rest)) return false
  return kept.length >= (rest.startsWith(" ") ? LEFT_AT_WORD : LEFT_IN_WORD)
}

const mayCompare = (a: Reading, b: Reading, sameHost: boolean): boolean => {
  const omitted = [a.without, b.without].filter((one) => one !== "nothing")
  if (omitted.length === 0) return !sameHost || a.words.length > 1 || written(a.words).length > SHORT
  if (!isLong(a.words) || !isLong(b.words)) return false
  // On one site, a part in only one of the titles may identify the page, unless it is where site names usually are.
  return !sameHost || (omitted.length === 1 && omitted[0] === "a part after a bar")
}

/** Titles that differ in a number, a part or any word but one misspelt are different. */
export const sameTitle = (first: ShownTitle, second: ShownTitle): boolean => {
  const sameHost = first.host === second.host
  const others = readings(second)
  return readings(first).some((a) =>
    others.some(
      (b) => mayCompare(a, b, sameHost) && (sameWords(a.words, b.words) || isCutOff(a, b) || isCutOff(b, a))
    )
  )
}

/** The key of the link's own address comes first. */
interface LinkKeys {
  readonly id: number
  readonly keys: ReadonlyArray<string>
}

/** A page that more addresses call canonical, or redirect to, is a front page, a login or similar. */
const MOST_ALIASES = 8

const groupByPageKey = (links: ReadonlyArray<LinkKeys>): ReadonlyArray<ReadonlyArray<number>> => {
  const aliases = new Map<string, Set<string>>()
  for (const { keys } of links)
    for (const key of keys.slice(1)) {
      const owners = aliases.get(key)
      if (owners === undefined) aliases.set(key, new Set(keys.slice(0, 1)))
      else owners.add(keys[0] ?? "")
    }
  const joined = new UnionFind(links.length)
  const holders = new Map<string, number>()
  for (const [index, { keys }] of links.entries())
    for (const [at, key] of keys.entries()) {
      if (at > 0 && (aliases.get(key)?.size ?? 0) > MOST_ALIASES) continue
      const holder = holders.get(key)
      if (holder === undefined) holders.set(key, index)
      else {
        const [a, b] = [joined.groupOf(holder), joined.groupOf(index)]
        if (a !== b) joined.join(a, b)
      }
    }
  const groups = new Map<number, Array<number>>()
  for (const [index, { id }] of links.entries()) {
    const group = joined.groupOf(index)
    if (joined.sizeOf(group) === 1) continue
    const members = groups.get(group)
    if (members === undefined) groups.set(group, [id])
    else members.push(id)
  }
  return [...groups.values()]
}

export interface DuplicateGroup {
  readonly reason: "same-page" | "near-identical"
  readonly similarity: number
  readonly ids: ReadonlyArray<number>
  /** Set if a link may be a copy of the page, such as an archived one or a PDF, which the owner may want to keep. */
  readonly copies?: true
  /** Set if the links are of several sites that only names and descriptions join: not the texts of their pages. */
  readonly proposed?: true
}

export interface Pair {
  readonly a: number
  readonly b: number
  readonly similarity: number
}

export interface DuplicateCandidate extends LinkKeys, ShownTitle {}

/** Hosts where different addresses are different things, however similar their descriptions: forks, packages, apps. */
const hosting =
  /^(?:www\.)?(?:github\.com|gitlab\.com|codeberg\.org|bitbucket\.org|sr\.ht|npmjs\.com|pypi\.org|crates\.io|hub\.docker\.com|huggingface\.co|apps\.apple\.com|play\.google\.com)$/

const areTwoThings = (one: DuplicateCandidate, other: DuplicateCandidate, sameText: boolean): boolean =>
  !one.keys.some((key) => other.keys.includes(key)) &&
  (areSiblings(one.keys[0] ?? "", other.keys[0] ?? "", sameText) ||
    (hosting.test(one.host) && withoutWww(one.host) === withoutWww(other.host)))

/** Minimum similarity of links that have the same text; their title may be short, if it is exactly the same. */
const SAME_TEXT = 0.995

export const nearIdentical = (one: DuplicateCandidate, other: DuplicateCandidate, similarity = 0): boolean =>
  one.title !== one.host &&
  other.title !== other.host &&
  !areTwoThings(one, other, similarity >= SAME_TEXT) &&
  (sameTitle(one, other) || (similarity >= SAME_TEXT && one.title === other.title))

/** Maximum number of pages on a host with one title; a more frequent title is the site's and identifies no page. */
const MOST_OF_TITLE = 3

const titleOnHost = ({ host, title }: DuplicateCandidate): string => `${host} ${title}`

/** Groups links that share a page key, then those left over that are nearly identical to all others of their group. */
export const duplicateGroups = (
  links: ReadonlyArray<DuplicateCandidate>,
  pairs: ReadonlyArray<Pair>
): ReadonlyArray<DuplicateGroup> => {
  const groups: Array<{ ids: Array<number>; similarity: number; reason: DuplicateGroup["reason"] }> = []
  const groupOf = new Map<number, (typeof groups)[number]>()
  const start = (ids: ReadonlyArray<number>, similarity: number, reason: DuplicateGroup["reason"]) => {
    const group = { ids: [...ids], similarity, reason }
    for (const id of ids) groupOf.set(id, group)
    groups.push(group)
  }
  for (const ids of groupByPageKey(links)) start(ids, 1, "same-page")

  const confirmed = confirmedPairs(links, pairs)
  for (const { a, b, similarity } of confirmed.values()) {
    const [first, second] = [groupOf.get(a), groupOf.get(b)]
    const group = first ?? second
    if (group === undefined) start([a, b], similarity, "near-identical")
    else if (first === undefined || second === undefined) {
      const added = first === undefined ? a : b
      // Compare with every member: otherwise a chain would end far from where it began.
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

/** Sets `copies` on the groups of one page whose links do not all share a saving key. */
export const markCopies = (
  groups: ReadonlyArray<DuplicateGroup>,
  sureKeys: ReadonlyMap<number, ReadonlyArray<string>>
): ReadonlyArray<DuplicateGroup> =>
  groups.map((group) => {
    if (group.reason !== "same-page") return group
    const [all = []] = groupByPageKey(group.ids.map((id) => ({ id, keys: sureKeys.get(id) ?? [] })))
    return all.length === group.ids.length ? group : { ...group, copies: true }
  })

/** Minimum length of a page's text that identifies it, in characters: shorter ones may be a notice. */
const TELLING = 80

/** Anybody can give their own site the name of another, so links of several domains are only `proposed`. */
export const markProposed = (
  group: DuplicateGroup,
  hosts: ReadonlyArray<string>,
  texts: ReadonlyArray<string>
): DuplicateGroup => {
  const different = new Set(texts.map((text) => titleWords(text).join(" ")))
  const [text = ""] = different
  const isOfSeveralSites = new Set(hosts.map(registeredDomain)).size > 1
  return isOfSeveralSites && (different.size > 1 || text.length < TELLING)
    ? { ...group, proposed: true }
    : group
}

const pairKey = (a: number, b: number) => (a < b ? `${a} ${b}` : `${b} ${a}`)

const confirmedPairs = (
  links: ReadonlyArray<DuplicateCandidate>,
  pairs: ReadonlyArray<Pair>
): ReadonlyMap<string, Pair> => {
  const byId = new Map(links.map((link) => [link.id, link]))
  const uses = new Map<string, number>()
  for (const link of links) uses.set(titleOnHost(link), (uses.get(titleOnHost(link)) ?? 0) + 1)
  const hasSiteTitle = (link: DuplicateCandidate) => (uses.get(titleOnHost(link)) ?? 0) > MOST_OF_TITLE
  return new Map(
    pairs
      .filter(({ a, b, similarity }) => {
        const [one, other] = [byId.get(a), byId.get(b)]
        return (
          one !== undefined &&
          other !== undefined &&
          !hasSiteTitle(one) &&
          !hasSiteTitle(other) &&
          nearIdentical(one, other, similarity)
        )
      })
      .toSorted((one, other) => other.similarity - one.similarity || one.a - other.a || one.b - other.b)
      .map((pair) => [pairKey(pair.a, pair.b), pair])
  )
}
