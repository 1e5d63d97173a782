import { SqlClient, SqlSchema } from "@effect/sql"
import {
  Cause,
  Chunk,
  Context,
  DateTime,
  Deferred,
  Duration,
  Effect,
  Layer,
  Option,
  Queue,
  Schema
} from "effect"
import { LinkId } from "../../domain/Link.ts"
import type { StoreUnavailable } from "../../domain/StoreUnavailable.ts"
import { nextTurn } from "../../runtime/Scheduling.ts"
import { orUnavailable } from "../Transaction.ts"

/** Something that arrived and must not be lost. `key` tells a repeated delivery of the same source. */
export interface Arrival {
  readonly source: "chat" | "capture"
  readonly key: string
  /** The request's body as it came. */
  readonly payload: string
  /** What it is about, such as the message it edits; arrivals about the same are worked on one after another. */
  readonly subject?: string | null
  /** Tells requests apart that share a key; absent where a key names one request only. */
  readonly digest?: string
}

/** An arrival that is still to be done. */
export const Waiting = Schema.Struct({
  id: Schema.Int,
  source: Schema.Literal("chat", "capture"),
  key: Schema.String,
  payload: Schema.String,
  attempts: Schema.Int,
  /** How many earlier runs of the program ended while they had it in hand. */
  starts: Schema.Int,
  /** Whether this run has counted its start. */
  isBegun: Schema.BooleanFromUnknown
})
export type Waiting = typeof Waiting.Type

/**
 * Where an arrival is kept: its number, whether it had arrived before, whether its work has ended, and whether another
 * request had used its key. Then it is not kept.
 */
export interface Kept {
  readonly id: number
  readonly repeated: boolean
  readonly isDone: boolean
  readonly isReused: boolean
}

/** An arrival that was given up after repeated failures. */
export const DeadArrival = Schema.Struct({
  id: Schema.Int,
  source: Schema.Literal("chat", "capture"),
  payload: Schema.String,
  receivedAt: Schema.String
})
export type DeadArrival = typeof DeadArrival.Type

interface Pending {
  readonly arrival: Arrival
  readonly begun: boolean
  readonly kept: Deferred.Deferred<Kept, StoreUnavailable>
}

/** An arrival that may have ended the process. */
interface Suspect {
  readonly waiting: Waiting
  readonly isDue: boolean
}

const MAX_BATCH = 256
const MAX_WAIT = Duration.minutes(15)

