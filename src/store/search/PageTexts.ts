import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import type { Term } from "../../domain/LinkQuery.ts"
import { Service } from "../../runtime/Services.ts"
import { listOf } from "../Fragment.ts"
import { decodeRows, readRows } from "../Rows.ts"
import { LIBRARY, matchTerms } from "./Matching.ts"

const readLists = readRows(Schema.Struct({ list: Schema.String }))

const decodeSize = decodeRows(Schema.Struct({ id: Schema.Int, bytes: Schema.Int }))
const readText = readRows(Schema.Struct({ id: Schema.Int, text: Schema.String }))
const readCard = readRows(Schema.Struct({ id: Schema.Int, about: Schema.String }))

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    /** Returns the links with ids up to `newest` that contain the term anywhere, newest first, at most `limit`. */
    containing: Effect.fn("PageTexts.containing")((term: Term, newest: number, limit: number) => {
      const matching = matchTerms(LIBRARY, [term])
      if (matching === undefined) return Effect.succeed([])
      const table = sql.literal(matching.table)
      // One text is read several times as fast as thousands of rows.
      return Effect.map(
        readLists(
          sql`SELECT coalesce(group_concat(id), '') AS list FROM (
                  SELECT rowid AS id FROM ${table} WHERE ${table} MATCH ${matching.expression} AND rowid <= ${newest}
                  ORDER BY rowid DESC LIMIT ${limit})`
        ),
        ([row]) => (row === undefined || row.list === "" ? [] : row.list.split(",").map(Number))
      )
    }),
    /** Returns the lengths of the links' page texts in bytes; links without one are left out. */
    sizes: Effect.fn("PageTexts.sizes")((ids: ReadonlyArray<number>) =>
      Effect.orDie(
        // The length of a text is known without reading it.
        decodeSize(sql`SELECT id, octet_length(text) AS bytes FROM links
            WHERE id IN ${listOf(ids)} AND octet_length(text) > 0`)
      )
    ),
    texts: Effect.fn("PageTexts.texts")((ids: ReadonlyArray<number>) =>
      readText(sql`SELECT id, text FROM links WHERE id IN ${listOf(ids)}`)
    ),
    /** Returns what the links' cards say: title, tags, note, summary and description. */
    cards: Effect.fn("PageTexts.cards")((ids: ReadonlyArray<number>) =>
      readCard(sql`SELECT id, title || ' ' || tags || ' ' || note || ' ' || summary || ' ' || description AS about
            FROM links WHERE id IN ${listOf(ids)}`)
    )
  }
})

/** Reads the texts of pages, and finds the links whose texts may be worth reading. */
export class PageTexts extends Service<PageTexts>()("PageTexts", make) {}
