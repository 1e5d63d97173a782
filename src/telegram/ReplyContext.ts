import { Effect } from "effect"
import type { Link } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { InboxStore } from "../store/inbox/InboxStore.ts"
import { orDefect, Transaction } from "../store/Transaction.ts"
import type { At, Content, Prepared, UserError } from "./Content.ts"
import { Outbox } from "./Outbox.ts"
import type { ChatUpdate } from "./Update.ts"

/** How the bot answers: every answer goes into the outbox, within the transaction of what it tells of. */
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
    /** Answers a message; an answer to that is taken to be about these links. */
    reply: ({ chatId, messageId }: At, content: Content, about: ReadonlyArray<Pick<Link, "id">> = []) =>
      send({ chatId, replyTo: messageId }, content, about),
    /** Takes the place of a message, or follows it where there is none or it can no longer be changed. */
    replace: (
      { chatId, messageId }: { readonly chatId: number; readonly messageId: number | null },
      content: Content,
      about: ReadonlyArray<Pick<Link, "id">> = []
    ) =>
      send({ chatId, replyTo: null, ...(messageId === null ? {} : { replaces: messageId }) }, content, about),
    /** What an arrival asks for, its answer and its end as one transaction. */
    settled,
    /** The same of prepared work; `otherwise` is done in place of what could not be. */
    carriedOut: <A>(
      id: number,
      work: Prepared<A>,
      otherwise: (told: UserError) => Effect.Effect<A, StoreUnavailable>
    ): Effect.Effect<A, StoreUnavailable> =>
      Effect.matchEffect(work, {
        onFailure: (error) => (error._tag === "Told" ? settled(id, otherwise(error)) : Effect.fail(error)),
        onSuccess: (commit) => settled(id, Effect.catchTag(commit, "Told", otherwise))
      })
  }
})

/** What `makeAnswering` makes. */
export type ReplyContext = Effect.Effect.Success<typeof makeReplyContext>

/** What shows for a moment where a button was pressed; null for nothing. */
export type Notice = string | null

/** Work that shows its effect and says nothing besides. */
export const silently = <E>(work: Effect.Effect<void, E>): Effect.Effect<Notice, E> => Effect.as(work, null)

type Show = (content: Content, about?: ReadonlyArray<Link>) => Effect.Effect<void, StoreUnavailable>

/** The message a pressed button stands under, and what can be shown there. */
export interface CallbackMessage {
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
