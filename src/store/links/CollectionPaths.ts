import type { SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import { Array, DateTime, Effect, Schema } from "effect"
import type { CollectionRef } from "../../domain/Link.ts"
import { normalizeCollectionPath, parentPath, pathsTo } from "../../shared/CollectionPath.ts"
import { fragment } from "../Fragment.ts"
import { decodeRows, readNumbers, readRows, readTexts } from "../Rows.ts"

/** SQL expression for the numbers of the collections that `roots` selects and of all those inside them, as a list. */
export const insideOf = (roots: Fragment): Fragment =>
  fragment`(WITH RECURSIVE inside (id) AS (
    ${roots} UNION SELECT inner_one.id FROM inside JOIN collections AS inner_one ON inner_one.parent_id = inside.id
  ) SELECT id FROM inside)`

/** SQL for a new collection's place: the last of siblings ordered by hand, else 0, which orders by name. */
export const lastPosition = (parent: string): string =>
  `(SELECT iif(max(s.position) > 0, max(s.position) + 1, 0) FROM collections s WHERE s.parent_id IS ${parent})`

/** Returns those of these paths, of collections that exist or not, where filing a link would share it. */
export const sharedAmong = Effect.fn("CollectionPaths.sharedAmong")(function* (
  sql: SqlClient.SqlClient,
  paths: ReadonlyArray<string>
) {
  // Whatever is inside a shared collection is shared; one that was renamed or merged has other names, too.
  const around = JSON.stringify(Array.dedupe(paths.flatMap(pathsTo)))
  const found = yield* readTexts(sql`SELECT value FROM json_each(${around}) WHERE EXISTS (
      SELECT 1 FROM collections c WHERE c.shared = 1 AND (c.name = value OR c.id IN (
        SELECT CAST(target AS INTEGER) FROM aliases a WHERE a.kind = 'collection' AND a.name = value)))`)
  const shared = new Set(found)
  return new Set(paths.filter((path) => pathsTo(path).some((one) => shared.has(one))))
})

const decodeParents = decodeRows(Schema.Struct({ id: Schema.Int, shared: Schema.Int }))
const decodePaths = decodeRows(Schema.Struct({ path: Schema.String, target: Schema.NullOr(Schema.String) }))

/** Replaces other names of the collections around missing paths: the renamed or merged one receives new ones too. */
const withoutOldNames = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  missing: ReadonlyArray<string>
) {
  const outer = Array.dedupe(missing.flatMap(pathsTo))
  // A path that is a collection stands for itself.
  const known = yield* decodePaths(
    sql`SELECT w.value AS path, iif(c.id IS NULL, t.name, NULL) AS target FROM json_each(${JSON.stringify(outer)}) AS w
      LEFT JOIN collections c ON c.name = w.value
      LEFT JOIN aliases a ON a.kind = 'collection' AND a.name = w.value
      LEFT JOIN collections t ON t.id = CAST(a.target AS INTEGER)
      WHERE c.id IS NOT NULL OR t.id IS NOT NULL`
  )
  const targets = new Map(known.map(({ path, target }) => [path, target]))
  return new Map(
    missing.map((name) => {
      const around = pathsTo(name).findLast((path) => targets.has(path))
      const target = around === undefined ? null : (targets.get(around) ?? null)
      const renamed =
        target === null ? null : normalizeCollectionPath(`${target}${name.slice(around?.length ?? 0)}`)
      return [name, renamed ?? name] as const
    })
  )
})

const readNamed = readRows(Schema.Struct({ wanted: Schema.String, id: Schema.Int, name: Schema.String }))

/**
 * The collections of these normalized paths by the names asked for, in the caller's transaction; creates missing ones and
 * those around them, and returns their numbers, outermost first.
 */
export const ensureCollections = Effect.fn("CollectionPaths.ensureCollections")(function* (
  sql: SqlClient.SqlClient,
  names: ReadonlyArray<string>
) {
  const named = (json: string) =>
    readNamed(sql`SELECT w.value AS wanted, c.id, c.name FROM json_each(${json}) AS w
      JOIN collections c ON c.name = w.value`)
  const wanted = Array.dedupe(names)
  const byName = new Map<string, CollectionRef>()
  const made: Array<number> = []
  const collect = (rows: ReadonlyArray<CollectionRef & { readonly wanted: string }>) => {
    for (const { id, name, wanted: asked } of rows) byName.set(asked, { id, name })
  }
  collect(yield* named(JSON.stringify(wanted)))
  const missing = wanted.filter((name) => !byName.has(name))
  if (missing.length > 0) {
    const now = DateTime.formatIso(yield* DateTime.now)
    const renamed = yield* withoutOldNames(sql, missing)
    // Shorter paths come first, so that a collection's parent exists before it does.
    const paths = Array.dedupe([...renamed.values()].flatMap(pathsTo)).sort((a, b) => a.length - b.length)
    for (const path of paths) {
      const parent = parentPath(path)
      // Read apart: a join with the table that is written would take four times as long as the rest.
      const [up] =
        parent === null
          ? []
          : yield* decodeParents(sql`SELECT id, shared FROM collections WHERE name = ${parent}`)
      const created = yield* readNumbers(
        sql`INSERT INTO collections (name, created_at, parent_id, shared, position)
          SELECT ${path}, ${now}, ${up?.id ?? null}, ${up?.shared ?? 0},
            ${sql.literal(lastPosition(String(up?.id ?? "NULL")))}
          WHERE NOT EXISTS (SELECT 1 FROM collections same WHERE same.name = ${path}) RETURNING id`
      )
      made.push(...created)
    }
    collect(yield* named(JSON.stringify([...new Set(renamed.values())])))
    for (const [name, path] of renamed) {
      const found = byName.get(path)
      if (found !== undefined) byName.set(name, found)
    }
  }
  return { byName, made }
})

export const IS_EMPTY_COLLECTION = `NOT EXISTS (SELECT 1 FROM links WHERE collection_id = collections.id)
  AND NOT EXISTS (SELECT 1 FROM collections AS inner_one WHERE inner_one.parent_id = collections.id)`
