import { existsSync, statSync } from "node:fs"
import { SqlClient } from "@effect/sql"
import { Array, Effect, Layer, type Option } from "effect"
import { APPLICATION_ID } from "../../../migrations/0001_library.ts"
import { LibrarySize, type Sizes } from "../../telemetry/Gauges.ts"
import {
  DatabaseDamaged,
  DatabaseTooNew,
  LibraryMissing,
  LibraryOutdated,
  NotALibrary,
  SchemaAltered
} from "../DatabaseErrors.ts"
import { creationMarkerPath, databaseSideFiles } from "../DataFolder.ts"
import {
  checkSchema,
  LATEST_VERSION,
  type SchemaFindings,
  type SchemaObject,
  SELECT_SCHEMA,
  searchIndexes,
  searchTables,
  shadowTables
} from "../Schema.ts"
import { CheckHelper, LARGE } from "./CheckHelper.ts"
import { queryFile, type RunQuery, trying, type UseFile } from "./ReadOnlyFile.ts"
import { checkTables, makeTableCheck } from "./TableCheck.ts"
import { checkLog, type LostChanges } from "./WriteAheadLog.ts"

/** Selects the ids of links without a row in an index; `condition` excludes links that need none. */
const without = (indexed: string, condition = "") =>
  `SELECT m.id FROM (SELECT id FROM links EXCEPT ${indexed}) m JOIN links l ON l.id = m.id ${condition}`

const WHERE_READ = "WHERE l.enrichment <> 'pending'"

export const LINKS_NOT_IN_WORD_INDEX = without("SELECT id FROM links_fts_docsize")

export const LINKS_NOT_IN_TRIGRAM_INDEX = without("SELECT id FROM links_trigram_docsize", WHERE_READ)

export const LINKS_WITHOUT_VECTOR = without(
  `SELECT * FROM (SELECT link_id FROM vectors INTERSECT SELECT link_id FROM vector_floats)
    EXCEPT SELECT link_id FROM embedding_queue`,
  WHERE_READ
)

export const selectOrphanedRows = (index: string) =>
  `SELECT id FROM ${index}_docsize EXCEPT SELECT id FROM links`

export const countRowsOf = (selected: string) => `SELECT count(*) AS n FROM (${selected})`

const MOST_PROBLEMS = 10

const lines = (rows: ReadonlyArray<object>) => rows.map((row) => String(Object.values(row)[0]))

const problemsOf = (ask: RunQuery, check: string) =>
  ask(check).pipe(
    Effect.map((rows) => lines(rows).filter((line) => line !== "ok")),
    Effect.catchTag("DatabaseDamaged", ({ problems }) => Effect.succeed(problems))
  )

const sizeOf = (file: string) => (existsSync(file) ? statSync(file).size : 0)

interface OpenLibrary {
  readonly file: string
  readonly ask: RunQuery
  readonly unchanging: boolean
}

/** Returns the problems of each table; a large library gets a second thread if there is a processor for it. */
const walkTables = Effect.fnUntraced(function* (
  { file, unchanging }: OpenLibrary,
  tables: ReadonlyArray<string>,
  isWhole: boolean
) {
  const begin = (names: ReadonlyArray<string>) =>
    makeTableCheck({ file, unchanging, isWhole, comparesWords: false, rests: false, tables: names })
  const check = begin(tables)
  const help = sizeOf(file) >= LARGE && navigator.hardwareConcurrency > 1 ? yield* CheckHelper : undefined
  const helped = help === undefined ? Effect.succeed([]) : yield* help(check)
  const own = yield* trying(file, () => checkTables(check))
  const problems = new Map(own.length === tables.length ? own : [...own, ...(yield* helped)])
  // Tables that the other thread took before it died.
  const left = tables.filter((table) => !problems.has(table))
  for (const [table, found] of left.length === 0 ? [] : yield* trying(file, () => checkTables(begin(left))))
    problems.set(table, found)
  return problems
}, Effect.scoped)

const namesIn = (ask: RunQuery, where = "true") =>
  Effect.map(ask<{ name: string }>(`SELECT name FROM sqlite_schema WHERE ${where}`), (rows) =>
    rows.map(({ name }) => name)
  )

