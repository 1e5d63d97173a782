import { Effect } from "effect"
import type { Link } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import type { Answering } from "./Answering.ts"
import type { Content } from "./Content.ts"
import type { ChatUpdate } from "./Update.ts"

/** What shows for a moment where a button was pressed; null for nothing. */
export type Notice = string | null

/** Work that shows its effect and says nothing besides. */
export const silently = <E>(work: Effect.Effect<void, E>): Effect.Effect<Notice, E> => Effect.as(work, null)

type Show = (content: Content, about?: ReadonlyArray<Link>) => Effect.Effect<void, StoreUnavailable>

/** The message a pressed button stands under, and what can be shown there. */
export interface Screen {
  /** Whether the message can still be changed. */
  readonly editable: boolean
  /** The message to be changed; null where it cannot be. */
  readonly place: { readonly chatId: number; readonly messageId: number | null }
  /** Shows something in the place of the message, or in a message of its own where that cannot be changed. */
  readonly turnInto: Show
  /** Shows something in a message of its own, as an answer to this one. */
  readonly follow: Show
}

/** The message a press comes from. */
export const screenOf = (
  { replace, reply }: Pick<Answering, "replace" | "reply">,
  { chatId, editable, messageId }: Extract<ChatUpdate, { readonly _tag: "Callback" }>
): Screen => {
  const place = { chatId, messageId: editable ? messageId : null }
  return {
    editable: place.messageId !== null,
    place,
    turnInto: (content, about) => replace(place, content, about),
    follow: (content, about) =>
      messageId === null
        ? replace({ chatId, messageId }, content, about)
        : reply({ chatId, messageId }, content, about)
  }
}
