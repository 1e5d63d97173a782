import { Model, SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { ByHand } from "../../domain/Change.ts"
import { type LinkId, LinkNotFound } from "../../domain/Link.ts"
import { Service } from "../../runtime/Services.ts"
import { firstRow, readRows } from "../Rows.ts"

const Detail = Schema.Struct({
  text: Schema.String,
  handTags: Schema.parseJson(Schema.Array(Schema.String)),
  title: Model.BooleanFromNumber,
  summary: Model.BooleanFromNumber,
  category: Model.BooleanFromNumber,
  collection: Model.BooleanFromNumber,
  tags: Model.BooleanFromNumber
})
const readDetail = readRows(Detail)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    read: Effect.fn("DetailStore.read")(function* (id: LinkId) {
      const found = yield* firstRow(
        readDetail(sql`SELECT text, hand_tags, title_by_hand AS title, summary_by_hand AS summary, category_by_hand AS category,
            collection_by_hand AS collection, tags_by_hand AS tags FROM links WHERE id = ${id}`)
      )
      const { handTags, text, ...marks } = yield* Effect.mapError(found, () => new LinkNotFound({ id }))
      return { text, handTags, byHand: ByHand.literals.filter((field) => marks[field]) }
    })
  }
})

export class DetailStore extends Service<DetailStore>()("DetailStore", make) {}
