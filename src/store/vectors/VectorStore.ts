import { Model, SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import { Effect, Schema } from "effect"
import type { EmbedderInUse } from "../../domain/Enrichment.ts"
import { LinkId } from "../../domain/Link.ts"
import { Service } from "../../runtime/Services.ts"
import { listOf, literal } from "../Fragment.ts"
import { hasTask } from "../jobs/TaskStore.ts"
import { decodeRows, firstRow, readFlag, readNumber, readRows } from "../Rows.ts"
import { execute, orUnavailable } from "../Transaction.ts"
import { changeStampOf } from "../VersionedCache.ts"

/** A unit vector: int8 codes with a scale for the scan, float16 values (within 0.001) for reranking the best matches. */
export interface StoredVector {
  readonly linkId: number
  readonly codes: Int8Array
  readonly scale: number
  readonly floats: Float32Array
}

/** A vector in the index; `revision` is higher than that of every vector written earlier. */
interface VectorCode {
  readonly revision: number
  readonly linkId: number
  readonly scale: number
  readonly codes: Int8Array
}

/** How much of what the owner has highlighted a vector represents, in characters. */
const MAX_HIGHLIGHTED = 2_000

const Waiting = Schema.Struct({
  place: Schema.Int,
  id: LinkId,
  title: Schema.String,
  description: Schema.String,
  summary: Schema.String,
  tags: Schema.parseJson(Schema.Array(Schema.String)),
  /** The owner's note, and what the owner has highlighted. */
  note: Schema.String,
  /** Has no vector of any embedder and waits for no reading: such a link is filed once embedded. */
  fresh: Model.BooleanFromNumber
})
export type Unembedded = typeof Waiting.Type
const readWaiting = readRows(Waiting)

const decodeEmbedders = decodeRows(
  Schema.Struct({
    id: Schema.Int,
    name: Schema.String,
    dimensions: Schema.Int,
    threshold: Schema.Number
  })
)

export const codeBytes = (codes: Int8Array) =>
  new Uint8Array(codes.buffer, codes.byteOffset, codes.byteLength)

export const floatBytes = (floats: Float32Array) => new Uint8Array(new Float16Array(floats).buffer)
/** Reads the values from a BLOB. Copies the bytes, because SQLite does not align them. */
export const vectorFloats = (bytes: Uint8Array) =>
  renormalized(new Float32Array(new Float16Array(bytes.slice().buffer)))

/**
 * Float16 rounding changes a unit vector's length by up to 0.0005, so another vector could be closer to it than itself.
 */
const ROUNDING_TOLERANCE = 0.001

const renormalized = (vector: Float32Array) => {
  let square = 0
  // By index: an iterator takes three times as long.
  for (let i = 0; i < vector.length; i++) square += (vector[i] ?? 0) ** 2
  const length = Math.sqrt(square)
  if (Math.abs(length - 1) < ROUNDING_TOLERANCE)
    for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) / length
  return vector
}

export interface VectorSource {
  /** Returns the vectors written after `revision`, oldest first, at most `limit`. */
  readonly since: (
    embedder: number,
    revision: number,
    limit: number
  ) => Effect.Effect<ReadonlyArray<VectorCode>>
  /** Returns the links whose vectors were removed after this revision, and the latest such revision. */
  readonly removedSince: (
    embedder: number,
    revision: number
  ) => Effect.Effect<{ readonly revision: number; readonly ids: ReadonlyArray<number> }>
  /** The latest removal's revision; an index loaded from now on can ignore earlier removals. */
  readonly lastRemoval: Effect.Effect<number>
  readonly floats: (
    embedder: number,
    ids: ReadonlyArray<number>
  ) => Effect.Effect<ReadonlyMap<number, Float32Array>>
  /** Changes whenever the database changes, through this connection or another. */
  readonly stamp: Effect.Effect<string>
  /** Frees the pages that the connection has cached, after the whole table was read. */
  readonly freeCache: Effect.Effect<void>
}