const missingFrom = (ask: RunQuery, wanted: ReadonlyArray<string>) =>
  Effect.map(namesIn(ask), (names) =>
    wanted.filter((name) => !names.includes(name)).map((name) => `${name} is missing`)
  )

interface Damage {
  readonly search: ReadonlyArray<string>
  readonly indexes: ReadonlyArray<string>
  readonly tables: ReadonlyArray<string>
}

/** The tables that can be checked one by one: the full-text indexes too, if their contents are checked. */
const tablesIn = (ask: RunQuery, isWhole: boolean) =>
  Effect.map(namesIn(ask, "type = 'table' AND rootpage > 0"), (names) => [
    "sqlite_schema",
    ...names,
    ...(isWhole ? searchIndexes : [])
  ])

const sortProblems = Effect.fnUntraced(function* (
  ask: RunQuery,
  problems: ReadonlyMap<string, ReadonlyArray<string>>
) {
  const search = new Set([...searchIndexes, ...shadowTables])
  const missing = yield* missingFrom(ask, [...searchTables, ...shadowTables])
  const roots = yield* ask<{ root: number }>(
    "SELECT rootpage AS root FROM sqlite_schema WHERE type = 'index'"
  )
  /** SQLite names an index, or the first page of its tree. */
  const isAboutIndex = (line: string) =>
    / index \S+$/.test(line) || roots.some(({ root }) => line.startsWith(`Tree ${root} `))
  const [beneath, others] = Array.partition([...problems], ([name]) => !search.has(name))
  const [tables, indexes] = Array.partition(
    others.flatMap(([, found]) => found),
    isAboutIndex
  )
  return { search: [...missing, ...beneath.flatMap(([, found]) => found)], indexes, tables } satisfies Damage
})

const inTables = Effect.fnUntraced(function* (library: OpenLibrary, isWhole: boolean) {
  const tables = yield* tablesIn(library.ask, isWhole)
  return yield* sortProblems(library.ask, yield* walkTables(library, tables, isWhole))
})

const refuseDamage = (file: string, damage: Damage) => {
  const part = (["tables", "indexes", "search"] as const).find((one) => damage[one].length > 0)
  return part === undefined
    ? Effect.void
    : new DatabaseDamaged({ file, problems: damage[part].slice(0, MOST_PROBLEMS), part })
}

/** Returns the version of a library; 0 for a database without any tables of the library. */
export const versionOf = Effect.fnUntraced(function* (file: string, ask: RunQuery) {
  const names = yield* namesIn(ask, "name NOT LIKE 'sqlite_%'")
  const isNew = names.every((name) => name === "effect_sql_migrations")
  if (!isNew && !(names.includes("effect_sql_migrations") && names.includes("links")))
    return yield* new NotALibrary({ file, found: "other database" })
  if (names.length === 0) return 0
  const [header] = yield* ask<{ application_id: number }>("PRAGMA application_id")
  if (!isNew && header?.application_id === 0) return yield* new LibraryOutdated({ file })
  if (!isNew && header?.application_id !== APPLICATION_ID)
    return yield* new NotALibrary({ file, found: "other database" })
  const [row] = yield* ask<{ found: number | null }>(
    "SELECT max(migration_id) AS found FROM effect_sql_migrations"
  )
  const found = row?.found ?? 0
  return found > LATEST_VERSION ? yield* new DatabaseTooNew({ file, found, known: LATEST_VERSION }) : found
})

interface Checked {
  readonly version: number
  readonly schema: SchemaFindings
}

/** Refuses a library whose schema does not match its version, before reading any row. */
const soundSchema = Effect.fnUntraced(function* (file: string, ask: RunQuery) {
  const version = yield* versionOf(file, ask)
  if (version === 0) return { version, schema: { problems: [], missingIndexes: [], additions: [] } }
  const schema = yield* checkSchema(version, yield* ask<SchemaObject>(SELECT_SCHEMA))
  if (schema.problems.length > 0) return yield* new SchemaAltered({ file, problems: schema.problems })
  return { version, schema }
})

