import { SqlClient } from "@effect/sql"
import { Array, DateTime, Effect, Option, Schema } from "effect"
import { CurrentAuthor } from "../../domain/Author.ts"
import { ChatChange } from "../../domain/ChatChange.ts"
import type { LinkId } from "../../domain/Link.ts"
import { Service } from "../../runtime/Services.ts"
import { decodeRows, firstRow, readRows } from "../Rows.ts"
import { execute, orUnavailable } from "../Transaction.ts"

const Told = Schema.Struct({ token: Schema.String, label: Schema.parseJson(ChatChange) })
const decodeTold = decodeRows(Told)
const readTold = readRows(Told)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const next = sql`(SELECT coalesce(max(told), 0) + 1 FROM changes)`
  const last = sql`told IS NOT NULL ORDER BY told DESC LIMIT 1`
  return {
    tell: Effect.fn("ToldChanges.tell")((token: string, change: ChatChange) =>
      execute(
        sql`UPDATE changes SET label = ${JSON.stringify(change)}, told = ${next} WHERE token = ${token}`
      )
    ),
    tellFinal: Effect.fn("ToldChanges.tellFinal")(function* (change: ChatChange) {
      const values = {
        token: crypto.randomUUID(),
        kind: "delete",
        finished: 1,
        author: yield* CurrentAuthor,
        createdAt: DateTime.formatIso(yield* DateTime.now),
        label: JSON.stringify(change)
      }
      yield* sql`INSERT INTO changes ${sql.insert(values)}`
      yield* sql`UPDATE changes SET told = ${next} WHERE token = ${values.token}`
    }, orUnavailable),
    last: firstRow(readTold(sql`SELECT token, label FROM changes WHERE ${last}`)).pipe(
      Effect.withSpan("ToldChanges.last")
    ),
    /** Returns that change; the next call returns the one before. */
    takeLast: Effect.map(
      orUnavailable(
        decodeTold(sql`UPDATE changes SET told = NULL WHERE id = (SELECT id FROM changes WHERE ${last})
              RETURNING token, label`)
      ),
      Array.head
    ).pipe(Effect.withSpan("ToldChanges.takeLast")),
    nameOf: Effect.fn("ToldChanges.nameOf")((token: string) =>
      Effect.map(
        firstRow(
          readTold(sql`SELECT token, label FROM changes WHERE token = ${token} AND label IS NOT NULL`)
        ),
        Option.map(({ label }) => label)
      )
    ),
    /** Forgets the changes of this link, except merges into it. */
    forget: Effect.fn("ToldChanges.forget")((id: LinkId) =>
      execute(
        sql`UPDATE changes SET told = NULL WHERE told IS NOT NULL AND label ->> 'id' = ${id} AND label ->> 'kind' <> 'merge'`
      )
    )
  }
})

export class ToldChanges extends Service<ToldChanges>()("ToldChanges", make) {}
