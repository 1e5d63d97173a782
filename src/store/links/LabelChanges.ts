import type { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { ownName, parentPath, pathWithin } from "../../shared/CollectionPath.ts"
import { shortened } from "../../shared/Text.ts"
import { fragment, listOf } from "../Fragment.ts"
import { renewHighlighted } from "../pages/HighlightRows.ts"
import { decodeRows, readFlag, readNumbers, readRows, readTexts } from "../Rows.ts"
import { ensureCollections, insideOf } from "./CollectionPaths.ts"
import { imageOf, type LabelKind, recordCreated, recorded, remember, tables } from "./Journal.ts"

type Value = string | number | null
type Row = Readonly<Record<string, Value>>

const RowJson = Schema.parseJson(
  Schema.Record({ key: Schema.String, value: Schema.Union(Schema.String, Schema.Number, Schema.Null) })
)
const LabelChange = Schema.Struct({
  kind: Schema.Literal("collection", "alias", "search", "highlight"),
  key: Schema.String,
  before: Schema.NullOr(RowJson),
  after: Schema.NullOr(RowJson)
})
type LabelChange = typeof LabelChange.Type
const readLabelChange = readRows(LabelChange)

const decodeImages = decodeRows(Schema.Struct({ image: Schema.NullOr(RowJson) }))

/** How a collection goes once a change's links are done: only if `empty`, or after its later links are `moved`. */
type Removal = { readonly removal: "empty" } | { readonly removal: "moved"; readonly into: number | null }

const doomedBy = (change: number) =>
  fragment`(SELECT CAST(key AS INTEGER) FROM change_rows
    WHERE change_id = ${change} AND kind = 'collection' AND after ->> 'removal' IS NOT NULL)`

/** Returns the name of a collection that is to be removed, where another one is to have its name before that. */
export const nameInLeaving = (name: string, id: number): string => `${name} (deleted ${id})`

export const removeLater = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  change: number,
  id: number,
  removal: Removal
) {
  yield* remember(sql, change, "collection", [id])
  yield* sql`UPDATE change_rows SET after = ${JSON.stringify(removal)}
    WHERE change_id = ${change} AND kind = 'collection' AND key = ${String(id)}`
})

const decodePending = decodeRows(
  Schema.Struct({ id: Schema.Int, removal: Schema.String, target: Schema.NullOr(Schema.Int) })
)

/** Returns the collections that the change still has to remove, innermost first; one without `into` stays unless empty. */
export const pendingRemovals = (sql: SqlClient.SqlClient, change: number) =>
  Effect.map(
    decodePending(
      sql`SELECT c.id, after ->> 'removal' AS removal, after ->> 'into' AS target FROM change_rows
        JOIN collections c ON c.id = CAST(key AS INTEGER)
        WHERE change_id = ${change} AND kind = 'collection' AND after ->> 'removal' IS NOT NULL
        ORDER BY length(c.name) - length(replace(c.name, ' / ', '')) DESC`
    ),
    (rows) => rows.map(({ id, removal, target }) => ({ id, into: removal === "empty" ? undefined : target }))
  )

export const endRemovals = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, change: number) {
  const isPending = sql`change_id = ${change} AND kind = 'collection' AND after ->> 'removal' IS NOT NULL`
  yield* sql`DELETE FROM change_rows WHERE ${isPending}
    AND EXISTS (SELECT 1 FROM collections c WHERE c.id = CAST(key AS INTEGER))`
  yield* sql`UPDATE change_rows SET after = NULL WHERE ${isPending}`
})

const decodeInner = decodeRows(Schema.Struct({ id: Schema.Int, name: Schema.String }))

const decodeTree = decodeRows(
  Schema.Struct({
    id: Schema.Int,
    name: Schema.String,
    parentId: Schema.NullOr(Schema.Int),
    shareable: Schema.Int,
    shared: Schema.Int
  })
)