/** Keeps what arrives on disk until its work is done. */
export class InboxStore extends Context.Tag("InboxStore")<
  InboxStore,
  {
    /**
     * Returns once the arrival is synced to disk; arrivals of the same moment share one commit.
     *
     * An interrupted caller does not take its arrival back. With `begun` the start of its work is counted in the same
     * commit, for a caller who takes it up at once.
     */
    readonly keep: (arrival: Arrival, begun?: boolean) => Effect.Effect<Kept, StoreUnavailable>
    /**
     * The next `limit` arrivals of a source that are due and that no earlier run left in hand, the oldest first, without
     * those in `except` and those that wait for an earlier one about the same.
     */
    readonly due: (
      source: Arrival["source"],
      limit: number,
      except: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<Waiting>>
    /** How long until the next arrival that was put off is due, without those in `except`; none where no arrival waits. */
    readonly untilDue: (except: ReadonlyArray<number>) => Effect.Effect<Option.Option<Duration.Duration>>
    /** The next arrival that an earlier run left in hand, due or not; none once all of them are done. */
    readonly suspect: (except: ReadonlyArray<number>) => Effect.Effect<Option.Option<Suspect>>
    /** Counts the start of their work, once a run: to be called before it. */
    readonly begin: (ids: ReadonlyArray<number>) => Effect.Effect<void, StoreUnavailable>
    /** Notes that the arrival's address at this place is saved as this link. */
    readonly saved: (id: number, place: number, link: number) => Effect.Effect<void, StoreUnavailable>
    /** The places of the arrival that earlier work on it has saved, with their links; null where deleted since. */
    readonly savedBefore: (id: number) => Effect.Effect<ReadonlyMap<number, LinkId | null>>
    readonly done: (id: number) => Effect.Effect<void, StoreUnavailable>
    /** Remembers what a capture was answered, for as long as its key and its link are known. */
    readonly answered: (id: number, link: LinkId, title: string) => Effect.Effect<void, StoreUnavailable>
    /** The title that a capture was answered with. */
    readonly answerOf: (id: number) => Effect.Effect<Option.Option<string>>
    /** Puts an arrival off after a failure, for a quarter of an hour at most. */
    readonly retry: (id: number, wait: Duration.Duration) => Effect.Effect<void, StoreUnavailable>
    /** Gives an arrival up; it stays visible as `dead`. */
    readonly giveUp: (id: number) => Effect.Effect<void, StoreUnavailable>
    /** The arrivals that were given up, the newest first, at most 100. */
    readonly dead: Effect.Effect<ReadonlyArray<DeadArrival>>
    /** Puts a dead arrival, or all of them, back to be worked on; how many there were. */
    readonly revive: (id: number | null) => Effect.Effect<number, StoreUnavailable>
    /** Forgets a dead arrival; false if no arrival has this number. */
    readonly forget: (id: number) => Effect.Effect<boolean, StoreUnavailable>
    /** Forgets what arrived longer ago than this and is done, or was given up. A repeated delivery is recognised until then. */
    readonly prune: (
      done: Duration.Duration,
      dead: Duration.Duration
    ) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  /** Keeps arrivals in batches of at most `batch` to a commit. */
  static readonly batched = (batch: number) =>
    Layer.scoped(
      this,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        /** Names this run of the program. */
        const [run = 0] = crypto.getRandomValues(new Uint32Array(1))
        const pending = yield* Queue.unbounded<Pending>()

        // One statement for any number of rows, so that it is prepared once.
        const insert = (rows: string, now: string) =>
          sql<{ id: number; place: number }>`INSERT INTO inbox
          (source, key, payload, next_at, received_at, starts, run, digest, subject)
          SELECT value ->> 0, value ->> 1, value ->> 2, ${now}, ${now}, value ->> 3, iif(value ->> 3, ${run}, NULL), value ->> 4, value ->> 5
          FROM json_each(${rows}) WHERE true
          ON CONFLICT (source, key) DO NOTHING RETURNING id, source || ' ' || key AS place`.values
        const existing = (arrival: Arrival) =>
          sql<{ id: number; digest: string | null; state: string }>`SELECT id, digest, state FROM inbox
            WHERE source = ${arrival.source} AND key = ${arrival.key}`

        const commit = Effect.fnUntraced(function* (batch: ReadonlyArray<Pending>) {
          const now = DateTime.formatIso(yield* DateTime.now)
          const rows = batch.map(({ arrival, begun }) => [
            arrival.source,
            arrival.key,
            arrival.payload,
            begun ? 1 : 0,
            arrival.digest ?? null,
            arrival.subject ?? null
          ])
          const inserted = yield* insert(JSON.stringify(rows), now)
          const ids = new Map(inserted.map(([id, place]) => [place, id]))
          for (const { arrival, kept } of batch) {
            const place = `${arrival.source} ${arrival.key}`
            const id = ids.get(place)
            if (typeof id === "number") {
              // A second delivery in the same batch finds no id left and is a repetition.
              ids.delete(place)
              yield* Deferred.succeed(kept, { id, repeated: false, isDone: false, isReused: false })
            } else {
              const [row] = yield* existing(arrival)
              const before = row?.digest ?? arrival.digest
              yield* Deferred.succeed(kept, {
                id: row?.id ?? 0,
                repeated: true,
                isDone: row !== undefined && row.state !== "waiting",
                isReused: before !== arrival.digest
              })
            }
          }
        }, orUnavailable)

        let refusing = false
        /** Says when arrivals begin to be refused, and when they no longer are. */
        const said = (outcome: "kept" | "refused", cause: Cause.Cause<unknown> = Cause.empty) =>
          Effect.suspend(() => {
            if (refusing === (outcome === "refused")) return Effect.void
            refusing = !refusing
            return refusing
              ? Effect.logError(
                  "nothing that arrives can be kept: whoever sends is asked to try again",
                  cause
                )
              : Effect.logInfo("what arrives is kept again")
          })

        /** What came while a database that cannot be written was waited for need not wait for it once more. */
        const refuse = Effect.fnUntraced(function* (
          batch: ReadonlyArray<Pending>,
          cause: Cause.Cause<StoreUnavailable>
        ) {
          const more = Cause.isFailure(cause) ? yield* Queue.takeAll(pending) : []
          for (const { kept } of [...batch, ...more]) yield* Deferred.failCause(kept, cause)
        })

        yield* Queue.take(pending).pipe(
          // Arrivals of requests the event loop has read by now join the batch.
          Effect.tap(nextTurn),
          Effect.flatMap((first) =>
            Effect.map(Queue.takeUpTo(pending, batch - 1), (rest) => [first, ...Chunk.toReadonlyArray(rest)])
          ),
          Effect.flatMap((batch) =>
            commit(batch).pipe(
              Effect.zipRight(said("kept")),
              Effect.catchAllCause((cause) => Effect.zipRight(said("refused", cause), refuse(batch, cause)))
            )
          ),
          Effect.forever,
          Effect.interruptible,
          Effect.forkScoped
        )

        /** Whether no earlier arrival about the same is still to be done. */
        const isNext = sql`(subject IS NULL OR NOT EXISTS (SELECT 1 FROM inbox AS earlier
          WHERE earlier.state = 'waiting' AND earlier.subject = inbox.subject AND earlier.id < inbox.id))`
        const due = SqlSchema.findAll({
          Request: Schema.Struct({
            source: Schema.String,
            limit: Schema.Int,
            except: Schema.parseJson(Schema.Array(Schema.Int)),
            now: Schema.String,
            horizon: Schema.String
          }),
          Result: Waiting,
          // What was never tried is due whatever the clock says; beyond the horizon lies only what was written before it
          // was set back.
          execute: ({ except, horizon, limit, now, source }) =>
            sql`SELECT id, source, key, payload, attempts, 0 AS starts, run IS ${run} AS is_begun FROM inbox
              WHERE state = 'waiting' AND source = ${source}
              AND (attempts = 0 OR next_at <= ${now} OR next_at > ${horizon})
              AND (starts = 0 OR run = ${run}) AND ${isNext}
              AND id NOT IN (SELECT value FROM json_each(${except}))
              ORDER BY id LIMIT ${limit}`
        })
        const suspects = SqlSchema.findOne({
          Request: Schema.Struct({
            except: Schema.parseJson(Schema.Array(Schema.Int)),
            now: Schema.String,
            horizon: Schema.String
          }),
          Result: Schema.Struct({ ...Waiting.fields, isDue: Schema.BooleanFromUnknown }),
          execute: ({ except, horizon, now }) =>
            sql`SELECT id, source, key, payload, attempts, starts, 0 AS is_begun,
              attempts = 0 OR next_at <= ${now} OR next_at > ${horizon} AS is_due FROM inbox
              WHERE state = 'waiting' AND starts > 0 AND run IS NOT ${run} AND ${isNext}
              AND id NOT IN (SELECT value FROM json_each(${except}))
              ORDER BY is_due DESC, id LIMIT 1`
        })
        const savedBefore = SqlSchema.findAll({
          Request: Schema.Int,
          Result: Schema.Struct({ place: Schema.Int, linkId: Schema.NullOr(LinkId) }),
          execute: (id) =>
            sql`SELECT place, links.id AS link_id FROM inbox_links LEFT JOIN links ON links.id = inbox_links.link_id
              WHERE inbox_id = ${id}`
        })
        const dead = SqlSchema.findAll({
          Request: Schema.Void,
          Result: DeadArrival,
          execute: () =>
            sql`SELECT id, source, payload, received_at FROM inbox
              WHERE state = 'dead' AND payload <> '' ORDER BY id DESC LIMIT 100`
        })
        /** The times between which an arrival that was put off is not due. */
        const within = Effect.map(DateTime.now, (now) => ({
          now: DateTime.formatIso(now),
          horizon: DateTime.formatIso(DateTime.addDuration(now, MAX_WAIT))
        }))
        // A run that is stopped has left nothing half done: what it had in hand starts over.
        yield* Effect.addFinalizer(() =>
          Effect.ignore(
            sql`UPDATE inbox SET starts = starts - 1, run = NULL WHERE state = 'waiting' AND run = ${run}`
          )
        )
        const settle = (id: number, state: "done" | "dead") =>
          Effect.zipRight(
            // The payload has served; a repeated delivery is told by its key.
            orUnavailable(
              sql`UPDATE inbox SET state = ${state}, payload = iif(${state} = 'done', '', payload) WHERE id = ${id}`
            ),
            orUnavailable(sql`DELETE FROM inbox_links WHERE inbox_id = ${id}`)
          )

        return {
          keep: Effect.fn("InboxStore.keep")(function* (arrival: Arrival, begun = false) {
            const kept = yield* Deferred.make<Kept, StoreUnavailable>()
            yield* Queue.offer(pending, { arrival, begun, kept })
            return yield* Deferred.await(kept)
          }),
          due: Effect.fn("InboxStore.due")(function* (source, limit, except) {
            return yield* Effect.orDie(due({ source, limit, except, ...(yield* within) }))
          }),
          untilDue: Effect.fn("InboxStore.untilDue")(function* (except) {
            const [row] = yield* Effect.orDie(
              sql<{ nextAt: string | null }>`SELECT min(next_at) AS next_at FROM inbox
                WHERE state = 'waiting' AND id NOT IN (SELECT value FROM json_each(${JSON.stringify(except)}))`
            )
            const now = yield* DateTime.now
            return Option.map(Option.fromNullable(row?.nextAt), (at) =>
              Duration.millis(Math.max(0, DateTime.distance(now, DateTime.unsafeMake(at))))
            )
          }),
          suspect: Effect.fn("InboxStore.suspect")(function* (except) {
            const found = yield* Effect.orDie(suspects({ except, ...(yield* within) }))
            return Option.map(found, ({ isDue, ...waiting }): Suspect => ({ waiting, isDue }))
          }),
          begin: Effect.fn("InboxStore.begin")((ids) =>
            Effect.asVoid(
              orUnavailable(
                sql`UPDATE inbox SET starts = starts + 1, run = ${run}
                  WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND run IS NOT ${run}`
              )
            )
          ),
          saved: Effect.fn("InboxStore.saved")((id, place, link) =>
            Effect.asVoid(
              orUnavailable(sql`INSERT OR REPLACE INTO inbox_links VALUES (${id}, ${place}, ${link})`)
            )
          ),
          savedBefore: Effect.fn("InboxStore.savedBefore")((id) =>
            Effect.map(
              Effect.orDie(savedBefore(id)),
              (rows) => new Map(rows.map(({ linkId, place }) => [place, linkId]))
            )
          ),
          answered: Effect.fn("InboxStore.answered")((id, link, title) =>
            Effect.asVoid(
              orUnavailable(sql`INSERT OR REPLACE INTO capture_answers VALUES (${id}, ${link}, ${title})`)
            )
          ),
          answerOf: Effect.fn("InboxStore.answerOf")((id) =>
            Effect.map(
              Effect.orDie(sql<{ title: string }>`SELECT title FROM capture_answers WHERE inbox_id = ${id}`),
              ([row]) => Option.fromNullable(row?.title)
            )
          ),
          done: Effect.fn("InboxStore.done")((id) => Effect.asVoid(settle(id, "done"))),
          giveUp: Effect.fn("InboxStore.giveUp")((id) => Effect.asVoid(settle(id, "dead"))),
          retry: Effect.fn("InboxStore.retry")(function* (id, wait) {
            const at = DateTime.formatIso(
              DateTime.addDuration(yield* DateTime.now, Duration.min(wait, MAX_WAIT))
            )
            yield* orUnavailable(
              sql`UPDATE inbox SET attempts = attempts + 1, next_at = ${at},
                starts = max(starts - 1, 0), run = NULL WHERE id = ${id}`
            )
          }),
          dead: Effect.orDie(dead()),
          revive: Effect.fn("InboxStore.revive")(function* (id) {
            const now = DateTime.formatIso(yield* DateTime.now)
            // One whose text was erased with its link has nothing left to do.
            const revived = yield* orUnavailable(
              sql`UPDATE inbox SET state = 'waiting', attempts = 0, starts = 0, run = NULL, next_at = ${now}
                WHERE state = 'dead' AND payload <> '' AND (${id} IS NULL OR id = ${id}) RETURNING id`
            )
            return revived.length
          }),
          forget: Effect.fn("InboxStore.forget")((id) =>
            Effect.map(
              orUnavailable(
                sql`UPDATE inbox SET state = 'done', payload = '' WHERE state = 'dead' AND id = ${id} RETURNING id`
              ),
              (rows) => rows.length > 0
            )
          ),
          prune: Effect.fn("InboxStore.prune")(function* (done, dead) {
            const now = yield* DateTime.now
            const before = (age: Duration.Duration) => DateTime.formatIso(DateTime.subtractDuration(now, age))
            yield* orUnavailable(
              sql`DELETE FROM inbox WHERE state = 'done' AND received_at < ${before(done)}`
            )
            yield* orUnavailable(
              sql`DELETE FROM inbox WHERE state = 'dead' AND received_at < ${before(dead)}`
            )
          })
        }
      })
    )

  static readonly layer = InboxStore.batched(MAX_BATCH)
}

/** The links whose pages are not read by themselves, because the process ended again and again while it read them. */
export class SparedStore extends Context.Tag("SparedStore")<
  SparedStore,
  {
    /** Names a link among them. */
    readonly add: (id: LinkId) => Effect.Effect<void, StoreUnavailable>
    /** Takes it off the list: its page was read after all. */
    readonly remove: (id: LinkId) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return {
        add: Effect.fn("SparedStore.add")(function* (id: LinkId) {
          const now = DateTime.formatIso(yield* DateTime.now)
          // A link may have been deleted since.
          yield* sql`INSERT INTO spared_links (link_id, spared_at) SELECT id, ${now} FROM links WHERE id = ${id}
            ON CONFLICT (link_id) DO UPDATE SET spared_at = excluded.spared_at`
        }, orUnavailable),
        remove: Effect.fn("SparedStore.remove")((id: LinkId) =>
          Effect.asVoid(orUnavailable(sql`DELETE FROM spared_links WHERE link_id = ${id}`))
        )
      }
    })
  )
}
