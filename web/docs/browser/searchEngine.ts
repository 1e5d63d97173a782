import type { SearchIndex, SearchSection } from "./searchTypes.ts"
import { isNear, wordsOf } from "./words.ts"

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

/** Weights of a word by its position: in the title of a page's first part, of a later part, in a heading, in text. */
const IN_TITLE = 24
const IN_TITLE_ABOVE = 2
const IN_HEADING = 8
const IN_TEXT = 1
/** Factors for a word that is the singular of the typed one, begins with it, or only resembles it. */
const SINGULAR = 0.9
const BEGINS = 0.6
const RESEMBLES = 0.3
/** Minimum length of a typed word to be corrected as a misspelling. */
const SHORTEST_MISSPELT = 4
/** Minimum length of a typed word for two wrong letters instead of one. */
const LONG = 8

/** The weight of a word in each section that contains it, by the section's index. */
type Postings = Map<number, number>

const indexed = ({ pages, sections }: SearchIndex): ReadonlyMap<string, Postings> => {
  const postings = new Map<string, Postings>()
  const add = (text: string, section: number, weight: number) => {
    for (const { word } of wordsOf(text)) {
      const of = postings.get(word) ?? new Map<number, number>()
      of.set(section, (of.get(section) ?? 0) + weight)
      postings.set(word, of)
    }
  }
  sections.forEach(({ heading, page, text }, at) => {
    // A page's title describes mainly its beginning; every other section has its own heading.
    add(pages[page]?.title ?? "", at, heading === "" ? IN_TITLE : IN_TITLE_ABOVE)
    add(heading, at, IN_HEADING)
    add(text, at, IN_TEXT)
  })
  return postings
}

/** The index's words that a typed word may mean, with the factor of each. */
const meantBy = (typed: string, words: Iterable<string>): ReadonlyMap<string, number> => {
  const meant = new Map<string, number>()
  const near = new Map<string, number>()
  const limit = typed.length >= LONG ? 2 : typed.length >= SHORTEST_MISSPELT ? 1 : 0
  for (const word of words)
    if (word === typed) meant.set(word, 1)
    else if (`${word}s` === typed) meant.set(word, SINGULAR)
    else if (word.startsWith(typed)) meant.set(word, (BEGINS * (typed.length + 1)) / (word.length + 1))
    else if (limit > 0 && isNear(typed, word, limit)) near.set(word, RESEMBLES)
  return meant.size === 0 ? near : meant
}

/** Diminishing returns: each further occurrence of a word adds less. */
const saturated = (weight: number) => weight / (weight + 3)

const EXCERPT = 170
const LEAD = 40

const excerptOf = ({ text }: SearchSection, meant: ReadonlySet<string>): ReadonlyArray<Piece> => {
  const found = wordsOf(text).filter(({ word }) => meant.has(word))
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
export const makeSearch = (index: SearchIndex): Search => {
  const postings = indexed(index)
  const total = index.sections.length

  const scored = (typed: string): Postings => {
    const scores: Postings = new Map()
    for (const [word, share] of meantBy(typed, postings.keys())) {
      const of = postings.get(word) ?? new Map<number, number>()
      const rare = Math.log(1 + total / (of.size + 0.5))
      for (const [section, weight] of of) {
        const score = share * rare * saturated(weight)
        scores.set(section, Math.max(scores.get(section) ?? 0, score))
      }
    }
    return scores
  }

  return (query, limit) => {
    const typed = [...new Set(wordsOf(query).map(({ word }) => word))]
    const scores = typed.map(scored)
    const sums = new Map<number, { found: number; score: number }>()
    for (const of of scores)
      for (const [section, score] of of) {
        const sum = sums.get(section) ?? { found: 0, score: 0 }
        sums.set(section, { found: sum.found + 1, score: sum.score + score })
      }
    const most = Math.max(0, ...[...sums.values()].map(({ found }) => found))
    const meant = new Set(typed.flatMap((word) => [...meantBy(word, postings.keys()).keys()]))
    return [...sums]
      .filter(([, { found }]) => found === most)
      .sort(([one, a], [other, b]) => b.score - a.score || one - other)
      .slice(0, limit)
      .flatMap(([at]) => {
        const section = index.sections[at]
        const page = section === undefined ? undefined : index.pages[section.page]
        if (section === undefined || page === undefined) return []
        return {
          href: section.id === "" ? page.path : `${page.path}#${section.id}`,
          page: page.title,
          heading: section.heading,
          excerpt: excerptOf(section, meant)
        }
      })
  }
}
