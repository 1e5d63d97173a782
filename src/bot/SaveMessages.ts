import { Effect, Option, Ref } from "effect"
import { type Link, LinkId } from "../domain/Link.ts"
import { joinNotes, replaceNote } from "../domain/Note.ts"
import { normalizeUrl, parseWebUrl } from "../domain/WebUrl.ts"
import { Events } from "../library/Events.ts"
import type { Filed } from "../library/Filing.ts"
import { type Saved, SaveLink, type SaveRequest } from "../library/SaveLink.ts"
import { InboxStore } from "../store/InboxStore.ts"
import { type Claimed, LinkStore } from "../store/LinkStore.ts"
import { MessageStore } from "../store/MessageStore.ts"
import { afterCommit, orDefect, Transaction } from "../store/Transaction.ts"
import { makeAnswering } from "./Answering.ts"
import { makeAtWork } from "./AtWork.ts"
import type { Nearest } from "./Card.ts"
import { empty, lines } from "./Html.ts"
import * as Replies from "./Replies.ts"
import { makeSaveProgress } from "./SaveProgress.ts"
import type { Links } from "./Update.ts"

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
  const answering = yield* makeAnswering
  const atWork = yield* makeAtWork
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
