import type { ExportedLink } from "./ExportedLink.ts"

/** A field of a row (RFC 4180): in quotes where something in it would be read as the table's own. */
const field = (text: string): string =>
  /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/**
 * The beginnings of a formula (https://owasp.org/www-community/attacks/CSV_Injection): a sign, or a tab or a line break
 * before any text. White space, which readers drop, and apostrophes may precede them, so that a guarded text can be told
 * from one that only looks guarded.
 */
const FORMULA = /^[\s']*(?:[=+\-@＝＋－＠]|[\t\r\n][\s']*[^\s'])/u

/** A text that no spreadsheet runs as a formula: one that could be is given a leading apostrophe. */
const guarded = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/** The text of an exported cell, without its guard and without the white space around it. */
export const unguarded = (cell: string): string =>
  (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell).trim()

const row = (fields: ReadonlyArray<string>): string =>
  `${fields.map((text) => field(guarded(text))).join(",")}\r\n`

/** The first row of a table of links: the names of its columns. */
export const csvHead = row([
  "url",
  "title",
  "note",
  "summary",
  "description",
  "tags",
  "category",
  "collection",
  "favorite",
  "shareable",
  "created_at",
  "updated_at"
])

/**
 * A link as a row under `csvHead`: tags between commas, flags as `true` and `false`, no collection as nothing, texts
 * that a spreadsheet would run as a formula behind an apostrophe.
 */
export const csvLink = (link: ExportedLink): string =>
  row([
    link.url,
    link.title,
    link.note,
    link.summary,
    link.description,
    link.tags.join(","),
    link.category,
    link.collection ?? "",
    String(link.favorite),
    String(link.shareable),
    link.createdAt,
    link.updatedAt
  ])
