import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer, Schema } from "effect"
import { Service } from "../../runtime/Services.ts"
import { readRows } from "../Rows.ts"
import { orUnavailable, Transaction } from "../Transaction.ts"
import {
  codeBytes,
  floatBytes,
  makeVectorSource,
  type StoredVector,
  type VectorSource
} from "../vectors/VectorStore.ts"

const Waiting = Schema.Struct({
  place: Schema.Int,
  id: Schema.Int,
  title: Schema.String,
  description: Schema.String,
  summary: Schema.String,
  tags: Schema.parseJson(Schema.Array(Schema.String))
})
const readWaiting = readRows(Waiting)
export type PublicWaiting = typeof Waiting.Type

const makePublicVectors = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const transaction = yield* Transaction
  return {
    waiting: Effect.fn("PublicVectors.waiting")((limit: number) =>
      readWaiting(sql`SELECT q.place, p.id, p.title, p.description, p.summary, p.tags
          FROM public_embedding_queue q JOIN public_links p ON p.id = q.link_id ORDER BY q.place LIMIT ${limit}`)
    ),
    /**
     * Writes the vectors of links that are still shared, and dequeues those links unless they changed in the meantime.
     */
    write: Effect.fn("PublicVectors.write")(
      (embedder: string, vectors: ReadonlyArray<StoredVector & { readonly place: number }>) =>
        transaction(
          Effect.forEach(
            vectors,
            ({ codes, floats, linkId, place, scale }) =>
              Effect.zipRight(
                sql`INSERT OR REPLACE INTO public_vectors (link_id, embedder, scale, codes, floats)
                    SELECT id, ${embedder}, ${scale}, ${codeBytes(codes)}, ${floatBytes(floats)}
                    FROM public_links WHERE id = ${linkId}`,
                sql`DELETE FROM public_embedding_queue WHERE link_id = ${linkId} AND place = ${place}`
              ),
            { discard: true }
          )
        ).pipe(Effect.asVoid)
    ),
    /**
     * Deletes other embedders' vectors, queues the links without a vector, and clears the record of removed vectors.
     */
    prepare: Effect.fn("PublicVectors.prepare")(function* (embedder: string) {
      yield* orUnavailable(sql`DELETE FROM public_vector_removals`)
      yield* orUnavailable(sql`DELETE FROM public_vectors WHERE embedder <> ${embedder}`)
      yield* orUnavailable(
        sql`INSERT INTO public_embedding_queue (link_id) SELECT id FROM public_links
              WHERE id NOT IN (SELECT link_id FROM public_vectors)
                AND id NOT IN (SELECT link_id FROM public_embedding_queue) ORDER BY id`
      )
    })
  }
})

/** A vector per shared link, made of its public fields by the built-in embedder, and the queue of those without one. */
export class PublicVectors extends Service<PublicVectors>()("PublicVectors", makePublicVectors) {}

/** Reads over a connection that may be read-only; ignores the embedder's id, since there is only one. */
export class PublicVectorSource extends Context.Tag("PublicVectorSource")<
  PublicVectorSource,
  VectorSource
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.map(SqlClient.SqlClient, (sql) =>
      makeVectorSource(sql, {
        service: "PublicVectors",
        codes: "public_vectors",
        floats: "public_vectors",
        removals: "public_vector_removals",
        of: () => sql`true`
      })
    )
  )
}
