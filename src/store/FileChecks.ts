import { Effect } from "effect"
import { DatabaseDamaged, DatabaseTooNew, NotALibrary } from "./DatabaseErrors.ts"
import type { Ask } from "./ReadOnlyFile.ts"
import { known, schemaOf, searchIndexes, searchTables, shadowTables } from "./Schema.ts"

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

/**
 * Walks over every table, which finds pages that were overwritten or cut off. Gives the version. At 100,000 links
 * (800 MB) it takes a tenth of `checkWholly`.
 */
export const checkQuickly = Effect.fn("FileChecks.quickly")(function* (file: string, ask: Ask) {
  const version = yield* versionOf(file, ask)
  const { index, others } = yield* inTables(ask, version)
  const problems = others.length > 0 ? others : index
  if (problems.length > 0)
    return yield* new DatabaseDamaged({ file, problems, onlyIndex: others.length === 0 })
  return version
})

/** Checks all that SQLite can, the insides of the search indexes included, and that nothing is missing. Gives the version. */
export const checkWholly = Effect.fn("FileChecks.wholly")(function* (file: string, ask: Ask) {
  const version = yield* versionOf(file, ask)
  const search = [...searchTables(version), ...shadowTables(version)]
  const schema = (yield* schemaOf(version)).map(({ name }) => name)
  const missing = yield* lacking(
    ask,
    schema.filter((name) => !search.includes(name))
  )
  const found = yield* problemsOf(ask, `PRAGMA integrity_check(${MOST_PROBLEMS})`)
  const { index, others } =
    found.length > 0 ? yield* inTables(ask, version) : { index: yield* lacking(ask, search), others: [] }
  const problems = [...missing, ...found, ...index]
  if (problems.length === 0) return version
  const isInside = searchIndexes(version).some((name) => found.some((line) => line.includes(name)))
  return yield* new DatabaseDamaged({
    file,
    problems: problems.slice(0, MOST_PROBLEMS),
    onlyIndex: missing.length + others.length === 0 && (index.length > 0 || isInside)
  })
})
