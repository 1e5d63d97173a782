import { SqlClient, type Statement } from "@effect/sql"
import { DateTime, Duration, Effect, Option, Schema } from "effect"
import type { SizedPicture } from "../../domain/ArticlePictures.ts"
import type { LinkId } from "../../domain/Link.ts"
import { Service } from "../../runtime/Services.ts"
import { listOf } from "../Fragment.ts"
import { decodeRows, firstRow, readNumber, readNumbers, readRows } from "../Rows.ts"
import { execute, orDefect, orUnavailable, Transaction } from "../Transaction.ts"
import { keptBytes } from "./SnapshotStore.ts"

/** Maximum number and total size, in bytes, of the pictures of one version of a page. */
export const MAX_PAGE_PICTURES = 60
const MAX_PAGE_BYTES = 8 * 1024 * 1024
const MAX_VERSION_PICTURES = 2 * MAX_PAGE_PICTURES
/** How long a kept picture stands for another page's picture at the same address, which is then not fetched. */
const REUSE_AGE = Duration.days(7)

/** The delays before the second attempt to fetch a picture and those after it; after the last one it has failed. */
const RETRY_DELAYS: ReadonlyArray<Duration.Duration> = [
  Duration.minutes(10),
  Duration.hours(2),
  Duration.days(1)
]

/** Maximum number of pictures of a host that one failure postpones, which takes a few milliseconds. */
const MAX_POSTPONED = 500

const PagePicture = Schema.Union(
  Schema.Struct({
    id: Schema.Int,
    address: Schema.String,
    state: Schema.Literal("kept"),
    width: Schema.Int,
    height: Schema.Int,
    size: Schema.Int
  }),
  Schema.Struct({ id: Schema.Int, address: Schema.String, state: Schema.Literal("waiting", "failed") })
)
export type PagePicture = typeof PagePicture.Type
const readPictures = readRows(PagePicture)

const DuePicture = Schema.Struct({
  id: Schema.Int,
  address: Schema.String,
  host: Schema.String,
  page: Schema.String
})
export type DuePicture = typeof DuePicture.Type
const readDue = readRows(DuePicture)

/** A picture as it is stored; `hash` is the SHA-256 of its bytes in hexadecimal digits. */
const StoredPicture = Schema.Struct({
  hash: Schema.String,
  type: Schema.String,
  width: Schema.Int,
  height: Schema.Int,
  bytes: Schema.Uint8ArrayFromSelf
})
export type StoredPicture = typeof StoredPicture.Type
const readStored = readRows(StoredPicture)

