import { Effect } from "effect"
import type { Link } from "../domain/Link.ts"
import type { MessageRef } from "../domain/Messages.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { Inbox } from "../library/Inbox.ts"
import type { Content, Prepared, UserError } from "./Content.ts"
import { Outbox } from "./Outbox.ts"

export const makeReplyContext = Effect.gen(function* () {
  const { settle } = yield* Inbox
  const outbox = yield* Outbox

  const send = (
    to: { readonly chatId: number; readonly replyTo: number | null; readonly replaces?: number },
    { html, ...content }: Content,
    about: ReadonlyArray<Pick<Link, "id">>
  ) =>
    outbox.add(
      { ...to, ...content, html: html.html },
      about.map(({ id }) => id)
    )

  return {
    /** Replies to a message; the owner's replies to this reply concern the links in `about`. */
    reply: (
      { chatId, messageId }: MessageRef,
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
    settle,
    /** Like `settle` for prepared work; a `UserError` in either part is handled by `otherwise`. */
    settlePrepared: <A>(
      id: number,
      work: Prepared<A>,
      otherwise: (error: UserError) => Effect.Effect<A, StoreUnavailable>
    ): Effect.Effect<A, StoreUnavailable> =>
      Effect.matchEffect(work, {
        onFailure: (error) =>
          error._tag === "UserError" ? settle(id, otherwise(error)) : Effect.fail(error),
        onSuccess: (commit) => settle(id, Effect.catchTag(commit, "UserError", otherwise))
      })
  }
})

export type ReplyContext = Effect.Effect.Success<typeof makeReplyContext>
