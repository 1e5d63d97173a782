import MiniSearch from "minisearch"
import { folded } from "../../../src/shared/Text.ts"
import { questionWords, synonyms } from "./synonyms.ts"

/** A part of a page, from one heading to the next. */
export interface SearchSection {
  /** The index of its page in `pages`. */
  readonly page: number
  /** Empty for the part above the first heading. */
  readonly heading: string
  /** The heading's anchor. */
  readonly id: string
  readonly text: string
  /** How much it counts: most people look for what the guides say, not the reference. */
  readonly weight: number
}

/** The search index, as the build writes it. */
export interface SearchIndex {
  readonly pages: ReadonlyArray<{ readonly path: string; readonly title: string }>
  readonly sections: ReadonlyArray<SearchSection>
}

/** A piece of an excerpt; matches are marked. */
export interface Piece {
  readonly text: string
  readonly marked: boolean
}

export interface Result {
  readonly href: string
  readonly page: string
  /** Empty for the beginning of a page. */
  readonly heading: string
  readonly excerpt: ReadonlyArray<Piece>
}

/** Finds sections, best matches first. */
export type Search = (query: string, limit: number) => ReadonlyArray<Result>

/** Weights of a word by its position: in a part's heading, in the title of its page, in its text. */
const BOOST = { heading: 5, page: 0.3, text: 1 }
/** How much more the beginning of a page weighs than its other parts. */
const BEGINNING = 2
/** Minimum length of a typed word to be corrected as a misspelling. */
const SHORTEST_MISSPELT = 4
/** Minimum length of a typed word for two wrong letters instead of one; two swapped letters are two wrong ones. */
const LONG = 6

/** `DATA_DIR` and `cf-access` are two words each. */
const WORD = /[\p{L}\p{N}]+/gu

/** Folds a word for comparison, and removes the s of a plural. */
const termOf = (word: string): string => folded(word).replace(/(..[^s])s$/, "$1")

const wordsOf = (text: string): ReadonlyArray<string> => (text.match(WORD) ?? []).map(folded)

/** Removes the words of a question that say nothing about it, unless the query has no others. */
const withoutQuestion = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const rest = words.filter((word) => !questionWords.has(word))
  return rest.length === 0 ? words : rest
}

const replacedIn = (typed: string, from: string, to: string) =>
  ` ${typed} `.replace(` ${from} `, ` ${to} `).trim()

/**
 * The queries that ask the same in the documentation's words: the query as typed, and one for each synonym in it. A
 * synonym of several words takes the place of the query, because its words alone mean something else (`log out`).
 */
const phrasings = (query: string): ReadonlyArray<string> => {
  const words = wordsOf(query).join(" ")
  const asked = synonyms.reduce(
    (text, [from, to]) => (from.includes(" ") ? replacedIn(text, from, to) : text),
    words
  )
  const typed = withoutQuestion(asked.split(" ")).join(" ")
  return [typed, ...new Set(synonyms.map(([from, to]) => replacedIn(typed, from, to)))]
}

const EXCERPT = 170
const LEAD = 40

const excerptOf = ({ text }: SearchSection, meant: ReadonlySet<string>): ReadonlyArray<Piece> => {
  const found = [...text.matchAll(WORD)]
    .filter(([word]) => meant.has(termOf(word)))
    .map(({ 0: word, index }) => ({ start: index, end: index + word.length }))
  const first = found[0]?.start ?? 0
  const from = first <= LEAD * 2 ? 0 : text.indexOf(" ", first - LEAD) + 1
  const cut = text.length <= from + EXCERPT ? text.length : text.lastIndexOf(" ", from + EXCERPT)
  const to = cut <= from ? Math.min(text.length, from + EXCERPT) : cut
  const pieces: Array<Piece> = []
  let at = from
  for (const { end, start } of found.filter((word) => word.start >= from && word.end <= to)) {
    if (start > at) pieces.push({ text: text.slice(at, start), marked: false })
    pieces.push({ text: text.slice(start, end), marked: true })
    at = end
  }
  pieces.push({ text: text.slice(at, to) + (to < text.length ? " …" : ""), marked: false })
  return from > 0 ? [{ text: "… ", marked: false }, ...pieces] : pieces
}

/** Prepares an index for searching: results contain every word of a query, or else as many as any section does. */
export const makeSearch = ({ pages, sections }: SearchIndex): Search => {
  const titleOf = ({ page }: SearchSection) => pages[page]?.title ?? ""
  const weightOf = ({ heading, weight }: SearchSection) => (heading === "" ? BEGINNING : 1) * weight
  const engine = new MiniSearch({
    fields: Object.keys(BOOST),
    storeFields: ["weight"],
    tokenize: (text) => text.match(WORD) ?? [],
    processTerm: termOf,
    searchOptions: {
      boost: BOOST,
      boostDocument: (_id, _term, stored) => Number(stored?.["weight"]),
      // The last word may be unfinished.
      prefix: (_, at, terms) => at === terms.length - 1,
      weights: { prefix: 0.25, fuzzy: 0.25 }
    }
  })
  engine.addAll(
    sections.map((section, id) => ({
      id,
      heading: section.heading || titleOf(section),
      page: titleOf(section),
      text: section.text,
      weight: weightOf(section)
    }))
  )

  /** The number of letters that may be wrong in a typed word: none if the index has a word that begins with it. */
  const wrongLetters = (typed: string) =>
    typed.length < SHORTEST_MISSPELT || engine.search(typed).length > 0 ? 0 : typed.length < LONG ? 1 : 2

  /** The sections that contain the most words of a phrasing. */
  const findPhrasing = (words: string) => {
    const found = engine.search(words, { fuzzy: wrongLetters })
    const most = Math.max(0, ...found.map(({ queryTerms }) => queryTerms.length))
    return found.filter(({ queryTerms }) => queryTerms.length === most)
  }

  return (query, limit) => {
    const best = new Map<unknown, ReturnType<typeof findPhrasing>[number]>()
    for (const one of phrasings(query).flatMap(findPhrasing))
      if (one.score > (best.get(one.id)?.score ?? 0)) best.set(one.id, one)
    return [...best.values()]
      .sort((one, other) => other.score - one.score)
      .slice(0, limit)
      .flatMap(({ id, terms }) => {
        const section = sections[id]
        const page = section === undefined ? undefined : pages[section.page]
        if (section === undefined || page === undefined) return []
        return {
          href: section.id === "" ? page.path : `${page.path}#${section.id}`,
          page: page.title,
          heading: section.heading,
          excerpt: excerptOf(section, new Set(terms))
        }
      })
  }
}
