import { SqlClient, SqlSchema } from "@effect/sql"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { type Highlights, type Range, readMarks, type Term } from "../../domain/LinkQuery.ts"
import { byWords, wordsExpression } from "./Matching.ts"
import { type IndexedRow, makeScratchIndex } from "./ScratchIndex.ts"

/** How much of a page's text is shown around a part of it, in UTF-16 units to each side. */
const AROUND = 60

/** Case and accents taken away, unit by unit, so that a place in it is the place in the text. */
const folded = (text: string): string =>
  text
    .replace(/[^ -~]/g, (unit) => unit.normalize("NFD").charAt(0).toLowerCase().charAt(0) || unit)
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Where a part stands in a text, whatever its case and accents. */
const placesOf = (text: string, part: string): ReadonlyArray<Range> => {
  const [within, wanted] = [folded(text), folded(part)]
  const ranges: Array<Range> = []
  if (wanted === "") return ranges
  for (let at = within.indexOf(wanted); at >= 0; at = within.indexOf(wanted, at + wanted.length))
    ranges.push([at, at + wanted.length])
  return ranges
}

/** Where the part stands in a list of tags. */
const tagPlacesOf = (tags: ReadonlyArray<string>, part: string): NonNullable<Highlights["tags"]> =>
  tags.flatMap((tag, place) => placesOf(tag, part).map(([start, end]) => [place, start, end] as const))

/** The text around the first place of the part; none where it does not stand in it. */
const excerptOf = (text: string, part: string): NonNullable<Highlights["excerpt"]> | undefined => {
  const [first] = placesOf(text, part)
  if (first === undefined) return undefined
  const start = Math.max(0, first[0] - AROUND)
  const end = Math.min(text.length, first[1] + AROUND)
  const shown = `${start > 0 ? "…" : ""}${text.slice(start, end).toWellFormed()}${end < text.length ? "…" : ""}`
  return { text: shown, ranges: placesOf(shown, part) }
}

const tagsOf = Schema.decodeOption(Schema.parseJson(Schema.Array(Schema.String)))

const tagRanges = (marked: string) =>
  Option.getOrElse(tagsOf(marked), () => []).flatMap((tag, place) =>
    readMarks(tag).ranges.map(([start, end]) => [place, start, end] as const)
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

/** Ranges in their order, those that touch or overlap as one. */
const joined = (ranges: ReadonlyArray<Range>): ReadonlyArray<Range> => {
  const all: Array<Range> = []
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = all.at(-1)
    if (last !== undefined && start <= last[1]) all[all.length - 1] = [last[0], Math.max(last[1], end)]
    else all.push([start, end])
  }
  return all
}

/** Adds what was found in another way. */
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

const Row = Schema.Struct({
  id: Schema.Int,
  title: Schema.String,
  tags: Schema.String,
  note: Schema.String,
  summary: Schema.String,
  description: Schema.String,
  url: Schema.String,
  text: Schema.String
})

/** How many links of a page get an excerpt from their text at most, for reading it is what costs. */
const MOST_EXCERPTS = 10

/**
 * Marks where the wanted terms stand in the rows' fields, by the row's number, as the index itself matches them: stemmed,
 * folded, by their parts. The rows are indexed by themselves in memory, where a word that is in nearly every link of the
 * library is in a few.
 */
export const marksIn = (
  scratch: Effect.Effect.Success<typeof makeScratchIndex>,
  rows: ReadonlyArray<IndexedRow>,
  terms: ReadonlyArray<Term>
): Map<number, Highlights> => {
  const all = new Map(rows.map(({ id }): [number, Found] => [id, {}]))
  const note = (id: number, more: Highlights) => {
    const known = all.get(id)
    if (known !== undefined) add(known, more)
  }
  const wanted = terms.filter((term) => !term.negated)
  const words = wordsExpression(wanted, "any")
  if (words !== undefined)
    for (const [id, columns] of scratch.highlights(rows, words)) note(id, marksOf(columns))
  for (const { text } of wanted.filter((term) => !byWords(term)))
    for (const row of rows) note(row.id, partsOf(row, text))
  return all
}

/** Marks where a search's words stand in the links of a page, with an excerpt where only the page's text holds them. */
export class MatchMarks extends Context.Tag("MatchMarks")<
  MatchMarks,
  {
    readonly marks: (
      ids: ReadonlyArray<number>,
      terms: ReadonlyArray<Term>
    ) => Effect.Effect<ReadonlyArray<Highlights>>
  }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const scratch = yield* makeScratchIndex

      const rowsOf = SqlSchema.findAll({
        Request: Schema.Struct({
          ids: Schema.parseJson(Schema.Array(Schema.Number)),
          text: Schema.Boolean
        }),
        Result: Row,
        execute: ({ ids, text }) =>
          sql`SELECT id, title, tags, note, summary, description, url, ${sql.literal(text ? "text" : "''")} AS text
            FROM links WHERE id IN (SELECT value FROM json_each(${ids}))`
      })

      /** Excerpts from the texts of links that nothing else marks. */
      const excerptsOf = Effect.fnUntraced(function* (
        ids: ReadonlyArray<number>,
        terms: ReadonlyArray<Term>
      ) {
        const texts = yield* rowsOf({ ids, text: true })
        const excerpts = new Map<number, NonNullable<Highlights["excerpt"]>>()
        const words = wordsExpression(terms, "any")
        if (words !== undefined)
          for (const [id, [snippet = ""]] of scratch.snippets(texts, words)) {
            const excerpt = readMarks(snippet)
            if (excerpt.ranges.length > 0) excerpts.set(id, excerpt)
          }
        for (const part of terms.filter((term) => !byWords(term)))
          for (const { id, text } of texts) {
            const excerpt = excerptOf(text, part.text)
            if (excerpt !== undefined && !excerpts.has(id)) excerpts.set(id, excerpt)
          }
        return excerpts
      })

      const marks = Effect.fnUntraced(function* (ids: ReadonlyArray<number>, terms: ReadonlyArray<Term>) {
        const all = marksIn(scratch, yield* rowsOf({ ids, text: false }), terms)
        const bare = ids.filter((id) => Object.keys(all.get(id) ?? {}).length === 0).slice(0, MOST_EXCERPTS)
        const wanted = terms.filter((term) => !term.negated)
        const excerpts = bare.length === 0 ? new Map() : yield* excerptsOf(bare, wanted)
        for (const [id, excerpt] of excerpts) all.set(id, { excerpt })
        return ids.map((id): Highlights => all.get(id) ?? {})
      })

      return {
        marks: Effect.fn("MatchMarks.marks")((ids, terms) => Effect.orDie(marks(ids, terms)))
      }
    })
  )
}

/** Where a part that no word index finds stands in the fields. */
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
    const { ranges } = readMarks(columns[column] ?? "")
    if (ranges.length > 0) found[field] = ranges
  }
  const tags = tagRanges(columns[1] ?? "")
  if (tags.length > 0) found.tags = tags
  return found
}