/** Derives paths and what is shared from names and parents, below these collections; records and returns the new paths. */
export const renewTree = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  change: number,
  roots: ReadonlyArray<number>
) {
  const rows = yield* decodeTree(
    sql`SELECT id, name, parent_id, shareable, shared FROM collections
      WHERE id IN ${insideOf(sql`SELECT value FROM json_each(${JSON.stringify(roots)})`)}
      AND id NOT IN ${doomedBy(change)}`
  )
  const inTree = new Map(rows.map((row) => [row.id, row]))
  const above = yield* decodeTree(
    sql`SELECT id, name, parent_id, shareable, shared FROM collections WHERE id IN ${listOf(rows.flatMap(({ parentId }) => (parentId === null || inTree.has(parentId) ? [] : [parentId])))}`
  )
  const done = new Map(above.map(({ id, name, shared }) => [id, { path: name, shared }]))
  const renewed = (id: number): { readonly path: string; readonly shared: number } | undefined => {
    const known = done.get(id)
    const row = inTree.get(id)
    if (known !== undefined || row === undefined) return known
    const parent = row.parentId === null ? undefined : renewed(row.parentId)
    const now = {
      path: pathWithin(parent?.path ?? null, ownName(row.name)),
      shared: Math.max(row.shareable, parent?.shared ?? 0)
    }
    done.set(id, now)
    return now
  }
  const changed = rows.flatMap((row) => {
    const now = renewed(row.id)
    return now === undefined || (now.path === row.name && now.shared === row.shared)
      ? []
      : [{ id: row.id, ...now }]
  })
  // Outer collections come first, so that no path is taken when it is written.
  changed.sort((a, b) => a.path.length - b.path.length)
  const keys = changed.map(({ id }) => id)
  yield* recorded(
    sql,
    change,
    "collection",
    keys,
    Effect.forEach(
      changed,
      ({ id, path, shared }) =>
        sql`UPDATE collections SET name = ${path}, shared = ${shared} WHERE id = ${id}`,
      { discard: true }
    )
  )
  return rows.flatMap(({ id }) => renewed(id)?.path ?? [])
})

export const touchesLabels = (sql: SqlClient.SqlClient, token: string) =>
  readFlag(
    sql`SELECT 1 FROM change_rows WHERE change_id = (SELECT id FROM changes WHERE token = ${token})
      AND kind <> 'link' LIMIT 1`
  )

/** The columns that follow from others, and so are neither compared nor restored by themselves. */
const DERIVED: ReadonlyArray<string> = ["shared", "start_at", "end_at", "lost", "updated_at"]

const textOf = (row: Row | null, column: string): string => String(row?.[column] ?? "")

/** A collection's path follows from its parents, so only its own name is compared. */
const ownValue = (kind: LabelKind, column: string, row: Row): Value =>
  kind === "collection" && column === "name" ? ownName(textOf(row, "name")) : (row[column] ?? null)

const nameOf = ({ before, kind, after }: LabelChange): string => {
  const name = textOf(after ?? before, "name")
  switch (kind) {
    case "collection":
      return `the collection “${name}”`
    case "alias":
      return `the other name “${name}”`
    case "search":
      return `the saved search “${name}”`
    case "highlight":
      return `the highlight “${shortened(textOf(after ?? before, "quote"), 60)}”`
  }
}

/**
 * Restores the things of change `original` as part of change `reverse`: each column that the change has written, created
 * things go, and removed ones return with their numbers. A thing that has changed since is a clash, and stays as it is
 * with `keepsChanged`; where it has lost its place meanwhile, a restored one gets another. `clashes` names those that have
 * changed since; `empties`: links are to leave a collection that is to be removed.
 */
