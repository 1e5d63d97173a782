import { existsSync, statSync } from "node:fs"
import { Effect, type Option } from "effect"
import { LibraryMissing, NotALibrary } from "./DatabaseErrors.ts"
import { besides, markerOf } from "./DataFolder.ts"
import { countOf, WITHOUT_TEXT, WITHOUT_VECTOR } from "./Drift.ts"
import { type Checked, checkQuickly, checkWholly } from "./FileChecks.ts"
import { checkLog, type LostChanges } from "./LogMark.ts"
import { type Ask, reading } from "./ReadOnlyFile.ts"
import { known } from "./Schema.ts"

/** How a library is that was found sound. */
export interface Inspection {
  /** The size of the file, with what still lies in its log. */
  readonly bytes: number
  readonly version: number
  /** The newest version this program knows. */
  readonly known: number
  readonly links: number
  readonly collections: number
  readonly shareable: number
  /** Links that searches for words do not find. */
  readonly withoutText: number
  /** Links that have been read, have no vector, and do not wait for one. */
  readonly withoutVector: number
  /** Links that wait for their vector. */
  readonly waiting: number
  readonly inboxWaiting: number
  readonly outboxWaiting: number
  /** The addresses of links whose pages are not read, because the program ended while it read them; at most `MOST_NAMED`. */
  readonly spared: ReadonlyArray<string>
  /** The numbers of arrivals that were given up, the newest first; at most `MOST_NAMED`. */
  readonly givenUp: ReadonlyArray<number>
  /** Indexes that only make reading faster and are missing; the next start makes them again. */
  readonly missingIndexes: ReadonlyArray<string>
  /** What another program added to the database and what changes nothing. */
  readonly additions: ReadonlyArray<string>
  /** What was saved and is missing from the end of the log. */
  readonly lost: Option.Option<LostChanges>
}

const MOST_NAMED = 20

const sizeOf = (file: string) => (existsSync(file) ? statSync(file).size : 0)

/** Refuses what is no file with something in it, before SQLite makes a database of it. */
export const present = (file: string) =>
  Effect.suspend((): Effect.Effect<void, LibraryMissing | NotALibrary> => {
    const exists = existsSync(file)
    if (exists && !statSync(file).isFile()) return new NotALibrary({ file, found: "folder" })
    if (sizeOf(file) > 0) return Effect.void
    // What waits in a log is lost as soon as SQLite makes an empty database beside it.
    const was = existsSync(markerOf(file)) || sizeOf(besides(file).log) > 0
    return new LibraryMissing({ file, isEmpty: exists, was })
  })

/** Asks a library's file, which must be there. */
export const readingLibrary = <A, E>(file: string, use: (ask: Ask) => Effect.Effect<A, E>) =>
  Effect.zipRight(present(file), reading(file, use))

/** Each figure, and the version from which on there is something to count. */
const counts = {
  links: [1, "SELECT count(*) AS n FROM links"],
  collections: [1, "SELECT count(*) AS n FROM collections"],
  shareable: [1, "SELECT count(*) AS n FROM links WHERE shareable = 1"],
  withoutText: [1, countOf(WITHOUT_TEXT)],
  withoutVector: [4, countOf(WITHOUT_VECTOR)],
  waiting: [4, "SELECT count(*) AS n FROM embedding_queue"],
  inboxWaiting: [2, "SELECT count(*) AS n FROM inbox WHERE state = 'waiting'"],
  outboxWaiting: [2, "SELECT count(*) AS n FROM outbox"]
} as const

const figures = (ask: Ask, file: string, { schema, version }: Checked) => {
  const count = ([since, statement]: readonly [number, string]) =>
    version < since ? Effect.succeed(0) : Effect.map(ask<{ n: number }>(statement), ([row]) => row?.n ?? 0)
  const named = <A extends object>(since: number, statement: string) =>
    version < since ? Effect.succeed<ReadonlyArray<A>>([]) : ask<A>(`${statement} LIMIT ${MOST_NAMED}`)
  return Effect.map(
    Effect.all({
      links: count(counts.links),
      collections: count(counts.collections),
      shareable: count(counts.shareable),
      withoutText: count(counts.withoutText),
      withoutVector: count(counts.withoutVector),
      waiting: count(counts.waiting),
      inboxWaiting: count(counts.inboxWaiting),
      outboxWaiting: count(counts.outboxWaiting),
      spared: named<{ url: string }>(
        11,
        "SELECT l.url FROM spared_links s JOIN links l ON l.id = s.link_id ORDER BY s.spared_at DESC"
      ),
      givenUp: named<{ id: number }>(2, "SELECT id FROM inbox WHERE state = 'dead' ORDER BY id DESC")
    }),
    (found): Omit<Inspection, "lost"> => ({
      ...found,
      spared: found.spared.map(({ url }) => url),
      givenUp: found.givenUp.map(({ id }) => id),
      bytes: sizeOf(file) + sizeOf(besides(file).log),
      version,
      known,
      missingIndexes: schema.missingIndexes.map(({ name }) => name),
      additions: schema.additions
    })
  )
}

const inspectWith = (check: typeof checkWholly | typeof checkQuickly) => (file: string) =>
  Effect.gen(function* () {
    yield* present(file)
    const lost = yield* checkLog(file)
    // SQLite takes what is left of a library for an empty database.
    const isEmpty = (version: number) => version === 0 && existsSync(markerOf(file))
    const found = yield* reading(file, (ask) =>
      Effect.flatMap(check(file, ask), (checked) =>
        isEmpty(checked.version)
          ? new LibraryMissing({ file, isEmpty: true, was: true })
          : figures(ask, file, checked)
      )
    )
    return { ...found, lost } satisfies Inspection
  })

/**
 * Looks whether a file is a sound library that this program can open, and what is in it. It checks all that SQLite can
 * (3.5 s at 100,000 links), beside a running service too, and changes nothing.
 */
export const inspect = Effect.fn("Inspection.inspect")(inspectWith(checkWholly))

/** The same without the insides of the search indexes, in a tenth of the time. */
export const inspectQuickly = Effect.fn("Inspection.inspectQuickly")(inspectWith(checkQuickly))
