import { Either, ParseResult, Schema } from "effect"
import type { Unreadable } from "../domain/Bookmark.ts"
import { ExportedAlias, ExportedCollection, ExportedLink, ExportedSearch } from "../domain/ExportedLink.ts"
import { fromExportedLink, type Incoming } from "../domain/Incoming.ts"
import { FormatError } from "./Format.ts"

/** One link per line, read and written line by line. A field that old versions can skip keeps the number. */
const VERSION = 1

const Head = Schema.Struct({
  format: Schema.Literal("linkbower"),
  version: Schema.Int,
  exportedAt: Schema.String,
  collections: Schema.Array(ExportedCollection),
  aliases: Schema.optionalWith(Schema.Array(ExportedAlias), { default: () => [] }),
  searches: Schema.optionalWith(Schema.Array(ExportedSearch), { default: () => [] })
})

const Whole = Schema.Struct({ ...Head.fields, links: Schema.Array(Schema.Unknown) })

const decodeHead = Schema.decodeUnknownEither(Schema.parseJson(Head))
const decodeWhole = Schema.decodeUnknownEither(Whole)
const decodeLink = Schema.decodeUnknownEither(ExportedLink)
const decodeLine = Schema.decodeUnknownEither(Schema.parseJson(ExportedLink))

/** The links follow the head, joined by `,\n`. */
export const archiveHead = (
  exportedAt: string,
  { aliases, collections, searches }: Pick<ArchiveHead, "aliases" | "collections" | "searches">
): string => {
  const head = JSON.stringify({
    format: "linkbower",
    version: VERSION,
    exportedAt,
    collections,
    aliases,
    searches
  })
  return `${head.slice(0, -1)},"links":[\n`
}

export const archiveFoot = "\n]}\n"

const beginning = '{"format":"linkbower"'
const headEnd = ',"links":['

/** Whether a file with this start is a Linkbower export in its original form. */
export const isArchive = (start: string): boolean => start.startsWith(beginning)

export type ArchiveHead = typeof Head.Type

const broken = new FormatError({ message: "The file begins like a Linkbower export, but it is incomplete." })
const newer = new FormatError({ message: "A newer Linkbower wrote the file. Install that version." })

const notNewer = (head: ArchiveHead): Either.Either<ArchiveHead, FormatError> =>
  head.version > VERSION ? Either.left(newer) : Either.right(head)

export const readHead = (line: string): Either.Either<ArchiveHead, FormatError> =>
  line.endsWith(headEnd)
    ? Either.flatMap(
        Either.mapLeft(decodeHead(`${line.slice(0, -headEnd.length)}}`), () => broken),
        notNewer
      )
    : Either.left(broken)

/** Undefined at the end. */
export const readLine = (line: string, place: number): Either.Either<Incoming, Unreadable> | undefined => {
  if (line.trim() === "" || line === "]}") return undefined
  const json = line.endsWith(",") ? line.slice(0, -1) : line
  return asIncoming(decodeLine(json), place)
}

const asIncoming = (
  decoded: Either.Either<ExportedLink, ParseResult.ParseError>,
  place: number
): Either.Either<Incoming, Unreadable> =>
  Either.flatMap(
    Either.mapLeft(decoded, (error) => {
      const [issue] = ParseResult.ArrayFormatter.formatErrorSync(error)
      const field = issue?.path.join(".") ?? ""
      return { place, reason: field === "" ? "It is not a link." : `Its field “${field}” cannot be read.` }
    }),
    (link) => fromExportedLink(place, link)
  )

export const readWhole = (
  json: unknown
): Either.Either<
  { readonly head: ArchiveHead; readonly links: ReadonlyArray<Either.Either<Incoming, Unreadable>> },
  FormatError
> =>
  Either.flatMap(
    Either.mapLeft(decodeWhole(json), () => broken),
    ({ links, ...head }) =>
      Either.map(notNewer(head), () => ({
        head,
        links: links.map((link, index) => asIncoming(decodeLink(link), index + 1))
      }))
  )
