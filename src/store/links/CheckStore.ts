import { SqlClient } from "@effect/sql"
import { Array, DateTime, Duration, Effect, Schema } from "effect"
import { Link, LinkId } from "../../domain/Link.ts"
import {
  afterReading,
  CheckState,
  type ExportedCheck,
  firstLookAt,
  implausible,
  type LinkCheck,
  soon
} from "../../domain/LinkCheck.ts"
import { Service } from "../../runtime/Services.ts"
import { listOf } from "../Fragment.ts"
import { readRows, readTexts } from "../Rows.ts"
import { execute, orUnavailable } from "../Transaction.ts"

const PLANNED = 500

/** A link older than this was saved before there were looks, imported, or long in the trash. */
const OLD = Duration.toMillis("1 day")

/** Due times from here on are those of links in the trash. */
const NEVER = Number.MAX_SAFE_INTEGER

const Row = Schema.Struct({
  id: LinkId,
  url: Schema.String,
  title: Schema.String,
  text: Schema.String,
  createdAt: Link.fields.createdAt,
  state: CheckState,
  since: Schema.NullOr(Schema.Int),
  reason: Schema.NullOr(Schema.String),
  movedTo: Schema.NullOr(Schema.String),
  declined: Schema.NullOr(Schema.String),
  failedAt: Schema.parseJson(Schema.Array(Schema.Int)),
  brokenLooks: Schema.Int,
  lookedAt: Schema.NullOr(Schema.Int),
  nextAt: Schema.NullOr(Schema.Int),
  /** When the Wayback Machine was last asked about it, in milliseconds since 1970. */
  captureAsked: Schema.NullOr(Schema.Int)
})
const readRowsOf = readRows(Row)
const readUnplanned = readRows(Schema.Struct({ id: LinkId, createdAt: Link.fields.createdAt }))

const millis = (time: string | null) => (time === null ? null : Date.parse(time))

const dueLink = ({
  captureAsked,
  createdAt,
  id,
  movedTo,
  nextAt,
  text,
  title,
  url,
  ...check
}: typeof Row.Type) => {
  const known: LinkCheck = { ...check, to: movedTo, nextAt: nextAt ?? 0 }
  return { id, url, title, text, createdAt, captureAsked, check: known }
}

