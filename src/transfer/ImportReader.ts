import { basename } from "node:path"
import { FileSystem } from "@effect/platform"
import { Context, Effect, Either, Layer, Option, Schema, Stream } from "effect"
import type { FileFormat, Unreadable } from "../domain/Bookmark.ts"
import type { ExportedCollection } from "../domain/ExportedLink.ts"
import { type Incoming, incomingOf, withoutRepetitions } from "../domain/Incoming.ts"
import { uncheckedSchema } from "../domain/Schemas.ts"
import { makeThread, streaming } from "../runtime/Thread.ts"
import { type ArchiveHead, isArchive, readHead, readLine, readWhole } from "./Archive.ts"
import { FormatError } from "./Format.ts"
import { formats, readBookmarkFile } from "./Formats.ts"

/** What a file holds, once all of it has been looked at. */
export interface ImportPlan {
  readonly _tag: "Plan"
  /** As a person calls the format. */
  readonly format: string
  readonly counts: FileFormat["counts"]
  /** Links and what was rejected, repetitions included. */
  readonly found: number
  /** Links that repeat one before. */
  readonly repeated: number
  readonly rejected: number
  /** The first 1,000 of those. */
  readonly rejects: ReadonlyArray<Unreadable>
  /** Where a Linkbower wrote the file: its collections. */
  readonly collections: ReadonlyArray<ExportedCollection>
}

/** Some of the links of the file. */
export interface ImportLinks {
  readonly _tag: "Links"
  readonly links: ReadonlyArray<Incoming>
}

/** A file as it is read: first what it holds, then its links. */
export type ImportStep = ImportPlan | ImportLinks

/** The most rejected entries that are told of. */
export const MOST_REJECTS = 1_000

/** A file that is to be read. */
export interface ImportFile {
  readonly path: string
  /** What the person calls it; of `path` where it is missing. */
  readonly name?: string | undefined
  /** What it is; found out where it is missing. */
  readonly format?: FileFormat["name"] | undefined
}

/** How many links are handed on at once. */
const STEP = 500
/** How much of a file tells whether Linkbower wrote it, in bytes. */
const START = 64
/** A file of another program is read as a whole, up to this many bytes. */
const MAX_FILE = 1024 * 1024 * 1024

const unreadable = new FormatError({ message: "The file cannot be read." })

type Read = Either.Either<Incoming, Unreadable>

/** Reads files of links: wholly before the first link is handed on, so that a broken one changes nothing. */
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

      /** The lines of a file, counted from 1. */
      const linesOf = (path: string) =>
        fs.stream(path, { chunkSize: 256 * 1024 }).pipe(
          Stream.decodeText(),
          Stream.splitLines,
          Stream.zipWithIndex,
          Stream.map(([line, index]) => [line, index + 1] as const),
          Stream.mapError(() => unreadable)
        )

      /** Linkbower's own file, read twice: once to see that it is whole, once for its links. */
      const archive = (path: string) =>
        Effect.gen(function* () {
          const seen = { first: "", last: "", good: 0, rejected: 0 }
          const rejects: Array<Unreadable> = []
          yield* Stream.runForEach(linesOf(path), ([line, number]) =>
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
          const links = Stream.filterMap(linesOf(path), ([line, number]) =>
            number === 1
              ? Option.none()
              : Option.flatMap(Option.fromNullable(readLine(line, number)), Either.getRight)
          )
          return inSteps(ownPlan(head, seen.good, seen.rejected, rejects, "line"), links)
        })

      const readBytes = Effect.fnUntraced(function* (path: string) {
        const { size } = yield* Effect.mapError(fs.stat(path), () => unreadable)
        if (Number(size) > MAX_FILE)
          return yield* new FormatError({ message: "The file is larger than 1 GiB." })
        return yield* Effect.mapError(fs.readFile(path), () => unreadable)
      })

      const other = Effect.fnUntraced(function* (file: ImportFile) {
        const bytes = yield* readBytes(file.path)
        const own = rewritten(bytes)
        return own === undefined ? yield* foreign(file, bytes) : yield* rewrittenArchive(own)
      })

      return {
        read: (file) =>
          Effect.flatMap(start(file.path), (text) =>
            isArchive(text) ? archive(file.path) : other(file)
          ).pipe(Stream.unwrap, Stream.withSpan("ImportReader.read"))
      }
    })
  )
}

