import { Deferred, Duration, Effect, Exit, Fiber, Option, Ref } from "effect"
import { type Link, LinkId } from "../domain/Link.ts"
import { joinNotes, replaceNote } from "../domain/Note.ts"
import { normalizeUrl, parseWebUrl } from "../domain/WebUrl.ts"
import { Events } from "../library/Events.ts"
import type { Filed } from "../library/Filing.ts"
import { type Saved, SaveLink, type SaveRequest } from "../library/SaveLink.ts"
import { ChatListStore, MessageStore } from "../store/chat/MessageStore.ts"
import { InboxStore } from "../store/inbox/InboxStore.ts"
import { type Claimed, LinkStore } from "../store/links/LinkStore.ts"
import { afterCommit, orDefect, Transaction } from "../store/Transaction.ts"
import type { Nearest } from "./Card.ts"
import { Chat, type Reaction } from "./Chat.ts"
import { type At, empty, lines } from "./Content.ts"
import * as Replies from "./Replies.ts"
import { savingReply } from "./Replies.ts"
import { makeReplyContext } from "./ReplyContext.ts"
import type { Links } from "./Update.ts"

/** Work that ends before this shows in nothing but its answer. */
const AT_WORK_SOON = Duration.millis(1_500)
/** The platform shows for five seconds that somebody types. */
const AGAIN = Duration.seconds(4)

/** Shows in the chat that the bot is at work, and how it came out. */
export const makeTypingIndicator = Effect.gen(function* () {
  const chat = yield* Chat
  const scope = yield* Effect.scope

  const typing = (chatId: number) =>
    Effect.zipRight(
      Effect.sleep(AT_WORK_SOON),
      Effect.forever(Effect.zipRight(chat.typing(chatId), Effect.sleep(AGAIN)))
    )

  return {
    /** Marks the message while the work on it goes on, and afterwards with the reaction it comes to. */
    during: Effect.fnUntraced(function* <E>({ chatId, messageId }: At, work: Effect.Effect<Reaction, E>) {
      const outcome = yield* Deferred.make<Reaction>()
      // Beside the work, which a chat that does not answer must not hold up.
      yield* chat.react(chatId, messageId, "👀").pipe(
        Effect.zipRight(Deferred.await(outcome)),
        Effect.flatMap((reaction) => chat.react(chatId, messageId, reaction)),
        Effect.forkIn(scope)
      )
      yield* Effect.forkScoped(typing(chatId)).pipe(
        Effect.zipRight(work),
        Effect.scoped,
        Effect.onExit((exit) => Deferred.succeed(outcome, Exit.isSuccess(exit) ? exit.value : "🤷")),
        Effect.asVoid
      )
    })
  }
})

/** Saving that ends before this needs no message that shows how it goes. */
const SOON = Duration.seconds(2)
/** A message is edited no more often than this: the platform allows some twenty edits a minute. */
const EDIT = Duration.seconds(3)
/** So long a message that is on its way is waited for when the saving has ended; then it is not sent at all. */
const PATIENCE = Duration.seconds(5)

/** Shows how the saving of a message with many links goes, in one message, also over a restart. */
const makeSaveProgress = Effect.gen(function* () {
  const chat = yield* Chat
  const lists = yield* ChatListStore
  const scope = yield* Effect.scope

  const first = (at: At, html: string) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const shown = yield* lists.shownBy(at)
        if (Option.isSome(shown)) return shown.value
        const { messageId } = yield* restore(chat.send({ chatId: at.chatId, html, replyTo: at.messageId }))
        yield* lists.shows(at, messageId)
        return messageId
      })
    )

  return {
    /** Shows how many of `total` links are `done` while the work goes on; where no message can be sent, nothing. */
    during: Effect.fn("SaveProgress.during")(function* <A, E>(
      at: At,
      total: number,
      done: Ref.Ref<number>,
      work: Effect.Effect<A, E>
    ) {
      const said = Effect.map(Ref.get(done), (number) => savingReply(number, total).html)
      const sending = yield* Ref.make<Fiber.Fiber<unknown, unknown>>(Fiber.void)
      const show = Effect.gen(function* () {
        yield* Effect.sleep(SOON)
        let last = yield* said
        // In a fiber of its own: the end of the saving must not lose track of what is on its way.
        const sent = yield* Effect.forkIn(first(at, last), scope)
        yield* Ref.set(
          sending,
          Fiber.map(sent, () => undefined)
        )
        const messageId = yield* Fiber.join(sent)
        for (;;) {
          yield* Effect.sleep(EDIT)
          const html = yield* said
          if (html === last) continue
          last = html
          // An edit that fails is made up for by the next one, or by the result.
          yield* Effect.ignore(chat.edit(messageId, { chatId: at.chatId, html, replyTo: null }))
        }
      })
      const result = yield* Effect.scoped(Effect.zipRight(Effect.forkScoped(Effect.ignore(show)), work))
      const onItsWay = yield* Ref.get(sending)
      yield* Effect.timeoutOption(Fiber.await(onItsWay), PATIENCE)
      yield* Fiber.interrupt(onItsWay)
      return result
    }),
    /** The message that shows it, if there is one. */
    shownBy: (at: At): Effect.Effect<Option.Option<number>> => lists.shownBy(at)
  }
})