export const undoLabels = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  original: { readonly id: number; readonly hasLinks: boolean; readonly keepsChanged?: boolean },
  reverse: number
) {
  const clashes: Array<string> = []
  const collections: Array<number> = []
  let empties = false
  /** The collections that the change has created, which give up their names. */
  const leaving = new Set<string>()

  const imageNow = (kind: LabelKind, key: string) =>
    Effect.map(
      decodeImages(
        sql`SELECT ${sql.literal(imageOf(kind, "k.value"))} AS image FROM json_each(${JSON.stringify([key])}) AS k`
      ),
      ([row]) => row?.image ?? null
    )

  const write = (kind: LabelKind, row: Row) => {
    const { columns, primaryKey, table } = tables[kind]
    const values = columns.map((column) => sql`${row[column] ?? null}`)
    const updates = columns.map((column) => `${column} = excluded.${column}`).join(", ")
    return sql`INSERT INTO ${sql.literal(table)} (${sql.literal(columns.join(", "))}) VALUES (${sql.join(", ", false)(values)})
      ON CONFLICT (${sql.literal(primaryKey)}) DO UPDATE SET ${sql.literal(updates)}`
  }

  const freeName = Effect.fnUntraced(function* (kind: "collection" | "search", name: string, id: string) {
    const { table } = tables[kind]
    for (let number = 1; ; number++) {
      const candidate = number === 1 ? name : `${name} (${number})`
      const [taken] = yield* readNumbers(
        sql`SELECT id FROM ${sql.literal(table)} WHERE name = ${candidate} AND id <> ${Number(id)}`
      )
      if (taken === undefined) return candidate
      if (kind === "collection" && leaving.has(String(taken))) {
        yield* remember(sql, reverse, kind, [taken])
        yield* sql`UPDATE collections SET name = ${nameInLeaving(candidate, taken)} WHERE id = ${taken}`
        return candidate
      }
    }
  })

  /** Returns the parent that a collection is to have: the one it had, or another one at the same path. */
  const parentOf = Effect.fnUntraced(function* (id: string, target: Row, now: Row | null) {
    const wanted = target["parent_id"] ?? null
    const path = parentPath(textOf(target, "name"))
    if (wanted === null && (now !== null || path === null)) return { parent: null, isOther: false }
    const inside = yield* readNumbers(sql`SELECT id FROM ${insideOf(sql`SELECT ${Number(id)}`)}`)
    if (wanted !== null && inside.includes(Number(wanted)))
      return { parent: now?.["parent_id"] ?? null, isOther: true }
    const [found] = yield* readNumbers(sql`SELECT id FROM collections WHERE id = ${Number(wanted)}`)
    if (found !== undefined) return { parent: found, isOther: false }
    if (path === null) return { parent: null, isOther: true }
    const { byName, made } = yield* ensureCollections(sql, [path])
    yield* recordCreated(sql, reverse, "collection", made)
    return { parent: byName.get(path)?.id ?? null, isOther: wanted !== null }
  })

  const restore = Effect.fnUntraced(function* (thing: LabelChange, now: Row | null, target: Row) {
    const { key, kind } = thing
    if (kind === "alias" || kind === "highlight") return yield* write(kind, target)
    if (kind === "search") {
      const name = yield* freeName(kind, textOf(target, "name"), key)
      if (name !== target["name"]) clashes.push(nameOf(thing))
      return yield* write(kind, { ...target, name })
    }
    const { isOther, parent } = yield* parentOf(key, target, now)
    const [outer = null] = yield* readTexts(sql`SELECT name FROM collections WHERE id = ${parent}`)
    const wanted = pathWithin(outer, ownName(textOf(target, "name")))
    const name = yield* freeName(kind, wanted, key)
    if (isOther || name !== wanted) clashes.push(nameOf(thing))
    collections.push(Number(key))
    return yield* write(kind, { ...target, name, parent_id: parent })
  })

  const moveInnerUp = Effect.fnUntraced(function* (id: number, parent: Value) {
    const [outer = null] = yield* readTexts(sql`SELECT name FROM collections WHERE id = ${parent}`)
    const inner = yield* decodeInner(sql`SELECT id, name FROM collections WHERE parent_id = ${id}
      AND id NOT IN ${doomedBy(reverse)} ORDER BY id`)
    for (const one of inner) {
      const name = yield* freeName("collection", pathWithin(outer, ownName(one.name)), String(one.id))
      yield* recorded(
        sql,
        reverse,
        "collection",
        [one.id],
        sql`UPDATE collections SET parent_id = ${parent}, name = ${name} WHERE id = ${one.id}`
      )
      collections.push(one.id)
    }
  })

  const writtenOf = ({ before, kind, after }: LabelChange) =>
    tables[kind].columns.filter(
      (column) =>
        !DERIVED.includes(column) &&
        (before === null ||
          after === null ||
          ownValue(kind, column, before) !== ownValue(kind, column, after))
    )

  const undoOne = Effect.fnUntraced(function* (thing: LabelChange, now: Row | null) {
    const { before, key, kind, after } = thing
    const written = writtenOf(thing)
    const differs =
      after === null || now === null
        ? after !== now
        : written.some((column) => ownValue(kind, column, now) !== ownValue(kind, column, after))
    if (before === null) {
      if (now === null) return
      if (kind === "collection") {
        // A collection that only received links with the change stays while it is in use.
        if (original.hasLinks) return yield* removeLater(sql, reverse, Number(key), { removal: "empty" })
        const isInUse =
          yield* readFlag(sql`SELECT EXISTS (SELECT 1 FROM links WHERE collection_id = ${Number(key)})
          OR EXISTS (SELECT 1 FROM collections WHERE parent_id = ${Number(key)}
            AND id NOT IN ${doomedBy(reverse)})`)
        if (isInUse) clashes.push(nameOf(thing))
        empties = true
        yield* moveInnerUp(Number(key), now["parent_id"] ?? null)
        return yield* removeLater(sql, reverse, Number(key), { removal: "moved", into: null })
      }
      if (differs) clashes.push(nameOf(thing))
      if (differs && original.keepsChanged) return
      const { hasKey, table } = tables[kind]
      const isIt = hasKey(`'${key.replaceAll("'", "''")}'`)
      const remove = sql`DELETE FROM ${sql.literal(table)} AS t WHERE ${sql.literal(isIt)}`
      return yield* recorded(sql, reverse, kind, [key], remove)
    }
    if (differs) clashes.push(nameOf(thing))
    if (differs && original.keepsChanged) return
    // A highlight that returns to its link returns to its place in that page.
    const isMoved = kind === "highlight" && written.includes("link_id")
    if (isMoved) written.push("start_at", "end_at", "lost")
    const target: Row =
      now === null
        ? before
        : { ...now, ...Object.fromEntries(written.map((column) => [column, before[column] ?? null])) }
    yield* recorded(sql, reverse, kind, [key], restore(thing, now, target))
  })

  // Outer collections are restored first, because the inner ones refer to them; those that the change has created leave
  // last, the inner ones first.
  const things = [
    ...(yield* readLabelChange(
      sql`SELECT kind, key, before, after FROM change_rows WHERE change_id = ${original.id} AND kind <> 'link'`
    ))
  ].sort(
    (a, b) =>
      Number(a.before === null) - Number(b.before === null) ||
      (a.before === null
        ? textOf(b.after, "name").length - textOf(a.after, "name").length
        : textOf(a.before, "name").length - textOf(b.before, "name").length)
  )
  const rowsNow = new Map<LabelChange, Row | null>()
  for (const thing of things) {
    rowsNow.set(thing, yield* imageNow(thing.kind, thing.key))
    if (thing.kind === "collection" && thing.before === null) leaving.add(thing.key)
  }
  // Two collections can have each other's names: none keeps one that another is to have.
  for (const thing of things) {
    const isRenamed =
      thing.before !== null && writtenOf(thing).some((one) => one === "name" || one === "parent_id")
    if (thing.kind !== "collection" || !isRenamed) continue
    yield* remember(sql, reverse, "collection", [thing.key])
    yield* sql`UPDATE collections SET name = ${`(${thing.key})`} || char(0) WHERE id = ${Number(thing.key)}`
  }
  for (const thing of things) yield* undoOne(thing, rowsNow.get(thing) ?? null)
  yield* renewTree(sql, reverse, collections)
  const ofLinks = things.flatMap(({ before, kind, after }) =>
    kind === "highlight" ? [before, after].map((row) => Number(row?.["link_id"] ?? 0)) : []
  )
  yield* renewHighlighted(sql, [...new Set(ofLinks)])
  return { clashes, empties }
})
