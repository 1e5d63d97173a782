import { SqlClient, SqlSchema } from "@effect/sql"
import { Context, Effect, Layer, type Option } from "effect"
import { LinkId, LinkNotFound } from "../../domain/Link.ts"
import { ReadingPosition } from "../../domain/ReadingPosition.ts"
import type { StoreUnavailable } from "../../domain/StoreUnavailable.ts"
import { readOrDefect } from "../Rows.ts"
import { orUnavailable } from "../Transaction.ts"

/** How far each kept article has been read. */
export class PositionStore extends Context.Tag("PositionStore")<
  PositionStore,
  {
    readonly read: (id: LinkId) => Effect.Effect<Option.Option<ReadingPosition>>
    /** Keeps a position unless a newer one is kept; returns the kept one. The link may be in the trash. */
    readonly write: (
      id: LinkId,
      position: ReadingPosition
    ) => Effect.Effect<ReadingPosition, LinkNotFound | StoreUnavailable>
    /** Gives a link the newest of its own position and those of others, which keep theirs. */
    readonly share: (id: LinkId, others: ReadonlyArray<LinkId>) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const byId = SqlSchema.findOne({
        Request: LinkId,
        Result: ReadingPosition,
        execute: (id) =>
          sql`SELECT at, text_offset AS offset, updated_at FROM reading_positions WHERE link_id = ${id}`
      })
      const read = Effect.fn("PositionStore.read")((id: LinkId) => readOrDefect(byId(id)))
      return {
        read,
        share: Effect.fn("PositionStore.share")((id, others) =>
          Effect.asVoid(
            orUnavailable(
              sql`INSERT INTO reading_positions (link_id, at, text_offset, updated_at)
                SELECT ${id}, at, text_offset, updated_at FROM reading_positions
                WHERE link_id IN (SELECT value FROM json_each(${JSON.stringify(others)}))
                ORDER BY updated_at DESC LIMIT 1
                ON CONFLICT (link_id) DO UPDATE
                  SET at = excluded.at, text_offset = excluded.text_offset, updated_at = excluded.updated_at
                  WHERE excluded.updated_at > reading_positions.updated_at`
            )
          )
        ),
        write: Effect.fn("PositionStore.write")(function* (id, { at, offset, updatedAt }) {
          yield* orUnavailable(
            sql`INSERT INTO reading_positions (link_id, at, text_offset, updated_at)
              SELECT ${id}, ${at}, ${offset}, ${updatedAt}
              WHERE EXISTS (SELECT 1 FROM links WHERE id = ${id}) OR EXISTS (SELECT 1 FROM trash WHERE id = ${id})
              ON CONFLICT (link_id) DO UPDATE
                SET at = excluded.at, text_offset = excluded.text_offset, updated_at = excluded.updated_at
                WHERE excluded.updated_at >= reading_positions.updated_at`
          )
          return yield* Effect.mapError(yield* read(id), () => new LinkNotFound({ id }))
        })
      }
    })
  )
}
