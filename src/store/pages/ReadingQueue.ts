import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer, Schema } from "effect"
import { LinkId } from "../../domain/Link.ts"
import { readNumber, readRows } from "../Rows.ts"
import { execute } from "../Transaction.ts"

/** A link whose page is unread, and how often the program exited while reading it. */
const Unread = Schema.Struct({ linkId: LinkId, starts: Schema.Int })
export type Unread = typeof Unread.Type
const readUnread = readRows(Unread)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    add: Effect.fn("ReadingQueue.add")((ids: ReadonlyArray<LinkId>, held: boolean) =>
      execute(sql`INSERT INTO reading_queue (link_id, held) SELECT value, ${held ? 1 : 0}
                FROM json_each(${JSON.stringify(ids)}) WHERE true ON CONFLICT (link_id) DO NOTHING`)
    ),
    /** Returns the first `limit` links that are not held. */
    next: Effect.fn("ReadingQueue.next")((limit: number) =>
      readUnread(sql`SELECT link_id, starts FROM reading_queue WHERE held = 0 ORDER BY place LIMIT ${limit}`)
    ),
    /** Counts a started read; call it before reading the page. */
    begin: Effect.fn("ReadingQueue.begin")((id: LinkId) =>
      execute(sql`UPDATE reading_queue SET starts = starts + 1 WHERE link_id = ${id}`)
    ),
    /** Undoes `begin` after a clean stop. */
    stopped: Effect.fn("ReadingQueue.stopped")((id: LinkId) =>
      execute(sql`UPDATE reading_queue SET starts = max(starts - 1, 0) WHERE link_id = ${id}`)
    ),
    /** A number that changes when another process writes to the library. */
    stamp: readNumber(sql`PRAGMA data_version`),
    /** The number of links that are not held. */
    due: readNumber(sql`SELECT count(*) FROM reading_queue WHERE held = 0`),
    remove: Effect.fn("ReadingQueue.remove")((id: LinkId) =>
      execute(sql`DELETE FROM reading_queue WHERE link_id = ${id}`)
    ),
    /** Holds or releases all links. */
    hold: Effect.fn("ReadingQueue.hold")((held: boolean) =>
      execute(sql`UPDATE reading_queue SET held = ${held ? 1 : 0}`)
    )
  }
})

/** The queue of imported links whose pages are unread; held ones wait until released. */
export class ReadingQueue extends Context.Tag("ReadingQueue")<
  ReadingQueue,
  Effect.Effect.Success<typeof make>
>() {
  static readonly make = make
  static readonly layer = Layer.effect(this, this.make)
}