/** Finds overwritten or truncated pages in a tenth of the time of `checkWholly` at 100,000 links (800 MB). */
export const checkQuickly = Effect.fn("Inspection.checkQuickly")(function* (library: OpenLibrary) {
  const { ask, file } = library
  const checked = yield* soundSchema(file, ask)
  yield* refuseDamage(file, yield* inTables(library, false))
  return checked satisfies Checked
})

/**
 * Runs every check that SQLite has, including the internals of the search indexes, and checks that nothing is missing.
 */
const checkWholly = Effect.fn("Inspection.checkWholly")(function* (library: OpenLibrary) {
  const { ask, file } = library
  const checked = yield* soundSchema(file, ask)
  const found = yield* problemsOf(ask, `PRAGMA integrity_check(${MOST_PROBLEMS})`)
  const damage = found.length > 0 ? yield* inTables(library, true) : yield* sortProblems(ask, new Map())
  yield* refuseDamage(file, damage)
  // Pages that belong to no table.
  yield* refuseDamage(file, { ...damage, tables: found })
  return checked satisfies Checked
})

/** Checks the open library in another thread, table by table; undefined without a thread or a result. */
export const inspectBehind = Effect.fn("Inspection.inspectBehind")(function* (file: string) {
  const help = yield* CheckHelper
  if (help === undefined) return undefined
  const tables = yield* queryLibrary(file, (ask) => tablesIn(ask, true))
  const checked = yield* yield* help(
    makeTableCheck({ file, unchanging: false, isWhole: true, comparesWords: true, rests: true, tables })
  )
  if (checked.length < tables.length) return undefined
  return yield* queryLibrary(file, (ask) => sortProblems(ask, new Map(checked)))
}, Effect.scoped)

export interface Inspection {
  /** The size of the file and its log, in bytes. */
  readonly bytes: number
  readonly version: number
  readonly known: number
  readonly links: number
  readonly collections: number
  readonly shared: number
  readonly trash: number
  /** Links that word searches do not find. */
  readonly withoutText: number
  /** Links that have been read, have no vector, and are not queued for one. */
  readonly withoutVector: number
  readonly waiting: number
  readonly inboxWaiting: number
  readonly outboxWaiting: number
  readonly passwords: number
  readonly passkeys: number
  /** Links not read because the program ended twice on them, and whether each had its last try; at most `MOST_NAMED`. */
  readonly spared: ReadonlyArray<{ readonly url: string; readonly isRetried: boolean }>
  /** The ids of inbox entries that failed permanently, newest first; at most `MOST_NAMED`. */
  readonly givenUp: ReadonlyArray<number>
  readonly missingIndexes: ReadonlyArray<string>
  readonly additions: ReadonlyArray<string>
  /** Acknowledged changes that are missing from the end of the log. */
  readonly lost: Option.Option<LostChanges>
}

export const MOST_NAMED = 20

/** Refuses a missing or empty file and a folder, before SQLite creates a database in its place. */
export const requireLibraryFile = (file: string) =>
  Effect.suspend((): Effect.Effect<void, LibraryMissing | NotALibrary> => {
    const exists = existsSync(file)
    if (exists && !statSync(file).isFile()) return new NotALibrary({ file, found: "folder" })
    if (sizeOf(file) > 0) return Effect.void
    // SQLite discards the log as soon as it creates an empty database beside it.
    const was = existsSync(creationMarkerPath(file)) || sizeOf(databaseSideFiles(file).log) > 0
    return new LibraryMissing({ file, isEmpty: exists, was })
  })

export const queryLibrary = <A, E>(file: string, use: UseFile<A, E>) =>
  Effect.zipRight(requireLibraryFile(file), queryFile(file, use))

