import { rmSync, writeFileSync } from "node:fs"
import { SqlClient } from "@effect/sql"
import { SqliteClient } from "@effect/sql-sqlite-bun"
import { Data, Effect } from "effect"
import { APPLICATION_ID } from "../../../migrations/0001_library.ts"
import { temporaryFor } from "../../runtime/ReplaceFile.ts"
import type { TaskKind } from "../jobs/TaskStore.ts"
import { newLibrary } from "../NewLibrary.ts"
import { readNumber } from "../Rows.ts"
import { LATEST_VERSION } from "../Schema.ts"
import { copyRows } from "./CopyRows.ts"
import { rebuildIndexes } from "./Indexes.ts"
import { LINKS_WITHOUT_VECTOR, queryLibrary } from "./Inspection.ts"
import type { RunQuery } from "./ReadOnlyFile.ts"
import { NotCopied, reasonOf, writeSnapshot } from "./Snapshot.ts"

/** Copies libraries from before the first release. To be deleted after it, with `LibraryOutdated` and `convert`. */

/** The schemas that differ from the first release's only by tables and columns that have a default. */
const [FIRST, LAST] = [33, 40]

/** Tables whose content is made again, or belongs to the file. */
const LEFT = ["effect_sql_migrations", "spellings"]

const millisOf = (column: string) => `CAST(round(unixepoch(${column}, 'subsec') * 1000) AS INTEGER)`

/** Work of earlier tables as tasks. A page that ended the program twice waited an hour for its last try. */
const queues = (
  hasRetried: boolean
): ReadonlyArray<readonly [table: string, kind: TaskKind, columns: string, order: string]> => {
  const lastTry = `${millisOf("spared_at")} + 3600000`
  return [
    ["reading_queue", "read", "link_id, iif(held, NULL, 0), 0, starts", "place"],
    [
      "spared_links",
      "suspect",
      `link_id, ${hasRetried ? `iif(retried, NULL, ${lastTry})` : lastTry}, 0, 0`,
      "spared_at, link_id"
    ],
    ["archive_queue", "archive", "link_id, next_at, attempts, 0", "next_at"],
    ["weekly_highlights", "highlights", `chat_id, ${millisOf("next_at")}, 0, 0`, "next_at"]
  ]
}

export class NotConvertible extends Data.TaggedError("NotConvertible")<{
  readonly file: string
  readonly reason: string
}> {
  override get message() {
    return `${this.file} cannot be converted: ${this.reason}.`
  }
}

const earlierVersion = Effect.fnUntraced(function* (file: string, ask: RunQuery) {
  const [header] = yield* ask<{ application_id: number }>("PRAGMA application_id")
  if (header?.application_id === APPLICATION_ID)
    return yield* new NotConvertible({ file, reason: "it has the schema of the release already" })
  const tables = yield* ask(
    "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name IN ('links', 'effect_sql_migrations')"
  )
  if (tables.length < 2)
    return yield* new NotConvertible({ file, reason: "it is not a library of Linkbower" })
  const [row] = yield* ask<{ found: number }>("SELECT max(migration_id) AS found FROM effect_sql_migrations")
  const found = row?.found ?? 0
  if (found >= FIRST && found <= LAST) return found
  return yield* new NotConvertible({
    file,
    reason: `it has version ${found}, and only versions ${FIRST} to ${LAST} can be. Start it once with the program of version ${LAST}`
  })
})