const decodeReusable = decodeRows(Schema.Struct({ id: Schema.Int, picture: Schema.Int, size: Schema.Int }))

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const transaction = yield* Transaction
  const bytes = readNumber(sql`SELECT sum(size) FROM pictures`)
  /** The same together with the snapshots, which share their limit. */
  const allBytes = keptBytes(sql)
  const pageBytes = (link: number) =>
    readNumber(sql`SELECT sum(size) FROM page_pictures shown JOIN pictures ON pictures.id = shown.picture_id
          WHERE link_id = ${link} AND place IS NOT NULL`)

  const markKept = Effect.fnUntraced(function* (id: number, picture: number) {
    const now = DateTime.formatIso(yield* DateTime.now)
    yield* sql`UPDATE page_pictures SET state = 'kept', picture_id = ${picture}, due_at = NULL,
          changed_at = ${now} WHERE id = ${id} AND state = 'waiting'`
  })
  const markFailed = (id: number) =>
    sql`UPDATE page_pictures SET state = 'failed', due_at = NULL WHERE id = ${id} AND state = 'waiting'`

  /** When an attempt that fails now is followed by the second, the third and the fourth. */
  const retryTimes = Effect.map(DateTime.now, (now) =>
    RETRY_DELAYS.map((delay) => DateTime.formatIso(DateTime.addDuration(now, delay)))
  )
  const postpone = (times: ReadonlyArray<string>, ids: Statement.Fragment) =>
    sql`UPDATE page_pictures SET tries = tries + 1,
          state = iif(tries < ${times.length}, 'waiting', 'failed'),
          due_at = (SELECT value FROM json_each(${JSON.stringify(times)}) WHERE key = tries)
          WHERE id IN (${ids}) AND state = 'waiting'`

  /** Keeps pictures that another page has just got from the same address. */
  const reuse = Effect.fnUntraced(function* (link: LinkId) {
    const since = DateTime.formatIso(DateTime.subtractDuration(yield* DateTime.now, REUSE_AGE))
    const known = yield* decodeReusable(
      sql`SELECT own.id, other.picture_id AS picture, size FROM page_pictures own
            JOIN page_pictures other ON other.id = (SELECT id FROM page_pictures same
              WHERE same.address = own.address AND picture_id IS NOT NULL AND changed_at > ${since}
              ORDER BY changed_at DESC LIMIT 1)
            JOIN pictures ON pictures.id = other.picture_id
            WHERE own.link_id = ${link} AND own.state = 'waiting' ORDER BY own.place`
    )
    let used = known.length === 0 ? 0 : yield* pageBytes(link)
    for (const { id, picture, size } of known) {
      used += size
      if (used > MAX_PAGE_BYTES) return
      yield* markKept(id, picture)
    }
  })

  return {
    /**
     * Makes the first `MAX_PAGE_PICTURES` of these addresses the pictures of a link's page, in this order. Queues those
     * that are new or have failed before, unless another page has just got the picture at the same address. The kept
     * pictures of earlier versions of the page stay, within a limit.
     */
    queue: Effect.fn("PagePictureStore.queue")(
      function* (id: LinkId, addresses: ReadonlyArray<string>) {
        const now = DateTime.formatIso(yield* DateTime.now)
        const wanted = addresses.slice(0, MAX_PAGE_PICTURES).flatMap((address, place) => {
          const host = URL.parse(address)?.host ?? ""
          return host === "" ? [] : [{ address, host, place }]
        })
        yield* sql`UPDATE page_pictures SET place = NULL WHERE link_id = ${id} AND place IS NOT NULL`
        yield* sql`INSERT INTO page_pictures (link_id, address, host, place, state, due_at, changed_at)
              SELECT ${id}, value ->> 'address', value ->> 'host', value ->> 'place', 'waiting', ${now}, ${now}
              FROM json_each(${JSON.stringify(wanted)}) WHERE true
              ON CONFLICT (link_id, address) DO UPDATE SET place = excluded.place,
                state = iif(state = 'failed', 'waiting', state), tries = iif(state = 'failed', 0, tries),
                due_at = iif(state = 'failed', excluded.due_at, due_at)`
        yield* sql`DELETE FROM page_pictures WHERE link_id = ${id} AND place IS NULL
              AND (state <> 'kept' OR id IN (SELECT id FROM page_pictures WHERE link_id = ${id}
                ORDER BY place IS NULL, changed_at DESC, id DESC LIMIT -1 OFFSET ${MAX_VERSION_PICTURES}))`
        yield* reuse(id)
      },
      transaction,
      orDefect
    ),
    /** Gives a link the kept pictures of another one, for a page that moves between them. */
    copy: Effect.fn("PagePictureStore.copy")((from: LinkId, into: LinkId) =>
      execute(sql`INSERT OR IGNORE INTO page_pictures (link_id, address, host, place, state, picture_id, changed_at)
                SELECT ${into}, address, host, NULL, state, picture_id, changed_at FROM page_pictures
                WHERE link_id = ${from} AND state = 'kept'`)
    ),
    /** Returns the pictures of a link's page, with those of earlier versions. */
    ofPage: Effect.fn("PagePictureStore.ofPage")((id: LinkId) =>
      readPictures(
        sql`SELECT page_pictures.id, address, state, width, height, size FROM page_pictures
                LEFT JOIN pictures ON pictures.id = picture_id WHERE link_id = ${id}
                ORDER BY place IS NULL, place, page_pictures.id`
      )
    ),
    read: Effect.fn("PagePictureStore.read")((id: LinkId, picture: number) =>
      firstRow(
        readStored(
          sql`SELECT lower(hex(hash)) AS hash, type, width, height, bytes FROM page_pictures
                JOIN pictures ON pictures.id = picture_id WHERE page_pictures.id = ${picture} AND link_id = ${id}`
        )
      )
    ),
    /** Due pictures, newest links first and each page in its order, without those of the paused hosts. */
    due: Effect.fn("PagePictureStore.due")(function* (limit: number, pausedHosts: ReadonlyArray<string>) {
      const now = DateTime.formatIso(yield* DateTime.now)
      return yield* readDue(
        sql`SELECT page_pictures.id, address, page_pictures.host, coalesce(final_url, url) AS page FROM page_pictures
                JOIN links ON links.id = link_id WHERE due_at <= ${now}
                  AND page_pictures.host NOT IN ${listOf(pausedHosts)}
                ORDER BY link_id DESC, place LIMIT ${limit}`
      )
    }),
    nextDue: Effect.gen(function* () {
      const now = DateTime.formatIso(yield* DateTime.now)
      const [seconds] = yield* readNumbers(
        sql`SELECT unixepoch(min(due_at)) FROM page_pictures WHERE due_at > ${now} HAVING min(due_at) IS NOT NULL`
      )
      // A second later, because the fraction was cut.
      return Option.map(Option.fromNullable(seconds), (at) => DateTime.unsafeMake((at + 1) * 1_000))
    }).pipe(Effect.withSpan("PagePictureStore.nextDue")),
    /**
     * Keeps what was fetched for the picture with this number: once, however many pages show it, and only if all pictures
     * and snapshots then have at most `limit` bytes (else `full`). `page-full`: the pictures of its page leave no room for
     * it. `gone`: its page no longer has it.
     */
    keep: Effect.fn("PagePictureStore.keep")(
      function* (picture: number, { bytes: content, height, type, width }: SizedPicture, limit: number) {
        const [link] = yield* readNumbers(
          sql`SELECT link_id FROM page_pictures WHERE id = ${picture} AND state = 'waiting'`
        )
        if (link === undefined) return "gone"
        if ((yield* pageBytes(link)) + content.length > MAX_PAGE_BYTES) {
          yield* markFailed(picture)
          return "page-full"
        }
        const hash = new Bun.CryptoHasher("sha256").update(content).digest()
        const [known] = yield* readNumbers(sql`SELECT id FROM pictures WHERE hash = ${hash}`)
        if (known === undefined && (yield* allBytes) + content.length > limit) return "full"
        const kept =
          known ??
          (yield* readNumber(
            sql`INSERT INTO pictures ${sql.insert({ hash, type, width, height, size: content.length, bytes: content })} RETURNING id`
          ))
        yield* markKept(picture, kept)
        return "kept"
      },
      transaction,
      orDefect
    ),
    failed: Effect.fn("PagePictureStore.failed")(function* (picture: number, isLasting: boolean) {
      yield* orUnavailable(isLasting ? markFailed(picture) : postpone(yield* retryTimes, sql`${picture}`))
    }),
    /** Records a failed attempt for each picture of a host that is due, up to `MAX_POSTPONED`. */
    failedHost: Effect.fn("PagePictureStore.failedHost")(function* (host: string) {
      const now = DateTime.formatIso(yield* DateTime.now)
      yield* orUnavailable(
        postpone(
          yield* retryTimes,
          sql`SELECT id FROM page_pictures WHERE due_at <= ${now} AND host = ${host} LIMIT ${MAX_POSTPONED}`
        )
      )
    }),
    bytes,
    allBytes,
    waiting: readNumber(sql`SELECT count(*) FROM page_pictures WHERE due_at IS NOT NULL`)
  }
})

export class PagePictureStore extends Service<PagePictureStore>()("PagePictureStore", make) {}
