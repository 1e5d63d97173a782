import { SqlClient, SqlSchema } from "@effect/sql"
import { Array, Context, Effect, Layer, type Option, Schema } from "effect"
import { LinkId } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import type { MessageRef } from "./MessageStore.ts"
import { orUnavailable } from "./Transaction.ts"

/** What a message has asked about a link: the collection it belongs in, or what to note. */
export const Prompt = Schema.Struct({ linkId: LinkId, what: Schema.Literal("collection", "note") })
export type Prompt = typeof Prompt.Type

/** Remembers what the bot's messages have asked, so that the answer to one finds its question. */
export class PromptStore extends Context.Tag("PromptStore")<
  PromptStore,
  {
    /** Keeps what the message asks; not about a link that has been deleted. */
    readonly record: (
      message: MessageRef,
      linkId: LinkId,
      what: Prompt["what"]
    ) => Effect.Effect<void, StoreUnavailable>
    readonly of: (message: MessageRef) => Effect.Effect<Option.Option<Prompt>>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const prompts = SqlSchema.findAll({
        Request: Schema.Struct({ chatId: Schema.Number, messageId: Schema.Number }),
        Result: Prompt,
        execute: ({ chatId, messageId }) =>
          sql`SELECT link_id, asks AS what FROM chat_prompts WHERE chat_id = ${chatId} AND message_id = ${messageId}`
      })
      return {
        record: Effect.fn("PromptStore.record")(({ chatId, messageId }, linkId, what) =>
          Effect.asVoid(
            orUnavailable(
              sql`INSERT INTO chat_prompts (chat_id, message_id, link_id, asks)
                  SELECT ${chatId}, ${messageId}, id, ${what} FROM links WHERE id = ${linkId}
                  ON CONFLICT (chat_id, message_id) DO UPDATE SET link_id = excluded.link_id, asks = excluded.asks`
            )
          )
        ),
        of: Effect.fn("PromptStore.of")((message) => Effect.map(Effect.orDie(prompts(message)), Array.head))
      }
    })
  )
}
