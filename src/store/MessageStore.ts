import { Model, SqlClient, SqlSchema } from "@effect/sql"
import { Context, Effect, Layer, Schema } from "effect"
import { LinkId } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { orUnavailable } from "./Transaction.ts"

/** A chat message, as its platform numbers it. */
export interface MessageRef {
  readonly chatId: number
  readonly messageId: number
}

/** A link a message is about: what the message said beside it, and whether the message made the link. */
export const MessageLink = Schema.Struct({
  linkId: LinkId,
  note: Schema.String,
  created: Model.BooleanFromNumber
})
export type MessageLink = typeof MessageLink.Type

/** Remembers which chat message is about which links, for edits, replies and a save that was cut short. */
export class MessageStore extends Context.Tag("MessageStore")<
  MessageStore,
  {
    readonly linksOf: (message: MessageRef) => Effect.Effect<ReadonlyArray<MessageLink>>
    /** Records the link; a message that made a link goes on having made it. */
    readonly record: (message: MessageRef, link: MessageLink) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const linksOf = SqlSchema.findAll({
        Request: Schema.Struct({ chatId: Schema.Number, messageId: Schema.Number }),
        Result: MessageLink,
        execute: ({ chatId, messageId }) =>
          sql`SELECT link_id, note, created FROM message_links WHERE chat_id = ${chatId} AND message_id = ${messageId}`
      })
      return {
        linksOf: Effect.fn("MessageStore.linksOf")((message) => Effect.orDie(linksOf(message))),
        record: Effect.fn("MessageStore.record")(function* ({ chatId, messageId }, link) {
          const row = {
            chatId,
            messageId,
            linkId: link.linkId,
            note: link.note,
            created: link.created ? 1 : 0
          }
          yield* orUnavailable(
            sql`INSERT INTO message_links ${sql.insert(row)} ON CONFLICT (chat_id, message_id, link_id)
                DO UPDATE SET note = excluded.note, created = max(created, excluded.created)`
          )
        })
      }
    })
  )
}
