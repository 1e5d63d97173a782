import { Effect } from "effect"
import type { Link } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { InboxStore } from "../store/inbox/InboxStore.ts"
import { orDefect, Transaction } from "../store/Transaction.ts"
import type { Content, MessageTarget, Prepared, UserError } from "./Content.ts"
import { Outbox } from "./Outbox.ts"
import type { ChatUpdate } from "./Update.ts"

/** Sends the bot's replies: each is added to the outbox in the transaction of the change it reports. */
export const makeReplyContext = Effect.gen(function* () {
  const inbox = yield* InboxStore
  const outbox = yield* Outbox
  const transaction = yield* Transaction

  const send = (
    to: { readonly chatId: number; readonly replyTo: number | null; readonly replaces?: number },
    { html, ...content }: Content,
    about: ReadonlyArray<Pick<Link, "id">>
  ) =>
    outbox.add(
      { ...to, ...content, html: html.html },
      about.map(({ id }) => id)
    )

  const settled = <A, E>(id: number, work: Effect.Effect<A, E>) =>
    orDefect(transaction(Effect.zipLeft(work, inbox.done(id))))

  return {
    /** Replies to a message; the owner's replies to this reply concern the links in `about`. */
    reply: (
      { chatId, messageId }: MessageTarget,
      content: Content,
      about: ReadonlyArray<Pick<Link, "id">> = []
    ) => send({ chatId, replyTo: messageId }, content, about),
    /** Replaces a message, or sends a new one if there is none or it can no longer be edited. */
    replace: (
      { chatId, messageId }: { readonly chatId: number; readonly messageId: number | null },
      content: Content,
      about: ReadonlyArray<Pick<Link, "id">> = []
    ) =>
      send({ chatId, replyTo: null, ...(messageId === null ? {} : { replaces: messageId }) }, content, about),
    /** Runs an arrival's work and marks the arrival done, in one transaction. */
    settled,
    /** Like `settled` for prepared work; a `UserError` in either part is handled by `otherwise`. */
    carriedOut: <A>(
      id: number,
      work: Prepared<A>,
      otherwise: (error: UserError) => Effect.Effect<A, StoreUnavailable>
    ): Effect.Effect<A, StoreUnavailable> =>
      Effect.matchEffect(work, {
        onFailure: (error) =>
          error._tag === "UserError" ? settled(id, otherwise(error)) : Effect.fail(error),
        onSuccess: (commit) => settled(id, Effect.catchTag(commit, "UserError", otherwise))
      })
  }
})

/** The functions that `makeReplyContext` creates. */
export type ReplyContext = Effect.Effect.Success<typeof makeReplyContext>

/** The short notice shown after a button press; null for none. */
export type Notice = string | null

/** Runs work without a notice, because its effect is visible. */
export const withoutNotice = <E>(work: Effect.Effect<void, E>): Effect.Effect<Notice, E> =>
  Effect.as(work, null)

type Show = (content: Content, about?: ReadonlyArray<Link>) => Effect.Effect<void, StoreUnavailable>

/** The message of a pressed button, and ways to respond to the press. */
export interface CallbackMessage {
  /** Whether the message can still be edited. */
  readonly editable: boolean
  /** Where to show a result: `messageId` is the message to edit, or null if it can no longer be edited. */
  readonly place: { readonly chatId: number; readonly messageId: number | null }
  /** Replaces the message, or sends a new one if it can no longer be edited. */
  readonly turnInto: Show
  /** Sends a new message as a reply to this one. */
  readonly follow: Show
}

/** Creates the `CallbackMessage` for a button press. */
export const callbackMessageOf = (
  { replace, reply }: Pick<ReplyContext, "replace" | "reply">,
  { chatId, editable, messageId }: Extract<ChatUpdate, { readonly _tag: "Callback" }>
): CallbackMessage => {
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
