import { Effect, Option } from "effect"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { MessageStore, PromptStore } from "../store/chat/MessageStore.ts"
import { cardOf } from "./Card.ts"
import { makeChatLists } from "./ChatLists.ts"
import { linkGone, text, userError } from "./Content.ts"
import { collectionName, leadingNumber, makeLinkChanges, makeLinkLookup } from "./LinkChanges.ts"
import * as Replies from "./Replies.ts"
import type { ReplyContext } from "./ReplyContext.ts"
import { type ChatUpdate, searchFor } from "./Update.ts"

type Of<Tag extends ChatUpdate["_tag"]> = Extract<ChatUpdate, { readonly _tag: Tag }>

/** Handles messages without a link: replies to other messages, and search text. */
export const makeTextMessages = Effect.fnUntraced(function* ({ carriedOut, reply, settled }: ReplyContext) {
  const changes = yield* makeLinkChanges
  const lists = yield* makeChatLists
  const messages = yield* MessageStore
  const named = yield* makeLinkLookup
  const prompts = yield* PromptStore

  /** Searches for a message's text; a link number alone, such as `#12`, shows that link's card. */
  const search = Effect.fn("WordMessages.search")(function* (id: number, update: Of<"Search">) {
    const number = leadingNumber(update.text)
    const replyError = ({ html }: { readonly html: ReturnType<typeof text> }) => reply(update, { html })
    if (number?.marked && number.rest === "")
      return yield* carriedOut(
        id,
        Effect.map(named.byNumber(number.id), (link) => reply(update, cardOf(link), [link])),
        replyError
      )
    // The search runs before the reply's transaction, which it would otherwise hold up.
    yield* carriedOut(
      id,
      Effect.map(lists.search(update.text, true), (found) =>
        Effect.flatMap(lists.open(found), (content) => reply(update, content))
      ),
      replyError
    )
  })

  const moveToNamed = (update: Of<"SetNote">, linkId: Parameters<typeof changes.move>[0]) =>
    Effect.gen(function* () {
      const name = Option.getOrUndefined(collectionName(update.note))
      if (name === undefined) return yield* userError("A collection’s name has at most 100 characters.")
      const { link, undo } = yield* Effect.catchTag(
        changes.move(linkId, name),
        "LinkNotFound",
        () => linkGone
      )
      const about = { head: text(`Now in ${name}.`), undo: Option.getOrUndefined(undo) }
      yield* reply(update, cardOf(link, about), [link])
    })

  const note = Effect.fnUntraced(function* (
    update: Of<"SetNote">,
    about: Parameters<typeof changes.addNote>[0]
  ) {
    const link = yield* changes.addNote(about, update.note)
    // Recorded so that editing the reply also edits the note it added.
    yield* messages.record(update, { linkId: link.id, note: update.note, created: false })
    yield* reply(update, { html: Replies.noteReply([link]) }, [link])
  })

  return {
    search,
    /** Treats a reply as the answer to a question, otherwise as a note on the message's link, otherwise as a search. */
    answered: Effect.fn("WordMessages.answered")(function* (
      id: number,
      update: Of<"SetNote">
    ): Effect.fn.Return<void, StoreUnavailable> {
      const answered = { chatId: update.chatId, messageId: update.replyTo }
      const prompt = yield* prompts.of(answered)
      if (Option.isSome(prompt) && prompt.value.what === "collection")
        return yield* carriedOut(id, Effect.succeed(moveToNamed(update, prompt.value.linkId)), ({ html }) =>
          reply(update, { html })
        )
      const link = yield* Option.match(prompt, {
        onNone: () => named.ofMessage(answered),
        onSome: ({ linkId }) => Effect.option(named.byNumber(linkId))
      })
      if (Option.isSome(link)) return yield* settled(id, note(update, link.value))
      const words = searchFor(update.note, { chatId: update.chatId, messageId: update.messageId })
      yield* words._tag === "Search"
        ? search(id, words)
        : settled(id, reply(update, { html: Replies.hintReply("no-link") }))
    })
  }
})
