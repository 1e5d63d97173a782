import { SqlClient } from "@effect/sql"
import {
  Array,
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
import { LinkId, ReturnedFrom } from "../../domain/Link.ts"
import { StoreUnavailable } from "../../domain/StoreUnavailable.ts"
import { yieldToEventLoop } from "../../runtime/Scheduling.ts"
import { listOf } from "../Fragment.ts"
import type { Upserted } from "../links/LinkStore.ts"
import { PassedTime } from "../PassedTime.ts"
import { decodeRows, firstRow, readNumber, readRows, readTexts } from "../Rows.ts"
import { execute, hasWritten, orUnavailable, Transaction } from "../Transaction.ts"

export interface Arrival {
  readonly source: "chat" | "capture"
  readonly key: string
  readonly payload: string
  /** Such as the message that it edits; arrivals with the same subject are processed one at a time. */
  readonly subject?: string | null
  /** Distinguishes requests that share a key; absent where a key names only one request. */
  readonly digest?: string
  /** The page that a capture brings, in its sender's format: kept as long as the payload. */
  readonly page?: Uint8Array
}

export const WaitingArrival = Schema.Struct({
  id: Schema.Int,
  source: Schema.Literal("chat", "capture"),
  key: Schema.String,
  payload: Schema.String,
  attempts: Schema.Int,
  /** Number of earlier runs of the program that ended while processing it. */
  starts: Schema.Int,
  /** Whether this run has counted its start. */
  isBegun: Schema.BooleanFromUnknown
})
export type WaitingArrival = typeof WaitingArrival.Type
const readWaitingArrival = readRows(WaitingArrival)

/** An arrival whose key belongs to another request is not stored. */
export interface StoredArrival {
  readonly id: number
  readonly repeated: boolean
  readonly isDone: boolean
  readonly isReused: boolean
}

export const DeadArrival = Schema.Struct({
  id: Schema.Int,
  source: Schema.Literal("chat", "capture"),
  payload: Schema.String,
  receivedAt: Schema.String
})
export type DeadArrival = typeof DeadArrival.Type
const readDead = readRows(DeadArrival)

const decodeEarlier = decodeRows(
  Schema.Struct({
    id: Schema.Int,
    digest: Schema.NullOr(Schema.String),
    state: Schema.Literal("waiting", "done", "dead")
  })
)
const readAnswers = readRows(Schema.Struct({ title: Schema.String, unshared: Schema.BooleanFromUnknown }))
const readPages = readRows(Schema.Struct({ page: Schema.Uint8ArrayFromSelf }))

/** The page's title, and whether the link was public, in the trash, and is private now. */
export interface CaptureOutcome {
  readonly title: string
  readonly unshared: boolean
}

interface Pending {
  readonly arrival: Arrival
  readonly begun: boolean
  readonly kept: Deferred.Deferred<StoredArrival, StoreUnavailable>
}

const placeOf = ({ key, source }: Arrival) => `${source} ${key}`

const MAX_BATCH = 256
/** Maximum size in bytes of all pages that wait, compressed: what a stolen token can fill of the disk. */
const MAX_PAGES = 256 * 1024 * 1024
const MAX_WAIT = Duration.minutes(15)

const readSuspects = readRows(Schema.Struct({ ...WaitingArrival.fields, isDue: Schema.BooleanFromUnknown }))

const readSavedBefore = readRows(
  Schema.Struct({
    place: Schema.Int,
    link: Schema.NullOr(LinkId),
    returnedFrom: Schema.NullOr(ReturnedFrom)
  })
)

const makeInboxStore = (batch: number, maxPages = MAX_PAGES) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const transaction = yield* Transaction
    const passed = yield* PassedTime
    const [run = 0] = crypto.getRandomValues(new Uint32Array(1))
    const pending = yield* Queue.unbounded<Pending>()

    // A single statement for any number of rows, so that it is prepared once.
    const insert = (rows: string, now: string) =>
      sql`INSERT INTO inbox
          (source, key, payload, next_at, received_at, starts, run, digest, subject)
          SELECT value ->> 0, value ->> 1, value ->> 2, ${now}, ${now}, value ->> 3, iif(value ->> 3, ${run}, NULL), value ->> 4, value ->> 5
          FROM json_each(${rows}) WHERE true
          ON CONFLICT (source, key) DO NOTHING RETURNING id, source || ' ' || key AS place`.values
    const existing = (arrival: Arrival) =>
      decodeEarlier(
        sql`SELECT id, digest, state FROM inbox WHERE source = ${arrival.source} AND key = ${arrival.key}`
      )

    /** Inserts the arrivals of a batch with their pages; returns the new ones' numbers by place. */
    const insertAll = Effect.fnUntraced(function* (batch: ReadonlyArray<Pending>) {
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
      const added = new Set<string>()
      for (const { arrival } of batch) {
        const place = placeOf(arrival)
        const id = ids.get(place)
        // Of two arrivals with one key, the first was inserted.
        if (typeof id !== "number" || added.has(place)) continue
        added.add(place)
        if (arrival.page !== undefined) yield* sql`INSERT INTO captured_pages VALUES (${id}, ${arrival.page})`
      }
      return ids
    })

    const commit = Effect.fnUntraced(function* (batch: ReadonlyArray<Pending>) {
      // A single statement needs no transaction of its own.
      const hasPages = batch.some(({ arrival }) => arrival.page !== undefined)
      const ids = yield* hasPages ? transaction(insertAll(batch)) : orUnavailable(insertAll(batch))
      for (const { arrival, kept } of batch) {
        const place = placeOf(arrival)
        const id = ids.get(place)
        if (typeof id === "number") {
          // A second delivery in the same batch finds no id left and counts as repeated.
          ids.delete(place)
          yield* Deferred.succeed(kept, { id, repeated: false, isDone: false, isReused: false })
        } else {
          const [row] = yield* orUnavailable(existing(arrival))
          const before = row?.digest ?? arrival.digest
          yield* Deferred.succeed(kept, {
            id: row?.id ?? 0,
            repeated: true,
            isDone: row !== undefined && row.state !== "waiting",
            isReused: before !== arrival.digest
          })
        }
      }
    })

    let refusing = false
    const logTransition = (outcome: "kept" | "refused", cause: Cause.Cause<unknown> = Cause.empty) =>
      Effect.suspend(() => {
        if (refusing === (outcome === "refused")) return Effect.void
        refusing = !refusing
        return refusing
          ? Effect.logError("arrivals cannot be stored: senders are asked to retry", cause)
          : Effect.logInfo("arrivals are stored again")
      })

    /** Fails the batch, and also arrivals queued while it waited for the database, which would only wait again. */
    const refuse = Effect.fnUntraced(function* (
      batch: ReadonlyArray<Pending>,
      cause: Cause.Cause<StoreUnavailable>
    ) {
      const more = Cause.isFailure(cause) ? yield* Queue.takeAll(pending) : []
      for (const { kept } of [...batch, ...more]) yield* Deferred.failCause(kept, cause)
    })

    // Not a `WorkLoop`: each arrival in the queue has a sender waiting for its answer, so a failed batch is answered and
    // not repeated.
    yield* Queue.take(pending).pipe(
      // Arrivals from requests that the event loop has read by now join the batch.
      Effect.tap(yieldToEventLoop),
      Effect.flatMap((first) =>
        Effect.map(Queue.takeUpTo(pending, batch - 1), (rest) => [first, ...Chunk.toReadonlyArray(rest)])
      ),
      Effect.flatMap((batch) =>
        commit(batch).pipe(
          Effect.zipRight(logTransition("kept")),
          Effect.catchAllCause((cause) =>
            Effect.zipRight(logTransition("refused", cause), refuse(batch, cause))
          )
        )
      ),
      Effect.forever,
      Effect.interruptible,
      Effect.forkScoped
    )

    /** Condition that no earlier arrival with the same subject is waiting. */
    const isNext = sql`(subject IS NULL OR NOT EXISTS (SELECT 1 FROM inbox AS earlier
          WHERE earlier.state = 'waiting' AND earlier.subject = inbox.subject AND earlier.id < inbox.id))`
    // An untried arrival is due whatever the clock says; only times written before the clock was set back lie
    // beyond the horizon.
    const isDue = Effect.map(DateTime.now, (now) => {
      const horizon = DateTime.formatIso(DateTime.addDuration(now, MAX_WAIT))
      return sql`(attempts = 0 OR next_at <= ${DateTime.formatIso(now)} OR next_at > ${horizon})`
    })
    // A clean stop does not count as a crash, so the starts of unfinished arrivals are reverted.
    yield* Effect.addFinalizer(() =>
      Effect.ignore(
        sql`UPDATE inbox SET starts = starts - 1, run = NULL WHERE state = 'waiting' AND run = ${run}`
      )
    )
    const forgetLinks = (id: number) =>
      orUnavailable(sql`DELETE FROM inbox_links WHERE inbox_id = ${id}
            AND NOT EXISTS (SELECT 1 FROM inbox WHERE id = ${id} AND state = 'done' AND payload <> '')`)

    /** Size in bytes of the pages that wait, or more: those that are done are subtracted when there seems to be no room. */
    let pages = Number.POSITIVE_INFINITY
    const makeRoom = Effect.fnUntraced(function* (size: number) {
      if (pages + size > maxPages)
        pages = yield* readNumber(
          sql`SELECT CAST(total(octet_length(page)) AS INTEGER) FROM captured_pages
                JOIN inbox ON inbox.id = inbox_id WHERE state = 'waiting'`
        )
      if (pages + size > maxPages) return yield* new StoreUnavailable({ reason: "crowded" })
      pages += size
    })

    return {
      /**
       * Returns once the arrival is synced to disk; simultaneous arrivals share one commit.
       *
       * Interrupting the caller does not withdraw its arrival. With `begun` the same commit counts the start of its
       * processing, for a caller that starts at once. Fails for an arrival with a page while too many pages wait.
       */
      keep: Effect.fn("InboxStore.keep")(function* (arrival: Arrival, begun: boolean = false) {
        if (arrival.page !== undefined) yield* makeRoom(arrival.page.length)
        const kept = yield* Deferred.make<StoredArrival, StoreUnavailable>()
        yield* Queue.offer(pending, { arrival, begun, kept })
        return yield* Deferred.await(kept)
      }),
      /** The next due arrivals, oldest first, without `except`, unfinished ones, and those behind one with the same subject. */
      due: Effect.fn("InboxStore.due")(function* (
        source: Arrival["source"],
        limit: number,
        except: ReadonlyArray<number>
      ) {
        return yield* readWaitingArrival(sql`SELECT id, source, key, payload, attempts, 0 AS starts, run IS ${run} AS is_begun
              FROM inbox WHERE state = 'waiting' AND source = ${source} AND ${yield* isDue}
              AND (starts = 0 OR run = ${run}) AND ${isNext} AND id NOT IN ${listOf(except)}
              ORDER BY id LIMIT ${limit}`)
      }),
      /** Returns the time until the next arrival not in `except` is due; none if no arrival is waiting. */
      untilDue: Effect.fn("InboxStore.untilDue")(function* (except: ReadonlyArray<number>) {
        const next = yield* readTexts(
          sql`SELECT min(next_at) FROM inbox
                WHERE state = 'waiting' AND id NOT IN ${listOf(except)} HAVING min(next_at) IS NOT NULL`
        )
        const now = yield* DateTime.now
        return Option.map(Array.head(next), (at) =>
          Duration.millis(Math.max(0, DateTime.distance(now, DateTime.unsafeMake(at))))
        )
      }),
      /** Returns the next arrival that an earlier run left unfinished, due ones first; none once all are processed. */
      suspect: Effect.fn("InboxStore.suspect")(function* (except: ReadonlyArray<number>) {
        const found = yield* firstRow(
          readSuspects(sql`SELECT id, source, key, payload, attempts, starts, 0 AS is_begun, ${yield* isDue} AS is_due
                FROM inbox WHERE state = 'waiting' AND starts > 0 AND run IS NOT ${run} AND ${isNext}
                AND id NOT IN ${listOf(except)} ORDER BY is_due DESC, id LIMIT 1`)
        )
        return Option.map(found, ({ isDue, ...waiting }) => ({ waiting, isDue }))
      }),
      /** Counts the start of their processing, once per run; call it before processing. */
      begin: Effect.fn("InboxStore.begin")((ids: ReadonlyArray<number>) =>
        execute(sql`UPDATE inbox SET starts = starts + 1, run = ${run}
                  WHERE id IN ${listOf(ids)} AND run IS NOT ${run}`)
      ),
      saved: Effect.fn("InboxStore.saved")(
        (id: number, place: number, { link, returnedFrom }: Pick<Upserted, "link" | "returnedFrom">) =>
          execute(
            sql`INSERT OR REPLACE INTO inbox_links VALUES (${id}, ${place}, ${link.id}, ${returnedFrom})`
          )
      ),
      /** Maps the positions saved before to their links (null if deleted since) and where they came back from. */
      savedBefore: Effect.fn("InboxStore.savedBefore")((id: number) =>
        Effect.map(
          readSavedBefore(sql`SELECT place, links.id AS link, returned_from FROM inbox_links LEFT JOIN links ON links.id = inbox_links.link_id
              WHERE inbox_id = ${id}`),
          (rows) => new Map(rows.map(({ place, ...saved }) => [place, saved]))
        )
      ),
      answered: Effect.fn("InboxStore.answered")(
        (id: number, link: LinkId, { title, unshared }: CaptureOutcome) =>
          execute(
            sql`INSERT OR REPLACE INTO capture_answers VALUES (${id}, ${link}, ${title}, ${unshared ? 1 : 0})`
          )
      ),
      answerOf: Effect.fn("InboxStore.answerOf")((id: number) =>
        firstRow(readAnswers(sql`SELECT title, unshared FROM capture_answers WHERE inbox_id = ${id}`))
      ),
      pageOf: Effect.fn("InboxStore.pageOf")((id: number) =>
        Effect.map(
          firstRow(readPages(sql`SELECT page FROM captured_pages WHERE inbox_id = ${id}`)),
          Option.map(({ page }) => page)
        )
      ),
      /** Deletes what the arrival brought; a capture of a trashed link keeps it until the link returns or is deleted for good. */
      done: Effect.fn("InboxStore.done")(function* (id: number) {
        // The payload is no longer needed; the key is enough to recognize a repeated delivery.
        yield* orUnavailable(
          sql`UPDATE inbox SET state = 'done', payload = iif(source = 'capture' AND EXISTS (
                  SELECT 1 FROM inbox_links JOIN trash ON trash.id = link_id WHERE inbox_id = ${id}
                ), payload, '') WHERE id = ${id}`
        )
        yield* forgetLinks(id)
      }),
      giveUp: Effect.fn("InboxStore.giveUp")(function* (id: number) {
        yield* orUnavailable(sql`UPDATE inbox SET state = 'dead' WHERE id = ${id}`)
        yield* forgetLinks(id)
      }),
      /** Schedules a retry after a failure; `wait` is capped at 15 minutes. */
      retry: Effect.fn("InboxStore.retry")(function* (id: number, wait: Duration.Duration) {
        const at = DateTime.formatIso(DateTime.addDuration(yield* DateTime.now, Duration.min(wait, MAX_WAIT)))
        yield* orUnavailable(
          sql`UPDATE inbox SET attempts = attempts + 1, next_at = ${at},
                starts = max(starts - 1, 0), run = NULL WHERE id = ${id}`
        )
      }),
      dead: readDead(
        sql`SELECT id, source, payload, received_at FROM inbox
                WHERE state = 'dead' AND payload <> '' ORDER BY id DESC LIMIT 100`
      ),
      /** Returns a dead arrival, or all of them for null, to the queue; returns how many there were. */
      revive: Effect.fn("InboxStore.revive")(function* (id: number | null) {
        const now = DateTime.formatIso(yield* DateTime.now)
        // A dead arrival whose payload was erased with its link has nothing left to do.
        const revived = yield* orUnavailable(
          sql`UPDATE inbox SET state = 'waiting', attempts = 0, starts = 0, run = NULL, next_at = ${now}
                WHERE state = 'dead' AND payload <> '' AND (${id} IS NULL OR id = ${id}) RETURNING id`
        )
        return revived.length
      }),
      forget: Effect.fn("InboxStore.forget")((id: number) =>
        hasWritten(
          sql`UPDATE inbox SET state = 'done', payload = '' WHERE state = 'dead' AND id = ${id} RETURNING id`
        )
      ),
      /** Deletes processed and dead arrivals older than these ages; repeated deliveries are recognized until then. */
      prune: Effect.fn("InboxStore.prune")(function* (done: Duration.Duration, dead: Duration.Duration) {
        yield* orUnavailable(
          sql`DELETE FROM inbox
                WHERE state = 'done' AND payload = '' AND received_at < ${yield* passed.before(done)}`
        )
        yield* orUnavailable(
          sql`DELETE FROM inbox WHERE state = 'dead' AND received_at < ${yield* passed.before(dead)}`
        )
      })
    }
  })

export class InboxStore extends Context.Tag("InboxStore")<
  InboxStore,
  Effect.Effect.Success<ReturnType<typeof makeInboxStore>>
>() {
  static readonly batched = (batch: number, maxPages?: number) =>
    Layer.scoped(this, makeInboxStore(batch, maxPages))
  static readonly layer = InboxStore.batched(MAX_BATCH)
}
