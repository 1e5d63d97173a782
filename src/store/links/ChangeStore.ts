import { Model, SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { CurrentAuthor } from "../../domain/Author.ts"
import { type Change, ChangedSince, Field, PastChange, UndoNotFound, UrlTaken } from "../../domain/Change.ts"
import { LinkId, LinkNotFound } from "../../domain/Link.ts"
import { yieldToEventLoop } from "../../runtime/Scheduling.ts"
import { MAX_OWNER_TAGS } from "../../shared/Tags.ts"
import { PassedTime } from "../PassedTime.ts"
import { decodeIds, decodeRows, firstRow, readLinkIds, readNumbers, readOrDefect, readRows } from "../Rows.ts"
import { execute, Transaction } from "../Transaction.ts"
import { columns, columnsOf, HAS_CHANGED_SINCE, handMarks, valuesOf } from "./ChangeColumns.ts"
import { ensureCollections, IS_EMPTY_COLLECTION } from "./CollectionPaths.ts"
import { TAKEN_BACK, takeBackLinks } from "./ImportRecord.ts"
import { endRemovals, pendingRemovals, recordCreated, touchesThings, undoThings } from "./LabelChanges.ts"

/** How long a change can be undone. */
const UNDO_AGE = Duration.days(7)

/** Links recorded per step, a few milliseconds of work, so that the event loop turns in between. */
const ROWS = 2_000

/** Where tags that are added begin, after all that a link has. */
const ADDED = 1_000_000

/**
 * SQL expression for what becomes of a JSON list of tags by the instruction in `change_links.wrote`, in order. No tag that
 * the link has is dropped because there are too many; none is added beyond `MAX_OWNER_TAGS`.
 */
const tagged = (tags: string, condition = "true") => `(SELECT json_group_array(tag ORDER BY place) FROM (
  SELECT tag, place, row_number() OVER (ORDER BY place) AS rank FROM (SELECT tag, min(place) AS place FROM (
    SELECT iif(value IN (SELECT value FROM json_each(wrote, '$.tagging.rename.from')),
      wrote ->> '$.tagging.rename.to', value) AS tag, key AS place
      FROM json_each(coalesce(wrote -> '$.tagging.set', (SELECT ${tags} FROM links WHERE id = link_id)))
      WHERE value NOT IN (SELECT value FROM json_each(wrote, '$.tagging.remove'))
    UNION ALL SELECT value, ${ADDED} + key FROM json_each(wrote, '$.tagging.add')
  ) GROUP BY tag)) WHERE (place < ${ADDED} OR rank <= ${MAX_OWNER_TAGS}) AND ${condition})`

/** SQL condition that a link's tags are the owner's from now on: all were set, or one was removed, now or earlier. */
const TAGS_BY_HAND = `wrote -> '$.tagging.set' IS NOT NULL OR EXISTS (SELECT 1 FROM links WHERE id = link_id
  AND (tags_by_hand OR EXISTS (SELECT 1 FROM json_each(tags) WHERE value IN (
    SELECT value FROM json_each(wrote, '$.tagging.remove')))))`

/**
 * Replace each instruction for tags by the tags that result, all of them first and then the owner's among them.
 */
const RESOLVE_TAGS = [
  `wrote = json_set(wrote, '$.tags', json(${tagged("tags")}), '$.tagsByHand', json(iif(${TAGS_BY_HAND}, 'true', 'false')))`,
  `wrote = json_remove(json_set(wrote, '$.handTags',
    json(${tagged("hand_tags", "tag IN (SELECT value FROM json_each(wrote, '$.tags'))")})), '$.tagging')`
]

/** Replaces each refusal by the values that result: links in no collection keep theirs. */
const RESOLVE_REFUSAL = `wrote = (SELECT json_object('collection', NULL,
  'collectionByHand', json(iif(collection_id IS NULL AND collection_by_hand, 'true', 'false')),
  'refused', json(iif(collection_id IS NULL OR collection_id IN (SELECT value FROM json_each(refused)), refused,
    json_insert(refused, '$[#]', collection_id)))) FROM links WHERE id = link_id)`

/**
 * A recorded change: an edit, a move to the trash or back, or a deletion for good. A move can edit other links too, as a
 * merge does: then `fields` is not empty.
 */
export const RecordedChange = Schema.Struct({
  id: Schema.Int,
  token: Schema.String,
  kind: Schema.Literal("edit", "trash", "restore", "delete"),
  fields: Schema.parseJson(Schema.Array(Field)),
  automatic: Schema.BooleanFromUnknown,
  /** `added` for an import and for the change that undoes it. */
  import: Schema.NullOr(Schema.Literal("added"))
})
export type RecordedChange = typeof RecordedChange.Type
const readRecordedChange = readRows(RecordedChange)

const PastChangeRow = Schema.Struct({
  ...PastChange.fields,
  fields: Schema.parseJson(Schema.Array(Field)),
  undoable: Model.BooleanFromNumber
})
const readPastChangeRow = readRows(PastChangeRow)

/** Where the links of a change of each kind are before it. */
const placesOf: Record<RecordedChange["kind"], ReadonlyArray<"links" | "trash">> = {
  edit: ["links"],
  trash: ["links"],
  restore: ["trash"],
  delete: ["links", "trash"]
}

/** The kind of change that undoes one of this kind. */
const reverses: Record<RecordedChange["kind"], RecordedChange["kind"]> = {
  edit: "edit",
  trash: "restore",
  restore: "trash",
  delete: "delete"
}

const decodeCounts = decodeRows(Schema.Record({ key: Schema.String, value: Schema.Number }))
const decodeEnd = decodeRows(Schema.Struct({ last: Schema.NullOr(Schema.Int), n: Schema.Int }))

/** A link that was in the trash since `deletedAt`. */
const TrashedLink = Schema.Struct({ id: LinkId, deletedAt: Schema.String })
const readTrashed = readRows(TrashedLink)

/** A piece of a change: at most `most` of its pending links, restricted to `among` if given. */
export interface ChangePiece {
  readonly most: number
  readonly among?: ReadonlyArray<LinkId>
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const transaction = yield* Transaction
  const passed = yield* PassedTime
  const listOf = (ids: ReadonlyArray<number>) => sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`
  const undoable = ({ since, token }: { readonly token: string; readonly since: string }) =>
    firstRow(
      readRecordedChange(sql`SELECT id, token, kind, fields, automatic, import FROM changes
            WHERE token = ${token} AND kind <> 'delete' AND created_at >= ${since}`)
    )
  const oldest = passed.before(UNDO_AGE)

  /** Records a change, or reopens the recorded change with the same token. */
  const write = Effect.fnUntraced(function* (
    about: Pick<RecordedChange, "token" | "kind"> & Partial<RecordedChange>
  ) {
    const createdAt = DateTime.formatIso(yield* DateTime.now)
    const { automatic = false, fields = [], import: source = null, kind, token } = about
    const values = {
      token,
      kind,
      import: source,
      fields: JSON.stringify(fields),
      automatic: automatic ? 1 : 0,
      author: yield* CurrentAuthor,
      createdAt
    }
    const [row] = yield* decodeIds(
      sql`INSERT INTO changes ${sql.insert(values)}
            ON CONFLICT (token) DO UPDATE SET finished = 0 RETURNING id`
    )
    const written: RecordedChange = { id: row?.id ?? 0, token, kind, fields, automatic, import: source }
    return written
  })

  /**
   * Records the links of a change as JSON objects with an `id`, alone for a link that the change moves; fails if one
   * of them does not exist.
   */
  const writeLinks = Effect.fnUntraced(function* (
    { id: change, kind }: RecordedChange,
    links: ReadonlyArray<{ readonly id: LinkId }>
  ) {
    const places = placesOf[kind].map(
      (table) => sql`NOT EXISTS (SELECT 1 FROM ${sql.literal(table)} WHERE id = value ->> 'id')`
    )
    for (let at = 0; at < links.length; at += ROWS) {
      if (at > 0) yield* yieldToEventLoop
      const rows = JSON.stringify(links.slice(at, at + ROWS))
      const wrote = sql`json_remove(value, '$.id')`
      const [missing] = yield* decodeIds(
        sql`SELECT value ->> 'id' AS id FROM json_each(${rows}) WHERE ${sql.and(places)} LIMIT 1`
      )
      if (missing !== undefined) return yield* new LinkNotFound({ id: LinkId.make(missing.id) })
      yield* sql`INSERT INTO change_links (change_id, link_id, pending, wrote)
            SELECT ${change}, value ->> 'id', 1, ${kind === "edit" ? wrote : sql`nullif(${wrote}, '{}')`}
            FROM json_each(${rows})
            WHERE true ON CONFLICT DO UPDATE SET wrote = excluded.wrote, pending = 1`
    }
  })

  const accept = Effect.fn("ChangeStore.accept")(function* (
    { automatic, fields, links }: Change,
    token: string
  ) {
    const written = yield* write({ token, kind: "edit", fields, automatic: automatic === true })
    const named = links.flatMap(({ collection }) => (typeof collection === "string" ? [collection] : []))
    const { byName, made } = yield* ensureCollections(sql, named)
    yield* recordCreated(sql, written.id, "collection", made)
    yield* writeLinks(
      written,
      named.length === 0
        ? links
        : links.map((link) =>
            typeof link.collection === "string"
              ? { ...link, collection: byName.get(link.collection)?.id ?? null }
              : link
          )
    )
    return written
  })

  const acceptMove = Effect.fnUntraced(function* (
    kind: Exclude<RecordedChange["kind"], "edit">,
    ids: ReadonlyArray<LinkId>,
    edit?: Change
  ) {
    const written = yield* write({ token: crypto.randomUUID(), kind, fields: edit?.fields ?? [] })
    yield* writeLinks(
      written,
      ids.map((id) => ({ id }))
    )
    if (edit !== undefined) yield* writeLinks(written, edit.links)
    return written
  })

  /** Returns the numbers of links the change is still to be applied to, in order. */
  const next = Effect.fn("ChangeStore.next")(function* (
    { id }: RecordedChange,
    { among, most }: ChangePiece
  ) {
    const some = among === undefined ? sql`` : sql`AND link_id IN ${listOf(among)}`
    const ids = yield* readNumbers(sql`SELECT link_id FROM change_links
          WHERE change_id = ${id} AND pending = 1 ${some} ORDER BY link_id LIMIT ${most}`)
    return ids.map((one) => LinkId.make(one))
  })

  const edit = Effect.fn("ChangeStore.edit")(function* (
    { fields, id }: RecordedChange,
    ids: ReadonlyArray<LinkId>
  ) {
    if (ids.length === 0 || fields.length === 0) return
    const now = DateTime.formatIso(yield* DateTime.now)
    const list = listOf(ids)
    const assignments = columnsOf(fields).map((column) => column.write)
    yield* sql`UPDATE change_links SET pending = 0, before = coalesce(before, (
            SELECT ${sql.literal(valuesOf(fields))} FROM links l WHERE l.id = link_id
          )) WHERE change_id = ${id} AND link_id IN ${list} AND wrote IS NOT NULL`
    const resolve = (assignment: string, instruction: string) =>
      sql`UPDATE change_links SET ${sql.literal(assignment)}
            WHERE change_id = ${id} AND link_id IN ${list} AND wrote -> ${instruction} IS NOT NULL`
    if (fields.includes("tags"))
      for (const assignment of RESOLVE_TAGS) yield* resolve(assignment, "$.tagging")
    if (fields.includes("refused")) yield* resolve(RESOLVE_REFUSAL, "$.refuse")
    yield* sql`UPDATE links SET ${sql.literal(assignments.join(", "))}, updated_at = ${now}
          FROM change_links AS v WHERE v.change_id = ${id} AND v.link_id IN ${list} AND v.wrote IS NOT NULL
            AND links.id = v.link_id`
  })

  /** Returns those of these links that the change moves; it edits the others. */
  const moved = Effect.fn("ChangeStore.moved")(function* (
    { fields, id, kind }: RecordedChange,
    ids: ReadonlyArray<LinkId>
  ) {
    if (kind === "edit") return []
    if (fields.length === 0) return ids
    const found = yield* readNumbers(sql`SELECT link_id FROM change_links
          WHERE change_id = ${id} AND link_id IN ${listOf(ids)} AND wrote IS NULL ORDER BY link_id`)
    return found.map((one) => LinkId.make(one))
  })

  /** Returns those of these links that the change moves back to the trash, and since when they were there. */
  const backToTrash = Effect.fn("ChangeStore.backToTrash")(function* (
    change: RecordedChange,
    ids: ReadonlyArray<LinkId>
  ) {
    if (change.import === null) return []
    return yield* readTrashed(
      sql`SELECT link_id AS id, wrote ->> 'deletedAt' AS deleted_at FROM change_links
              WHERE change_id = ${change.id} AND link_id IN ${listOf(ids)} AND wrote ->> 'deletedAt' IS NOT NULL`
    )
  })

  /** Adds links to a change in pieces, so that the event loop turns in between. */
  const addLinks = Effect.fnUntraced(function* ({ id }: RecordedChange, source: Fragment, wrote: Fragment) {
    for (let after = 0; ; ) {
      const added = yield* readNumbers(
        sql`SELECT l.id FROM ${source} AND l.id > ${after} ORDER BY l.id LIMIT ${ROWS}`
      )
      yield* sql`INSERT INTO change_links (change_id, link_id, pending, wrote)
            SELECT ${id}, l.id, 1, ${wrote} FROM links l WHERE l.id IN ${listOf(added)}
            ON CONFLICT DO UPDATE SET wrote = excluded.wrote, pending = 1`
      if (added.length < ROWS) return
      after = added.at(-1) ?? after
      yield* yieldToEventLoop
    }
  })

  const withField = Effect.fnUntraced(function* (change: RecordedChange, field: Field) {
    if (change.fields.includes(field)) return change
    const fields = [...change.fields, field]
    yield* sql`UPDATE changes SET fields = ${JSON.stringify(fields)} WHERE id = ${change.id}`
    return { ...change, fields }
  })

  const addShared = Effect.fnUntraced(function* (change: RecordedChange) {
    const source = sql`change_things JOIN collections c ON c.id = CAST(key AS INTEGER)
          JOIN links l ON l.collection_id = c.id
          WHERE change_id = ${change.id} AND kind = 'collection' AND l.in_shared <> c.shared
          AND l.id NOT IN (SELECT link_id FROM change_links WHERE change_id = ${change.id})`
    const [some] = yield* decodeIds(sql`SELECT l.id FROM ${source} LIMIT 1`)
    if (some === undefined) return
    const { fields } = yield* withField(change, "inShared")
    yield* addLinks(change, source, sql.literal(valuesOf(fields)))
  })

  /** Deletes the collections that the change removes, after moving what has been filed in them meanwhile. */
  const removeCollections = Effect.fnUntraced(function* (change: RecordedChange) {
    const removals = yield* pendingRemovals(sql, change.id)
    for (const { id, into } of removals) {
      while (into !== undefined) {
        const left = yield* readNumbers(
          sql`SELECT id FROM links WHERE collection_id = ${id} ORDER BY id LIMIT ${ROWS}`
        )
        if (left.length === 0) break
        const moved = sql`json_set(${sql.literal(valuesOf(change.fields))}, '$.collection', ${into})`
        yield* addLinks(change, sql`links l WHERE l.id IN ${listOf(left)}`, moved)
        yield* edit(
          change,
          left.map((one) => LinkId.make(one))
        )
      }
      yield* sql`DELETE FROM collections WHERE id = ${id} AND ${sql.literal(IS_EMPTY_COLLECTION)}`
    }
    if (removals.length > 0) yield* endRemovals(sql, change.id)
  })

  const markFinished = ({ id }: RecordedChange) => sql`UPDATE changes SET finished = 1 WHERE id = ${id}`

  const finish = Effect.fn("ChangeStore.finish")(function* (change: RecordedChange) {
    yield* removeCollections(change)
    // This cannot be undone.
    if (change.kind === "delete") return yield* sql`DELETE FROM changes WHERE id = ${change.id}`
    return yield* markFinished(change)
  })

  const apply = Effect.fn("ChangeStore.apply")(function* (change: Change, token: string) {
    const written = yield* accept(change, token)
    yield* edit(
      written,
      change.links.map(({ id }) => id)
    )
    // It removes no collections, for which `finish` would look through all that it has made.
    yield* markFinished(written)
    return token
  })

  /** Counts the links of change `to`, from `after` to `last`, that no longer hold what change `of` wrote. */
  const differing = Effect.fnUntraced(function* (
    of: RecordedChange,
    to: number,
    after: number,
    last: number
  ) {
    const conditions = of.fields.map((field) =>
      [...columns[field].flatMap(({ differs }) => (differs === null ? [] : [`(${differs})`])), "false"].join(
        " OR "
      )
    )
    const counts = conditions.map((condition, index) => `total(${condition}) AS f${index}`)
    const [row = {}] = yield* decodeCounts(
      sql`SELECT count(*) AS n, total(${sql.literal(conditions.join(" OR ") || "false")}) AS links
              ${sql.literal(counts.map((count) => `, ${count}`).join(""))}
            FROM change_links v JOIN change_links t ON t.change_id = ${to} AND t.link_id = v.link_id
            JOIN links l ON l.id = v.link_id
            WHERE v.change_id = ${of.id} AND v.link_id > ${after} AND v.link_id <= ${last} AND v.wrote IS NOT NULL`
    )
    return {
      links: row["links"] ?? 0,
      fields: of.fields.filter((_, index) => (row[`f${index}`] ?? 0) > 0)
    }
  })

  /** Returns the link that has this normalized address, in the library or in the trash. */
  const holderOf = Effect.fn("ChangeStore.holderOf")((normalizedUrl: string) =>
    Effect.map(
      readNumbers(
        sql`SELECT id FROM links WHERE normalized_url = ${normalizedUrl}
              UNION ALL SELECT id FROM trash WHERE normalized_url = ${normalizedUrl} LIMIT 1`
      ),
      ([id]) => Option.map(Option.fromNullable(id), (found) => LinkId.make(found))
    )
  )

  /**
   * Fails if another link, in the library or in the trash, has an address that this change is to write or to take out
   * of the trash.
   */
  const rejectTaken = Effect.fnUntraced(function* ({
    fields,
    id,
    kind
  }: Pick<RecordedChange, "id" | "kind" | "fields">) {
    const isPart = sql`v.change_id = ${id} AND other.id <> v.link_id`
    // CROSS JOIN keeps the order, in which each step looks up one row by an index.
    const parts = sql`change_links v CROSS JOIN trash t ON t.id = v.link_id`
    const [taken] = [
      ...(fields.includes("url")
        ? yield* decodeIds(
            sql`SELECT other.id FROM change_links v
                  CROSS JOIN links other ON other.normalized_url = v.wrote ->> 'normalizedUrl' WHERE ${isPart}
                  UNION ALL SELECT other.id FROM change_links v
                  CROSS JOIN trash other ON other.normalized_url = v.wrote ->> 'normalizedUrl' WHERE ${isPart} LIMIT 1`
          )
        : []),
      ...(kind === "restore"
        ? yield* decodeIds(
            sql`SELECT other.id FROM ${parts} CROSS JOIN links other ON other.normalized_url = t.normalized_url
                  WHERE ${isPart}
                  UNION ALL SELECT other.id FROM ${parts}
                  CROSS JOIN trash other ON other.normalized_url = t.normalized_url WHERE ${isPart} AND EXISTS (
                    SELECT 1 FROM change_links same WHERE same.change_id = ${id} AND same.link_id = other.id) LIMIT 1`
          )
        : [])
    ]
    if (taken !== undefined) return yield* new UrlTaken({ id: LinkId.make(taken.id) })
  })

  const takeBack = Effect.fn("ChangeStore.takeBack")(function* (
    original: RecordedChange,
    { force }: { readonly force: boolean }
  ) {
    const token = crypto.randomUUID()
    const reverse = yield* write({ token, kind: "delete", fields: TAKEN_BACK, import: original.import })
    const changed = yield* takeBackLinks(sql, original.id, reverse.id)
    const { clashes } = yield* undoThings(
      sql,
      { id: original.id, hasLinks: true, keepsChanged: true },
      reverse.id
    )
    if ((changed.links > 0 || clashes.length > 0) && !force)
      return yield* new ChangedSince({ ...changed, things: clashes, ofImport: true })
    yield* addShared(reverse)
    // An import is undone once; its record, which may be long, is deleted with those that are too old.
    yield* sql`UPDATE changes SET created_at = '' WHERE id = ${original.id}`
    return token
  })

  const undo = Effect.fn("ChangeStore.undo")(function* (
    token: string,
    { force }: { readonly force: boolean }
  ) {
    const found = yield* undoable({ token, since: yield* oldest })
    const original = yield* Effect.mapError(found, () => new UndoNotFound())
    if (original.import !== null) return yield* takeBack(original, { force })
    const { automatic, fields, kind } = original
    const undoToken = crypto.randomUUID()
    const reverse = yield* write({ token: undoToken, kind: reverses[kind], fields, automatic })
    const { id } = reverse
    const chosen = automatic ? fields.flatMap((field) => handMarks[field] ?? []) : []
    const notChosen =
      chosen.length === 0
        ? sql``
        : sql`AND NOT EXISTS (SELECT 1 FROM links l WHERE l.id = link_id AND ${sql.literal(chosen.join(" + "))} > 0)`
    const changed = { links: 0, of: 0, fields: new Set<Field>() }
    let reversed = 0
    for (let after = 0; ; ) {
      const [end] = yield* decodeEnd(
        sql`SELECT max(link_id) AS last, count(*) AS n
              FROM (SELECT link_id FROM change_links WHERE change_id = ${original.id} AND link_id > ${after}
                ORDER BY link_id LIMIT ${ROWS})`
      )
      if (end === undefined || end.last === null) break
      const place = sql.literal(kind === "trash" ? "trash" : "links")
      const written = yield* readNumbers(sql`INSERT INTO change_links (change_id, link_id, pending, wrote)
            SELECT ${id}, link_id, 1, before FROM change_links
            WHERE change_id = ${original.id} AND link_id > ${after} AND link_id <= ${end.last} ${notChosen}
            AND iif(wrote IS NULL, link_id IN (SELECT id FROM ${place}), link_id IN (SELECT id FROM links))
            RETURNING wrote IS NULL`)
      reversed += written.filter((isMoved) => isMoved === 1).length
      const some = yield* differing(original, id, after, end.last)
      changed.links += some.links
      changed.of += end.n
      for (const field of some.fields) changed.fields.add(field)
      after = end.last
      if (end.n === ROWS) yield* yieldToEventLoop
    }
    if (kind !== "edit" && reversed === 0) return yield* new UndoNotFound()
    const things = yield* undoThings(sql, { id: original.id, hasLinks: fields.length > 0 }, id)
    if ((changed.links > 0 || things.clashes.length > 0) && !force)
      return yield* new ChangedSince({ ...changed, fields: [...changed.fields], things: things.clashes })
    yield* addShared(things.empties ? yield* withField(reverse, "collection") : reverse)
    yield* rejectTaken({ id, kind: reverses[kind], fields })
    return undoToken
  })

  const pruneSome = Effect.gen(function* () {
    const [old] = yield* decodeIds(
      sql`SELECT id FROM changes WHERE created_at < ${yield* oldest} AND finished = 1 LIMIT 1`
    )
    if (old === undefined) return false
    const links = sql`SELECT link_id FROM change_links WHERE change_id = ${old.id}`
    yield* sql`DELETE FROM change_links WHERE change_id = ${old.id} AND link_id IN (${links} LIMIT ${ROWS})`
    yield* sql`DELETE FROM changes WHERE id = ${old.id} AND NOT EXISTS (${links})`
    return true
  })

  return {
    next,
    moved,
    backToTrash,
    /**
     * Applies the change to all of its links or to none and returns its undo token. Given an earlier change's token, it
     * extends that change, and the token undoes both.
     */
    apply: (change: Change, token?: string) => transaction(apply(change, token ?? crypto.randomUUID())),
    /** Records the change without applying it, and returns its undo token. */
    accept: (change: Change) =>
      transaction(Effect.map(accept(change, crypto.randomUUID()), (written) => written.token)),
    holderOf,
    /** Returns the changes of this link that can still be undone, newest first, at most `limit`. */
    history: Effect.fn("ChangeStore.history")((id: LinkId, limit: number) =>
      Effect.flatMap(oldest, (since) =>
        readPastChangeRow(sql`SELECT c.token, c.kind, c.fields, c.created_at AS at, c.author,
              v.pending = 0 AND iif(coalesce(v.wrote, '{}') = '{}', c.kind <> 'trash', NOT (${sql.literal(HAS_CHANGED_SINCE)})) AS undoable
            FROM change_links v JOIN changes c ON c.id = v.change_id JOIN links l ON l.id = v.link_id
            WHERE v.link_id = ${id} AND c.kind IN ('edit', 'trash', 'restore') AND c.import IS NULL AND c.created_at >= ${since}
            ORDER BY c.id DESC LIMIT ${limit}`)
      )
    ),
    /**
     * Records that these links are to be moved to the trash or deleted for good, and returns the change's token. `edit`
     * is made with the move, and undone with it.
     */
    acceptMove: Effect.fn("ChangeStore.acceptMove")(
      (kind: "trash" | "delete", ids: ReadonlyArray<LinkId>, edit?: Change) =>
        transaction(Effect.map(acceptMove(kind, ids, edit), ({ token }) => token))
    ),
    /**
     * Records that these links are to be taken out of the trash, and returns the change's token. Fails if another link
     * has the address of one of them by now.
     */
    acceptRestore: Effect.fn("ChangeStore.acceptRestore")((ids: ReadonlyArray<LinkId>) =>
      transaction(
        Effect.gen(function* () {
          const written = yield* acceptMove("restore", ids)
          yield* rejectTaken(written)
          return written.token
        })
      )
    ),
    /**
     * Records the reverse of the change with this token without applying it, and returns the token of the reverse. It
     * skips links that are no longer where the change has left them, and for a job's change also links the owner has
     * changed by hand since. Fails with `ChangedSince` if any other link no longer holds what the change wrote, unless
     * `force` is set; with `UndoNotFound` if none of the links that were moved can be moved back; and with `UrlTaken` if
     * another link has an address that the undo would bring back.
     *
     * The reverse of an import deletes the links that it has added, and cannot be undone; links and things changed by
     * hand since stay as they are, with `force` without `ChangedSince`.
     */
    undo: (token: string, options: { readonly force: boolean }) => transaction(undo(token, options)),
    /** The recorded changes that are not fully applied, oldest first. */
    unfinished: Effect.withSpan(
      readRecordedChange(
        sql`SELECT id, token, kind, fields, automatic, import FROM changes WHERE finished = 0 ORDER BY id`
      ),
      "ChangeStore.unfinished"
    ),
    /** Applies the edits of a change to these of its links. */
    edit: (change: RecordedChange, ids: ReadonlyArray<LinkId>) => transaction(edit(change, ids)),
    /** Marks the change as applied to these of its links. */
    applied: Effect.fn("ChangeStore.applied")(({ id }: RecordedChange, ids: ReadonlyArray<LinkId>) =>
      execute(
        sql`UPDATE change_links SET pending = 0 WHERE change_id = ${id} AND link_id IN ${listOf(ids)} AND pending = 1`
      )
    ),
    /**
     * Marks a change as applied, and deletes the collections that an edit removes; drops the record of a change that
     * cannot be undone.
     */
    finish: (change: RecordedChange) => transaction(Effect.asVoid(finish(change))),
    /** Returns the links of the change with this token, ordered by number. */
    linksOf: Effect.fn("ChangeStore.linksOf")((token: string) =>
      readLinkIds(sql`SELECT link_id FROM change_links
                WHERE change_id = (SELECT id FROM changes WHERE token = ${token}) ORDER BY link_id`)
    ),
    /** Whether the change with this token changes anything but links. */
    touchesThings: (token: string) => readOrDefect(touchesThings(sql, token)),
    /** Records a change of these fields that has no links yet; for the stores that add what it is about. */
    begin: (fields: ReadonlyArray<Field>) =>
      transaction(write({ token: crypto.randomUUID(), kind: "edit", fields })),
    /**
     * Adds links to a change that has begun: the links `l` of `source`, which ends with a condition, with `wrote` as the
     * JSON of their new values.
     */
    addLinks: (change: RecordedChange, source: Fragment, wrote: Fragment) =>
      transaction(addLinks(change, source, wrote)),
    /** Adds the links to a change that are to be shown or hidden because it has changed their collections. */
    addShared: (change: RecordedChange) => transaction(addShared(change)),
    /** Deletes changes too old to undo, in steps. */
    prune: Effect.gen(function* () {
      while (yield* transaction(pruneSome)) yield* yieldToEventLoop
    }).pipe(Effect.withSpan("ChangeStore.prune"))
  }
})

/**
 * Changes links and records their values before and after, so that a change can be undone.
 *
 * A change is first recorded with all its links (`accept`, `acceptMove`, `acceptRestore`, `undo`) and then applied piece by
 * piece (`next`, `edit`), so a recorded change is applied even if the program ends in between.
 */
export class ChangeStore extends Context.Tag("ChangeStore")<
  ChangeStore,
  Effect.Effect.Success<typeof make>
>() {
  static readonly make = make
  static readonly layer = Layer.effect(this, this.make)
}
