import { SqlClient } from "@effect/sql"
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import type { MessageRef } from "./MessageStore.ts"
import { orUnavailable } from "./Transaction.ts"

/** How long a button of a list works, and a change can be found to be taken back. */
export const CHAT_LIST_AGE = Duration.days(30)

/**
 * Remembers what a button's 64 bytes have no room for, for 30 days: the lists that messages show, the changes made in
 * the chat, and which message shows how the saving of another's links goes.
 */
export class ChatListStore extends Context.Tag("ChatListStore")<
  ChatListStore,
  {
    /** Keeps a list, as JSON the bot wrote and reads, and answers its number. */
    readonly keep: (list: string) => Effect.Effect<number, StoreUnavailable>
    readonly get: (list: number) => Effect.Effect<Option.Option<string>>
    /** Notes a change, as JSON of the bot's. */
    readonly changed: (change: string) => Effect.Effect<void, StoreUnavailable>
    /** Forgets a change that was taken back. */
    readonly takenBack: (change: string) => Effect.Effect<void, StoreUnavailable>
    /** Forgets the last change that is noted, and answers it. */
    readonly takeLastChange: Effect.Effect<Option.Option<string>, StoreUnavailable>
    /** Notes the message that shows how it goes with this one. */
    readonly shows: (about: MessageRef, messageId: number) => Effect.Effect<void, StoreUnavailable>
    /** The message that shows how it goes with this one. */
    readonly shownBy: (about: MessageRef) => Effect.Effect<Option.Option<number>>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      /** What is kept says in its one field what it is. */
      const add = Effect.fnUntraced(function* (field: "list" | "change" | "shown", value: unknown) {
        const now = yield* DateTime.now
        const oldest = DateTime.formatIso(DateTime.subtractDuration(now, CHAT_LIST_AGE))
        yield* sql`DELETE FROM chat_lists WHERE created_at < ${oldest}`
        const [row] = yield* sql<{ id: number }>`INSERT INTO chat_lists (request, created_at)
          VALUES (${JSON.stringify({ [field]: value })}, ${DateTime.formatIso(now)}) RETURNING id`
        return row?.id ?? 0
      }, orUnavailable)

      const keyOf = ({ chatId, messageId }: MessageRef) => `${chatId} ${messageId}`

      return {
        keep: Effect.fn("ChatListStore.keep")((list) => add("list", list)),
        get: Effect.fn("ChatListStore.get")((list) =>
          Effect.map(
            Effect.orDie(
              sql<{ list: string }>`SELECT request ->> 'list' AS list FROM chat_lists
                WHERE id = ${list} AND request ->> 'list' IS NOT NULL`
            ),
            ([row]) => Option.map(Option.fromNullable(row), ({ list }) => list)
          )
        ),
        changed: Effect.fn("ChatListStore.changed")((change) => Effect.asVoid(add("change", change))),
        takenBack: Effect.fn("ChatListStore.takenBack")((change) =>
          Effect.asVoid(orUnavailable(sql`DELETE FROM chat_lists WHERE request ->> 'change' = ${change}`))
        ),
        takeLastChange: Effect.map(
          orUnavailable(
            sql<{ change: string }>`DELETE FROM chat_lists WHERE id =
              (SELECT id FROM chat_lists WHERE request ->> 'change' IS NOT NULL ORDER BY id DESC LIMIT 1)
              RETURNING request ->> 'change' AS change`
          ),
          ([row]) => Option.map(Option.fromNullable(row), ({ change }) => change)
        ).pipe(Effect.withSpan("ChatListStore.takeLastChange")),
        shows: Effect.fn("ChatListStore.shows")((about, messageId) =>
          Effect.asVoid(add("shown", { about: keyOf(about), messageId }))
        ),
        shownBy: Effect.fn("ChatListStore.shownBy")((about) =>
          Effect.map(
            Effect.orDie(
              sql<{ messageId: number }>`SELECT request ->> '$.shown.messageId' AS message_id FROM chat_lists
                WHERE request ->> '$.shown.about' = ${keyOf(about)} ORDER BY id DESC LIMIT 1`
            ),
            ([row]) => Option.map(Option.fromNullable(row), ({ messageId }) => messageId)
          )
        )
      }
    })
  )
}
