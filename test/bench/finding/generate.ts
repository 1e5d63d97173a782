/**
 * Makes the generated kinds of the labelled set: `bun test/bench/finding/generate.ts > test/bench/finding/generated.jsonl`.
 *
 * Each query is drawn from one link with a fixed seed, without a search being asked. A query counts only if few links
 * answer it literally, and all that do are right answers: the links with the same title, or those that contain all of its
 * words. The file is checked in, because a change here or in the links would make another set.
 */
import { seeded } from "../training/Random.ts"
import { type KnownLink, knownLinks } from "./links.ts"
import type { Labelled } from "./queries.ts"

/** Queries of a kind, and the most of them that come from one list. */
const WANTED = 60
const OF_ONE_LIST = 9
/** The most links that may be right answers to one query. */
const RIGHT = 4
/** Words of more links than this say little about a link. */
const COMMON = 600

const STOP_WORDS = new Set(
  `a about above across after all also an and any are as at be because been before being between both but by can could
  do does each easy easily etc every few for from get gets had has have having how if in into is it its itself just
  like made make makes many may more most much must new no nor not now of off on one only or other others our out over
  own same should simple so some such than that the their them then there these they this those through to too two
  under until up use used uses using very via was we well were what when where which while who whom why will with
  without would you your`.split(/\s+/)
)

const links = knownLinks()
const random = seeded(17)
const below = (count: number) => Math.floor(random() * count)
const pick = <A>(all: ReadonlyArray<A>): A | undefined => all[below(all.length)]
const shuffled = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> =>
  all
    .map((one) => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one)

const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
const isContent = (word: string) => /^[a-z]{4,}$/.test(word) && !STOP_WORDS.has(word)

const allWords = new Map(
  links.map((link) => [link, new Set(wordsOf(`${link.title} ${link.description} ${link.tags.join(" ")}`))])
)
const spread = new Map<string, number>()
for (const words of allWords.values()) for (const word of words) spread.set(word, (spread.get(word) ?? 0) + 1)
const spreadOf = (word: string) => spread.get(word) ?? 0
const has = (link: KnownLink, word: string) => allWords.get(link)?.has(word) === true

const byTitle = Map.groupBy(links, ({ title }) => title.toLowerCase())
const sameTitle = (link: KnownLink) => byTitle.get(link.title.toLowerCase()) ?? [link]
const lettersOf = (title: string) => title.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")
const byLetters = Map.groupBy(links, ({ title }) => lettersOf(title))
/** The links with this name, however its words are separated. */
const sameLetters = (link: KnownLink) => byLetters.get(lettersOf(link.title)) ?? [link]
const holding = (words: ReadonlyArray<string>) =>
  links.filter((link) => words.every((word) => has(link, word)))

