import { Chunk, Context, DateTime, Effect, Layer, Schema, Stream, String } from "effect"
import { ExportedLink } from "../domain/ExportedLink.ts"
import { ExportStore } from "../store/transfer/ExportStore.ts"
import { archiveFoot, archiveHead } from "../transfer/Archive.ts"
import { csvHead, csvLink } from "../transfer/Csv.ts"
import {
  netscapeFolder,
  netscapeFolderEnd,
  netscapeFoot,
  netscapeHead,
  netscapeLink
} from "../transfer/Netscape.ts"

/** What a library can be written as: everything, for browsers and other programs, or for spreadsheets. */
export const ExportFormat = Schema.Literal("json", "html", "csv")
export type ExportFormat = typeof ExportFormat.Type

/** The media type of each. */
export const mediaTypes: Record<ExportFormat, string> = {
  json: "application/json",
  html: "text/html; charset=utf-8",
  csv: "text/csv; charset=utf-8"
}

/** What a person calls the file. */
export const exportName = (format: ExportFormat, now: DateTime.Utc): string =>
  `linkbower-${DateTime.formatIsoDateUtc(now)}.${format}`

/** Of a whole link, what other programs have a word for. */
const Exported = ExportedLink.pick(
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
  "createdAt",
  "updatedAt"
)
// At once, because an effect a link would take longer than the link.
const decode = Schema.decodeSync(Schema.parseJson(Exported))
const parsed = (links: Stream.Stream<string>) => Stream.map(links, (json) => decode(json))

/** Writes the whole library as one file, a piece at a time. */
export class ExportLinks extends Context.Tag("ExportLinks")<
  ExportLinks,
  { readonly write: (format: ExportFormat) => Stream.Stream<string> }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* ExportStore

      const json = Effect.gen(function* () {
        const head = archiveHead(DateTime.formatIso(yield* DateTime.now), yield* store.collections)
        const lines = Stream.intersperse(store.wholeLinks, ",\n")
        return Stream.concat(Stream.concat(Stream.succeed(head), lines), Stream.succeed(archiveFoot))
      })

      const bookmarks = (collection: number | null) =>
        Stream.map(parsed(store.linksIn(collection)), netscapeLink)

      const html = Effect.gen(function* () {
        const head = netscapeHead("Linkbower", DateTime.formatIso(yield* DateTime.now))
        const folders = Stream.flatMap(Stream.fromIterable(yield* store.collections), ({ id, name }) =>
          bookmarks(id).pipe(
            Stream.intersperseAffixes({ start: netscapeFolder(name), middle: "", end: netscapeFolderEnd })
          )
        )
        return folders.pipe(
          Stream.concat(bookmarks(null)),
          Stream.intersperseAffixes({ start: head, middle: "", end: netscapeFoot })
        )
      })

      const csv = Stream.concat(Stream.succeed(csvHead), Stream.map(parsed(store.links), csvLink))

      const formats: Record<ExportFormat, Stream.Stream<string>> = {
        json: Stream.unwrap(json),
        html: Stream.unwrap(html),
        csv
      }
      return {
        write: (format) =>
          formats[format].pipe(
            // One piece per chunk, not per link. A file takes no empty piece, and a library of whole batches ends in one.
            Stream.mapChunks((pieces) => Chunk.filter(Chunk.of(Chunk.join(pieces, "")), String.isNonEmpty)),
            Stream.withSpan("ExportLinks.write")
          )
      }
    })
  )
}
