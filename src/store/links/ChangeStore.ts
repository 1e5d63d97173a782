import { Model, SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import { DateTime, Duration, Effect, Option, Schema, Struct } from "effect"
import { Author, CurrentAuthor } from "../../domain/Author.ts"
import {
  type Change,
  ChangedSince,
  Field,
  type ListedChange,
  PastChange,
  Tagging,
  UndoNotFound,
  UrlTaken
} from "../../domain/Change.ts"
import { LinkId, LinkNotFound } from "../../domain/Link.ts"
import type { StoreUnavailable } from "../../domain/StoreUnavailable.ts"
import { yieldToEventLoop } from "../../runtime/Scheduling.ts"
import { Service } from "../../runtime/Services.ts"
import { MAX_OWNER_TAGS } from "../../shared/Tags.ts"
import { listOf } from "../Fragment.ts"
import { PassedTime } from "../PassedTime.ts"
import {
  decodeRows,
  firstLinkId,
  firstRow,
  readFlag,
  readLinkIds,
  readNumbers,
  readRows,
  readTexts
} from "../Rows.ts"
import { execute, Transaction } from "../Transaction.ts"
import { assignmentsOf, valuesOf } from "./ChangeColumns.ts"
import { ensureCollections, IS_EMPTY_COLLECTION } from "./CollectionPaths.ts"
import { IMPORT_FIELDS, OWNER_SET, OWNER_SET_JSON } from "./ImportRecord.ts"
import { recordCreated, recordedLinks } from "./Journal.ts"
import { endRemovals, pendingRemovals, touchesLabels, undoLabels } from "./LabelChanges.ts"
import { type LinkStep, type OnChanged, undoLink } from "./UndoLinks.ts"

const UNDO_AGE = Duration.days(7)
const PROGRAM_UNDO_AGE = Duration.days(30)

const ADDED: ReadonlyArray<Field> = ["note", "tags", "state"]

interface SavedLink {
  readonly link: { readonly id: LinkId }
  readonly created: boolean
}

/** Links recorded per step, a few milliseconds of work, so that the event loop turns in between. */
const ROWS = 2_000

/** A move can edit other links too, as a merge does: then `fields` is not empty. */
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

const placesOf: Record<RecordedChange["kind"], ReadonlyArray<"links" | "trash">> = {
  edit: ["links"],
  trash: ["links"],
  restore: ["trash"],
  delete: ["links", "trash"]
}

const reverses: Record<RecordedChange["kind"], RecordedChange["kind"]> = {
  edit: "edit",
  trash: "restore",
  restore: "trash",
  delete: "delete"
}

/** The moves of a change. `back` are links that return to the trash as if they had been there since `deletedAt`. */
export interface Moves {
  readonly restore: ReadonlyArray<LinkId>
  readonly trash: ReadonlyArray<LinkId>
  readonly delete: ReadonlyArray<LinkId>
  readonly back: ReadonlyArray<{ readonly id: LinkId; readonly deletedAt: string }>
}
const MoveRow = Schema.Struct({
  id: LinkId,
  move: Schema.Literal("restore", "trash", "delete", "back"),
  deletedAt: Schema.NullOr(Schema.String)
})
const readMoves = readRows(MoveRow)

const ValuesJson = Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
const PastChangeRow = Schema.Struct({
  ...Struct.omit(PastChange.fields, "undoable"),
  fields: Schema.parseJson(Schema.Array(Field)),
  automatic: Model.BooleanFromNumber,
  import: Schema.NullOr(Schema.String),
  before: Schema.NullOr(ValuesJson),
  after: Schema.NullOr(ValuesJson),
  values: ValuesJson
})
const readPastChangeRow = readRows(PastChangeRow)
const ListedRow = Schema.Struct({
  id: Schema.Int,
  ...Struct.pick(PastChange.fields, "token", "at", "author"),
  kind: Schema.Literal("edit", "trash", "restore"),
  fields: Schema.parseJson(Schema.Array(Field)),
  isImport: Model.BooleanFromNumber,
  isSave: Model.BooleanFromNumber,
  isUndone: Model.BooleanFromNumber,
  links: Schema.Int
})
const readListed = readRows(ListedRow)
const WHOLE = valuesOf(Field.literals)
const readSteps = readRows(
  Schema.Struct({
    id: LinkId,
    changeId: Schema.Int,
    before: Schema.NullOr(ValuesJson),
    after: Schema.NullOr(ValuesJson)
  })
)
const readLinksNow = readRows(
  Schema.Struct({ id: LinkId, place: Schema.Literal("library", "trash"), values: ValuesJson })
)

const Tags = Schema.parseJson(Schema.Array(Schema.String))
const readTagging = readRows(
  Schema.Struct({
    id: LinkId,
    tagging: Schema.parseJson(Tagging),
    tags: Tags,
    handTags: Tags,
    tagsByHand: Model.BooleanFromNumber
  })
)
const RefusalRow = Schema.Struct({
  id: LinkId,
  collection: Schema.NullOr(Schema.Int),
  collectionByHand: Model.BooleanFromNumber,
  refused: Schema.parseJson(Schema.Array(Schema.Int))
})
const readRefusals = readRows(RefusalRow)

const readAuthors = readRows(Schema.Struct({ author: Author }))
const decodeTaken = decodeRows(Schema.Struct({ id: LinkId, holder: LinkId }))

/** A piece of a change: at most `most` of its pending links, restricted to `among` if given. */
export interface ChangePiece {
  readonly most: number
  readonly among?: ReadonlyArray<LinkId>
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const transaction = yield* Transaction
  const passed = yield* PassedTime
  const recordedColumns = sql`id, token, kind, fields, automatic, import`
  const isRecent = Effect.gen(function* () {
    const [own, program] = [yield* passed.before(UNDO_AGE), yield* passed.before(PROGRAM_UNDO_AGE)]
    return sql`changes.created_at >= iif(changes.author = 'import' OR changes.author LIKE 'token:%', ${program}, ${own})`
  })
  const undoable = (token: string) =>
    Effect.flatMap(isRecent, (recent) =>
      firstRow(
        readRecordedChange(
          sql`SELECT ${recordedColumns} FROM changes WHERE token = ${token} AND kind <> 'delete' AND ${recent}`
        )
      )
    )

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
    const [id = 0] = yield* readNumbers(
      sql`INSERT INTO changes ${sql.insert(values)}
            ON CONFLICT (token) DO UPDATE SET finished = 0 RETURNING id`
    )
    const written: RecordedChange = { id, token, kind, fields, automatic, import: source }
    return written
  })

  /** Records a change of these fields that has no links yet; for the stores that add what it is about. */
  const begin = (fields: ReadonlyArray<Field>) => write({ token: crypto.randomUUID(), kind: "edit", fields })

  /** Records a change's work: JSON objects with an `id`, new values, a `move`, or both. Fails if a link does not exist. */
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
      const [missing] = yield* readLinkIds(
        sql`SELECT value ->> 'id' FROM json_each(${rows}) WHERE ${sql.and(places)} LIMIT 1`
      )
      if (missing !== undefined) return yield* new LinkNotFound({ id: missing })
      yield* addWork(change, rows)
    }
  })

  const addWork = (change: number, rows: string) =>
    sql`INSERT INTO change_work (change_id, link_id, work)
      SELECT ${change}, value ->> 'id', json_remove(value, '$.id') FROM json_each(${rows})
      WHERE true ON CONFLICT DO UPDATE SET work = excluded.work`

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
      ids.map((id) => ({ id, move: kind }))
    )
    if (edit !== undefined) yield* writeLinks(written, edit.links)
    return written
  })

  const next = Effect.fn("ChangeStore.next")(function* (
    { id }: RecordedChange,
    { among, most }: ChangePiece
  ) {
    const some = among === undefined ? sql`` : sql`AND link_id IN ${listOf(among)}`
    return yield* readLinkIds(sql`SELECT link_id FROM change_work
          WHERE change_id = ${id} ${some} ORDER BY link_id LIMIT ${most}`)
  })

  /** Replaces instructions for tags, and refusals, by the values that result. */
  const resolve = Effect.fnUntraced(function* (id: number, list: Fragment) {
    const work = sql`change_work w JOIN links l ON l.id = w.link_id WHERE w.change_id = ${id} AND w.link_id IN ${list}`
    const tagging = yield* readTagging(
      sql`SELECT l.id, work -> 'tagging' AS tagging, l.tags, l.hand_tags, l.tags_by_hand FROM ${work}
            AND work -> 'tagging' IS NOT NULL`
    )
    const refusals = yield* readRefusals(
      sql`SELECT l.id, l.collection_id AS collection, l.collection_by_hand, l.refused FROM ${work}
            AND work -> 'refuse' IS NOT NULL`
    )
    const values = [
      ...tagging.map((one) => ({ id: one.id, ...taggedBy(one.tagging, one) })),
      ...refusals.map((one) => ({ id: one.id, ...refusedFor(one) }))
    ]
    if (values.length > 0)
      // A join with the values would scan them for each link that is left.
      yield* sql`INSERT INTO change_work (change_id, link_id, work)
        SELECT ${id}, value ->> 'id', json_remove(value, '$.id') FROM json_each(${JSON.stringify(values)})
        WHERE true ON CONFLICT DO UPDATE
          SET work = json_remove(json_patch(work, excluded.work), '$.tagging', '$.refuse')`
    if (refusals.length > 0)
      yield* sql`UPDATE change_work SET work = json_set(work, '$.collection', NULL)
        WHERE change_id = ${id} AND link_id IN ${listOf(refusals.map((one) => one.id))}`
  })

  const edit = Effect.fn("ChangeStore.edit")(function* (
    { fields, id }: RecordedChange,
    ids: ReadonlyArray<LinkId>
  ) {
    if (ids.length === 0 || fields.length === 0) return
    const now = DateTime.formatIso(yield* DateTime.now)
    const edited = yield* readNumbers(sql`SELECT w.link_id FROM change_work w JOIN links l ON l.id = w.link_id
          WHERE w.change_id = ${id} AND w.link_id IN ${listOf(ids)}
            AND (work ->> 'move' IS NULL OR json_remove(work, '$.move', '$.deletedAt') <> '{}')`)
    if (edited.length === 0) return
    const list = listOf(edited)
    if (fields.includes("tags") || fields.includes("refused")) yield* resolve(id, list)
    yield* recordedLinks(
      sql,
      id,
      { ids: edited, fields },
      sql`UPDATE links SET ${sql.literal(assignmentsOf(fields))}, updated_at = ${now}
          FROM change_work AS w WHERE w.change_id = ${id} AND w.link_id IN ${list} AND links.id = w.link_id`
    )
  })

  const moves = Effect.fn("ChangeStore.moves")(function* (
    { id }: RecordedChange,
    ids: ReadonlyArray<LinkId>
  ) {
    const rows = yield* readMoves(
      sql`SELECT link_id AS id, work ->> 'move' AS move, work ->> 'deletedAt' AS deleted_at FROM change_work
            WHERE change_id = ${id} AND link_id IN ${listOf(ids)} AND work ->> 'move' IS NOT NULL ORDER BY link_id`
    )
    const of = (kind: (typeof MoveRow.Type)["move"]) => rows.filter(({ move }) => move === kind)
    return {
      restore: of("restore").map((row) => row.id),
      trash: of("trash").map((row) => row.id),
      delete: of("delete").map((row) => row.id),
      back: of("back").map((row) => ({ id: row.id, deletedAt: row.deletedAt ?? "" }))
    }
  })

  const applied = Effect.fn("ChangeStore.applied")(function* (
    { id }: RecordedChange,
    ids: ReadonlyArray<LinkId>
  ) {
    const part = sql`change_id = ${id} AND link_id IN ${listOf(ids)}`
    const was = sql`iif(work ->> 'move' = 'restore', 'trash', 'library')`
    const became = sql`iif(work ->> 'move' = 'restore', 'library', 'trash')`
    yield* sql`INSERT INTO change_rows (change_id, kind, key, before, after)
      SELECT change_id, 'link', link_id, json_object('place', ${was}), json_object('place', ${became}) FROM change_work
      WHERE ${part} AND work ->> 'move' IN ('restore', 'trash')
      ON CONFLICT DO UPDATE SET before = json_set(before, '$.place', excluded.before ->> 'place'),
        after = json_set(after, '$.place', excluded.after ->> 'place')`
    yield* sql`DELETE FROM change_work WHERE ${part}`
  })

  /** Adds links to a change in pieces, so that the event loop turns in between. */
  const addLinks = Effect.fnUntraced(function* ({ id }: RecordedChange, source: Fragment, work: Fragment) {
    for (let after = 0; ; ) {
      const added = yield* readNumbers(
        sql`SELECT l.id FROM ${source} AND l.id > ${after} ORDER BY l.id LIMIT ${ROWS}`
      )
      yield* sql`INSERT INTO change_work (change_id, link_id, work)
            SELECT ${id}, l.id, ${work} FROM links l WHERE l.id IN ${listOf(added)}
            ON CONFLICT DO UPDATE SET work = excluded.work`
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
    const source = sql`change_rows JOIN collections c ON c.id = CAST(key AS INTEGER)
          JOIN links l ON l.collection_id = c.id
          WHERE change_id = ${change.id} AND kind = 'collection' AND l.in_shared <> c.shared
          AND l.id NOT IN (SELECT link_id FROM change_work WHERE change_id = ${change.id})`
    if (!(yield* readFlag(sql`SELECT l.id FROM ${source} LIMIT 1`))) return
    yield* addLinks(yield* withField(change, "inShared"), source, sql`json_object('inShared', 0)`)
  })

  const removeCollections = Effect.fnUntraced(function* (change: RecordedChange) {
    const removals = yield* pendingRemovals(sql, change.id)
    for (const { id, into } of removals) {
      while (into !== undefined) {
        const left = yield* readLinkIds(
          sql`SELECT id FROM links WHERE collection_id = ${id} ORDER BY id LIMIT ${ROWS}`
        )
        if (left.length === 0) break
        const moved = sql`json_set(${sql.literal(valuesOf(change.fields))}, '$.collection', ${into})`
        yield* addLinks(change, sql`links l WHERE l.id IN ${listOf(left)}`, moved)
        yield* edit(change, left)
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
    const ids = change.links.map(({ id }) => id)
    yield* edit(written, ids)
    yield* applied(written, ids)
    // It removes no collections, for which `finish` would look through all that it has made.
    yield* markFinished(written)
    return token
  })

  const holderOf = Effect.fn("ChangeStore.holderOf")((normalizedUrl: string) =>
    firstLinkId(
      sql`SELECT id FROM links WHERE normalized_url = ${normalizedUrl}
            UNION ALL SELECT id FROM trash WHERE normalized_url = ${normalizedUrl} LIMIT 1`
    )
  )

  /** The links of a change whose new address, or whose address in the trash, another link has. */
  const takenIn = Effect.fnUntraced(function* ({ fields, id }: Pick<RecordedChange, "id" | "fields">) {
    const isPart = sql`w.change_id = ${id} AND other.id <> w.link_id`
    // CROSS JOIN keeps the order, in which each step looks up one row by an index.
    const parts = sql`change_work w CROSS JOIN trash t ON t.id = w.link_id AND w.work ->> 'move' = 'restore'`
    const taken = sql`SELECT w.link_id AS id, other.id AS holder FROM`
    return [
      ...(fields.includes("url")
        ? yield* decodeTaken(
            sql`${taken} change_work w
                  CROSS JOIN links other ON other.normalized_url = w.work ->> 'normalizedUrl' WHERE ${isPart}
                  UNION ALL ${taken} change_work w
                  CROSS JOIN trash other ON other.normalized_url = w.work ->> 'normalizedUrl' WHERE ${isPart}`
          )
        : []),
      ...(yield* decodeTaken(
        sql`${taken} ${parts} CROSS JOIN links other ON other.normalized_url = t.normalized_url WHERE ${isPart}
              UNION ALL ${taken} ${parts}
              CROSS JOIN trash other ON other.normalized_url = t.normalized_url WHERE ${isPart} AND EXISTS (
                SELECT 1 FROM change_work same WHERE same.change_id = ${id} AND same.link_id = other.id)`
      ))
    ]
  })
  const rejectTaken = Effect.fnUntraced(function* (change: Pick<RecordedChange, "id" | "fields">) {
    const [taken] = yield* takenIn(change)
    if (taken !== undefined) return yield* new UrlTaken({ id: taken.holder })
  })

  /** Records in `reverse` how the links of these changes are to be undone, and drops the pages that imports have brought. */
  const undoLinks = Effect.fnUntraced(function* (
    originals: ReadonlyArray<RecordedChange>,
    reverse: RecordedChange,
    onChanged: OnChanged
  ) {
    const byId = new Map(originals.map((original) => [original.id, original]))
    const isImport = originals.some(({ import: source }) => source !== null)
    const hasHands = isImport || originals.some(({ kind }) => kind === "restore")
    const now = sql.literal(
      `json_set(${valuesOf(reverse.fields)}, '$.refused', json(l.refused)${isImport ? ", '$.textSize', octet_length(l.text)" : ""}${hasHands ? `, '$.hand', ${OWNER_SET_JSON}` : ""})`
    )
    const part = sql`change_rows WHERE change_id IN ${listOf([...byId.keys()])} AND kind = 'link'`
    const undone = { links: 0, moves: 0, of: 0 }
    const fields = new Set<Field>()
    const changed: Array<{ readonly id: LinkId; readonly fields: ReadonlyArray<Field> }> = []
    for (let from = 0; ; yield* yieldToEventLoop) {
      const ids = yield* readNumbers(
        sql`SELECT DISTINCT key FROM ${part} AND key > ${from} ORDER BY key LIMIT ${ROWS}`
      )
      const last = ids.at(-1)
      if (last === undefined) break
      const steps = Map.groupBy(
        yield* readSteps(sql`SELECT key AS id, change_id, before, after FROM ${part}
              AND key > ${from} AND key <= ${last} ORDER BY key, change_id DESC`),
        ({ id }) => id
      )
      const links = yield* readLinksNow(
        sql`SELECT l.id, 'library' AS place, ${now} AS "values" FROM links l WHERE l.id IN ${listOf(ids)}
              UNION ALL SELECT l.id, 'trash', ${now} FROM trash l WHERE l.id IN ${listOf(ids)}`
      )
      const work: Array<object> = []
      const pages: Array<number> = []
      for (const link of links) {
        const all = (steps.get(link.id) ?? []).map(({ before, changeId, after }): LinkStep => {
          const { automatic = false, fields = [] } = byId.get(changeId) ?? {}
          return { before, after, fields, isAutomatic: automatic }
        })
        const one = undoLink(all, link, onChanged)
        if (one.changed.length > 0) changed.push({ id: link.id, fields: one.changed })
        if (one.work === undefined) continue
        work.push({ id: link.id, ...one.work })
        for (const field of one.fields) fields.add(field)
        if ("move" in one.work) undone.moves++
        if (one.dropsPage) pages.push(link.id)
      }
      undone.links += work.length
      undone.of += ids.length
      if (work.length > 0) yield* addWork(reverse.id, JSON.stringify(work))
      // A page that a refresh has changed since is another one.
      if (pages.length > 0) yield* sql`DELETE FROM pages WHERE version = 1 AND link_id IN ${listOf(pages)}`
      from = last
    }
    return { ...undone, changed, fields: [...fields] }
  })

  /** Records the reverse of these changes, newest first, as one. `keepsChanged` leaves things changed since as they are. */
  const reverseAll = Effect.fnUntraced(function* (
    originals: ReadonlyArray<RecordedChange>,
    about: Pick<RecordedChange, "kind" | "fields"> & Partial<RecordedChange>,
    { keepsChanged, onChanged }: { readonly onChanged: OnChanged; readonly keepsChanged: boolean }
  ) {
    const reverse = yield* write({ token: crypto.randomUUID(), ...about })
    const links = yield* undoLinks(originals, reverse, onChanged)
    const things: Array<string> = []
    let shown = reverse
    const withLabels = new Set(
      yield* readNumbers(sql`SELECT DISTINCT change_id FROM change_rows
            WHERE change_id IN ${listOf(originals.map(({ id }) => id))} AND kind <> 'link'`)
    )
    for (const original of originals) {
      if (!withLabels.has(original.id)) continue
      const hasLinks = original.import !== null || original.fields.length > 0
      const { clashes, empties } = yield* undoLabels(
        sql,
        { id: original.id, hasLinks, keepsChanged },
        reverse.id
      )
      things.push(...clashes)
      if (empties) shown = yield* withField(shown, "collection")
    }
    yield* addShared(shown)
    yield* sql`UPDATE changes SET undone_by = NULL WHERE undone_by IN ${listOf(originals.map(({ id }) => id))}`
    yield* sql`UPDATE changes SET undone_by = ${reverse.id}, told = NULL
      WHERE id IN ${listOf(originals.map(({ id }) => id))}`
    return { ...links, reverse, things }
  })

  const recordSave = Effect.fn("ChangeStore.recordSave")(function* <A extends SavedLink, E>(
    normalizedUrl: string,
    save: Effect.Effect<A, E>
  ) {
    const [known] = yield* readLinkIds(sql`SELECT id FROM links WHERE normalized_url = ${normalizedUrl}`)
    const token = crypto.randomUUID()
    if (known !== undefined) {
      const written = yield* write({ token, kind: "edit", fields: ADDED })
      const saved = yield* recordedLinks(sql, written.id, { ids: [known], fields: ADDED }, save)
      yield* sql`DELETE FROM changes WHERE id = ${written.id}
        AND NOT EXISTS (SELECT 1 FROM change_rows WHERE change_id = ${written.id} AND before IS NOT after)`
      yield* markFinished(written)
      return saved
    }
    const saved = yield* save
    const written = yield* write({ token, kind: "restore" })
    yield* sql`INSERT INTO change_rows (change_id, kind, key, before, after)
      SELECT ${written.id}, 'link', l.id, json_object('place', 'trash', 'isNew', json(${String(saved.created)})),
        json_object('place', 'library', 'made', ${sql.literal(OWNER_SET_JSON)}) FROM links l WHERE l.id = ${saved.link.id}`
    yield* markFinished(written)
    return saved
  })

  const undo = Effect.fn("ChangeStore.undo")(function* (
    token: string,
    { force }: { readonly force: boolean }
  ) {
    const original = yield* Effect.mapError(yield* undoable(token), () => new UndoNotFound())
    const { automatic, fields, import: source, kind } = original
    const ofImport = source !== null
    const { changed, moves, of, reverse, things } = yield* reverseAll(
      [original],
      ofImport
        ? { kind: "delete", fields: IMPORT_FIELDS, import: source }
        : { kind: reverses[kind], fields, automatic },
      { onChanged: force ? "overwrite" : "keep", keepsChanged: ofImport }
    )
    if (!ofImport && kind !== "edit" && moves === 0) return yield* new UndoNotFound()
    if ((changed.length > 0 || things.length > 0) && !force)
      return yield* new ChangedSince({
        fields: (kind === "edit" && !ofImport ? fields : OWNER_SET.map(([field]) => field)).filter((field) =>
          changed.some((one) => one.fields.includes(field))
        ),
        links: changed.length,
        of,
        things,
        ofImport
      })
    if (!ofImport) yield* rejectTaken(reverse)
    // An import is undone once; its record, which may be long, is deleted with those that are too old.
    else yield* sql`UPDATE changes SET created_at = '' WHERE id = ${original.id}`
    return reverse.token
  })

  const undoAll = Effect.fn("ChangeStore.undoAll")(function* (author: Author, since: string) {
    // An undo by the author and the change that it has undone stay as they are.
    const originals = yield* readRecordedChange(
      sql`SELECT ${recordedColumns} FROM changes WHERE author = ${author} AND created_at >= ${since} AND ${yield* isRecent}
            AND finished = 1 AND kind <> 'delete' AND undone_by IS NULL
            AND id NOT IN (SELECT undone_by FROM changes own WHERE own.author = ${author} AND own.undone_by IS NOT NULL)
            ORDER BY id DESC`
    )
    const fields = [
      ...new Set(originals.flatMap((one) => (one.import === null ? one.fields : IMPORT_FIELDS)))
    ]
    const { changed, reverse, things, ...undone } = yield* reverseAll(
      originals,
      { kind: "edit", fields },
      { onChanged: "keep", keepsChanged: true }
    )
    const skipped = new Map(changed.map((one) => [one.id, one.fields]))
    const taken = yield* takenIn(reverse)
    const ids = listOf(taken.map(({ id }) => id))
    for (const { id } of taken) skipped.set(id, [...new Set([...(skipped.get(id) ?? []), "url" as const])])
    yield* sql`DELETE FROM change_work WHERE change_id = ${reverse.id} AND link_id IN ${ids} AND work ->> 'move' = 'restore'`
    yield* sql`UPDATE change_work SET work = json_remove(work, '$.url', '$.normalizedUrl', '$.host', '$.canonicalUrl', '$.finalUrl')
          WHERE change_id = ${reverse.id} AND link_id IN ${ids}`
    return {
      token: reverse.token,
      changes: originals.length,
      links: undone.links,
      fields: undone.fields,
      skipped: [...skipped].map(([id, some]) => ({ id, fields: some })),
      things
    }
  })

  const pruneSome = Effect.gen(function* () {
    const [old] = yield* readNumbers(
      sql`SELECT id FROM changes WHERE NOT (${yield* isRecent}) AND finished = 1 LIMIT 1`
    )
    if (old === undefined) return false
    const rows = sql`SELECT kind, key FROM change_rows WHERE change_id = ${old}`
    yield* sql`DELETE FROM change_rows WHERE change_id = ${old} AND (kind, key) IN (${rows} LIMIT ${ROWS})`
    yield* sql`DELETE FROM changes WHERE id = ${old} AND NOT EXISTS (${rows})`
    return true
  })

  return {
    next,
    moves,
    /** Applies to all links or none; returns the undo token. Given an earlier change's token, extends that change. */
    apply: (change: Change, token?: string) => transaction(apply(change, token ?? crypto.randomUUID())),
    accept: (change: Change) =>
      transaction(Effect.map(accept(change, crypto.randomUUID()), (written) => written.token)),
    holderOf,
    authorOf: Effect.fn("ChangeStore.authorOf")((token: string) =>
      Effect.map(
        firstRow(readAuthors(sql`SELECT author FROM changes WHERE token = ${token}`)),
        Option.map(({ author }) => author)
      )
    ),
    /** Returns the token of this author's last change that is neither an undo nor undone; fails if there is none. */
    lastOf: Effect.fn("ChangeStore.lastOf")(function* (author: Author) {
      const [last] = yield* readTexts(
        sql`SELECT token FROM changes WHERE author = ${author} AND kind <> 'delete' AND import IS NULL
              AND undone_by IS NULL AND id NOT IN (SELECT undone_by FROM changes WHERE undone_by IS NOT NULL)
              AND ${yield* isRecent} ORDER BY id DESC LIMIT 1`
      )
      return last ?? (yield* new UndoNotFound())
    }),
    /** Records what a program's save adds, makes or takes out of the trash. Nobody else's saves are changes. */
    recordSave: <A extends SavedLink>(normalizedUrl: string, save: Effect.Effect<A, StoreUnavailable>) =>
      Effect.flatMap(CurrentAuthor, (author) =>
        author.startsWith("token:") ? transaction(recordSave(normalizedUrl, save)) : save
      ),
    history: Effect.fn("ChangeStore.history")(function* (id: LinkId, limit: number) {
      const rows = yield* readPastChangeRow(
        sql`SELECT changes.token, iif(v.before ->> 'isNew' OR import IS NOT NULL AND v.before IS NULL, 'save', changes.kind) AS kind,
              iif(import IS NULL, fields, ${JSON.stringify(IMPORT_FIELDS)}) AS fields, import,
              changes.created_at AS at, changes.author, automatic, v.before, v.after,
              json_set(${sql.literal(WHOLE)}, '$.hand', ${sql.literal(OWNER_SET_JSON)}) AS "values"
            FROM (
              SELECT change_id, before, after FROM change_rows WHERE kind = 'link' AND key = ${id}
              UNION ALL SELECT change_id, NULL, NULL FROM change_work WHERE link_id = ${id}
            ) v JOIN changes ON changes.id = v.change_id JOIN links l ON l.id = ${id}
            WHERE changes.kind IN ('edit', 'trash', 'restore') AND ${yield* isRecent}
            GROUP BY changes.id ORDER BY changes.id DESC LIMIT ${limit}`
      )
      return rows.map(({ automatic, before, import: source, values, after, ...change }): PastChange => {
        if (source !== null) {
          const isSame = (key: string) => JSON.stringify(before?.[key]) === JSON.stringify(after?.[key])
          const fields = change.fields.filter((field) => before !== null && !isSame(field))
          return { ...change, fields, undoable: false }
        }
        const step = { before, after, fields: change.fields, isAutomatic: automatic }
        const { changed, work } = undoLink([step], { place: "library", values }, "keep")
        return { ...change, undoable: work !== undefined && changed.length === 0 }
      })
    }),
    list: Effect.fn("ChangeStore.list")(function* ({
      author,
      before,
      limit
    }: {
      readonly author?: Author | undefined
      readonly before?: number | undefined
      readonly limit: number
    }) {
      const rows = yield* readListed(
        sql`SELECT changes.id, token, kind, fields, created_at AS at, author, import IS NOT NULL AS is_import,
              undone_by IS NOT NULL AS is_undone,
              (SELECT count(*) FROM change_rows v WHERE v.change_id = changes.id AND v.kind = 'link') AS links,
              EXISTS (SELECT 1 FROM change_rows v WHERE v.change_id = changes.id AND v.before ->> 'isNew') AS is_save
            FROM changes WHERE ${author === undefined ? sql`true` : sql`author = ${author}`}
              AND ${before === undefined ? sql`true` : sql`changes.id < ${before}`}
              AND kind <> 'delete' AND finished = 1 AND ${yield* isRecent} ORDER BY changes.id DESC LIMIT ${limit}`
      )
      return rows.map(
        ({ isImport, isSave, kind, ...change }): ListedChange => ({
          ...change,
          kind: isImport ? "import" : isSave ? "save" : kind
        })
      )
    }),
    /** Records a move to the trash or a deletion for good; returns its token. `edit` is made and undone with the move. */
    acceptMove: Effect.fn("ChangeStore.acceptMove")(
      (kind: "trash" | "delete", ids: ReadonlyArray<LinkId>, edit?: Change) =>
        transaction(Effect.map(acceptMove(kind, ids, edit), ({ token }) => token))
    ),
    /** Records a move out of the trash; returns its token. Fails if another link has an address by now. */
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
     * Records the reverse of the change with this token, and returns the token of the reverse. Skips links that are
     * no longer where the change has left them, and for a job's change those that the owner has changed since. Fails
     * with `ChangedSince` if another link no longer holds the change's values, unless `force` is set; with
     * `UndoNotFound` if no moved link can be moved back; with `UrlTaken` if another link has the address. The reverse
     * of an import deletes the links that it added, and cannot be undone.
     */
    undo: (token: string, options: { readonly force: boolean }) => transaction(undo(token, options)),
    /** Reverses all changes of this author since a time as one change. `skipped` and `things` were changed by others since. */
    undoAll: (author: Author, since: string) => transaction(undoAll(author, since)),
    unfinished: Effect.withSpan(
      readRecordedChange(sql`SELECT ${recordedColumns} FROM changes WHERE finished = 0 ORDER BY id`),
      "ChangeStore.unfinished"
    ),
    edit: (change: RecordedChange, ids: ReadonlyArray<LinkId>) => transaction(edit(change, ids)),
    applied: (change: RecordedChange, ids: ReadonlyArray<LinkId>) => execute(applied(change, ids)),
    /** Marks a change as applied and deletes the collections it removes; forgets one that cannot be undone. */
    finish: (change: RecordedChange) => transaction(Effect.asVoid(finish(change))),
    linksOf: Effect.fn("ChangeStore.linksOf")((token: string) =>
      readLinkIds(sql`SELECT link_id FROM changes c JOIN change_work ON change_id = c.id WHERE token = ${token}
              UNION SELECT key FROM changes c JOIN change_rows ON change_id = c.id AND change_rows.kind = 'link'
              WHERE token = ${token} ORDER BY 1`)
    ),
    touchesLabels: (token: string) => touchesLabels(sql, token),
    begin: (fields: ReadonlyArray<Field>) => transaction(begin(fields)),
    /** Records `work` as a change, which has no links and so is applied at once. */
    record: <A, E>(work: (change: number) => Effect.Effect<A, E>) =>
      transaction(
        Effect.gen(function* () {
          const change = yield* begin([])
          const done = yield* work(change.id)
          yield* finish(change)
          return { done, undo: change.token }
        })
      ),
    /** Adds the links `l` of `source`, which ends with a condition, to a change that has begun; `work` is their JSON. */
    addLinks: (change: RecordedChange, source: Fragment, work: Fragment) =>
      transaction(addLinks(change, source, work)),
    addShared: (change: RecordedChange) => transaction(addShared(change)),
    prune: Effect.gen(function* () {
      while (yield* transaction(pruneSome)) yield* yieldToEventLoop
    }).pipe(Effect.withSpan("ChangeStore.prune"))
  }
})

/** A change is recorded with all its links before it is applied in pieces, so that it survives the end of the program. */
export class ChangeStore extends Service<ChangeStore>()("ChangeStore", make) {}

/** Returns the tags that result. No tag is dropped because there are too many; none is added beyond the maximum. */
const tagsFrom = (
  tags: ReadonlyArray<string>,
  { add = [], remove = [], rename, set }: Tagging
): ReadonlyArray<string> => {
  const kept = (set ?? tags)
    .filter((tag) => !remove.includes(tag))
    .map((tag) => (rename?.from.includes(tag) ? rename.to : tag))
  const all = new Set(kept)
  for (const tag of add) if (all.size < MAX_OWNER_TAGS) all.add(tag)
  return [...all]
}

/** Tags are the owner's from now on if all were set, or one was removed, now or earlier. */
const taggedBy = (
  tagging: Tagging,
  now: {
    readonly tags: ReadonlyArray<string>
    readonly handTags: ReadonlyArray<string>
    readonly tagsByHand: boolean
  }
) => {
  const tags = tagsFrom(now.tags, tagging)
  const isRemoved = now.tags.some((tag) => tagging.remove?.includes(tag))
  return {
    tags,
    handTags: tagsFrom(now.handTags, tagging).filter((tag) => tags.includes(tag)),
    tagsByHand: tagging.set !== undefined || now.tagsByHand || isRemoved
  }
}

/** Refuses the link's collection for it; links in no collection keep their values. */
const refusedFor = ({ collection, collectionByHand, refused }: (typeof RefusalRow)["Type"]) => ({
  collectionByHand: collection === null && collectionByHand,
  refused: collection === null || refused.includes(collection) ? refused : [...refused, collection]
})
