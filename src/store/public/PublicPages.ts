import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Option, Schema } from "effect"
import { ShownPage } from "../../domain/SharedPage.ts"
import { secretDigest } from "../../runtime/Secret.ts"
import { Service } from "../../runtime/Services.ts"
import { unpackHtml } from "../pages/PageDifference.ts"
import { firstRow, readRows } from "../Rows.ts"

const readPages = readRows(Schema.Struct({ ...ShownPage.fields, html: Schema.Uint8ArrayFromSelf }))
const readPictures = readRows(Schema.Struct({ type: Schema.String, bytes: Schema.Uint8ArrayFromSelf }))

/** A secret address ends in 256 random bits. */
const SECRET = /^[\w-]{43}$/

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const shownBy = (secret: string, now: string) =>
    sql`secret = ${secretDigest(secret)} AND (expires_at IS NULL OR expires_at > ${now})`
  const isoNow = Effect.map(DateTime.now, DateTime.formatIso)
  return {
    read: Effect.fn("PublicPages.read")(function* (secret: string) {
      if (!SECRET.test(secret)) return Option.none()
      const found = yield* firstRow(
        readPages(sql`SELECT title, author, site_name, published_at, language, source, url, reading_time, saved_at,
              html FROM public_pages WHERE ${shownBy(secret, yield* isoNow)}`)
      )
      return Option.flatMap(found, ({ html, ...page }) =>
        Option.map(unpackHtml(html), (text) => ({ page, html: text }))
      )
    }),
    picture: Effect.fn("PublicPages.picture")(function* (secret: string, number: number) {
      if (!SECRET.test(secret)) return Option.none()
      return yield* firstRow(
        readPictures(sql`SELECT type, bytes FROM public_pages JOIN public_page_pictures ON page_id = public_pages.id
              WHERE number = ${number} AND ${shownBy(secret, yield* isoNow)}`)
      )
    })
  }
})

/** Reads the pages that are shared under secret addresses, for strangers; and nothing else. */
export class PublicPages extends Service<PublicPages>()("PublicPages", make) {}