/** A message with more links shows how far their saving has come. */
const FEW = 3
/** How many of a message's links are looked at at once, where they are many. */
const AT_ONCE = 16

/** What the message says of its links, with where it was forwarded from. */
const noteOf = ({ note, source }: Links) => (source === null ? note : joinNotes(note, source))

const requestsOf = (links: Links): ReadonlyArray<SaveRequest> =>
  links.urls.flatMap((given) =>
    Option.match(parseWebUrl(given), {
      onNone: () => [],
      onSome: (url) => [{ given, url, note: noteOf(links), tags: links.tags, hints: {} }]
    })
  )

type Result = Pick<Saved, "link" | "created" | "filed">

const linksIn = (saved: ReadonlyArray<Result>) => saved.map(({ link }) => link)

/** Saves the links of messages, and lets an edited message change what it has said of them. */
export const makeSaveMessages = Effect.gen(function* () {
  const events = yield* Events
  const inbox = yield* InboxStore
  const links = yield* LinkStore
  const messages = yield* MessageStore
  const saveLink = yield* SaveLink
  const transaction = yield* Transaction
  const answering = yield* makeReplyContext
  const atWork = yield* makeTypingIndicator
  const progress = yield* makeSaveProgress

  /** The link whose nearness decided where another was filed. */
  const nearestOf = Effect.fnUntraced(function* (filed: Option.Option<Filed>) {
    const best = Option.getOrUndefined(filed)?.because[0]
    const [link] = best === undefined ? [] : yield* links.getAll([LinkId.make(best.id)])
    if (best === undefined || link === undefined) return undefined
    const nearest: Nearest = { id: link.id, title: link.title, similarity: best.similarity }
    return nearest
  })

  const answerTo = Effect.fnUntraced(function* (update: Links, saved: ReadonlyArray<Result>) {
    const [only, ...more] = saved
    if (only === undefined || more.length > 0) return Replies.manyReply(saved)
    const about = { nearest: yield* nearestOf(only.filed) }
    return only.created
      ? Replies.savedReply(only.link, about)
      : Replies.alreadySavedReply(only.link, noteOf(update) !== "", about)
  })

  /** Notes which links the message is about, within the transaction that takes them in. */
  const record = (update: Links, made: (claim: Claimed) => boolean) => (claims: ReadonlyArray<Claimed>) =>
    Effect.gen(function* () {
      const before = new Map((yield* messages.linksOf(update)).map(({ linkId, note }) => [linkId, note]))
      for (const claim of claims) {
        const linkId = claim.link.id
        const note = before.get(linkId) ?? noteOf(update)
        yield* messages.record(update, { linkId, note, created: made(claim) })
      }
    })

  /**
   * What is still to be said of a message's links. Of a link that an edit of the message has saved already, because the
   * platform delivered the edit first, the edit has said it.
   */
  const unsaid = Effect.fnUntraced(function* (update: Links) {
    const about = yield* messages.linksOf(update)
    const known = yield* links.getAll(about.map(({ linkId }) => linkId))
    const said = new Set(known.map(({ url }) => normalizeUrl(new URL(url))))
    return requestsOf(update).map((request) =>
      said.has(normalizeUrl(request.url)) ? { ...request, note: "", tags: [] } : request
    )
  })

  /** Each link for itself: it is seen how far they have come, and what is done stays done. */
  const saveMany = (id: number, update: Links, made: (claim: Claimed) => boolean, isSpared: boolean) =>
    Effect.gen(function* () {
      const requests = yield* unsaid(update)
      const done = yield* Ref.make(0)
      const saving = Effect.forEach(
        requests,
        (request, place) =>
          Effect.zipLeft(
            saveLink.save([request], {
              source: "chat",
              again: false,
              arrival: { id, first: place },
              isSpared,
              claimed: record(update, made),
              settle: () => Effect.void
            }),
            Ref.update(done, (count) => count + 1)
          ),
        { concurrency: AT_ONCE }
      )
      const saved = yield* progress.during(update, requests.length, done, saving)
      return saved.flat().map((one): Result => ({ ...one, created: made(one) }))
    })

  /** The answer takes the place of the message that has shown the progress. */
  const tellMany = Effect.fnUntraced(function* (update: Links, saved: ReadonlyArray<Result>) {
    const shown = yield* progress.shownBy(update)
    const content = Replies.manyReply(saved)
    yield* Option.match(shown, {
      onNone: () => answering.reply(update, content, linksIn(saved)),
      onSome: (messageId) => answering.replace({ chatId: update.chatId, messageId }, content, linksIn(saved))
    })
  })

  const saveFew = Effect.fnUntraced(function* (
    id: number,
    update: Links,
    made: (claim: Claimed) => boolean,
    isSpared: boolean
  ) {
    const settle = Effect.fnUntraced(function* (all: ReadonlyArray<Saved>) {
      const saved = all.map((one) => ({ ...one, created: made(one) }))
      // Nothing is left of a message whose links were deleted while their pages were read.
      if (saved.length > 0) yield* answering.reply(update, yield* answerTo(update, saved), linksIn(saved))
      yield* inbox.done(id)
    })
    return yield* saveLink.save(yield* unsaid(update), {
      source: "chat",
      again: false,
      arrival: { id, first: 0 },
      isSpared,
      claimed: record(update, made),
      settle
    })
  })

  /** Lets the notes a message made follow what it says now, and answers their links; one it no longer names stays. */
  const renote = Effect.fnUntraced(function* (update: Links) {
    const now = noteOf(update)
    const changed: Array<Link> = []
    for (const { created, linkId, note } of yield* messages.linksOf(update)) {
      const link = Option.getOrUndefined(yield* Effect.option(links.get(linkId)))
      if (link === undefined || note === now) continue
      const next = replaceNote(link.note, note, now)
      if (next !== link.note) {
        yield* links.setNote(linkId, next)
        changed.push({ ...link, note: next })
      }
      yield* messages.record(update, { linkId, note: now, created })
    }
    yield* afterCommit(events.links("changed", changed))
    return changed
  })

  return {
    save: Effect.fn("SaveMessages.save")((id: number, update: Links, isSpared: boolean) =>
      atWork.during(
        update,
        Effect.gen(function* () {
          // A message that was taken up before made some of its links then, and says so now.
          const before = new Map((yield* messages.linksOf(update)).map((one) => [one.linkId, one.created]))
          const made = ({ created, link }: Claimed) => created || before.get(link.id) === true
          const many = update.urls.length > FEW
          const saved = yield* many
            ? saveMany(id, update, made, isSpared)
            : saveFew(id, update, made, isSpared)
          if (many) yield* answering.settled(id, saved.length > 0 ? tellMany(update, saved) : Effect.void)
          return saved.some(made) ? "👍" : "✍"
        })
      )
    ),
    edit: Effect.fn("SaveMessages.edit")(function* (id: number, update: Links, isSpared: boolean) {
      const changed = yield* orDefect(transaction(renote(update)))
      const known = new Set((yield* messages.linksOf(update)).map(({ linkId }) => linkId))
      const settle = Effect.fnUntraced(function* (saved: ReadonlyArray<Saved>) {
        const added = saved.filter(({ link }) => !known.has(link.id))
        const renoted = changed.length > 0 ? Replies.noteReply(changed) : empty
        if (added.length > 0) {
          const { saves, ...answer } = yield* answerTo(update, added)
          const html = lines([answer.html, renoted])
          const tells = changed.length > 0 || saves === undefined ? {} : { saves }
          yield* answering.reply(update, { ...answer, ...tells, html }, linksIn(added))
        } else if (changed.length > 0) yield* answering.reply(update, { html: renoted }, changed)
        yield* inbox.done(id)
      })
      yield* saveLink.save(requestsOf(update), {
        source: "chat",
        again: false,
        arrival: { id, first: 0 },
        isSpared,
        claimed: record(update, ({ created }) => created),
        settle
      })
    })
  }
})
