import { SqlClient, SqlSchema } from "@effect/sql"
import { Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { LinkId } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import type { MessageRef } from "./MessageStore.ts"
import { orUnavailable, Transaction } from "./Transaction.ts"

/** A reply that is still to be sent; `message` is JSON the bot wrote, of which its `chatId` and `replaces` count here. */
export const Outgoing = Schema.Struct({
  id: Schema.Int,
  message: Schema.String,
  /** The links the reply is about. */
  linkIds: Schema.parseJson(Schema.Array(LinkId)),
  attempts: Schema.Int,
  createdAt: Schema.String
})
export type Outgoing = typeof Outgoing.Type

const MAX_WAIT = Duration.hours(1)
/** How many replies are looked at together. */
const MOST = 40

/** Keeps replies until the chat platform has taken them, over outages and restarts. */
export class OutboxStore extends Context.Tag("OutboxStore")<
  OutboxStore,
  {
    /** Keeps a reply; one that takes a message's place drops those that wait to take the same, and waits as they did. */
    readonly add: (
      message: string,
      about: ReadonlyArray<LinkId>,
      inPlaceOf?: MessageRef
    ) => Effect.Effect<void, StoreUnavailable>
    /** The oldest replies, where the first of them is due. Replies keep their order, so all others wait for it. */
    readonly next: Effect.Effect<ReadonlyArray<Outgoing>>
    /** The replies have been sent, or given up. */
    readonly sent: (ids: ReadonlyArray<number>) => Effect.Effect<void, StoreUnavailable>
    /** Puts a reply off, for an hour at most. */
    readonly retry: (id: number, wait: Duration.Duration) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const transaction = yield* Transaction
      const oldest = SqlSchema.findAll({
        Request: Schema.Struct({ now: Schema.String, horizon: Schema.String }),
        Result: Outgoing,
        // Before the clock was set back were written: what lies beyond the horizon, and what was never tried and yet is of the future.
        execute: ({ horizon, now }) =>
          sql`SELECT id, message, link_ids, attempts, created_at FROM outbox
              WHERE EXISTS (SELECT 1 FROM (SELECT next_at, attempts, created_at FROM outbox ORDER BY id LIMIT 1)
                            WHERE next_at <= ${now} OR next_at > ${horizon} OR (attempts = 0 AND created_at > ${now}))
              ORDER BY id LIMIT ${MOST}`
      })

      /** Drops what waits to take the message's place; gives when that would have been tried next. */
      const drop = Effect.fnUntraced(function* ({ chatId, messageId }: MessageRef, now: string) {
        const dropped = yield* sql<{ nextAt: string }>`DELETE FROM outbox
          WHERE json_extract(message, '$.replaces') = ${messageId} AND json_extract(message, '$.chatId') = ${chatId}
          RETURNING next_at`
        return [now, ...dropped.map(({ nextAt }) => nextAt)].sort().at(-1) ?? now
      })

      return {
        add: Effect.fn("OutboxStore.add")(function* (message, about, inPlaceOf) {
          const now = DateTime.formatIso(yield* DateTime.now)
          yield* transaction(
            Effect.gen(function* () {
              const nextAt = inPlaceOf === undefined ? now : yield* drop(inPlaceOf, now)
              yield* sql`INSERT INTO outbox ${sql.insert({ message, linkIds: JSON.stringify(about), nextAt, createdAt: now })}`
            })
          )
        }),
        next: Effect.gen(function* () {
          const at = yield* DateTime.now
          const horizon = DateTime.formatIso(DateTime.addDuration(at, MAX_WAIT))
          return yield* Effect.orDie(oldest({ now: DateTime.formatIso(at), horizon }))
        }).pipe(Effect.withSpan("OutboxStore.next")),
        sent: Effect.fn("OutboxStore.sent")((ids) =>
          Effect.asVoid(
            orUnavailable(
              sql`DELETE FROM outbox WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
            )
          )
        ),
        retry: Effect.fn("OutboxStore.retry")(function* (id, wait) {
          const at = DateTime.formatIso(
            DateTime.addDuration(yield* DateTime.now, Duration.min(wait, MAX_WAIT))
          )
          yield* orUnavailable(
            sql`UPDATE outbox SET attempts = attempts + 1, next_at = ${at} WHERE id = ${id}`
          )
        })
      }
    })
  )
}
