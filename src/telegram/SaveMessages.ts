import { Deferred, Duration, Effect, Exit, Fiber, Option, Ref } from "effect"
import { type Link, LinkId } from "../domain/Link.ts"
import { joinNotes, replaceNote } from "../domain/Note.ts"
import { normalizeUrl, parseWebUrl } from "../domain/WebUrl.ts"
import { Events } from "../library/Events.ts"
import type { Filed } from "../library/Filing.ts"
import { type Saved, SaveLink, type SaveRequest } from "../library/SaveLink.ts"
import { ChatListStore, MessageStore } from "../store/chat/MessageStore.ts"
import { type Claimed, LinkStore } from "../store/links/LinkStore.ts"
import { afterCommit, orDefect, Transaction } from "../store/Transaction.ts"
import type { Nearest } from "./Card.ts"
import { Chat, type Reaction } from "./Chat.ts"
import { empty, lines, type MessageTarget } from "./Content.ts"
import * as Replies from "./Replies.ts"
import { savingReply } from "./Replies.ts"
import { makeReplyContext } from "./ReplyContext.ts"
import type { LinkMessage } from "./Update.ts"

/** Work that finishes sooner shows no typing indicator. */
const TYPING_SOON = Duration.millis(1_500)
/** How often the typing indicator is renewed; the platform shows it for five seconds. */
const TYPING_INTERVAL = Duration.seconds(4)

