import { Effect } from "effect"
import { DatabaseDamaged, DatabaseTooNew, NotALibrary, SchemaAltered } from "./DatabaseErrors.ts"
import type { Ask } from "./ReadOnlyFile.ts"
import {
  known,
  type SchemaObject,
  SELECT_SCHEMA,
  searchIndexes,
  searchTables,
  shadowTables
} from "./Schema.ts"
import { checkSchema, type SchemaFindings } from "./SchemaCheck.ts"

/** So much of what SQLite complains about is kept. */
const MOST_PROBLEMS = 10

/** The first column of every row, whatever SQLite calls it. */
const lines = (rows: ReadonlyArray<object>) => rows.map((row) => String(Object.values(row)[0]))

/** What SQLite finds wrong with one part, or with all; a part it cannot walk through is wrong. */
const problemsOf = (ask: Ask, check: string) =>
  ask(check).pipe(
    Effect.map((rows) => lines(rows).filter((line) => line !== "ok")),
    Effect.catchTag("DatabaseDamaged", ({ problems }) => Effect.succeed(problems))
  )

const problemsIn = (ask: Ask, tables: ReadonlyArray<string>) =>
  Effect.map(
    Effect.forEach(tables, (table) =>
      problemsOf(ask, `PRAGMA quick_check('${table.replaceAll("'", "''")}')`)
    ),
    (problems) => problems.flat().slice(0, MOST_PROBLEMS)
  )

const namesIn = (ask: Ask, where = "true") =>
  Effect.map(ask<{ name: string }>(`SELECT name FROM sqlite_schema WHERE ${where}`), (rows) =>
    rows.map(({ name }) => name)
  )

const lacking = (ask: Ask, wanted: ReadonlyArray<string>) =>
  Effect.map(namesIn(ask), (names) =>
    wanted.filter((name) => !names.includes(name)).map((name) => `${name} is missing`)
  )

/** What is wrong with the ordinary tables: those beneath the search indexes, and all others. */
const inTables = Effect.fnUntraced(function* (ask: Ask, version: number) {
  const shadows = shadowTables(version)
  const tables = yield* namesIn(ask, "type = 'table' AND rootpage > 0")
  const missing = yield* lacking(ask, [...searchTables(version), ...shadows])
  const beneath = yield* problemsIn(
    ask,
    tables.filter((name) => shadows.includes(name))
  )
  const others = yield* problemsIn(ask, [
    "sqlite_schema",
    ...tables.filter((name) => !shadows.includes(name))
  ])
  return { index: [...missing, ...beneath], others }
})

/** The version of a library; 0 for a database in which nothing has been made yet. */
export const versionOf = Effect.fnUntraced(function* (file: string, ask: Ask) {
  const names = yield* namesIn(ask, "name NOT LIKE 'sqlite_%'")
  const isNew = names.every((name) => name === "effect_sql_migrations")
  if (!isNew && !(names.includes("effect_sql_migrations") && names.includes("links")))
    return yield* new NotALibrary({ file, found: "other database" })
  if (names.length === 0) return 0
  const [row] = yield* ask<{ found: number | null }>(
    "SELECT max(migration_id) AS found FROM effect_sql_migrations"
  )
  const found = row?.found ?? 0
  return found > known ? yield* new DatabaseTooNew({ file, found, known }) : found
})

/** What a check of a sound library found. */
export interface Checked {
  readonly version: number
  readonly schema: SchemaFindings
}

/** Refuses a library whose schema is not the one of its version, before a row is read through it. */
const soundSchema = Effect.fnUntraced(function* (file: string, ask: Ask) {
  const version = yield* versionOf(file, ask)
  if (version === 0) return { version, schema: { problems: [], missingIndexes: [], additions: [] } }
  const schema = yield* checkSchema(version, yield* ask<SchemaObject>(SELECT_SCHEMA))
  if (schema.problems.length > 0) return yield* new SchemaAltered({ file, problems: schema.problems })
  return { version, schema }
})

/**
 * Walks over every table, which finds pages that were overwritten or cut off. At 100,000 links
 * (800 MB) it takes a tenth of `checkWholly`.
 */
export const checkQuickly = Effect.fn("FileChecks.quickly")(function* (file: string, ask: Ask) {
  const checked = yield* soundSchema(file, ask)
  const { index, others } = yield* inTables(ask, checked.version)
  const problems = others.length > 0 ? others : index
  if (problems.length > 0)
    return yield* new DatabaseDamaged({ file, problems, onlyIndex: others.length === 0 })
  return checked satisfies Checked
})

/** Checks all that SQLite can, the insides of the search indexes included, and that nothing is missing. */
export const checkWholly = Effect.fn("FileChecks.wholly")(function* (file: string, ask: Ask) {
  const checked = yield* soundSchema(file, ask)
  const { version } = checked
  const search = [...searchTables(version), ...shadowTables(version)]
  const found = yield* problemsOf(ask, `PRAGMA integrity_check(${MOST_PROBLEMS})`)
  const { index, others } =
    found.length > 0 ? yield* inTables(ask, version) : { index: yield* lacking(ask, search), others: [] }
  const problems = [...found, ...index]
  if (problems.length === 0) return checked satisfies Checked
  const isInside = searchIndexes(version).some((name) => found.some((line) => line.includes(name)))
  return yield* new DatabaseDamaged({
    file,
    problems: problems.slice(0, MOST_PROBLEMS),
    onlyIndex: others.length === 0 && (index.length > 0 || isInside)
  })
})
