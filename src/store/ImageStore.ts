import { SqlClient, SqlSchema } from "@effect/sql"
import { Context, Effect, Layer, Option, Schema } from "effect"
import type { LinkId } from "../domain/Link.ts"
import type { PictureKind } from "../domain/Picture.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { orUnavailable } from "./Transaction.ts"

const Removal = Schema.Struct({
  id: Schema.Int,
  kind: Schema.Literal("image", "favicon"),
  address: Schema.String
})

/** An address that a link no longer has, for it was deleted or names another picture. */
export type Removal = typeof Removal.Type

/** A picture's address, and that of the link that names it. */
export interface NamedPicture {
  readonly address: string
  readonly page: string
}

/** Which pictures links name, and which they have ceased to name. */
export class ImageStore extends Context.Tag("ImageStore")<
  ImageStore,
  {
    /** A link's picture and the link's own address; none where there is no such link, or it names no picture. */
    readonly addressOf: (kind: PictureKind, id: LinkId) => Effect.Effect<Option.Option<NamedPicture>>
    /** What is to be removed, the oldest first. */
    readonly removals: (limit: number) => Effect.Effect<ReadonlyArray<Removal>>
    /** Forgets these removals, once nothing is left of what they name. */
    readonly removed: (removals: ReadonlyArray<Removal>) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const oldest = SqlSchema.findAll({
        Request: Schema.Int,
        Result: Removal,
        execute: (limit) => sql`SELECT id, kind, address FROM image_removals ORDER BY id LIMIT ${limit}`
      })
      return {
        addressOf: Effect.fn("ImageStore.addressOf")(function* (kind, id) {
          const [row] = yield* Effect.orDie(
            sql<NamedPicture>`SELECT ${sql(kind)} AS address, url AS page FROM links
              WHERE id = ${id} AND ${sql(kind)} IS NOT NULL`
          )
          return Option.fromNullable(row)
        }),
        removals: Effect.fn("ImageStore.removals")((limit) => Effect.orDie(oldest(limit))),
        removed: Effect.fn("ImageStore.removed")((removals) =>
          orUnavailable(
            sql`DELETE FROM image_removals
              WHERE id IN (SELECT value FROM json_each(${JSON.stringify(removals.map(({ id }) => id))}))`
          )
        )
      }
    })
  )
}
