import { SqlClient } from "@effect/sql"
import { DateTime, Duration, Effect } from "effect"
import type { LinkId } from "../../domain/Link.ts"
import { type MessageRef, OutgoingReply } from "../../domain/Messages.ts"
import { Service } from "../../runtime/Services.ts"
import { listOf } from "../Fragment.ts"
import { firstRow, readRows, readTexts } from "../Rows.ts"
import { execute, orUnavailable, Transaction } from "../Transaction.ts"

const readReplies = readRows(OutgoingReply)

const MAX_WAIT = Duration.hours(1)
const MAX_LINE = 40

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const transaction = yield* Transaction
  /** The columns of a reply. One due beyond the horizon, or untried and created in the future, predates a clock set back. */
  const columns = Effect.map(DateTime.now, (at) => {
    const [now, horizon] = [at, DateTime.addDuration(at, MAX_WAIT)].map(DateTime.formatIso)
    return sql`id, message, link_ids, attempts, created_at, next_at,
      (next_at <= ${now} OR next_at > ${horizon} OR (attempts = 0 AND created_at > ${now})) AS is_due`
  })

  /** Drops waiting replies that replace the message and returns their latest next attempt, or `now` if later. */
  const drop = Effect.fnUntraced(function* ({ chatId, messageId }: MessageRef, now: string) {
    const dropped = yield* readTexts(
      sql`DELETE FROM outbox
            WHERE json_extract(message, '$.replaces') = ${messageId} AND json_extract(message, '$.chatId') = ${chatId}
            RETURNING next_at`
    )
    return [now, ...dropped].sort().at(-1) ?? now
  })

  return {
    /** Enqueues a reply. `inPlaceOf` drops waiting replies that replace the same message and inherits their wait. */
    add: Effect.fn("OutboxStore.add")(function* (
      message: string,
      about: ReadonlyArray<LinkId>,
      inPlaceOf?: MessageRef
    ) {
      const now = DateTime.formatIso(yield* DateTime.now)
      yield* transaction(
        Effect.gen(function* () {
          const nextAt = inPlaceOf === undefined ? now : yield* drop(inPlaceOf, now)
          yield* sql`INSERT INTO outbox ${sql.insert({ message, linkIds: JSON.stringify(about), nextAt, createdAt: now })}`
        })
      )
    }),
    /** The oldest 40 replies in order, due or not. Replies about a job whose earlier reply has stepped aside are left out. */
    line: Effect.flatMap(columns, (reply) =>
      readReplies(sql`SELECT ${reply} FROM outbox AS one
          WHERE aside_at IS NULL AND NOT EXISTS (SELECT 1 FROM outbox AS before
            WHERE before.aside_at IS NOT NULL AND before.id < one.id
            AND json_extract(before.message, '$.job') = json_extract(one.message, '$.job'))
          ORDER BY id LIMIT ${MAX_LINE}`)
    ).pipe(Effect.withSpan("OutboxStore.line")),
    /** The reply that has stepped aside and whose next attempt is due first. */
    aside: Effect.flatMap(columns, (reply) =>
      firstRow(
        readReplies(
          sql`SELECT ${reply} FROM outbox WHERE aside_at IS NOT NULL ORDER BY is_due DESC, next_at, id LIMIT 1`
        )
      )
    ).pipe(Effect.withSpan("OutboxStore.aside")),
    files: readTexts(
      sql`SELECT json_extract(message, '$.document.file') FROM outbox
            WHERE json_extract(message, '$.document.file') IS NOT NULL`
    ).pipe(Effect.withSpan("OutboxStore.files")),
    sent: Effect.fn("OutboxStore.sent")((ids: ReadonlyArray<number>) =>
      execute(sql`DELETE FROM outbox WHERE id IN ${listOf(ids)}`)
    ),
    /** Schedules a retry of a reply; `wait` is capped at one hour. */
    retry: Effect.fn("OutboxStore.retry")(function* (id: number, wait: Duration.Duration) {
      const at = DateTime.formatIso(DateTime.addDuration(yield* DateTime.now, Duration.min(wait, MAX_WAIT)))
      yield* orUnavailable(sql`UPDATE outbox SET attempts = attempts + 1, next_at = ${at} WHERE id = ${id}`)
    }),
    /** Takes a reply that fails while others succeed out of the line, so that later replies do not wait for it. */
    defer: Effect.fn("OutboxStore.defer")(function* (id: number) {
      const now = DateTime.formatIso(yield* DateTime.now)
      yield* orUnavailable(sql`UPDATE outbox SET aside_at = ${now} WHERE id = ${id}`)
    })
  }
})

/** Replies until Telegram accepts them. Reads `chatId`, `replaces`, `job` and the file's name of a message. */
export class OutboxStore extends Service<OutboxStore>()("OutboxStore", make) {}
