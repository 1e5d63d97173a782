import type { ExportedLink } from "./ExportedLink.ts"

/** A field of a row (RFC 4180): in quotes where something in it would be read as the table's own. */
const field = (text: string): string =>
  /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

const row = (fields: ReadonlyArray<string>): string => `${fields.map(field).join(",")}\r\n`

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

/** A link as a row under `csvHead`: tags between commas, flags as `true` and `false`, no collection as nothing. */
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
