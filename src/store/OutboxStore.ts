import { SqlClient, SqlSchema } from "@effect/sql"
import { Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { LinkId } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { orUnavailable } from "./Transaction.ts"

/** A reply that is still to be sent; `message` is JSON the bot wrote and reads. */
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

/** Keeps replies until the chat platform has taken them, over outages and restarts. */
export class OutboxStore extends Context.Tag("OutboxStore")<
  OutboxStore,
  {
    readonly add: (message: string, about: ReadonlyArray<LinkId>) => Effect.Effect<void, StoreUnavailable>
    /** The oldest reply, where it is due. Replies keep their order, so a later one waits for it. */
    readonly next: Effect.Effect<ReadonlyArray<Outgoing>>
    readonly sent: (id: number) => Effect.Effect<void, StoreUnavailable>
    /** Puts a reply off, for an hour at most. */
    readonly retry: (id: number, wait: Duration.Duration) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const oldest = SqlSchema.findAll({
        Request: Schema.Struct({ now: Schema.String, horizon: Schema.String }),
        Result: Outgoing,
        // Beyond the horizon lies only what was written before the clock was set back.
        execute: ({ horizon, now }) =>
          sql`SELECT id, message, link_ids, attempts, created_at
              FROM (SELECT * FROM outbox ORDER BY id LIMIT 1) WHERE next_at <= ${now} OR next_at > ${horizon}`
      })

      return {
        add: Effect.fn("OutboxStore.add")(function* (message, about) {
          const at = DateTime.formatIso(yield* DateTime.now)
          yield* orUnavailable(
            sql`INSERT INTO outbox ${sql.insert({ message, linkIds: JSON.stringify(about), nextAt: at, createdAt: at })}`
          )
        }),
        next: Effect.gen(function* () {
          const at = yield* DateTime.now
          const horizon = DateTime.formatIso(DateTime.addDuration(at, MAX_WAIT))
          return yield* Effect.orDie(oldest({ now: DateTime.formatIso(at), horizon }))
        }).pipe(Effect.withSpan("OutboxStore.next")),
        sent: Effect.fn("OutboxStore.sent")((id) =>
          Effect.asVoid(orUnavailable(sql`DELETE FROM outbox WHERE id = ${id}`))
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