/** A link to look at, with its title and its text, empty if its page was never read. */
export type DueLink = ReturnType<typeof dueLink>

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const fields = sql.literal(
    `l.id, l.url, l.title, l.text, l.created_at, k.state, k.since, k.reason, k.moved_to, k.declined, k.failed_at,
        k.broken_looks, k.looked_at, k.next_at, k.capture_asked`
  )
  const has = (id: LinkId, url: string) =>
    sql`link_id = ${id} AND EXISTS (SELECT 1 FROM links WHERE id = ${id} AND url = ${url})`

  const read = Effect.fn("CheckStore.read")((id: LinkId) =>
    Effect.map(
      readRowsOf(
        sql`SELECT ${fields} FROM link_checks k JOIN links l ON l.id = k.link_id WHERE k.link_id = ${id}`
      ),
      Array.map(dueLink)
    )
  )
  const write = Effect.fn("CheckStore.write")(
    (id: LinkId, url: string, { failedAt, to, ...check }: LinkCheck) =>
      execute(sql`UPDATE link_checks SET ${sql.update({ ...check, failedAt: JSON.stringify(failedAt), movedTo: to })}
                WHERE ${has(id, url)}`)
  )

  return {
    /** Plans the first look at some links that have none; returns how many. `now` is in milliseconds. */
    plan: Effect.fn("CheckStore.plan")(function* (now: number) {
      const unplanned = yield* readUnplanned(
        sql`SELECT l.id, l.created_at FROM (
                  SELECT link_id FROM link_checks WHERE next_at IS NULL
                  UNION ALL
                  SELECT link_id FROM link_checks WHERE next_at > ${implausible(now)} AND next_at < ${NEVER}
                  LIMIT ${PLANNED}
                ) k CROSS JOIN links l ON l.id = k.link_id`
      )
      const times = unplanned.map(({ createdAt, id }) => {
        const age = now - DateTime.toEpochMillis(DateTime.unsafeMake(createdAt))
        return [id, age > OLD ? firstLookAt(id, now) : soon(id, now)]
      })
      if (times.length > 0)
        yield* orUnavailable(
          sql`UPDATE link_checks SET next_at = v.value ->> 1 FROM json_each(${JSON.stringify(times)}) AS v
                WHERE link_id = v.value ->> 0`
        )
      return times.length
    }),
    /** Returns links that are due, those due longest first, but none on these hosts. */
    due: Effect.fn("CheckStore.due")((now: number, exceptHosts: ReadonlyArray<string>, limit: number) =>
      Effect.map(
        readRowsOf(
          sql`SELECT ${fields} FROM link_checks k CROSS JOIN links l ON l.id = k.link_id
                  WHERE k.next_at <= ${now} AND l.host NOT IN ${listOf(exceptHosts)}
                  ORDER BY k.next_at LIMIT ${limit}`
        ),
        Array.map(dueLink)
      )
    ),
    read,
    write,
    wasRead: Effect.fn("CheckStore.wasRead")(function* (id: LinkId, url: string, now: number) {
      for (const { check } of yield* read(id)) yield* write(id, url, afterReading(check, id, now))
    }),
    /** Stores what the Wayback Machine has of a link that still has this address; null for nothing. */
    writeCapture: Effect.fn("CheckStore.writeCapture")(
      (id: LinkId, url: string, capture: { readonly url: string; readonly at: string } | null, now: number) =>
        execute(sql`UPDATE link_checks SET capture_url = ${capture?.url ?? null}, capture_at = ${capture?.at ?? null},
                capture_asked = ${now} WHERE ${has(id, url)}`)
    ),
    /** Declines the new address of a page that has moved, until it moves again. */
    decline: Effect.fn("CheckStore.decline")((id: LinkId, now: number) =>
      execute(sql`UPDATE link_checks SET declined = moved_to, moved_to = NULL, state = 'ok', since = ${now}
                WHERE link_id = ${id} AND state = 'moved'`)
    ),
    /** Returns addresses on other hosts than these whose pages were found most recently. */
    found: Effect.fn("CheckStore.found")((exceptHosts: ReadonlyArray<string>, limit: number) =>
      readTexts(
        sql`SELECT l.url FROM link_checks k CROSS JOIN links l ON l.id = k.link_id
                WHERE k.state = 'ok' AND l.host NOT IN ${listOf(exceptHosts)}
                ORDER BY k.looked_at DESC LIMIT ${limit}`
      )
    ),
    /** Stores what another Linkbower exported about the pages of links that were never looked at. */
    fill: Effect.fn("CheckStore.fill")(
      (known: ReadonlyArray<{ readonly id: LinkId; readonly check: ExportedCheck }>) => {
        const rows = known.map(({ check: { archived, lookedAt, since, to, ...check }, id }) => ({
          ...check,
          id,
          movedTo: to,
          since: millis(since),
          lookedAt: millis(lookedAt),
          captureUrl: archived?.url ?? null,
          captureAt: archived?.at ?? null
        }))
        return execute(sql`UPDATE link_checks SET state = v.value ->> 'state', since = v.value ->> 'since',
                reason = v.value ->> 'reason', moved_to = v.value ->> 'movedTo', declined = v.value ->> 'declined',
                looked_at = v.value ->> 'lookedAt', capture_url = v.value ->> 'captureUrl',
                capture_at = v.value ->> 'captureAt' FROM json_each(${JSON.stringify(rows)}) AS v
                WHERE link_id = v.value ->> 'id' AND looked_at IS NULL AND state = 'unknown'`)
      }
    )
  }
})

export class CheckStore extends Service<CheckStore>()("CheckStore", make) {}
