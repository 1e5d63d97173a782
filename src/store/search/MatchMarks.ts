import { Database } from "bun:sqlite"
import { SqlClient } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import {
  type Excerpt,
  type Highlights,
  MARK_END,
  MARK_START,
  type Range,
  readMarks,
  type Term
} from "../../domain/LinkQuery.ts"
import { Service } from "../../runtime/Services.ts"
import { foldedInPlace } from "../../shared/FoldInPlace.ts"
import { foldScripts, markedPositions, withoutMarks } from "../../shared/ScriptFolding.ts"
import { listOf } from "../Fragment.ts"
import { readNumbers } from "../Rows.ts"
import { isWordIndexed, wordsExpression } from "./Matching.ts"

export interface IndexedRow {
  readonly id: number
  readonly title: string
  readonly tags: string
  readonly note: string
  readonly summary: string
  readonly description: string
  readonly url: string
  readonly text: string
}

/** The maximum length of an excerpt, in words. */
const EXCERPT_WORDS = 24

const marked = (column: number) => `highlight(links_fts, ${column}, '${MARK_START}', '${MARK_END}')`

/**
 * Makes an in-memory word index, like the library's, that holds a few rows during one query.
 *
 * It is a separate database, used directly: an Effect client would join an open transaction of the library. Nothing in
 * it is ever committed.
 */
