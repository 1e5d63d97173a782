import { SqlClient } from "@effect/sql"
import { Array, Context, DateTime, Effect, Layer, Schema } from "effect"
import { Link, LinkId } from "../../domain/Link.ts"
import { CheckState, firstCheck, firstLookAt, type LinkCheck } from "../../domain/LinkCheck.ts"
import type { StoreUnavailable } from "../../domain/StoreUnavailable.ts"
import { decodeRows, readOrDefect } from "../Rows.ts"
import { orUnavailable } from "../Transaction.ts"

/** Links whose first looks are planned in one statement. */
const PLANNED = 500

/** A link older than this, in milliseconds, was saved before there were looks, or was long in the trash. */
const OLD = 30 * 24 * 60 * 60 * 1_000

const Row = Schema.Struct({
  id: LinkId,
  url: Schema.String,
  title: Schema.String,
  text: Schema.String,
  state: CheckState,
  since: Schema.NullOr(Schema.Int),
  reason: Schema.NullOr(Schema.String),
  movedTo: Schema.NullOr(Schema.String),
  failedAt: Schema.parseJson(Schema.Array(Schema.Int)),
  brokenLooks: Schema.Int,
  nextAt: Schema.Int
})
const decodeRowsOf = decodeRows(Row)
const decodeUnplanned = decodeRows(Schema.Struct({ id: LinkId, createdAt: Link.fields.createdAt }))

/** A link to look at, with its title and its text, empty if its page was never read. */
export interface DueLink {
  readonly id: LinkId
  readonly url: string
  readonly title: string
  readonly text: string
  readonly check: LinkCheck
}

const dueLink = ({ id, movedTo, text, title, url, ...check }: typeof Row.Type): DueLink => ({
  id,
  url,
  title,
  text,
  check: { ...check, to: movedTo }
})

/** Stores what is known about the pages behind the links. */
export class CheckStore extends Context.Tag("CheckStore")<
  CheckStore,
  {
    /** Plans the first look at some links that have none; returns how many. `now` is in milliseconds. */
    readonly plan: (now: number) => Effect.Effect<number, StoreUnavailable>
    /** Returns links that are due, those due longest first, but none on these hosts. */
    readonly due: (
      now: number,
      exceptHosts: ReadonlyArray<string>,
      limit: number
    ) => Effect.Effect<ReadonlyArray<DueLink>>
    /** Returns what is known about this link's page; empty if the link is gone or its first look is not planned. */
    readonly read: (id: LinkId) => Effect.Effect<ReadonlyArray<DueLink>>
    /** Writes what is known about the page of a link that still has this address. */
    readonly write: (id: LinkId, url: string, check: LinkCheck) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const fields = sql.literal(
        `l.id, l.url, l.title, l.text, k.state, k.since, k.reason, k.moved_to, k.failed_at, k.broken_looks, k.next_at`
      )

      return {
        plan: Effect.fn("CheckStore.plan")(function* (now) {
          const unplanned = yield* readOrDefect(
            decodeUnplanned(
              sql`SELECT l.id, l.created_at FROM link_checks k CROSS JOIN links l ON l.id = k.link_id
                WHERE k.next_at IS NULL LIMIT ${PLANNED}`
            )
          )
          const times = unplanned.map(({ createdAt, id }) => {
            const age = now - DateTime.toEpochMillis(DateTime.unsafeMake(createdAt))
            return [id, age > OLD ? firstLookAt(id, now) : firstCheck(id, now).nextAt]
          })
          if (times.length > 0)
            yield* orUnavailable(
              sql`UPDATE link_checks SET next_at = v.value ->> 1 FROM json_each(${JSON.stringify(times)}) AS v
                WHERE link_id = v.value ->> 0 AND next_at IS NULL`
            )
          return times.length
        }),
        due: Effect.fn("CheckStore.due")((now, exceptHosts, limit) =>
          Effect.map(
            readOrDefect(
              decodeRowsOf(
                sql`SELECT ${fields} FROM link_checks k CROSS JOIN links l ON l.id = k.link_id
                  WHERE k.next_at <= ${now} AND l.host NOT IN (SELECT value FROM json_each(${JSON.stringify(exceptHosts)}))
                  ORDER BY k.next_at LIMIT ${limit}`
              )
            ),
            Array.map(dueLink)
          )
        ),
        read: Effect.fn("CheckStore.read")((id) =>
          Effect.map(
            readOrDefect(
              decodeRowsOf(
                sql`SELECT ${fields} FROM link_checks k JOIN links l ON l.id = k.link_id
                  WHERE k.link_id = ${id} AND k.next_at IS NOT NULL`
              )
            ),
            Array.map(dueLink)
          )
        ),
        write: Effect.fn("CheckStore.write")((id, url, { failedAt, to, ...check }) =>
          Effect.asVoid(
            orUnavailable(
              sql`UPDATE link_checks SET ${sql.update({ ...check, failedAt: JSON.stringify(failedAt), movedTo: to })}
                WHERE link_id = ${id} AND EXISTS (SELECT 1 FROM links WHERE id = ${id} AND url = ${url})`
            )
          )
        )
      }
    })
  )
}
