import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { type LinkId, LinkNotFound } from "../../domain/Link.ts"
import { ReadingPosition } from "../../domain/ReadingPosition.ts"
import { Service } from "../../runtime/Services.ts"
import { listOf } from "../Fragment.ts"
import { firstRow, readRows } from "../Rows.ts"
import { execute, orUnavailable } from "../Transaction.ts"

const readReadingPosition = readRows(ReadingPosition)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const read = Effect.fn("PositionStore.read")((id: LinkId) =>
    firstRow(
      readReadingPosition(
        sql`SELECT at, text_offset AS offset, updated_at FROM reading_positions WHERE link_id = ${id}`
      )
    )
  )
  return {
    read,
    /** Gives a link the newest of its own position and those of others, which keep theirs. */
    share: Effect.fn("PositionStore.share")((id: LinkId, others: ReadonlyArray<LinkId>) =>
      execute(sql`INSERT INTO reading_positions (link_id, at, text_offset, updated_at)
                SELECT ${id}, at, text_offset, updated_at FROM reading_positions
                WHERE link_id IN ${listOf(others)}
                ORDER BY updated_at DESC LIMIT 1
                ON CONFLICT (link_id) DO UPDATE
                  SET at = excluded.at, text_offset = excluded.text_offset, updated_at = excluded.updated_at
                  WHERE excluded.updated_at > reading_positions.updated_at`)
    ),
    /** Keeps a position unless a newer one is kept; returns the kept one. The link may be in the trash. */
    write: Effect.fn("PositionStore.write")(function* (
      id: LinkId,
      { at, offset, updatedAt }: ReadingPosition
    ) {
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

export class PositionStore extends Service<PositionStore>()("PositionStore", make) {}
