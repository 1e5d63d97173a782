import { SqlClient, type SqlError } from "@effect/sql"
import { DateTime, Effect, Option, Schema } from "effect"
import { Collection, LabelNotFound, LabelRefused, PATH_RULE, PathTaken } from "../../domain/Label.ts"
import type { StoreUnavailable } from "../../domain/StoreUnavailable.ts"
import { Service } from "../../runtime/Services.ts"
import { normalizeCollectionPath, ownName, parentPath, pathWithin } from "../../shared/CollectionPath.ts"
import { firstRow, readNumber, readNumbers, readRows } from "../Rows.ts"
import { Transaction } from "../Transaction.ts"
import { valuesOf } from "./ChangeColumns.ts"
import { ChangeStore, type RecordedChange } from "./ChangeStore.ts"
import { ensureCollections, insideOf, lastPosition, sharedAmong } from "./CollectionPaths.ts"
import { recordCreated, recorded } from "./Journal.ts"
import { nameInLeaving, removeLater, renewTree } from "./LabelChanges.ts"
import { dropAliases, leaveAlias } from "./NameStore.ts"

interface Look {
  readonly description?: string | undefined
  readonly color?: string | null | undefined
  readonly icon?: string | null | undefined
}

/** A collection to create; `name` is its own name, or its path in `parent`. */
export interface NewCollection extends Look {
  readonly name: string
  readonly parent?: number | null | undefined
}

/** A `name` with steps is its whole new path, any other its own name. */
export interface CollectionEdit extends Look {
  readonly name?: string | undefined
  readonly parent?: number | null | undefined
  readonly shareable?: boolean | undefined
  /** Its place among the collections of its parent, counted from 0. */
  readonly order?: number | undefined
}

const Place = Schema.Struct({ id: Schema.Int, name: Schema.String, parentId: Schema.NullOr(Schema.Int) })
type Place = typeof Place.Type
const readPlaces = readRows(Place)

const readRow = readRows(
  Schema.Struct({
    ...Collection.fields,
    shareable: Schema.parseJson(Schema.Boolean),
    shared: Schema.parseJson(Schema.Boolean)
  })
)

