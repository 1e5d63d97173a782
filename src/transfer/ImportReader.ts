import { basename } from "node:path"
import { FileSystem } from "@effect/platform"
import { BunFileSystem } from "@effect/platform-bun"
import { Context, Effect, Either, Layer, Option, Stream } from "effect"
import type { BookmarkFile, FileFormat, Unreadable } from "../domain/Bookmark.ts"
import type { ExportedAlias, ExportedCollection, ExportedSearch } from "../domain/ExportedLink.ts"
import { deduplicate, fromBookmark, type Incoming, readCollectionPath } from "../domain/Incoming.ts"
import type { ImportResult } from "../domain/Job.ts"
import { makeThread } from "../runtime/Thread.ts"
import { serveThread } from "../runtime/ThreadWork.ts"
import { grouped } from "../shared/Format.ts"
import { collectWarnings, type ImportWarning, joinWarnings } from "../shared/ImportWarnings.ts"
import { type ArchiveHead, isArchive, readHead, readLine, readWhole } from "./Archive.ts"
import { FormatError } from "./Format.ts"
import { type FilesOf, type ImportFiles, openFullArchive } from "./FullArchive.ts"
import { readBookmarkFile } from "./files/BookmarkFile.ts"
import { isLinkbowerExport, readBookmarkZip } from "./files/BookmarkZip.ts"
import { openFile } from "./files/Container.ts"
import { memoryToRead, requireMemory } from "./files/ReadingMemory.ts"
import type { ZipEntry } from "./files/Zip.ts"

/** Known once all of the file has been read. */
export interface ImportPlan {
  readonly _tag: "Plan"
  readonly format: string
  /** The unit of the rejects' places: those of a zip name the file and the place in it. */
  readonly counts: ImportResult["counts"]
  readonly found: number
  readonly repeated: number
  readonly rejected: number
  readonly rejects: ReadonlyArray<Unreadable>
  readonly warnings: ReadonlyArray<ImportWarning>
  /** Only Linkbower's own files have these, aliases and searches. */
  readonly collections: ReadonlyArray<ExportedCollection>
  readonly aliases: ReadonlyArray<ExportedAlias>
  readonly searches: ReadonlyArray<ExportedSearch>
}

export interface ImportLinks {
  readonly _tag: "Links"
  readonly links: ReadonlyArray<Incoming>
}

export type ImportStep = ImportPlan | ImportLinks | ImportFiles

export const MOST_REJECTS = 1_000

export interface ImportFile {
  readonly path: string
  readonly name?: string | undefined
  readonly format?: FileFormat["name"] | undefined
}

const STEP = 500
/** Bytes read to detect whether Linkbower wrote the file. */
const START = 64
/** In bytes. Only Linkbower's own export may be larger: every other file is read as a whole. */
const MAX_FILE = 1024 * 1024 * 1024

const unreadable = new FormatError({ message: "The file cannot be read." })

type Read = Either.Either<Incoming, Unreadable>