/** Names that people type: letters and spaces, without the lists' marks of shops and books. */
const isName = (title: string) => /^[\p{L}\p{N}][\p{L}\p{N} .'+-]{2,39}$/u.test(title)

type Drawn = { readonly query: string; readonly right: ReadonlyArray<KnownLink> } | undefined

/** Draws `wanted` queries from links in a random order, a few from each list. */
const draw = (
  kind: string,
  from: (link: KnownLink) => Drawn,
  wanted = WANTED,
  most = OF_ONE_LIST
): ReadonlyArray<Labelled> => {
  const lists = new Map<string, number>()
  const drawn = new Map<string, Labelled>()
  for (const link of shuffled(links)) {
    if (drawn.size === wanted) break
    const taken = lists.get(link.list) ?? 0
    if (taken === most) continue
    const one = from(link)
    if (one === undefined || one.right.length === 0 || one.right.length > RIGHT || drawn.has(one.query))
      continue
    lists.set(link.list, taken + 1)
    drawn.set(one.query, { kind, query: one.query, expected: one.right.map(({ url }) => url) })
  }
  return [...drawn.values()]
}

/** Up to `count` content words of a description that some other links share, in their order. */
const descriptionWords = (link: KnownLink, count: number): ReadonlyArray<string> => {
  const title = new Set(wordsOf(link.title))
  const words = [...new Set(wordsOf(link.description))].filter(
    (word) => isContent(word) && !title.has(word) && spreadOf(word) >= 3 && spreadOf(word) <= COMMON
  )
  const chosen = new Set(shuffled(words).slice(0, count))
  return words.filter((word) => chosen.has(word))
}

const titles = (link: KnownLink): Drawn =>
  isName(link.title) ? { query: link.title.toLowerCase(), right: sameLetters(link) } : undefined

const words = (link: KnownLink): Drawn => {
  const chosen = descriptionWords(link, 3)
  return chosen.length === 3 ? { query: chosen.join(" "), right: holding(chosen) } : undefined
}

/** Singular or plural and other forms of a verb, as far as they are words of some links. */
const otherForms = (word: string): ReadonlyArray<string> => {
  const stem = word.replace(/(?:ies|es|s|ing|ed|e|y)$/, "")
  const forms = ["", "s", "es", "e", "ing", "ed", "y", "ies"].map((ending) => stem + ending)
  return forms.filter((form) => form !== word && form.length >= 4 && spreadOf(form) >= 3)
}

/** The words of a description, at least two of three in another form. */
const inflected = (link: KnownLink): Drawn => {
  const chosen = descriptionWords(link, 3)
  const typed = chosen.map((word) => pick(otherForms(word)) ?? word)
  return chosen.length === 3 && typed.filter((word, at) => word !== chosen[at]).length >= 2
    ? { query: typed.join(" "), right: [...new Set([...holding(chosen), ...holding(typed)])] }
    : undefined
}

const KEYS = ["qwertyuiop", "asdfghjkl", "zxcvbnm"]
/** A letter beside this one on the keyboard. */
const neighbour = (letter: string): string => {
  const row = KEYS.find((keys) => keys.includes(letter)) ?? letter
  const at = row.indexOf(letter)
  return row[at === 0 ? 1 : at === row.length - 1 ? at - 1 : at + (random() < 0.5 ? 1 : -1)] ?? letter
}

/** One slip: a letter replaced, left out, typed twice, or exchanged with the next, at a place of the word. */
const slip = (word: string, at: number): string => {
  const letter = word[at] ?? ""
  const [before, after] = [word.slice(0, at), word.slice(at + 1)]
  const swapped = `${before}${word[at + 1] ?? ""}${letter}${word.slice(at + 2)}`
  const made = [
    `${before}${neighbour(letter)}${after}`,
    before + after,
    before + letter + letter + after,
    swapped
  ][below(4)]
  return made === undefined || made === word ? before + after : made
}

/** A query with one slip, in a name or in one of two words of a description; at the first letter or behind it. */
const mistyped =
  (place: (word: string) => number) =>
  (link: KnownLink): Drawn => {
    const ofTitle = random() < 0.6
    const typed = ofTitle ? link.title.toLowerCase().split(" ") : descriptionWords(link, 2)
    if (ofTitle ? !isName(link.title) || typed.length > 4 : typed.length < 2) return undefined
    const long = typed.filter((word) => /^[a-z]{5,}$/.test(word) && spreadOf(word) <= COMMON)
    const word = pick(long)
    if (word === undefined) return undefined
    const wrong = slip(word, place(word))
    if (spreadOf(wrong) > 0) return undefined
    return {
      query: typed.map((one) => (one === word ? wrong : one)).join(" "),
      right: ofTitle ? sameTitle(link) : holding(typed)
    }
  }

const typos = mistyped((word) => 1 + below(word.length - 2))
const firstLetter = mistyped(() => 0)

const joined = (link: KnownLink): Drawn => {
  const parts = link.title.split(" ")
  const name = parts.join("").toLowerCase()
  return parts.length >= 2 &&
    parts.length <= 3 &&
    parts.every((part) => /^[A-Za-z]{3,}$/.test(part)) &&
    spreadOf(name) === 0
    ? { query: name, right: sameLetters(link) }
    : undefined
}

const split = (link: KnownLink): Drawn => {
  const parts = link.title.match(/^[A-Z]?[a-z]{2,}(?=[A-Z])|[A-Z][a-z]{2,}/g) ?? []
  return parts.length >= 2 && parts.join("") === link.title
    ? { query: parts.join(" ").toLowerCase(), right: sameLetters(link) }
    : undefined
}

/** The first words of what another list says, without the link's name. */
const another = (link: KnownLink): Drawn => {
  const name = new Set([...wordsOf(link.title), ...wordsOf(new URL(link.url).host)])
  const own = new Set(wordsOf(link.description))
  for (const description of link.otherDescriptions) {
    const typed = (description.split(/[.;] /)[0] ?? "").match(/[\p{L}\p{N}+#'-]+/gu) ?? []
    const kept = typed.filter((word) => !name.has(word.toLowerCase())).slice(0, 12)
    const content = kept.map((word) => word.toLowerCase()).filter(isContent)
    const shared = content.filter((word) => own.has(word)).length
    // The same sentence again would be a search for its words.
    if (content.length >= 3 && shared <= content.length / 2)
      return { query: kept.join(" "), right: sameTitle(link) }
  }
  return undefined
}

const prefixes = (link: KnownLink): Drawn => {
  if (!isName(link.title)) return undefined
  const name = link.title.toLowerCase()
  const [first = ""] = name.split(" ")
  if (first.length < 5) return undefined
  const long = name.length > first.length + 3 && random() < 0.5
  const typed = name.slice(0, long ? first.length + 2 + below(2) : 3 + below(first.length - 3)).trim()
  const right = links.filter(({ title }) => title.toLowerCase().startsWith(typed))
  return spreadOf(typed) === 0 ? { query: typed, right } : undefined
}

const SHARED_HOSTS = /github|gitlab|apple|google|twitter|medium|wikipedia|youtube|amazon|microsoft/

/** A part of a host that the title does not have: the name, the name and its domain, or the beginning of it. */
const domains = (link: KnownLink): Drawn => {
  const host = new URL(link.url).hostname.replace(/^www\./, "")
  const labels = host.split(".")
  const name = labels.slice(0, -1).toSorted((a, b) => b.length - a.length)[0] ?? ""
  if (name.length < 5 || SHARED_HOSTS.test(host)) return undefined
  const plain = link.title.toLowerCase().replace(/[^a-z0-9]/g, "")
  if (plain.includes(name.replaceAll("-", ""))) return undefined
  const typed = [name, host, name.slice(0, Math.max(4, name.length - 1 - below(3)))][below(3)] ?? name
  return { query: typed, right: links.filter(({ url }) => new URL(url).hostname.includes(typed)) }
}

const siteAndWords = (link: KnownLink): Drawn => {
  const { hostname } = new URL(link.url)
  const host = hostname.replace(/^www\./, "")
  const typed = descriptionWords(link, 1 + below(2))
  const others = links.filter(({ url }) => new URL(url).hostname.replace(/^www\./, "") === host)
  return typed.length === 0 || others.length < 5
    ? undefined
    : {
        query: `site:${host} ${typed.join(" ")}`,
        right: others.filter((one) => typed.every((word) => has(one, word)))
      }
}

const tagAndWords = (link: KnownLink): Drawn => {
  const [tag] = link.tags
  const typed = descriptionWords(link, 1)
  const others = links.filter(({ tags }) => tag !== undefined && tags.includes(tag))
  return tag === undefined || typed.length === 0 || others.length < 5
    ? undefined
    : {
        query: `tag:${tag} ${typed.join(" ")}`,
        right: others.filter((one) => typed.every((word) => has(one, word)))
      }
}

const phrase = (link: KnownLink): Drawn => {
  const all = wordsOf(link.description)
  const at = below(Math.max(1, all.length - 3))
  const typed = all.slice(at, at + 3)
  const [first = "", last = ""] = [typed[0], typed[2]]
  const text = typed.join(" ")
  const within = (one: KnownLink) =>
    [one.title, one.description].some((field) => ` ${wordsOf(field).join(" ")} `.includes(` ${text} `))
  // A name with an apostrophe or words on both sides of a comma are no phrase.
  return link.description.toLowerCase().includes(text) && isContent(first) && isContent(last)
    ? { query: `"${text}"`, right: links.filter(within) }
    : undefined
}

const excluded = (link: KnownLink): Drawn => {
  const typed = descriptionWords(link, 2)
  if (typed.length < 2) return undefined
  const all = holding(typed)
  const others = all.filter((one) => one !== link)
  const out = pick(
    others.flatMap((one) => wordsOf(one.description)).filter((word) => isContent(word) && !has(link, word))
  )
  return out === undefined
    ? undefined
    : { query: `${typed.join(" ")} -${out}`, right: all.filter((one) => !has(one, out)) }
}

const set = [
  ...draw("titles", titles),
  ...draw("words", words),
  ...draw("inflected", inflected),
  ...draw("typos", typos),
  ...draw("first letter", firstLetter),
  ...draw("joined", joined),
  ...draw("split", split),
  ...draw("another list", another, WANTED, WANTED),
  ...draw("prefixes", prefixes),
  ...draw("domains", domains),
  ...[siteAndWords, tagAndWords, phrase, excluded].flatMap((form) => draw("operators", form, WANTED / 4, 4))
]
for (const one of set) console.log(JSON.stringify(one))
