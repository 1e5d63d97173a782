import { Chunk, DateTime, Effect, Schema, Stream, String } from "effect"
import { filePaths, LINKS_FILE } from "../domain/ExportedFiles.ts"
import { ExportedLink } from "../domain/ExportedLink.ts"
import { Service } from "../runtime/Services.ts"
import { type ZipEntry, zipOf } from "../runtime/ZipFile.ts"
import { ownName, parentPath } from "../shared/CollectionPath.ts"
import { ExportStore } from "../store/transfer/ExportStore.ts"
import { FileStore } from "../store/transfer/FileStore.ts"
import { archiveFoot, archiveHead } from "../transfer/Archive.ts"
import { csvHead, csvLink } from "../transfer/Csv.ts"
import {
  netscapeFolder,
  netscapeFolderEnd,
  netscapeFoot,
  netscapeHead,
  netscapeLink
} from "../transfer/formats/Netscape.ts"

/** `json` has everything, `html` is for browsers and other programs. */
export const ExportFormat = Schema.Literal("json", "html", "csv")
export type ExportFormat = typeof ExportFormat.Type

export const mediaTypes: Record<ExportFormat, string> = {
  json: "application/json",
  html: "text/html; charset=utf-8",
  csv: "text/csv; charset=utf-8"
}

export const exportName = (format: ExportFormat | "zip", now: DateTime.Utc): string =>
  `linkbower-${DateTime.formatIsoDateUtc(now)}.${format}`

/** The fields that other programs support. */
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
  "state",
  "createdAt",
  "updatedAt"
)
// Synchronous: one effect per link would cost more than decoding.
const decode = Schema.decodeSync(Schema.parseJson(Exported))
const parsed = (links: Stream.Stream<string>) => Stream.map(links, (json) => decode(json))

type OnLinks = (links: number) => Effect.Effect<void>

const counted = (links: Stream.Stream<string>, onLinks: OnLinks) =>
  Stream.mapChunksEffect(links, (chunk) => Effect.as(onLinks(chunk.length), chunk))

/** One piece per chunk. Drops empty pieces, which a file does not accept. */
const inPieces = (text: Stream.Stream<string>) =>
  Stream.mapChunks(text, (pieces) => Chunk.filter(Chunk.of(Chunk.join(pieces, "")), String.isNonEmpty))

const make = Effect.gen(function* () {
  const store = yield* ExportStore
  const files = yield* FileStore

  const archive = Effect.fnUntraced(function* (links: Stream.Stream<string>) {
    const head = archiveHead(DateTime.formatIso(yield* DateTime.now), {
      collections: yield* store.collections,
      aliases: yield* store.aliases,
      searches: yield* store.searches
    })
    const lines = Stream.intersperse(links, ",\n")
    return Stream.concat(Stream.concat(Stream.succeed(head), lines), Stream.succeed(archiveFoot))
  })

  /** The links first, then the files that they have. */
  const entries = (onDone: OnLinks): Stream.Stream<ZipEntry> =>
    Stream.succeed<ZipEntry>({
      name: LINKS_FILE,
      bytes: Stream.encodeText(inPieces(Stream.unwrap(archive(counted(store.fullLinks, onDone)))))
    }).pipe(
      Stream.concat(
        Stream.map(files.versions, ({ html, linkId, version }) => ({
          name: filePaths.version(linkId, version),
          bytes: new TextEncoder().encode(html)
        })).pipe(Stream.tap(() => onDone(1)))
      ),
      Stream.concat(
        Stream.map(files.pictures, ({ bytes, ...about }) => ({
          name: filePaths.picture(about),
          bytes,
          isStored: true
        })).pipe(Stream.tap(() => onDone(1)))
      ),
      Stream.concat(
        Stream.mapConcatEffect(files.snapshots, ({ html, linkId, version }) =>
          Effect.tryPromise(() => Bun.zstdDecompress(html)).pipe(
            Effect.map((bytes) => [{ name: filePaths.snapshot(linkId, version), bytes }]),
            Effect.catchAll(() =>
              Effect.as(Effect.logWarning(`a snapshot of #${linkId} is damaged, and is left out`), [])
            )
          )
        ).pipe(Stream.tap(() => onDone(1)))
      )
    )

  const html = Effect.fnUntraced(function* (onLinks: OnLinks) {
    const bookmarks = (collection: number | null) =>
      Stream.map(parsed(counted(store.linksIn(collection), onLinks)), netscapeLink)
    const head = netscapeHead("Linkbower", DateTime.formatIso(yield* DateTime.now))
    const all = yield* store.collections
    const inner = Map.groupBy(all, ({ name }) => parentPath(name)?.toLowerCase() ?? "")
    /** Each folder has its folders first, then its links. */
    const foldersIn = (path: string): Stream.Stream<string> =>
      Stream.flatMap(Stream.fromIterable(inner.get(path.toLowerCase()) ?? []), ({ id, name }) =>
        foldersIn(name).pipe(
          Stream.concat(bookmarks(id)),
          Stream.intersperseAffixes({
            start: netscapeFolder(ownName(name)),
            middle: "",
            end: netscapeFolderEnd
          })
        )
      )
    const folders = foldersIn("")
    return folders.pipe(
      Stream.concat(bookmarks(null)),
      Stream.intersperseAffixes({ start: head, middle: "", end: netscapeFoot })
    )
  })

  const csv = (onLinks: OnLinks) =>
    Stream.concat(Stream.succeed(csvHead), Stream.map(parsed(counted(store.links, onLinks)), csvLink))

  const formats: Record<ExportFormat, (onLinks: OnLinks) => Stream.Stream<string>> = {
    json: (onLinks) => Stream.unwrap(archive(counted(store.wholeLinks, onLinks))),
    html: (onLinks) => Stream.unwrap(html(onLinks)),
    csv
  }
  return {
    count: store.count,
    /** `onLinks` gets the number of links in each piece. */
    write: (format: ExportFormat, onLinks: (links: number) => Effect.Effect<void> = () => Effect.void) =>
      inPieces(formats[format](onLinks)).pipe(Stream.withSpan("ExportLinks.write")),
    size: Effect.zipWith(store.count, files.size, (links, size) => ({ links, ...size })),
    /** A zip of links with highlights, trash, pages with versions and pictures, snapshots; `onDone` counts each piece. */
    writeFull: (onDone: OnLinks = () => Effect.void) =>
      zipOf(entries(onDone)).pipe(Stream.withSpan("ExportLinks.writeFull"))
  }
})

export class ExportLinks extends Service<ExportLinks>()("ExportLinks", make) {}
