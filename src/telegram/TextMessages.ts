import { Effect, Option } from "effect"
import { type Link, type LinkId, normalizeCollectionName } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { ChatChanges } from "../library/ChatChanges.ts"
import { ChatMemory } from "../library/ChatMemory.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { cardOf } from "./Card.ts"
import { type Content, type UserError, userError } from "./Content.ts"
import { makeChatLists, makeCollections } from "./Lists.ts"
import * as Replies from "./Replies.ts"
import type { ReplyContext } from "./ReplyContext.ts"
import type { makeSaveOffers } from "./SaveOffers.ts"
import { courtesy, requestIn, requestReply } from "./SmallTalk.ts"
import { type ChatUpdate, leadingNumber, searchFor } from "./Update.ts"

type Of<Tag extends ChatUpdate["_tag"]> = Extract<ChatUpdate, { readonly _tag: Tag }>

/** The passage that a reply quotes, with the reply as the note on it; a reply of signs alone only marks the passage. */
const highlightIn = ({ quote, text }: Of<"SetNote">) => ({
  quote,
  note: /[\p{L}\p{N}]/u.test(text) ? text : ""
})

export const makeTextMessages = Effect.fnUntraced(function* (
  { settlePrepared, reply, settle }: ReplyContext,
  offers: Effect.Effect.Success<typeof makeSaveOffers>
) {
  const changes = yield* ChatChanges
  const links = yield* LinkStore
  const collections = yield* makeCollections
  const lists = yield* makeChatLists
  const memory = yield* ChatMemory

  const latest = Effect.flatMap(lists.find({}, { head: () => "" }), ({ ids }) =>
    links.getAll(ids.slice(0, 1))
  )

  /** Searches for a message's text; a link number alone, such as `#12`, shows that link's card. */
  const search = Effect.fn("TextMessages.search")(function* (id: number, update: Of<"Search">) {
    const number = leadingNumber(update.text)
    const answer = (content: Content) =>
      Effect.flatMap(offers.under(update, content), (content) => reply(update, content))
    const replyError = ({ html }: UserError) => answer({ html })
    if (number?.marked && number.rest === "")
      return yield* settlePrepared(
        id,
        links.get(number.id).pipe(
          Effect.mapError(({ message }) => userError(message)),
          Effect.map((link) => reply(update, cardOf(link), [link]))
        ),
        replyError
      )
    const polite = Option.getOrUndefined(courtesy(update.text))
    if (polite !== undefined) return yield* settle(id, reply(update, { html: polite }))
    const request = Option.getOrUndefined(requestIn(update.text))
    if (request !== undefined)
      return yield* settlePrepared(
        id,
        Effect.map(latest, ([link]) =>
          link === undefined
            ? reply(update, { html: Replies.howToSave })
            : reply(update, cardOf(link, { head: requestReply(request, link.id) }), [link])
        ),
        replyError
      )
    // The search runs before the reply's transaction, which it would otherwise hold up.
    yield* settlePrepared(
      id,
      Effect.map(lists.search(update.text, update.offers.length === 0), (found) =>
        Effect.flatMap(lists.open(found), answer)
      ),
      replyError
    )
  })

  const moveToNamed = (update: Of<"SetNote">, linkId: LinkId) =>
    Effect.gen(function* () {
      const name = Option.getOrUndefined(normalizeCollectionName(update.text))
      if (name === undefined)
        return yield* userError("A collection’s name can have up to 100 characters. Send a shorter one.")
      const content = yield* collections.moveTo(linkId, name)
      yield* reply(update, content, yield* links.getAll([linkId]))
    })

  const note = Effect.fnUntraced(function* (update: Of<"SetNote">, about: Link) {
    const marked =
      update.quote.trim() === "" ? Option.none() : yield* changes.highlight(about.id, highlightIn(update))
    if (Option.isSome(marked))
      return yield* reply(update, Replies.highlightedReply(marked.value, update.quote), [marked.value.link])
    const link = yield* changes.addNote(about, update, update)
    yield* reply(update, Replies.notedReply(about, link, update), [link])
  })

  return {
    search,
    /** An answer to a question, else a note on the message's link or a quoted passage, else a search. */
    handleReply: Effect.fn("TextMessages.handleReply")(function* (
      id: number,
      update: Of<"SetNote">
    ): Effect.fn.Return<void, StoreUnavailable> {
      const subject = yield* memory.replySubject({ chatId: update.chatId, messageId: update.replyTo })
      switch (subject._tag) {
        case "Collection":
          return yield* settlePrepared(id, Effect.succeed(moveToNamed(update, subject.linkId)), ({ html }) =>
            reply(update, { html })
          )
        case "Note":
          return yield* settle(id, note(update, subject.link))
        case "Nothing": {
          const words = searchFor(update)
          return words._tag === "Search"
            ? yield* search(id, words)
            : yield* settle(id, reply(update, { html: Replies.hintReply("no-link") }))
        }
      }
    })
  }
})
