import { FiberRef, GlobalValue, Option } from "effect"
import { integer, object } from "./MessageText.ts"

/** Where the work of a fiber and of its forks answers, unless it says otherwise; null is the chat itself. */
export const currentTopic: FiberRef.FiberRef<number | null> = GlobalValue.globalValue("linkbower/topic", () =>
  FiberRef.unsafeMake<number | null>(null)
)

/** The topic of an update's message, or of the message whose button was pressed; null if it is in none. */
export const topicOf = (update: unknown): number | null => {
  const body = object(update)
  const kinds = ["message", "edited_message", "channel_post", "edited_channel_post"]
  const messages = [...kinds.map((kind) => object(body, kind)), object(body, "callback_query", "message")]
  return Option.getOrNull(
    Option.flatMap(Option.fromNullable(messages.find((message) => message !== undefined)), (message) =>
      Option.fromNullable(integer(message, "message_thread_id"))
    )
  )
}