export const makeScratchIndex = Effect.gen(function* () {
  const database = yield* Effect.acquireRelease(
    Effect.sync(() => new Database(":memory:")),
    (open) => Effect.sync(() => open.close())
  )
  database.run(`CREATE VIRTUAL TABLE links_fts USING fts5 (title, tags, note, summary, description, url, text,
    columnsize = 0, tokenize = 'porter unicode61 remove_diacritics 2')`)
  const insert =
    database.query(`INSERT INTO links_fts (rowid, title, tags, note, summary, description, url, text)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
  const highlights = database.query<Record<string, unknown>, [string]>(
    `SELECT rowid, ${[0, 1, 2, 3, 4, 5].map(marked).join(", ")} FROM links_fts WHERE links_fts MATCH ?`
  )
  const snippets = database.query<Record<string, unknown>, [string]>(
    `SELECT rowid, snippet(links_fts, 6, '${MARK_START}', '${MARK_END}', '…', ${EXCERPT_WORDS})
      FROM links_fts WHERE links_fts MATCH ?`
  )

  // Prepared once: `run` prepares its statement each time.
  const begin = database.query("BEGIN")
  const rollback = database.query("ROLLBACK")

  const queryOver =
    (statement: typeof highlights) => (rows: ReadonlyArray<IndexedRow>, expression: string) => {
      if (rows.length === 0) return []
      begin.run()
      try {
        for (const { description, id, note, summary, tags, text, title, url } of rows)
          insert.run(id, ...[title, tags, note, summary, description, url, text].map(foldScripts))
        return statement
          .values(expression)
          .map(([id, ...columns]) => [Number(id), columns.map(String)] as const)
      } finally {
        rollback.run()
      }
    }
  return {
    /** Returns the fields of the rows that match the FTS5 expression, with marks around the matches, by row id. */
    highlights: queryOver(highlights),
    /** Returns an excerpt of the text around the matches, with marks, by row id. */
    snippets: queryOver(snippets)
  }
})

/** The length of an excerpt before and after its first match, in UTF-16 code units. */
const EXCERPT_MARGIN = 60

/** Returns where a substring occurs in a text, ignoring case, accents and vowel points. */
const placesOf = (text: string, part: string): ReadonlyArray<Range> => {
  const [plain, wanted] = [withoutMarks(text), foldedInPlace(withoutMarks(part))]
  const within = foldedInPlace(plain)
  const positions = plain.length === text.length ? undefined : markedPositions(text)
  const positionOf = (at: number) => (positions === undefined ? at : (positions[at] ?? text.length))
  const ranges: Array<Range> = []
  if (wanted === "") return ranges
  for (let at = within.indexOf(wanted); at >= 0; at = within.indexOf(wanted, at + wanted.length))
    ranges.push([positionOf(at), positionOf(at + wanted.length)])
  return ranges
}

const tagPlacesOf = (tags: ReadonlyArray<string>, part: string): NonNullable<Highlights["tags"]> =>
  tags.flatMap((tag, place) => placesOf(tag, part).map(([start, end]) => [place, start, end] as const))

/** Returns the text around the first occurrence of the substring; undefined if there is none. */
const excerptOf = (text: string, part: string): Excerpt | undefined => {
  const [first] = placesOf(text, part)
  if (first === undefined) return undefined
  const start = Math.max(0, first[0] - EXCERPT_MARGIN)
  const end = Math.min(text.length, first[1] + EXCERPT_MARGIN)
  const shown = `${start > 0 ? "…" : ""}${text.slice(start, end).toWellFormed()}${end < text.length ? "…" : ""}`
  return { text: shown, ranges: placesOf(shown, part), start }
}

/**
 * Returns the marked ranges of a text, each with the vowel signs after it, which the index does not count as letters.
 */
const rangesIn = (marked: string): ReadonlyArray<Range> => {
  const { ranges, text } = readMarks(marked)
  return ranges.map(([start, end]) => [
    start,
    end + (/^\p{M}+/u.exec(text.slice(end, end + 8))?.[0].length ?? 0)
  ])
}

const tagsOf = Schema.decodeOption(Schema.parseJson(Schema.Array(Schema.String)))

const tagRanges = (marked: string) =>
  Option.getOrElse(tagsOf(marked), () => []).flatMap((tag, place) =>
    rangesIn(tag).map(([start, end]) => [place, start, end] as const)
  )

/** The fields whose marks are ranges of their text, with their columns in the index. */
const fields = [
  ["title", 0],
  ["note", 2],
  ["summary", 3],
  ["description", 4],
  ["url", 5]
] as const

type Found = { -readonly [Field in keyof Highlights]: Highlights[Field] }

/** Sorts ranges, and merges those that touch or overlap. */
const joined = (ranges: ReadonlyArray<Range>): ReadonlyArray<Range> => {
  const all: Array<Range> = []
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = all.at(-1)
    if (last !== undefined && start <= last[1]) all[all.length - 1] = [last[0], Math.max(last[1], end)]
    else all.push([start, end])
  }
  return all
}

const add = (all: Found, more: Highlights): void => {
  for (const [field] of fields) {
    const ranges = [...(all[field] ?? []), ...(more[field] ?? [])]
    if (ranges.length > 0) all[field] = joined(ranges)
  }
  if (more.tags !== undefined) {
    const tags = Map.groupBy([...(all.tags ?? []), ...more.tags], ([place]) => place)
    all.tags = [...tags]
      .toSorted(([a], [b]) => a - b)
      .flatMap(([place, places]) =>
        joined(places.map(([, start, end]) => [start, end] as const)).map(
          ([start, end]) => [place, start, end] as const
        )
      )
  }
  if (more.excerpt !== undefined) all.excerpt ??= more.excerpt
}

const SELECT_FIELDS = `SELECT id, title, tags, note, summary, description, url, highlighted
  FROM links WHERE id IN (SELECT value FROM json_each(?))`

/** Whether a term, or a choice in it, is the beginning of words. */
const isBegun = ({ alternatives, kind }: Term): boolean =>
  kind === "prefix" || alternatives?.some((terms) => terms.some(isBegun)) === true

/** A link's row without its page's text, and what the owner highlighted in the page. */
interface LinkFields extends IndexedRow {
  readonly highlighted: string
}

/** The maximum number of links per page that get an excerpt, because reading their text is expensive. */
const MOST_EXCERPTS = 10

/**
 * Marks the wanted terms in the rows' fields, by row id, as the index itself matches them: stemmed, folded, or as
 * substrings. Indexes only these rows, in memory, so that a word found in nearly every link of the library matches only
 * a few.
 */
export const highlightRows = (
  scratch: Effect.Effect.Success<typeof makeScratchIndex>,
  rows: ReadonlyArray<IndexedRow>,
  terms: ReadonlyArray<Term>
): Map<number, Highlights> => {
  const all = new Map(rows.map(({ id }): [number, Found] => [id, {}]))
  const addMarks = (id: number, more: Highlights) => {
    const known = all.get(id)
    if (known !== undefined) add(known, more)
  }
  const wanted = terms.filter((term) => !term.negated)
  const words = wordsExpression(wanted, "any")
  if (words !== undefined)
    for (const [id, columns] of scratch.highlights(rows, words)) addMarks(id, marksOf(columns))
  for (const { text } of wanted.filter((term) => !isWordIndexed(term)))
    for (const row of rows) addMarks(row.id, partsOf(row, text))
  return all
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const scratch = yield* makeScratchIndex

  /** Decodes nothing: every search reads the rows that it shows. */
  const rowsOf = (ids: ReadonlyArray<number>) =>
    Effect.map(sql.unsafe(SELECT_FIELDS, [JSON.stringify(ids)]).values, (rows) =>
      rows.map(
        ([id, title, tags, note, summary, description, url, highlighted]): LinkFields => ({
          id: Number(id),
          title: String(title),
          tags: String(tags),
          note: String(note),
          summary: String(summary),
          description: String(description),
          url: String(url),
          text: "",
          highlighted: String(highlighted)
        })
      )
    )

  /** Makes excerpts from the rows' texts. */
  const excerptsFrom = (rows: ReadonlyArray<IndexedRow>, terms: ReadonlyArray<Term>) => {
    const texts = rows.filter(({ text }) => text !== "")
    const excerpts = new Map<number, Excerpt>()
    const words = wordsExpression(terms, "any")
    if (words !== undefined)
      for (const [id, [snippet = ""]] of scratch.snippets(texts, words)) {
        const { ranges, text } = readMarks(snippet)
        const whole = texts.find((row) => row.id === id)?.text ?? ""
        const part = text.replace(/^…|…$/g, "")
        const start = Math.max(0, foldScripts(whole).indexOf(part))
        const shown = text.replace(part, () => whole.slice(start, start + part.length))
        if (ranges.length > 0) excerpts.set(id, { text: shown, ranges, start })
      }
    for (const part of terms.filter((term) => !isWordIndexed(term)))
      for (const { id, text } of texts) {
        const excerpt = excerptOf(text, part.text)
        if (excerpt !== undefined && !excerpts.has(id)) excerpts.set(id, excerpt)
      }
    return excerpts
  }

  /**
   * Returns the links whose texts or highlights, which the index has with the note, may contain one of the terms: reading a
   * text costs more than asking the index.
   */
  const withText = (ids: ReadonlyArray<number>, terms: ReadonlyArray<Term>) => {
    const words = wordsExpression(terms, "any", "note text")
    if (words === undefined || !terms.every(isWordIndexed)) return Effect.succeed(ids)
    // The links of all words with a beginning are collected each time that the index is asked, so it is asked once.
    return readNumbers(
      terms.some(isBegun)
        ? sql`SELECT rowid FROM links_fts WHERE links_fts MATCH ${words} AND +rowid IN ${listOf(ids)}`
        : sql`SELECT wanted.value FROM json_each(${JSON.stringify(ids)}) AS wanted
            CROSS JOIN links_fts ON links_fts.rowid = wanted.value WHERE links_fts MATCH ${words}`
    )
  }

  /** Makes excerpts for links that have no other marks, from highlights before the page's text. */
  const excerptsOf = Effect.fnUntraced(function* (
    rows: ReadonlyArray<LinkFields>,
    terms: ReadonlyArray<Term>
  ) {
    const highlighted = excerptsFrom(
      rows.map((row) => ({ ...row, text: row.highlighted })),
      terms
    )
    const others = rows.filter(({ id }) => !highlighted.has(id))
    const texts = new Map(
      (yield* sql`SELECT id, text FROM links WHERE id IN ${listOf(others.map(({ id }) => id))}`.values).map(
        ([id, text]) => [Number(id), String(text)]
      )
    )
    const excerpts = excerptsFrom(
      others.map((row) => ({ ...row, text: texts.get(row.id) ?? "" })),
      terms
    )
    for (const [id, excerpt] of highlighted) excerpts.set(id, { ...excerpt, start: 0, from: "highlight" })
    return excerpts
  })

  const marks = Effect.fnUntraced(function* (
    ids: ReadonlyArray<number>,
    terms: ReadonlyArray<Term>,
    given: ReadonlyMap<number, Excerpt>
  ) {
    const rows = yield* rowsOf(ids)
    const all = highlightRows(scratch, rows, terms)
    const unmarked = ids
      .filter((id) => Object.keys(all.get(id) ?? {}).length === 0 && !given.has(id))
      .slice(0, MOST_EXCERPTS)
    const wanted = terms.filter((term) => !term.negated)
    const inText = new Set(unmarked.length === 0 ? [] : yield* withText(unmarked, wanted))
    const excerpts =
      inText.size === 0
        ? new Map<number, Excerpt>()
        : yield* excerptsOf(
            rows.filter(({ id }) => inText.has(id)),
            wanted
          )
    for (const [id, excerpt] of [...excerpts, ...given]) all.set(id, { ...all.get(id), excerpt })
    return ids.map((id): Highlights => all.get(id) ?? {})
  })

  return {
    marks: Effect.fn("MatchMarks.marks")(
      (
        ids: ReadonlyArray<number>,
        terms: ReadonlyArray<Term>,
        excerpts: ReadonlyMap<number, Excerpt> = new Map()
      ) => Effect.orDie(marks(ids, terms, excerpts))
    )
  }
})

/**
 * Marks a search's words in a list of links, with an excerpt where only the text of the linked page contains them.
 * Links in `excerpts` have that excerpt.
 */
export class MatchMarks extends Service<MatchMarks>()("MatchMarks", make) {}

/** Returns where a substring, which the word index cannot match, occurs in the fields. */
const partsOf = (row: IndexedRow, part: string): Highlights => {
  const found: Found = {}
  for (const [field] of fields) {
    const ranges = placesOf(row[field], part)
    if (ranges.length > 0) found[field] = ranges
  }
  const tags = tagPlacesOf(
    Option.getOrElse(tagsOf(row.tags), () => []),
    part
  )
  if (tags.length > 0) found.tags = tags
  return found
}

const marksOf = (columns: ReadonlyArray<string>): Highlights => {
  const found: Found = {}
  for (const [field, column] of fields) {
    const ranges = rangesIn(columns[column] ?? "")
    if (ranges.length > 0) found[field] = ranges
  }
  const tags = tagRanges(columns[1] ?? "")
  if (tags.length > 0) found.tags = tags
  return found
}