/** Reads a whole file before it emits the first link, so that a broken file changes nothing. */
export class ImportReader extends Context.Tag("ImportReader")<
  ImportReader,
  { readonly read: (file: ImportFile) => Stream.Stream<ImportStep, FormatError> }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem

      const start = (path: string) =>
        fs.stream(path, { bytesToRead: START }).pipe(
          Stream.decodeText(),
          Stream.mkString,
          Effect.mapError(() => unreadable)
        )

      /** Reads Linkbower's own file twice: first to check that it is complete. */
      const archive = (bytes: Stream.Stream<Uint8Array, FormatError>, filesOf?: FilesOf) =>
        Effect.gen(function* () {
          const lines = linesOf(bytes)
          const seen = { first: "", last: "", good: 0, rejected: 0 }
          const rejects: Array<Unreadable> = []
          yield* Stream.runForEach(lines, ([line, number]) =>
            Effect.sync(() => {
              seen.last = line === "" ? seen.last : line
              if (number === 1) seen.first = line
              const read = number === 1 ? undefined : readLine(line, number)
              if (read === undefined) return
              if (Either.isRight(read)) seen.good++
              else if (seen.rejected++ < MOST_REJECTS) rejects.push(read.left)
            })
          )
          const head = yield* readHead(seen.first)
          if (seen.last !== "]}")
            return yield* new FormatError({ message: "The file is cut off: its end is missing." })
          const links = Stream.filterMap(lines, ([line, number]) =>
            number === 1
              ? Option.none()
              : Option.flatMap(Option.fromNullable(readLine(line, number)), Either.getRight)
          )
          const plan = archivePlan(head, seen.good, seen.rejected, rejects, "line")
          return inSteps(
            filesOf === undefined ? plan : { ...plan, format: "Linkbower export (full)" },
            links,
            filesOf
          )
        })

      const bytesOf = (path: string) =>
        Stream.mapError(fs.stream(path, { chunkSize: 256 * 1024 }), () => unreadable)

      const fullArchive = Effect.fnUntraced(function* (path: string) {
        const full = yield* openFullArchive(path)
        return full === undefined ? undefined : yield* archive(full.links, full.filesOf)
      })

      const readBytes = Effect.fnUntraced(function* (path: string) {
        const { size } = yield* Effect.mapError(fs.stat(path), () => unreadable)
        if (Number(size) > MAX_FILE)
          return yield* new FormatError({ message: "The file is larger than 1 GiB." })
        // Before its bytes are in memory; what is packed in it is examined later.
        yield* requireMemory(Number(size))
        return yield* Effect.mapError(fs.readFile(path), () => unreadable)
      })

      const readOther = Effect.fnUntraced(function* (file: ImportFile) {
        const bytes = yield* readBytes(file.path)
        const contents = yield* openFile(file.name ?? basename(file.path), bytes)
        if (contents._tag === "Zip") return yield* readZip(contents.entries, file.format)
        yield* requireMemory(memoryToRead(contents.bytes))
        const own = parseRewritten(contents.bytes)
        return own === undefined ? yield* readForeign(contents, file.format) : yield* rewrittenArchive(own)
      })

      return {
        read: (file) =>
          Effect.gen(function* () {
            const text = yield* start(file.path)
            if (isArchive(text)) return yield* archive(bytesOf(file.path))
            const full = text.startsWith("PK") ? yield* fullArchive(file.path) : undefined
            return full ?? (yield* readOther(file))
          }).pipe(Stream.unwrapScoped, Stream.withSpan("ImportReader.read"))
      }
    })
  )
}

const inSteps = (
  plan: ImportPlan,
  links: Stream.Stream<Incoming, FormatError>,
  filesOf: FilesOf = () => []
) =>
  Stream.concat(
    Stream.succeed<ImportStep>(plan),
    Stream.flatMap(Stream.grouped(links, STEP), (some): Stream.Stream<ImportStep, FormatError> => {
      const step: ImportStep = { _tag: "Links", links: [...some] }
      return Stream.concat(Stream.succeed(step), Stream.rechunk(Stream.fromIterable(filesOf(step.links)), 1))
    })
  )

/** Maximum length of a line of Linkbower's own file, in UTF-16 units: more than a link with 1,000 long highlights has. */
const MAX_LINE = 64 * 1024 * 1024

const linesOf = (bytes: Stream.Stream<Uint8Array, FormatError>) =>
  Stream.suspend(() => {
    let open = 0
    return bytes.pipe(
      Stream.decodeText(),
      Stream.tap((text) => {
        const end = text.lastIndexOf("\n")
        open = end === -1 ? open + text.length : text.length - end - 1
        return open > MAX_LINE ? new FormatError({ message: "A line of the file is too long." }) : Effect.void
      }),
      Stream.splitLines,
      Stream.zipWithIndex,
      Stream.map(([line, index]) => [line, index + 1] as const)
    )
  })

const archivePlan = (
  { aliases, collections, searches }: ArchiveHead,
  good: number,
  rejected: number,
  rejects: ReadonlyArray<Unreadable>,
  counts: ImportPlan["counts"]
): ImportPlan => ({
  _tag: "Plan",
  format: "Linkbower export (JSON)",
  counts,
  found: good + rejected,
  repeated: 0,
  rejected,
  rejects,
  warnings: [],
  collections: collections.flatMap((one) => {
    const name = readCollectionPath(one.name)
    return name === null ? [] : [{ ...one, name }]
  }),
  aliases,
  searches
})

/** Undefined unless the file is a Linkbower export that another program has rewritten. */
const parseRewritten = (bytes: Uint8Array): unknown => {
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('"linkbower"')) return undefined
  const parsed = Either.try((): unknown => JSON.parse(new TextDecoder().decode(bytes)))
  return Either.isRight(parsed) && isLinkbowerExport(parsed.right) ? parsed.right : undefined
}

