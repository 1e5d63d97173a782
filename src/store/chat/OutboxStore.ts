import { SqlClient, SqlSchema } from "@effect/sql"
import { Context, DateTime, Duration, Effect, Layer, type Option, Schema } from "effect"
import { LinkId } from "../../domain/Link.ts"
import type { StoreUnavailable } from "../../domain/StoreUnavailable.ts"
import { orUnavailable, Transaction } from "../Transaction.ts"
import type { MessageRef } from "./MessageStore.ts"

/** A reply that is still to be sent; `message` is JSON the bot wrote, of which its `chatId` and `replaces` count here. */
export const Outgoing = Schema.Struct({
  id: Schema.Int,
  message: Schema.String,
  /** The links the reply is about. */
  linkIds: Schema.parseJson(Schema.Array(LinkId)),
  attempts: Schema.Int,
  createdAt: Schema.String,
  /** When its next attempt is due, and whether it is. */
  nextAt: Schema.String,
  isDue: Schema.BooleanFromUnknown
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
    /**
     * The oldest replies in line, due or not. Replies keep their order, so all others wait for the first; one about the
     * same job as a reply that has stepped aside waits for that.
     */
    readonly line: Effect.Effect<ReadonlyArray<Outgoing>>
    /** Of the replies that have stepped aside the one whose next attempt is due first. */
    readonly aside: Effect.Effect<Option.Option<Outgoing>>
    /** The replies have been sent, or given up. */
    readonly sent: (ids: ReadonlyArray<number>) => Effect.Effect<void, StoreUnavailable>
    /** Puts a reply off, for an hour at most. */
    readonly retry: (id: number, wait: Duration.Duration) => Effect.Effect<void, StoreUnavailable>
    /** Takes a reply that fails while others go through out of the line, so that later ones need not wait for it. */
    readonly stepAside: (id: number) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const transaction = yield* Transaction
      // Before the clock was set back were written: what lies beyond the horizon, and what was never tried and yet is of the future.
      const dueAt = (now: string, horizon: string) =>
        sql`(next_at <= ${now} OR next_at > ${horizon} OR (attempts = 0 AND created_at > ${now}))`
      const Moment = Schema.Struct({ now: Schema.String, horizon: Schema.String })
      const line = SqlSchema.findAll({
        Request: Moment,
        Result: Outgoing,
        execute: ({ horizon, now }) =>
          sql`SELECT id, message, link_ids, attempts, created_at, next_at, ${dueAt(now, horizon)} AS is_due FROM outbox AS one
              WHERE aside_at IS NULL AND NOT EXISTS (SELECT 1 FROM outbox AS before
                WHERE before.aside_at IS NOT NULL AND before.id < one.id
                AND json_extract(before.message, '$.job') = json_extract(one.message, '$.job'))
              ORDER BY id LIMIT ${MOST}`
      })
      const aside = SqlSchema.findOne({
        Request: Moment,
        Result: Outgoing,
        execute: ({ horizon, now }) =>
          sql`SELECT id, message, link_ids, attempts, created_at, next_at, ${dueAt(now, horizon)} AS is_due
              FROM outbox WHERE aside_at IS NOT NULL ORDER BY is_due DESC, next_at, id LIMIT 1`
      })
      const moment = Effect.map(DateTime.now, (at) => ({
        now: DateTime.formatIso(at),
        horizon: DateTime.formatIso(DateTime.addDuration(at, MAX_WAIT))
      }))

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
        line: Effect.flatMap(moment, (at) => Effect.orDie(line(at))).pipe(
          Effect.withSpan("OutboxStore.line")
        ),
        aside: Effect.flatMap(moment, (at) => Effect.orDie(aside(at))).pipe(
          Effect.withSpan("OutboxStore.aside")
        ),
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
        }),
        stepAside: Effect.fn("OutboxStore.stepAside")(function* (id) {
          const now = DateTime.formatIso(yield* DateTime.now)
          yield* orUnavailable(sql`UPDATE outbox SET aside_at = ${now} WHERE id = ${id}`)
        })
      }
    })
  )
}