const isSameName = (a: string, b: string) => ownName(a).toLowerCase() === ownName(b).toLowerCase()

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const changes = yield* ChangeStore
  const transaction = yield* Transaction

  const select = `SELECT id, name, parent_id AS parent, description, color, icon, position AS "order",
        json(iif(shareable, 'true', 'false')) AS shareable, json(iif(shared, 'true', 'false')) AS shared,
        (SELECT count(*) FROM links WHERE collection_id = c.id) AS count,
        (SELECT max(created_at) FROM links WHERE collection_id = c.id) AS last_used FROM collections c`

  const placeOf = Effect.fnUntraced(function* (id: number) {
    const [place] = yield* readPlaces(sql`SELECT id, name, parent_id FROM collections WHERE id = ${id}`)
    return place ?? (yield* new LabelNotFound({ kind: "collection", name: id }))
  })
  const placeAt = (path: string) =>
    firstRow(readPlaces(sql`SELECT id, name, parent_id FROM collections WHERE name = ${path}`))
  const innerOf = (parent: number | null) =>
    readPlaces(
      sql`SELECT id, name, parent_id FROM collections WHERE parent_id IS ${parent} ORDER BY position, name`
    )

  /** Derives paths and what is shared below these collections; refuses paths that are too long or too deep. */
  const renew = Effect.fnUntraced(function* (change: RecordedChange, roots: ReadonlyArray<number>) {
    const paths = yield* renewTree(sql, change.id, roots)
    if (paths.some((path) => normalizeCollectionPath(path) === null))
      return yield* new LabelRefused({ message: PATH_RULE })
    yield* changes.addShared(change)
  })

  const write = (
    change: RecordedChange,
    id: number,
    values: Readonly<Record<string, string | number | null>>
  ) =>
    recorded(
      sql,
      change.id,
      "collection",
      [id],
      sql`UPDATE collections SET ${sql.update(values)} WHERE id = ${id}`
    )

  /** Takes the name from a collection that is to be removed, if one inside it is to have the name. */
  const freeName = Effect.fnUntraced(function* (doomed: Place, names: ReadonlyArray<string>) {
    if (!names.some((name) => name.toLowerCase() === doomed.name.toLowerCase())) return
    yield* sql`UPDATE collections SET name = ${nameInLeaving(doomed.name, doomed.id)} WHERE id = ${doomed.id}`
  })

  /** Moves what is inside a doomed collection; one of the same name at the target takes it in. */
  const moveInner: (
    change: RecordedChange,
    from: Place,
    to: { readonly id: number | null; readonly name: string | null }
  ) => Effect.Effect<void, StoreUnavailable | SqlError.SqlError> = Effect.fnUntraced(
    function* (change, from, to) {
      const there = (yield* innerOf(to.id)).filter(({ id }) => id !== from.id)
      const inner = yield* innerOf(from.id)
      const paths = inner.map(({ name }) => pathWithin(to.name, ownName(name)))
      yield* freeName(from, paths)
      for (const [index, one] of inner.entries()) {
        const same = there.find(({ name }) => isSameName(name, one.name))
        if (same !== undefined) yield* mergeOne(change, one, same)
        else yield* write(change, one.id, { parentId: to.id, name: paths[index] ?? one.name })
      }
    }
  )

  const mergeOne = Effect.fnUntraced(function* (change: RecordedChange, from: Place, into: Place) {
    yield* removeLater(sql, change.id, from.id, { removal: "moved", into: into.id })
    yield* moveInner(change, from, into)
    yield* changes.addLinks(
      change,
      sql`links l WHERE l.collection_id = ${from.id}`,
      sql`json_set(${sql.literal(valuesOf(["collection"]))}, '$.collection', ${into.id})`
    )
    yield* sql`UPDATE trash SET collection_id = ${into.id} WHERE collection_id = ${from.id}`
    yield* leaveAlias(sql, change.id, "collection", {
      from: from.name,
      name: into.name,
      target: String(into.id),
      was: String(from.id)
    })
  })

  const insideNumbers = (id: number) => readNumbers(sql`SELECT id FROM ${insideOf(sql`SELECT ${id}`)}`)

  /** Moves the links and the collections inside into another collection, which the name then stands for. */
  const merge = Effect.fn("CollectionTree.merge")(function* (id: number, into: number) {
    const from = yield* placeOf(id)
    const target = yield* placeOf(into)
    if ((yield* insideNumbers(id)).includes(into))
      return yield* new LabelRefused({
        message: "A collection cannot be merged into itself or into one inside it. Choose another one."
      })
    const change = yield* changes.begin(["collection"])
    yield* mergeOne(change, from, target)
    yield* renew(change, [into])
    return change.token
  }, transaction)

  /** Returns the collection around a new path, creating those that are missing. */
  const around = Effect.fnUntraced(function* (change: RecordedChange, path: string) {
    const outer = parentPath(path)
    if (outer === null) return null
    const { byName, made } = yield* ensureCollections(sql, [outer])
    yield* recordCreated(sql, change.id, "collection", made)
    const found = byName.get(outer)
    return found === undefined ? null : yield* placeOf(found.id)
  })

  const normalPath = (path: string) => {
    const normal = normalizeCollectionPath(path)
    return normal === null ? new LabelRefused({ message: PATH_RULE }) : Effect.succeed(normal)
  }

  const create = Effect.fn("CollectionTree.create")(function* (given: NewCollection) {
    const { color = null, description = "", icon = null, name, parent = null } = given
    const outer = parent === null ? null : yield* placeOf(parent)
    const path = yield* normalPath(pathWithin(outer?.name ?? null, name))
    if (Option.isSome(yield* placeAt(path))) return yield* new PathTaken({ name: path })
    const change = yield* changes.begin([])
    const place = yield* around(change, path)
    const whole = pathWithin(place?.name ?? null, ownName(path))
    const createdAt = DateTime.formatIso(yield* DateTime.now)
    const [id] = yield* readNumbers(
      sql`INSERT INTO collections (name, created_at, parent_id, description, color, icon, shared, position)
            SELECT ${whole}, ${createdAt}, up.id, ${description}, ${color}, ${icon}, coalesce(up.shared, 0),
              ${sql.literal(lastPosition("up.id"))}
            FROM (SELECT 1) LEFT JOIN collections up ON up.id = ${place?.id ?? null}
            WHERE true ON CONFLICT (name) DO NOTHING RETURNING id`
    )
    if (id === undefined) return yield* new PathTaken({ name: whole })
    yield* recordCreated(sql, change.id, "collection", [id])
    yield* dropAliases(sql, change.id, "collection", sql`name = ${whole}`)
    return { id, token: change.token }
  }, transaction)

  /** Moves a collection to another place or gives it another name; none if another collection is there. */
  const move = Effect.fnUntraced(function* (change: RecordedChange, it: Place, edit: CollectionEdit) {
    const given = edit.name === undefined ? ownName(it.name) : yield* normalPath(edit.name)
    const isPath = parentPath(given) !== null
    if (isPath && edit.parent !== undefined)
      return yield* new LabelRefused({
        message: "Send either a whole path as the name, or a name and a parent."
      })
    const wanted = edit.parent === undefined ? it.parentId : edit.parent
    const outer = isPath ? yield* around(change, given) : wanted === null ? null : yield* placeOf(wanted)
    if (outer !== null && (yield* insideNumbers(it.id)).includes(outer.id))
      return yield* new LabelRefused({
        message: "A collection cannot be put into itself or into one inside it. Choose another place."
      })
    const path = yield* normalPath(pathWithin(outer?.name ?? null, ownName(given)))
    const other = Option.filter(yield* placeAt(path), ({ id }) => id !== it.id)
    if (Option.isSome(other)) return other
    if (path === it.name) return Option.none()
    // The last of its new siblings, which may be ordered by hand.
    const position =
      outer?.id === it.parentId || (outer === null && it.parentId === null)
        ? {}
        : {
            position: yield* readNumber(sql`SELECT ${sql.literal(lastPosition(String(outer?.id ?? "NULL")))}`)
          }
    yield* write(change, it.id, { parentId: outer?.id ?? null, name: path, ...position })
    yield* renew(change, [it.id])
    yield* leaveAlias(sql, change.id, "collection", {
      from: it.name,
      name: path,
      target: String(it.id),
      was: String(it.id)
    })
    return Option.none()
  })

  /** Puts a collection at this place among those of its parent, which are then ordered by hand. */
  const reorder = Effect.fnUntraced(function* (change: RecordedChange, id: number, order: number) {
    const { parentId } = yield* placeOf(id)
    const siblings = (yield* innerOf(parentId)).map((one) => one.id)
    const ordered = siblings.filter((one) => one !== id).toSpliced(order, 0, id)
    yield* recorded(
      sql,
      change.id,
      "collection",
      ordered,
      Effect.forEach(
        ordered,
        (one, index) => sql`UPDATE collections SET position = ${index + 1} WHERE id = ${one}`,
        { discard: true }
      )
    )
  })

  /** Merges into a collection that has the new name; `id` is that of the one that remains. */
  const edit = Effect.fn("CollectionTree.edit")(function* (id: number, given: CollectionEdit) {
    const it = yield* placeOf(id)
    const { color, description, icon, name, order, parent, shareable } = given
    const change = yield* changes.begin([])
    const other = name === undefined && parent === undefined ? Option.none() : yield* move(change, it, given)
    if (Option.isSome(other)) {
      if (name === undefined) return yield* new PathTaken({ name: other.value.name })
      yield* sql`DELETE FROM changes WHERE id = ${change.id}`
      return { id: other.value.id, token: yield* merge(id, other.value.id) }
    }
    const look = {
      ...(description === undefined ? {} : { description }),
      ...(color === undefined ? {} : { color }),
      ...(icon === undefined ? {} : { icon }),
      ...(shareable === undefined ? {} : { shareable: shareable ? 1 : 0 })
    }
    if (Object.keys(look).length > 0) yield* write(change, id, look)
    if (shareable !== undefined) yield* renew(change, [id])
    if (order !== undefined) yield* reorder(change, id, order)
    return { id, token: change.token }
  }, transaction)

  const remove = Effect.fn("CollectionTree.remove")(function* (id: number) {
    const it = yield* placeOf(id)
    const outer = it.parentId === null ? null : yield* placeOf(it.parentId)
    const change = yield* changes.begin(["collection"])
    yield* removeLater(sql, change.id, id, { removal: "moved", into: null })
    const inner = yield* innerOf(id)
    yield* moveInner(change, it, { id: outer?.id ?? null, name: outer?.name ?? null })
    yield* changes.addLinks(
      change,
      sql`links l WHERE l.collection_id = ${id}`,
      sql`json_set(${sql.literal(valuesOf(["collection"]))}, '$.collection', NULL,
            '$.collectionByHand', json('false'), '$.filedBecause', NULL)`
    )
    yield* dropAliases(sql, change.id, "collection", sql`target = ${String(id)}`)
    yield* renew(
      change,
      inner.map((one) => one.id)
    )
    return change.token
  }, transaction)

  return {
    all: Effect.map(readRow(sql`${sql.literal(select)} ORDER BY position, name`), inTreeOrder).pipe(
      Effect.withSpan("CollectionTree.all")
    ),
    /** Whether filing a link at this path, in a collection that exists or in a new one, would share it. */
    isSharedAt: Effect.fn("CollectionTree.isSharedAt")((path: string) =>
      Effect.map(sharedAmong(sql, [path]), ({ size }) => size > 0)
    ),
    get: Effect.fn("CollectionTree.get")((id: number) =>
      Effect.flatMap(
        firstRow(readRow(sql`${sql.literal(select)} WHERE id = ${id}`)),
        Effect.mapError(() => new LabelNotFound({ kind: "collection", name: id }))
      )
    ),
    create,
    edit,
    merge,
    remove
  }
})

/** Reads the tree of collections, and records changes of it; see `ChangeStore` for how they are made and undone. */
export class CollectionTree extends Service<CollectionTree>()("CollectionTree", make) {}

/** Puts each collection before those inside it; keeps the order of those of one parent. */
const inTreeOrder = (all: ReadonlyArray<Collection>): ReadonlyArray<Collection> => {
  const inner = Map.groupBy(all, ({ parent }) => parent)
  const from = (parent: number | null): ReadonlyArray<Collection> =>
    (inner.get(parent) ?? []).flatMap((one) => [one, ...from(one.id)])
  return from(null)
}