const rewrittenArchive = Effect.fnUntraced(function* (json: unknown) {
  const { head, links } = yield* readWhole(json)
  const { good, rejects } = partitioned(links)
  const plan = archivePlan(head, good.length, rejects.length, rejects.slice(0, MOST_REJECTS), "item")
  return inSteps(plan, Stream.fromIterable(good))
})

interface ForeignLinks {
  readonly good: ReadonlyArray<Incoming>
  readonly bad: ReadonlyArray<Unreadable>
  readonly warnings: ReadonlyArray<ImportWarning>
}

const foreignSteps = (
  format: string,
  counts: ImportPlan["counts"],
  { bad, good, warnings: before }: ForeignLinks
) => {
  const warnings = collectWarnings()
  const links = deduplicate(good, warnings.warn)
  const plan: ImportPlan = {
    _tag: "Plan",
    format,
    counts,
    found: good.length + bad.length,
    repeated: good.length - links.length,
    rejected: bad.length,
    rejects: bad.slice(0, MOST_REJECTS),
    warnings: joinWarnings(before, warnings.all()),
    collections: [],
    aliases: [],
    searches: []
  }
  return inSteps(plan, Stream.fromIterable(links))
}

const linksOf = (file: BookmarkFile): ForeignLinks => {
  const warnings = collectWarnings()
  const { good, rejects } = partitioned(file.bookmarks.map((one) => fromBookmark(one, warnings.warn)))
  return {
    good,
    bad: [...file.unreadable, ...rejects].sort((a, b) => a.place - b.place),
    warnings: joinWarnings(file.warnings, warnings.all())
  }
}

const readForeign = Effect.fnUntraced(function* (
  { bytes, name }: { readonly name: string; readonly bytes: Uint8Array },
  format: ImportFile["format"]
) {
  const file = yield* readBookmarkFile(name, bytes, format)
  return foreignSteps(file.label, file.counts, linksOf(file))
})

const readZip = Effect.fnUntraced(function* (entries: ReadonlyArray<ZipEntry>, format: ImportFile["format"]) {
  const parts = yield* readBookmarkZip(entries, format)
  const labels = new Set<string>()
  const read = parts.map(({ name, read }, index): ForeignLinks => {
    const place = index + 1
    if (Either.isLeft(read))
      return { good: [], bad: [{ place, reason: `${name}: ${read.left}` }], warnings: [] }
    const file = read.right
    labels.add(file.label)
    const { bad, good, warnings } = linksOf(file)
    const where = (at: number) => `${name}, ${file.counts} ${grouped(at)}`
    return {
      good,
      bad: bad.map(({ place: at, reason }) => ({ place, reason: `${where(at)}: ${reason}` })),
      warnings
    }
  })
  const label = new Intl.ListFormat("en").format(labels)
  return foreignSteps(`${label}, in a zip`, "file", {
    good: read.flatMap(({ good }) => good),
    bad: read.flatMap(({ bad }) => bad),
    warnings: joinWarnings(...read.map(({ warnings }) => warnings))
  })
})

const partitioned = (read: ReadonlyArray<Read>) => ({
  good: read.filter(Either.isRight).map(({ right }) => right),
  rejects: read.filter(Either.isLeft).map(({ left }) => left)
})

/** The thread reads the whole file before the first step. */
const STEP_TIMEOUT = "10 minutes"

const inThread = { tag: ImportReader, failure: FormatError }

export const serveImport = () => serveThread(inThread, Layer.provide(ImportReader.layer, BunFileSystem.layer))

const unavailableMessages = {
  busy: "The file could not be read: another one is being read.",
  died: "The file could not be read: the thread that reads it died twice. The log says more.",
  slow: `The file could not be read: reading it made no progress for ${STEP_TIMEOUT}.`
}

/** A large file takes seconds and much memory, so it has a thread, in which `spawn` calls `serveImport`. */
export const layer = (spawn: () => Worker) =>
  Layer.succeed(ImportReader, {
    read: (file) =>
      makeThread(inThread, { name: "import", spawn, most: 1, patience: STEP_TIMEOUT }).pipe(
        // Reading is deterministic: a second thread continues where the first died.
        Effect.map((thread) => thread.stream("skip", "read", file)),
        Stream.unwrapScoped,
        Stream.catchTag("ThreadUnavailable", ({ detail, reason }) =>
          Effect.logError("The import thread cannot read a file", { reason, detail }).pipe(
            Effect.zipRight(new FormatError({ message: unavailableMessages[reason] })),
            Stream.fromEffect
          )
        )
      )
  })