/** Converts rows (revision, link, scale, codes), which are read as arrays: an index reads every row of its table. */
const vectorRows = (rows: ReadonlyArray<ReadonlyArray<unknown>>): ReadonlyArray<VectorCode> =>
  rows.map(([revision, linkId, scale, codes]) => ({
    revision: Number(revision),
    linkId: Number(linkId),
    scale: Number(scale),
    codes:
      codes instanceof Uint8Array
        ? new Int8Array(codes.buffer, codes.byteOffset, codes.byteLength)
        : new Int8Array()
  }))

interface VectorTables {
  readonly service: string
  readonly codes: string
  readonly floats: string
  readonly removals: string
  /** The condition that a row is of this embedder. */
  readonly of: (embedder: number) => Fragment
}

/** Reads vectors for searches, over a connection that may be read-only. Decodes nothing: an index reads every row. */
export const makeVectorSource = (
  sql: SqlClient.SqlClient,
  { of, service, ...names }: VectorTables
): VectorSource => {
  const codes = literal(names.codes)
  const floats = literal(names.floats)
  const removals = literal(names.removals)
  return {
    since: Effect.fn(`${service}.since`)((embedder: number, revision: number, limit: number) =>
      Effect.map(
        Effect.orDie(
          sql`SELECT revision, link_id, scale, codes FROM ${codes}
            WHERE revision > ${revision} AND ${of(embedder)} ORDER BY revision LIMIT ${limit}`.values
        ),
        vectorRows
      )
    ),
    removedSince: Effect.fn(`${service}.removedSince`)((embedder: number, revision: number) =>
      Effect.map(
        Effect.orDie(
          sql`SELECT revision, link_id FROM ${removals}
            WHERE revision > ${revision} AND ${of(embedder)} ORDER BY revision`.values
        ),
        (rows) => ({
          revision: Number(rows.at(-1)?.[0] ?? revision),
          ids: rows.map(([, linkId]) => Number(linkId))
        })
      )
    ),
    lastRemoval: readNumber(sql`SELECT max(revision) FROM ${removals}`),
    floats: Effect.fn(`${service}.floats`)((embedder: number, ids: ReadonlyArray<number>) =>
      Effect.map(
        Effect.orDie(
          sql`SELECT link_id, floats FROM ${floats}
            WHERE ${of(embedder)} AND link_id IN ${listOf(ids)}`.values
        ),
        (rows) =>
          new Map(
            rows.flatMap(([id, bytes]) =>
              bytes instanceof Uint8Array ? [[Number(id), vectorFloats(bytes)] as const] : []
            )
          )
      )
    ),
    stamp: changeStampOf(sql),
    // Frees what the connection has cached (https://www.sqlite.org/pragma.html#pragma_shrink_memory).
    freeCache: Effect.asVoid(Effect.orDie(sql`PRAGMA shrink_memory`))
  }
}