/** Brings the records of changes into the one journal, those of the chat included. */
const journal = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE changes SET author = iif(import IS NULL, 'job', 'import') WHERE import IS NOT NULL OR automatic = 1`
  const links = sql`source.change_links v JOIN changes c ON c.id = v.change_id`
  const place = (isMoved: string) =>
    sql`iif(v.wrote IS NULL AND c.import IS NULL, json_object('place', iif(c.kind = ${isMoved}, 'trash', 'library')),`
  yield* sql`INSERT INTO change_rows (change_id, kind, key, before, after)
    SELECT change_id, 'link', link_id, ${place("restore")} v.before), ${place("trash")} v.wrote)
    FROM ${links} WHERE pending = 0`
  yield* sql`INSERT INTO change_work (change_id, link_id, work)
    SELECT change_id, link_id, iif(v.wrote IS NULL, json_object('move', c.kind), v.wrote) FROM ${links} WHERE pending = 1`
  yield* sql`INSERT INTO change_rows (change_id, kind, key, before, after)
    SELECT change_id, kind, key, before, wrote FROM source.change_things`
  const told = sql`SELECT id, created_at, text ->> 'token' AS token, text -> 'change' AS label, iif(is_open, id, NULL) AS told
    FROM (SELECT id, created_at, coalesce(request ->> 'change', request ->> 'undone') AS text,
      request ->> 'change' IS NOT NULL AS is_open FROM chat_lists) WHERE text IS NOT NULL`
  yield* sql`UPDATE changes SET label = r.label, told = r.told FROM (${told}) AS r WHERE r.token = changes.token`
  yield* sql`INSERT INTO changes (token, kind, finished, author, created_at, label, told)
    SELECT lower(hex(randomblob(16))), 'delete', 1, 'bot', created_at, label, told FROM (${told})
    WHERE token IS NULL AND told IS NOT NULL`
  yield* sql`DELETE FROM chat_lists WHERE coalesce(request ->> 'change', request ->> 'undone') IS NOT NULL`
})

const derive = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Earlier rules may have made them.
  yield* sql`UPDATE page_keys SET key = NULL`
  // Vectors were float32 once. Without its values, a vector is made again.
  yield* sql`DELETE FROM vector_floats WHERE length(floats) <> 2 * (SELECT dimensions FROM embedders e WHERE e.id = embedder_id)`
  yield* sql.unsafe(`INSERT INTO embedding_queue (link_id) SELECT id FROM (${LINKS_WITHOUT_VECTOR})`)
  yield* journal
  const old = sql`FROM public_vectors WHERE length(floats) <> 2 * length(codes)`
  yield* sql`INSERT OR IGNORE INTO public_embedding_queue (link_id) SELECT link_id ${old}`
  yield* sql`DELETE ${old}`
  const retried = yield* readNumber(
    sql`SELECT count(*) FROM pragma_table_info('spared_links', 'source') WHERE name = 'retried'`
  )
  for (const [table, kind, columns, order] of queues(retried > 0))
    yield* sql.unsafe(`INSERT INTO tasks (kind, subject, due_at, attempts, starts)
      SELECT '${kind}', ${columns} FROM source."${table}" ORDER BY ${order}`)
  yield* rebuildIndexes(LATEST_VERSION)
})

type Carried = ReadonlyArray<readonly [table: string, rows: number]>

const copyAll = Effect.fnUntraced(function* (from: string) {
  const sql = yield* SqlClient.SqlClient
  const copied = yield* copyRows(from, LEFT, derive)
  const queued = yield* Effect.forEach(queues(true), ([table, kind]) =>
    Effect.map(
      readNumber(sql`SELECT count(*) FROM tasks WHERE kind = ${kind}`),
      (rows) => [table, rows] as const
    )
  )
  const carried: Carried = [...copied, ...queued]
  for (const [table, rows] of carried) {
    const there = yield* readNumber(sql.unsafe(`SELECT count(*) FROM source."${table}"`))
    if (there !== rows)
      return yield* new NotConvertible({
        file: from,
        reason: `${rows} of ${there} rows of ${table} were copied`
      })
  }
  return carried
})

/** Writes everything in `from`, which may be in use, to the new file `to`; returns its inspection and the rows carried. */
export const convert = Effect.fn("Convert.convert")(function* (from: string, to: string) {
  const version = yield* queryLibrary(from, (ask) => earlierVersion(from, ask))
  const copy = temporaryFor(to)
  let carried: Carried = []
  const write = (temporary: string) =>
    Effect.gen(function* () {
      yield* queryLibrary(from, (ask) => ask("VACUUM INTO ?", copy))
      yield* Effect.try(() => writeFileSync(temporary, newLibrary()))
      carried = yield* Effect.provide(
        copyAll(copy),
        SqliteClient.layer({ filename: temporary, disableWAL: true })
      )
    }).pipe(
      Effect.mapError((error) => new NotCopied({ file: to, reason: reasonOf(error) })),
      Effect.ensuring(Effect.sync(() => rmSync(copy, { force: true })))
    )
  const made = yield* writeSnapshot(to, write, { replace: false })
  return { ...made, from: version, carried }
})
