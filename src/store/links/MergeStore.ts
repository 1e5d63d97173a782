import { Model, SqlClient } from "@effect/sql"
import { DateTime, Effect, Schema } from "effect"
import type { Mergeable } from "../../domain/Incoming.ts"
import { Link, type LinkId, LinkNotFound } from "../../domain/Link.ts"
import { Service } from "../../runtime/Services.ts"
import { firstRow, readRows } from "../Rows.ts"
import { orUnavailable } from "../Transaction.ts"
import { linkJson } from "./LinkStore.ts"

const MergeRow = Schema.Struct({
  json: Schema.parseJson(Link),
  handTags: Schema.parseJson(Schema.Array(Schema.String)),
  tagsByHand: Model.BooleanFromNumber,
  titleByHand: Model.BooleanFromNumber,
  summaryByHand: Model.BooleanFromNumber,
  categoryByHand: Model.BooleanFromNumber,
  collectionByHand: Model.BooleanFromNumber
})
const readMergeRow = readRows(MergeRow)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    read: Effect.fn("MergeStore.read")(function* (id: LinkId) {
      const row = yield* firstRow(
        readMergeRow(sql`SELECT ${sql.literal(linkJson)} AS json, l.hand_tags, l.tags_by_hand, l.title_by_hand, l.summary_by_hand,
          l.category_by_hand, l.collection_by_hand
          FROM links l LEFT JOIN collections c ON c.id = l.collection_id WHERE l.id = ${id}`)
      )
      const { json, ...hand } = yield* Effect.mapError(row, () => new LinkNotFound({ id }))
      return { link: json, ...hand }
    }),
    write: Effect.fn("MergeStore.write")(function* ({ link, ...hand }: Mergeable) {
      const collectionId = link.collection?.id ?? null
      yield* orUnavailable(
        sql`UPDATE links SET filed_because = iif(collection_id IS ${collectionId}, filed_because, NULL), ${sql.update(
          {
            note: link.note,
            tags: JSON.stringify(link.tags),
            handTags: JSON.stringify(hand.handTags),
            title: link.title,
            summary: link.summary,
            category: link.category,
            collectionId,
            favorite: link.favorite ? 1 : 0,
            shareable: link.shareable ? 1 : 0,
            tagsByHand: hand.tagsByHand ? 1 : 0,
            titleByHand: hand.titleByHand ? 1 : 0,
            summaryByHand: hand.summaryByHand ? 1 : 0,
            categoryByHand: hand.categoryByHand ? 1 : 0,
            collectionByHand: hand.collectionByHand ? 1 : 0,
            createdAt: link.createdAt,
            updatedAt: DateTime.formatIso(yield* DateTime.now)
          }
        )} WHERE id = ${link.id}`
      )
    })
  }
})

export class MergeStore extends Service<MergeStore>()("MergeStore", make) {}
