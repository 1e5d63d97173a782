import { SqlClient } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import { parseWebUrl } from "../../domain/WebUrl.ts"
import { yieldToEventLoop } from "../../runtime/Scheduling.ts"
import { Service } from "../../runtime/Services.ts"
import { KEYS_BLOCK } from "../../shared/ListParameters.ts"
import { savingKey } from "../../shared/page/PageKey.ts"
import { normalizeUrl } from "../../shared/UrlIdentity.ts"
import { listOf } from "../Fragment.ts"
import { readNumbers, readRows } from "../Rows.ts"
import { orDefect, orUnavailable, Transaction } from "../Transaction.ts"

/** Links per statement that get their keys: about 10 ms. */
const BATCH = 500
/** Number of missing keys that are computed at each look-up before they are worth a statement that stores them. */
const MOST_MISSING = 32

/** A link, also in the trash. `key` is null until it is computed; `isGoing` is 1 if a large change deletes the link. */
const Holder = Schema.Struct({
  id: Schema.Int,
  key: Schema.NullOr(Schema.String),
  url: Schema.String,
  normalizedUrl: Schema.String,
  isTrashed: Schema.Int,
  isGoing: Schema.Int
})
const readHolders = readRows(Holder)

const readKeys = readRows(
  Schema.Struct({ id: Schema.Int, key: Schema.NullOr(Schema.String), url: Schema.String })
)

/** The key of a stored address; a row that no program of ours wrote may have anything as its address. */
const keyOf = (url: string): string =>
  Option.match(parseWebUrl(url), { onNone: () => url, onSome: savingKey })

const withKey = (one: typeof Holder.Type) => ({ ...one, key: one.key ?? keyOf(one.url) })

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const transaction = yield* Transaction

  const find = (keys: ReadonlyArray<string>) =>
    readHolders(
      sql`SELECT k.link_id AS id, k.key, coalesce(l.url, t.url, '') AS url, l.id IS NULL AS is_trashed,
                coalesce(l.normalized_url, t.normalized_url, '') AS normalized_url,
                EXISTS (
                  SELECT 1 FROM change_work part JOIN changes ON changes.id = part.change_id
                  WHERE part.link_id = k.link_id AND changes.kind = 'delete') AS is_going
              FROM (
                SELECT link_id, key FROM page_keys WHERE key IN ${listOf(keys)}
                UNION ALL SELECT * FROM (SELECT link_id, key FROM page_keys WHERE key IS NULL LIMIT ${BATCH})
              ) k
              LEFT JOIN links l ON l.id = k.link_id LEFT JOIN trash t ON t.id = k.link_id
              ORDER BY is_trashed, k.link_id`
    )

  const storeKeys = (links: ReadonlyArray<typeof Holder.Type>) => {
    const keys = JSON.stringify(links.map(({ id, url }) => [id, keyOf(url)]))
    return sql`UPDATE page_keys SET key = v.value ->> 1 FROM json_each(${keys}) AS v WHERE link_id = v.value ->> 0`
  }

  const computeSome = Effect.gen(function* () {
    const missing = yield* find([])
    if (missing.length > 0) yield* storeKeys(missing)
    return missing.length
  })

  // All of them after an upgrade: with 100,000 links a few seconds, once, so that no save misses one.
  yield* Effect.gen(function* () {
    while ((yield* orUnavailable(transaction(computeSome))) === BATCH) yield* yieldToEventLoop
  }).pipe(
    Effect.catchAll((error) =>
      Effect.logWarning("computing the page keys failed; the next save retries it", error)
    )
  )

  const findAll = (keys: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      for (;;) {
        const found = yield* find(keys)
        const missing = found.filter(({ key }) => key === null)
        if (missing.length <= MOST_MISSING) return found.filter(({ isGoing }) => isGoing === 0).map(withKey)
        yield* storeKeys(missing)
        yield* yieldToEventLoop
      }
    })

  return {
    /**
     * The keys of links after `after`, without the trash, in fixed blocks: one link's change leaves the others alone.
     * `next` is the number before the next block that has keys.
     */
    block: Effect.fn("PageKeyStore.block")(function* (after: number) {
      const rows = yield* readKeys(
        sql`SELECT links.id, k.key, links.url FROM links LEFT JOIN page_keys k ON k.link_id = links.id
            WHERE links.id > ${after} AND links.id <= ${after + KEYS_BLOCK} ORDER BY links.id`
      )
      const [following] = yield* readNumbers(
        sql`SELECT id FROM links WHERE id > ${after + KEYS_BLOCK} ORDER BY id LIMIT 1`
      )
      return {
        ids: rows.map(({ id }) => id),
        keys: rows.map(({ key, url }) => key ?? keyOf(url)),
        next: following === undefined ? null : following - 1 - ((following - 1) % KEYS_BLOCK)
      }
    }),
    /**
     * Returns, by their normalized addresses, under which normalized address these pages are in the library or in the
     * trash: the address's own first, then that of the oldest link to the same page. Without those that are new. Call it
     * in the transaction that saves them, so that two forms of an address become one link.
     */
    holders: Effect.fn("PageKeyStore.holders")(
      function* (addresses: ReadonlyArray<URL>) {
        const wanted = new Map(addresses.map((url) => [normalizeUrl(url), savingKey(url)]))
        if (wanted.size === 0) return new Map<string, string>()
        const byKey = Map.groupBy(yield* findAll([...wanted.values()]), ({ key }) => key)
        return new Map(
          [...wanted].flatMap(([address, key]) => {
            const all = byKey.get(key) ?? []
            const live = all.filter(({ isTrashed }) => isTrashed === 0)
            const among = live.length > 0 ? live : all
            const holder = among.find(({ normalizedUrl }) => normalizedUrl === address) ?? among[0]
            return holder === undefined ? [] : [[address, holder.normalizedUrl] as const]
          })
        )
      },
      orUnavailable,
      orDefect
    )
  }
})

/** Finds the link that has a page under another form of its address. */
export class PageKeyStore extends Service<PageKeyStore>()("PageKeyStore", make) {}
