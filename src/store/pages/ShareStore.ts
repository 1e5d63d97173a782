import { SqlClient } from "@effect/sql"
import { DateTime, Effect } from "effect"
import type { LinkId } from "../../domain/Link.ts"
import {
  MAX_SHARES,
  PageShare,
  ShareNotFound,
  type ShownPage,
  TooManyShares
} from "../../domain/SharedPage.ts"
import { Service } from "../../runtime/Services.ts"
import { listOf } from "../Fragment.ts"
import { decodeRows, readNumber, readRows } from "../Rows.ts"
import { hasWritten, Transaction } from "../Transaction.ts"
import { packHtml } from "./PageDifference.ts"

/** A page to share, under the address of which `secret` is the SHA-256. */
interface NewShare {
  readonly linkId: LinkId
  readonly secret: string
  readonly page: ShownPage
  readonly html: string
  readonly pictures: ReadonlyArray<number>
  readonly expiresAt: string | null
}

const decodeShares = decodeRows(PageShare)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const transaction = yield* Transaction
  const columns = sql.literal("id, link_id, title, created_at, expires_at")
  const isShared = Effect.map(
    DateTime.now,
    (now) => sql`(expires_at IS NULL OR expires_at > ${DateTime.formatIso(now)})`
  )
  return {
    add: Effect.fn("ShareStore.add")(function* ({ html, linkId, page, pictures, ...share }: NewShare) {
      const count = yield* readNumber(
        sql`SELECT count(*) FROM public_pages WHERE link_id = ${linkId} AND ${yield* isShared}`
      )
      if (count >= MAX_SHARES) return yield* new TooManyShares()
      const createdAt = DateTime.formatIso(yield* DateTime.now)
      const row = { ...page, ...share, linkId, createdAt, html: packHtml(html) }
      const [added] = yield* decodeShares(
        sql`INSERT INTO public_pages ${sql.insert(row)} RETURNING ${columns}`
      )
      if (added === undefined) return yield* Effect.dieMessage("no page was shared")
      yield* sql`INSERT INTO public_page_pictures (page_id, number, type, bytes)
            SELECT ${added.id}, shown.id, type, bytes FROM page_pictures shown
            JOIN pictures ON pictures.id = shown.picture_id
            WHERE link_id = ${linkId} AND shown.id IN ${listOf(pictures)}`
      return added
    }, transaction),
    all: Effect.flatMap(isShared, (shared) =>
      readRows(PageShare)(sql`SELECT ${columns} FROM public_pages WHERE ${shared} ORDER BY id DESC`)
    ),
    remove: Effect.fn("ShareStore.remove")(function* (id: number) {
      if (!(yield* hasWritten(sql`DELETE FROM public_pages WHERE id = ${id} RETURNING id`)))
        return yield* new ShareNotFound({ id })
    })
  }
})

export class ShareStore extends Service<ShareStore>()("ShareStore", make) {}
