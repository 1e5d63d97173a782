import { SqlClient } from "@effect/sql"
import { DateTime, Duration, Effect } from "effect"
import { Link, type LinkId } from "../../domain/Link.ts"
import { Service } from "../../runtime/Services.ts"
import { listOf } from "../Fragment.ts"
import { PassedTime } from "../PassedTime.ts"
import { readJson, readLinkIds, readNumber } from "../Rows.ts"
import { orDefect, Transaction } from "../Transaction.ts"
import { trashedLinkJson } from "./LinkStore.ts"
import { restoreTrashed, TRASHED_COLUMNS } from "./TrashRows.ts"

const readLinks = readJson(Link)

export const TRASH_AGE = Duration.days(30)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const transaction = yield* Transaction
  const passed = yield* PassedTime
  const columns = sql.literal(TRASHED_COLUMNS)
  /** Moves these links to the trash; skips numbers that are not in the library. */
  const moveSome = Effect.fn("TrashStore.moveSome")(
    function* (ids: ReadonlyArray<LinkId>) {
      const moved = listOf(ids)
      const now = DateTime.formatIso(yield* DateTime.now)
      yield* sql`INSERT INTO trash (id, deleted_at, messages, collection_id, retry_at, ${columns})
            SELECT id, ${now}, (SELECT json_group_array(json_object('chat', chat_id, 'message', message_id,
                'note', m.note, 'tags', json(m.tags), 'after', m.after_change, 'created', created))
              FROM message_links m WHERE m.link_id = links.id),
              collection_id, retry_at, ${columns} FROM links WHERE id IN ${moved}`
      yield* sql`DELETE FROM links WHERE id IN ${moved}`
    },
    transaction,
    orDefect
  )

  return {
    moveSome,
    /** Moves these links to the trash as if they had been there since `deletedAt`. */
    moveBack: Effect.fn("TrashStore.moveBack")(
      function* (links: ReadonlyArray<{ readonly id: LinkId; readonly deletedAt: string }>) {
        if (links.length === 0) return
        yield* moveSome(links.map(({ id }) => id))
        yield* sql`UPDATE trash SET deleted_at = given.value ->> 'deletedAt'
              FROM json_each(${JSON.stringify(links)}) AS given WHERE trash.id = given.value ->> 'id'`
      },
      transaction,
      orDefect
    ),
    /** Takes links out of the trash with their chat messages. One whose address another link has by now stays. */
    restoreSome: Effect.fn("TrashStore.restoreSome")(
      (ids: ReadonlyArray<LinkId>) => Effect.asVoid(restoreTrashed(sql, ids, { privately: false })),
      transaction,
      orDefect
    ),
    getAll: Effect.fn("TrashStore.getAll")((ids: ReadonlyArray<LinkId>) =>
      readLinks(sql`SELECT ${sql.literal(trashedLinkJson)} AS json FROM json_each(${JSON.stringify(ids)}) AS wanted
            JOIN trash l ON l.id = wanted.value LEFT JOIN collections c ON c.id = l.collection_id
            ORDER BY wanted.key`)
    ),
    /** Returns up to `limit` links that have been in the trash for longer than `TRASH_AGE`, longest first. */
    expired: Effect.fn("TrashStore.expired")(function* (limit: number) {
      const before = yield* passed.before(TRASH_AGE)
      return yield* readLinkIds(
        sql`SELECT id FROM trash WHERE deleted_at < ${before} ORDER BY deleted_at, id LIMIT ${limit}`
      )
    }),
    count: readNumber(sql`SELECT count(*) FROM trash`)
  }
})

export class TrashStore extends Service<TrashStore>()("TrashStore", make) {}