const inSteps = (plan: ImportPlan, links: Stream.Stream<Incoming, FormatError>) =>
  Stream.concat(
    Stream.succeed<ImportStep>(plan),
    Stream.map(Stream.grouped(links, STEP), (some): ImportStep => ({ _tag: "Links", links: [...some] }))
  )

const ownPlan = (
  { collections }: ArchiveHead,
  good: number,
  rejected: number,
  rejects: ReadonlyArray<Unreadable>,
  counts: FileFormat["counts"]
): ImportPlan => ({
  _tag: "Plan",
  format: "Linkbower export (JSON)",
  counts,
  found: good + rejected,
  repeated: 0,
  rejected,
  rejects,
  collections
})

/** What the file says as JSON, where it may be an export of ours that another program has written anew. */
const rewritten = (bytes: Uint8Array): unknown => {
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('"linkbower"')) return undefined
  const parsed = Either.try((): unknown => JSON.parse(new TextDecoder().decode(bytes)))
  return Either.isRight(parsed) && isOurs(parsed.right) ? parsed.right : undefined
}

const isOurs = (json: unknown) =>
  typeof json === "object" && json !== null && "format" in json && json.format === "linkbower"

const rewrittenArchive = Effect.fnUntraced(function* (json: unknown) {
  const { head, links } = yield* readWhole(json)
  const { good, rejects } = sorted(links)
  const plan = ownPlan(head, good.length, rejects.length, rejects.slice(0, MOST_REJECTS), "item")
  return inSteps(plan, Stream.fromIterable(good))
})

const foreign = Effect.fnUntraced(function* ({ format, name, path }: ImportFile, bytes: Uint8Array) {
  const file = yield* readBookmarkFile(name ?? basename(path), bytes, format)
  const { good, rejects } = sorted(file.bookmarks.map(incomingOf))
  const bad = [...file.unreadable, ...rejects].sort((a, b) => a.place - b.place)
  const links = withoutRepetitions(good)
  const known = formats.find((one) => one.name === file.format)
  const plan: ImportPlan = {
    _tag: "Plan",
    format: known?.label ?? file.format,
    counts: known?.counts ?? "item",
    found: good.length + bad.length,
    repeated: good.length - links.length,
    rejected: bad.length,
    rejects: bad.slice(0, MOST_REJECTS),
    collections: []
  }
  return inSteps(plan, Stream.fromIterable(links))
})

const sorted = (read: ReadonlyArray<Read>) => ({
  good: read.filter(Either.isRight).map(({ right }) => right),
  rejects: read.filter(Either.isLeft).map(({ left }) => left)
})

/** How long the thread may work between two steps: it reads the whole of a file before the first. */
const REMOTE_IMPORT_READER_STEP = "10 minutes"

/** Reads the file at this path; the thread answers with its steps. */
export class ReadFile extends Schema.TaggedRequest<ReadFile>()("ReadFile", {
  failure: FormatError,
  success: uncheckedSchema<ImportStep>(),
  payload: {
    path: Schema.String,
    name: Schema.UndefinedOr(Schema.String),
    format: Schema.UndefinedOr(uncheckedSchema<FileFormat["name"]>())
  }
}) {}

/** Answers the request of the thread with this reader. */
export const answerImport = (reader: ImportReader["Type"]) => (request: ReadFile) =>
  streaming(request, reader.read(request))

const unread = {
  busy: "The file could not be read: another one is being read.",
  died: "The file could not be read: the thread that reads it died twice. The log says more.",
  slow: `The file could not be read: reading it made no progress for ${REMOTE_IMPORT_READER_STEP}.`
}

/**
 * Reads each file of links in a thread that ends with the file: a large one takes seconds and much memory. `spawn` starts
 * a thread that answers `ReadFile`.
 */
export const layer = (spawn: () => Worker) =>
  Layer.succeed(ImportReader, {
    read: ({ format, name, path }) =>
      makeThread({ name: "import", spawn, most: 1, patience: REMOTE_IMPORT_READER_STEP }).pipe(
        // A file reads the same each time: a second thread goes on where the first died.
        Effect.map((thread) => thread.stream(new ReadFile({ path, name, format }), "skip")),
        Stream.unwrapScoped,
        Stream.catchTag("ThreadUnavailable", ({ detail, reason }) =>
          Effect.logError("The import thread cannot read a file", { reason, detail }).pipe(
            Effect.zipRight(new FormatError({ message: unread[reason] })),
            Stream.fromEffect
          )
        )
      )
  })