export const hasLinks = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  readFlag(sql`SELECT EXISTS (SELECT 1 FROM links)`)
)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  return {
    embedder: Effect.fn("VectorStore.embedder")((name: string) =>
      firstRow(decodeEmbedders(sql`SELECT * FROM embedders WHERE name = ${name}`))
    ),
    busiest: firstRow(
      decodeEmbedders(
        sql`SELECT * FROM embedders ORDER BY
                (SELECT count(*) FROM vectors WHERE embedder_id = embedders.id) DESC, id DESC LIMIT 1`
      )
    ),
    addEmbedder: Effect.fn("VectorStore.addEmbedder")(function* ({
      name,
      dimensions,
      threshold
    }: Omit<EmbedderInUse, "id">) {
      // A model whose vectors have a different length is a different model.
      yield* orUnavailable(sql`DELETE FROM embedders WHERE name = ${name} AND dimensions <> ${dimensions}`)
      const [row] = yield* orUnavailable(
        decodeEmbedders(
          sql`INSERT INTO embedders ${sql.insert({ name, dimensions, threshold })}
                ON CONFLICT (name) DO UPDATE SET threshold = excluded.threshold RETURNING *`
        )
      )
      return row ?? { id: 0, name, dimensions, threshold }
    }),
    /** Deletes other embedders' vectors, in the caller's transaction; queued links without a new one keep theirs. */
    removeReplaced: Effect.fn("VectorStore.removeReplaced")(function* (embedder: number) {
      const others = yield* sql`SELECT 1 FROM embedders WHERE id <> ${embedder} LIMIT 1`
      // Without an index by embedder, looking for their vectors would read all vectors.
      if (others.length === 0) return
      const kept = sql`(SELECT link_id FROM embedding_queue AS q WHERE NOT EXISTS (
            SELECT 1 FROM vectors WHERE vectors.link_id = q.link_id AND vectors.embedder_id = ${embedder}))`
      yield* sql`DELETE FROM vector_floats WHERE embedder_id <> ${embedder} AND link_id NOT IN ${kept}`
      yield* sql`DELETE FROM vectors WHERE embedder_id <> ${embedder} AND link_id NOT IN ${kept}`
      yield* sql`DELETE FROM embedders WHERE id <> ${embedder}
            AND NOT EXISTS (SELECT 1 FROM vectors WHERE embedder_id = embedders.id)`
    }, orUnavailable),
    /** Writes vectors and dequeues their links; `place` is null if a link was not read from the queue. */
    write: Effect.fn("VectorStore.write")(function* (
      embedder: number,
      vectors: ReadonlyArray<StoredVector & { readonly place: number | null }>
    ) {
      for (const { codes, floats, linkId, place, scale } of vectors) {
        // The link was deleted in the meantime.
        const [link] = yield* sql`SELECT 1 FROM links WHERE id = ${linkId}`
        if (link === undefined) continue
        yield* sql`INSERT OR REPLACE INTO vectors (link_id, embedder_id, scale, codes)
              VALUES (${linkId}, ${embedder}, ${scale}, ${codeBytes(codes)})`
        yield* sql`INSERT OR REPLACE INTO vector_floats (link_id, embedder_id, floats)
              VALUES (${linkId}, ${embedder}, ${floatBytes(floats)})`
        yield* sql`DELETE FROM embedding_queue WHERE link_id = ${linkId} AND place <= ${place ?? Number.MAX_SAFE_INTEGER}`
      }
    }, orUnavailable),
    waiting: Effect.fn("VectorStore.waiting")((limit: number, place: number) =>
      readWaiting(sql`SELECT q.place, l.id, l.title, l.description, l.summary, l.tags,
              l.note || iif(l.highlighted = '', '', char(10) || substr(l.highlighted, 1, ${MAX_HIGHLIGHTED})) AS note,
              NOT EXISTS (SELECT 1 FROM vectors WHERE link_id = l.id)
                AND NOT ${literal(hasTask("read", "l.id"))} AS fresh
            FROM embedding_queue q JOIN links l ON l.id = q.link_id WHERE q.place > ${place} ORDER BY q.place LIMIT ${limit}`)
    ),
    /** The place of the last queued link; 0 if the queue is empty. Places only increase. */
    lastWaiting: readNumber(sql`SELECT max(place) FROM embedding_queue`),
    waitingCount: readNumber(sql`SELECT count(*) FROM embedding_queue`),
    /** Queues every link whose page was read and that has no vector of this embedder. */
    queueMissing: Effect.fn("VectorStore.queueMissing")((embedder: number) =>
      execute(sql`INSERT OR IGNORE INTO embedding_queue (link_id) SELECT id FROM links WHERE enrichment <> 'pending'
                AND NOT EXISTS (SELECT 1 FROM vectors WHERE link_id = links.id AND embedder_id = ${embedder}) ORDER BY id`)
    ),
    /** Queues every link whose page was read; links keep their current vector until a new one is written. */
    queueAll: execute(sql`INSERT OR IGNORE INTO embedding_queue (link_id)
              SELECT id FROM links WHERE enrichment <> 'pending' ORDER BY id`),
    /** Clears the record of removals; only at startup, before any index has loaded vectors. */
    forgetRemovals: execute(sql`DELETE FROM vector_removals`),
    ...makeVectorSource(sql, {
      service: "VectorStore",
      codes: "vectors",
      floats: "vector_floats",
      removals: "vector_removals",
      of: (embedder) => sql`embedder_id = ${embedder}`
    })
  }
})

/** Stores one vector per link and embedder, and the queue of links without one. */
export class VectorStore extends Service<VectorStore>()("VectorStore", make) {}