const countAll = (ask: RunQuery, file: string, { schema, version }: Checked) => {
  const count = (statement: string) =>
    version === 0 ? Effect.succeed(0) : Effect.map(ask<{ n: number }>(statement), ([row]) => row?.n ?? 0)
  const countIn = (table: string) => count(`SELECT count(*) AS n FROM ${table}`)
  const named = <A extends object>(statement: string) =>
    version === 0 ? Effect.succeed<ReadonlyArray<A>>([]) : ask<A>(`${statement} LIMIT ${MOST_NAMED}`)
  return Effect.map(
    Effect.all({
      links: countIn("links"),
      collections: countIn("collections"),
      shared: Effect.zipWith(
        countIn("links WHERE shareable = 1"),
        countIn("links WHERE shareable = 0 AND in_shared = 1"),
        (own, whole) => own + whole
      ),
      trash: countIn("trash"),
      withoutText: count(countRowsOf(LINKS_NOT_IN_WORD_INDEX)),
      withoutVector: count(countRowsOf(LINKS_WITHOUT_VECTOR)),
      waiting: countIn("embedding_queue"),
      inboxWaiting: countIn("inbox WHERE state = 'waiting'"),
      outboxWaiting: countIn("outbox"),
      passwords: countIn("signin_owner WHERE password IS NOT NULL"),
      passkeys: countIn("signin_passkeys"),
      spared: named<{ url: string; retried: number }>(
        `SELECT l.url, t.due_at IS NULL AS retried FROM tasks t JOIN links l ON l.id = t.subject
          WHERE t.kind = 'suspect' ORDER BY t.id DESC`
      ),
      givenUp: named<{ id: number }>("SELECT id FROM inbox WHERE state = 'dead' ORDER BY id DESC")
    }),
    (found): Omit<Inspection, "lost"> => ({
      ...found,
      spared: found.spared.map(({ retried, url }) => ({ url, isRetried: retried === 1 })),
      givenUp: found.givenUp.map(({ id }) => id),
      bytes: sizeOf(file) + sizeOf(databaseSideFiles(file).log),
      version,
      known: LATEST_VERSION,
      missingIndexes: schema.missingIndexes.map(({ name }) => name),
      additions: schema.additions
    })
  )
}

const inspectWith = (check: typeof checkWholly | typeof checkQuickly) => (file: string) =>
  Effect.gen(function* () {
    yield* requireLibraryFile(file)
    const lost = yield* checkLog(file)
    // SQLite reads a truncated library as an empty database.
    const isEmpty = (version: number) => version === 0 && existsSync(creationMarkerPath(file))
    const found = yield* queryFile(file, (ask, unchanging) =>
      Effect.flatMap(check({ file, ask, unchanging }), (checked) =>
        isEmpty(checked.version)
          ? new LibraryMissing({ file, isEmpty: true, was: true })
          : countAll(ask, file, checked)
      )
    )
    return { ...found, lost } satisfies Inspection
  })

/** Checks a library with everything SQLite has (3.5 s at 100,000 links); safe while the service runs; changes nothing. */
export const inspect = Effect.fn("Inspection.inspect")(inspectWith(checkWholly))

/** Runs `inspect` without the internals of the search indexes, in a tenth of the time. */
export const quickInspect = Effect.fn("Inspection.inspectQuickly")(inspectWith(checkQuickly))

export interface StoredEmbedder {
  readonly name: string
  readonly dimensions: number
  readonly vectors: number
}

/** The embedders of a library's vectors, the one with the most first; empty if the file cannot be read. */
export const storedEmbedders = (file: string): Effect.Effect<ReadonlyArray<StoredEmbedder>> =>
  queryLibrary(file, (ask) =>
    ask<StoredEmbedder>(
      `SELECT name, dimensions, (SELECT count(*) FROM vectors WHERE embedder_id = embedders.id) AS vectors
       FROM embedders ORDER BY vectors DESC`
    )
  ).pipe(Effect.orElseSucceed(() => []))

/** Measures the library with counts over indexes only: a few milliseconds at 100,000 links. */
export const librarySize = Layer.effect(
  LibrarySize,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    // Not decoded: counts and products of integers are always numbers.
    const counts = sql<Sizes>`SELECT (SELECT count(*) FROM links) AS links,
        (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size) AS bytes,
        (SELECT count(*) FROM inbox WHERE state = 'waiting') AS inbox_waiting,
        (SELECT count(*) FROM outbox) AS outbox_waiting`
    const nothing: Sizes = { links: 0, bytes: 0, inboxWaiting: 0, outboxWaiting: 0 }
    return {
      read: Effect.map(Effect.orDie(counts), ([found = nothing]) => found).pipe(
        Effect.withSpan("LibrarySize.read")
      )
    }
  })
)