/** Shows in the chat that the bot is working, then the outcome. */
export const makeTypingIndicator = Effect.gen(function* () {
  const chat = yield* Chat
  const scope = yield* Effect.scope

  const typing = (chatId: number) =>
    Effect.zipRight(
      Effect.sleep(TYPING_SOON),
      Effect.forever(Effect.zipRight(chat.typing(chatId), Effect.sleep(TYPING_INTERVAL)))
    )

  return {
    /** Reacts to the message with 👀 during the work, then with the reaction it returns, or 🤷 if it fails. */
    during: Effect.fnUntraced(function* <E>(
      { chatId, messageId }: MessageTarget,
      work: Effect.Effect<Reaction, E>
    ) {
      const outcome = yield* Deferred.make<Reaction>()
      // Runs in parallel, because an unresponsive chat must not delay the work.
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

/** Saving that finishes sooner shows no progress message. */
const PROGRESS_DELAY = Duration.seconds(2)
/** Minimum time between edits of a message; the platform allows about twenty edits per minute. */
const EDIT_INTERVAL = Duration.seconds(3)
/** How long to wait, after saving has finished, for a progress message still being sent before cancelling it. */
const SEND_GRACE = Duration.seconds(5)

/** Shows the progress of saving a message with many links in one message, which survives a restart. */
const makeSaveProgress = Effect.gen(function* () {
  const chat = yield* Chat
  const lists = yield* ChatListStore
  const scope = yield* Effect.scope

  const progressMessage = (at: MessageTarget, html: string) =>
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
    /** Shows how many of `total` links are `done` during the work; shows nothing if no message can be sent. */
    during: Effect.fn("SaveProgress.during")(function* <A, E>(
      at: MessageTarget,
      total: number,
      done: Ref.Ref<number>,
      work: Effect.Effect<A, E>
    ) {
      const progressText = Effect.map(Ref.get(done), (number) => savingReply(number, total).html)
      const sending = yield* Ref.make<Fiber.Fiber<unknown, unknown>>(Fiber.void)
      const show = Effect.gen(function* () {
        yield* Effect.sleep(PROGRESS_DELAY)
        let last = yield* progressText
        // Runs in a separate fiber, so that the message being sent is not lost when saving finishes.
        const sent = yield* Effect.forkIn(progressMessage(at, last), scope)
        yield* Ref.set(
          sending,
          Fiber.map(sent, () => undefined)
        )
        const messageId = yield* Fiber.join(sent)
        for (;;) {
          yield* Effect.sleep(EDIT_INTERVAL)
          const html = yield* progressText
          if (html === last) continue
          last = html
          // The next edit or the result makes up for a failed edit.
          yield* Effect.ignore(chat.edit(messageId, { chatId: at.chatId, html, replyTo: null }))
        }
      })
      const result = yield* Effect.scoped(Effect.zipRight(Effect.forkScoped(Effect.ignore(show)), work))
      const pending = yield* Ref.get(sending)
      yield* Effect.timeoutOption(Fiber.await(pending), SEND_GRACE)
      yield* Fiber.interrupt(pending)
      return result
    }),
    /** The message that shows the progress, if there is one. */
    shownBy: (at: MessageTarget): Effect.Effect<Option.Option<number>> => lists.shownBy(at)
  }
})

/** A message with more links than this is saved link by link, with progress. */
const MAX_WITHOUT_PROGRESS = 3
/** How many links of such a message are saved concurrently. */
const CONCURRENCY = 16

/** The message's note on its links, with the post it was forwarded from. */
const noteOf = ({ note, source }: LinkMessage) => (source === null ? note : joinNotes(note, source))

const requestsOf = (links: LinkMessage): ReadonlyArray<SaveRequest> =>
  links.urls.flatMap((given) =>
    Option.match(parseWebUrl(given), {
      onNone: () => [],
      onSome: (url) => [{ given, url, note: noteOf(links), tags: links.tags, hints: {} }]
    })
  )

type Result = Pick<Saved, "link" | "created" | "filed">

const linksIn = (saved: ReadonlyArray<Result>) => saved.map(({ link }) => link)

/** Saves the links in messages, and updates their notes when a message is edited. */
export const makeSaveMessages = Effect.gen(function* () {
  const events = yield* Events
  const links = yield* LinkStore
  const messages = yield* MessageStore
  const saveLink = yield* SaveLink
  const transaction = yield* Transaction
  const answering = yield* makeReplyContext
  const indicator = yield* makeTypingIndicator
  const progress = yield* makeSaveProgress

  /** The similar link that decided where another was filed. */
  const nearestOf = Effect.fnUntraced(function* (filed: Option.Option<Filed>) {
    const nearestMatch = Option.getOrUndefined(filed)?.because[0]
    const [link] = nearestMatch === undefined ? [] : yield* links.getAll([LinkId.make(nearestMatch.id)])
    if (nearestMatch === undefined || link === undefined) return undefined
    const nearest: Nearest = { id: link.id, title: link.title, similarity: nearestMatch.similarity }
    return nearest
  })

  const replyFor = Effect.fnUntraced(function* (update: LinkMessage, saved: ReadonlyArray<Result>) {
    const [only, ...more] = saved
    if (only === undefined || more.length > 0) return Replies.manyReply(saved)
    const about = { nearest: yield* nearestOf(only.filed) }
    return only.created
      ? Replies.savedReply(only.link, about)
      : Replies.alreadySavedReply(only.link, noteOf(update) !== "", about)
  })

  /** Claims the links and records, in the same transaction, that the message is about them. */
  const claim = (
    arrival: { readonly id: number; readonly first: number },
    update: LinkMessage,
    requests: ReadonlyArray<SaveRequest>,
    made: (claim: Claimed) => boolean
  ) =>
    orDefect(
      transaction(
        Effect.gen(function* () {
          const claims = yield* saveLink.claim(requests, arrival)
          const before = new Map((yield* messages.linksOf(update)).map(({ linkId, note }) => [linkId, note]))
          for (const one of claims.filter(({ isFresh }) => isFresh)) {
            const linkId = one.link.id
            const note = before.get(linkId) ?? noteOf(update)
            yield* messages.record(update, { linkId, note, created: made(one) })
          }
          return claims
        })
      )
    )

  /**
   * The save requests for a message's links. A link that the message is already about gets no note or tags: an earlier
   * attempt, or an edit that the platform delivered first, has already added them.
   */
  const pendingRequests = Effect.fnUntraced(function* (update: LinkMessage) {
    const about = yield* messages.linksOf(update)
    const known = yield* links.getAll(about.map(({ linkId }) => linkId))
    const recorded = new Set(known.map(({ url }) => normalizeUrl(new URL(url))))
    return requestsOf(update).map((request) =>
      recorded.has(normalizeUrl(request.url)) ? { ...request, note: "", tags: [] } : request
    )
  })

  /** Saves each link separately, so that progress is visible and finished links stay saved. */
  const saveMany = (id: number, update: LinkMessage, made: (claim: Claimed) => boolean, isSpared: boolean) =>
    Effect.gen(function* () {
      const requests = yield* pendingRequests(update)
      const done = yield* Ref.make(0)
      const saving = Effect.forEach(
        requests,
        (request, place) =>
          claim({ id, first: place }, update, [request], made).pipe(
            Effect.flatMap((claims) => saveLink.describe(claims, { reEnrich: false, isSpared })),
            Effect.flatMap((drafts) => saveLink.finish(drafts, "chat")),
            Effect.zipLeft(Ref.update(done, (count) => count + 1))
          ),
        { concurrency: CONCURRENCY }
      )
      const saved = yield* progress.during(update, requests.length, done, saving)
      return saved.flat().map((one): Result => ({ ...one, created: made(one) }))
    })

  /** Replaces the progress message with the reply, or sends the reply if there is no such message. */
  const replyMany = Effect.fnUntraced(function* (update: LinkMessage, saved: ReadonlyArray<Result>) {
    const shown = yield* progress.shownBy(update)
    const content = Replies.manyReply(saved)
    yield* Option.match(shown, {
      onNone: () => answering.reply(update, content, linksIn(saved)),
      onSome: (messageId) => answering.replace({ chatId: update.chatId, messageId }, content, linksIn(saved))
    })
  })

  const saveFew = Effect.fnUntraced(function* (
    id: number,
    update: LinkMessage,
    made: (claim: Claimed) => boolean,
    isSpared: boolean
  ) {
    const claims = yield* claim({ id, first: 0 }, update, yield* pendingRequests(update), made)
    const drafts = yield* saveLink.describe(claims, { reEnrich: false, isSpared })
    return yield* answering.settled(
      id,
      Effect.gen(function* () {
        const all = yield* saveLink.finish(drafts, "chat")
        const saved = all.map((one) => ({ ...one, created: made(one) }))
        // The owner may delete all links of a message while their pages are being read.
        if (saved.length > 0) yield* answering.reply(update, yield* replyFor(update, saved), linksIn(saved))
        return all
      })
    )
  })

  /** Updates the notes that a message added and returns the changed links; links it no longer contains stay saved. */
  const updateNotes = Effect.fnUntraced(function* (update: LinkMessage) {
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
    save: Effect.fn("SaveMessages.save")((id: number, update: LinkMessage, isSpared: boolean) =>
      indicator.during(
        update,
        Effect.gen(function* () {
          // On a retry, links that an earlier attempt created still count as created by this message.
          const before = new Map((yield* messages.linksOf(update)).map((one) => [one.linkId, one.created]))
          const made = ({ created, link }: Claimed) => created || before.get(link.id) === true
          const many = update.urls.length > MAX_WITHOUT_PROGRESS
          const saved = yield* many
            ? saveMany(id, update, made, isSpared)
            : saveFew(id, update, made, isSpared)
          if (many) yield* answering.settled(id, saved.length > 0 ? replyMany(update, saved) : Effect.void)
          return saved.some(made) ? "👍" : "✍"
        })
      )
    ),
    edit: Effect.fn("SaveMessages.edit")(function* (id: number, update: LinkMessage, isSpared: boolean) {
      const changed = yield* orDefect(transaction(updateNotes(update)))
      const known = new Set((yield* messages.linksOf(update)).map(({ linkId }) => linkId))
      const requests = requestsOf(update)
      const claims = yield* claim({ id, first: 0 }, update, requests, ({ created }) => created)
      const drafts = yield* saveLink.describe(claims, { reEnrich: false, isSpared })
      yield* answering.settled(
        id,
        Effect.gen(function* () {
          const saved = yield* saveLink.finish(drafts, "chat")
          const added = saved.filter(({ link }) => !known.has(link.id))
          const noteLine = changed.length > 0 ? Replies.noteReply(changed) : empty
          if (added.length > 0) {
            const { saves, ...answer } = yield* replyFor(update, added)
            const html = lines([answer.html, noteLine])
            const tells = changed.length > 0 || saves === undefined ? {} : { saves }
            yield* answering.reply(update, { ...answer, ...tells, html }, linksIn(added))
          } else if (changed.length > 0) yield* answering.reply(update, { html: noteLine }, changed)
        })
      )
    })
  }
})
