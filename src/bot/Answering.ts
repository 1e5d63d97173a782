import { Effect } from "effect"
import type { Link } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { InboxStore } from "../store/InboxStore.ts"
import { orDefect, Transaction } from "../store/Transaction.ts"
import type { At, Content } from "./Content.ts"
import { Outbox } from "./Outbox.ts"
import type { Prepared, Told } from "./Told.ts"

/** How the bot answers: every answer goes into the outbox, within the transaction of what it tells of. */
export const makeAnswering = Effect.gen(function* () {
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
      otherwise: (told: Told) => Effect.Effect<A, StoreUnavailable>
    ): Effect.Effect<A, StoreUnavailable> =>
      Effect.matchEffect(work, {
        onFailure: (error) => (error._tag === "Told" ? settled(id, otherwise(error)) : Effect.fail(error)),
        onSuccess: (commit) => settled(id, Effect.catchTag(commit, "Told", otherwise))
      })
  }
})

/** What `makeAnswering` makes. */
export type Answering = Effect.Effect.Success<typeof makeAnswering>
