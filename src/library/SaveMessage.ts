import { Context, Effect, Layer, Option, Ref } from "effect"
import type { Link, LinkId } from "../domain/Link.ts"
import type { LinkMessage, MessageRef } from "../domain/Messages.ts"
import { joinNotes, replaceNote } from "../domain/Note.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { parseWebUrl } from "../domain/WebUrl.ts"
import { normalizeUrl } from "../shared/UrlIdentity.ts"
import { MessageStore } from "../store/chat/MessageStore.ts"
import { type Claimed, LinkStore } from "../store/links/LinkStore.ts"
import { afterCommit, orDefect, Transaction } from "../store/Transaction.ts"
import { Events } from "./Events.ts"
import { Inbox } from "./Inbox.ts"
import { type Saved, SaveLink, type SaveRequest } from "./SaveLink.ts"

/** How many links of a message are saved concurrently if each is saved separately. */
const CONCURRENCY = 16

/** The arrival that contains a message; `isSpared` saves its links by address alone. */
interface MessageArrival {
  readonly id: number
  readonly isSpared: boolean
}

/**
 * A link of a message, saved: whether the message created it, otherwise whether it added to the note, and why this save
 * filed it.
 */
export type MessageLink = Pick<Saved, "link" | "created" | "noteAdded" | "filed">

/** The result of an edited message: the links it added, and the links whose notes it changed. */
export interface EditedMessage {
  readonly added: ReadonlyArray<MessageLink>
  readonly changed: ReadonlyArray<Link>
}

/** Answers the message, in the transaction that marks its arrival done. */
type Answer<A> = (result: A) => Effect.Effect<void, StoreUnavailable>

/** Runs `saving` and meanwhile shows how many of `total` links are `done`. */
type ShowProgress = <A, E>(
  total: number,
  done: Ref.Ref<number>,
  saving: Effect.Effect<A, E>
) => Effect.Effect<A, E>

/** The message's note on its links, with the post it was forwarded from. */
const noteOf = ({ note, source }: LinkMessage) => (source === null ? note : joinNotes(note, source))

const requestsOf = (links: LinkMessage): ReadonlyArray<SaveRequest> =>
  links.urls.flatMap((given) =>
    Option.match(parseWebUrl(given), {
      onNone: () => [],
      onSome: (url) => [{ given, url, note: noteOf(links), tags: links.tags, hints: {} }]
    })
  )

/** What a message has recorded about one of its links. */
interface Recorded {
  readonly note: string
  readonly created: boolean
}

/** The result for a link. On a retry, what an earlier attempt created or noted still counts as done by this message. */
const resultOf =
  (before: ReadonlyMap<LinkId, Recorded>) =>
  ({ created, filed, link, noteAdded }: Saved): MessageLink => {
    const earlier = before.get(link.id)
    return {
      link,
      created: created || earlier?.created === true,
      noteAdded: noteAdded || (earlier !== undefined && earlier.note !== ""),
      filed
    }
  }

/** Saves the links in the owner's messages, and keeps their notes in step when a message is edited. */
export class SaveMessage extends Context.Tag("SaveMessage")<
  SaveMessage,
  {
    /** Saves the message's links together; links that the owner deletes meanwhile are left out of the result. */
    readonly save: (
      arrival: MessageArrival,
      message: LinkMessage,
      answer: Answer<ReadonlyArray<MessageLink>>
    ) => Effect.Effect<ReadonlyArray<MessageLink>, StoreUnavailable>
    /** Saves each link separately, so that progress is visible and finished links stay saved. */
    readonly saveEach: (
      arrival: MessageArrival,
      message: LinkMessage,
      showProgress: ShowProgress,
      answer: Answer<ReadonlyArray<MessageLink>>
    ) => Effect.Effect<ReadonlyArray<MessageLink>, StoreUnavailable>
    /** Updates the notes that the message added and saves its new links; links it no longer contains stay saved. */
    readonly edit: (
      arrival: MessageArrival,
      message: LinkMessage,
      answer: Answer<EditedMessage>
    ) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const events = yield* Events
      const inbox = yield* Inbox
      const links = yield* LinkStore
      const messages = yield* MessageStore
      const saveLink = yield* SaveLink
      const transaction = yield* Transaction

      /** What an earlier attempt, or an edit that the platform delivered first, has recorded. */
      const recordedBy = (message: MessageRef) =>
        Effect.map(
          messages.linksOf(message),
          (all): ReadonlyMap<LinkId, Recorded> => new Map(all.map((one) => [one.linkId, one]))
        )

      /** Records which links the message is about, in the transaction that saves them. */
      const record =
        (message: LinkMessage, made: (claim: Claimed) => boolean) => (claims: ReadonlyArray<Claimed>) =>
          Effect.gen(function* () {
            const before = yield* recordedBy(message)
            for (const claim of claims) {
              const linkId = claim.link.id
              const note = before.get(linkId)?.note ?? noteOf(message)
              yield* messages.record(message, { linkId, note, created: made(claim) })
            }
          })

      /** `record` for a new message: what an earlier attempt created counts as created by this message. */
      const recordNew = (message: LinkMessage, before: ReadonlyMap<LinkId, Recorded>) =>
        record(message, ({ created, link }) => created || before.get(link.id)?.created === true)

      /**
       * The save requests for a message's links. A link that the message is already about gets no note or tags: an earlier
       * attempt, or an edit that the platform delivered first, has already added them.
       */
      const pendingRequests = Effect.fnUntraced(function* (
        message: LinkMessage,
        before: ReadonlyMap<LinkId, Recorded>
      ) {
        const known = yield* links.getAll([...before.keys()])
        const recorded = new Set(known.map(({ url }) => normalizeUrl(new URL(url))))
        return requestsOf(message).map((request) =>
          recorded.has(normalizeUrl(request.url)) ? { ...request, note: "", tags: [] } : request
        )
      })

      /** Updates the notes that a message added and returns the changed links. */
      const updateNotes = Effect.fnUntraced(function* (message: LinkMessage) {
        const now = noteOf(message)
        const changed: Array<Link> = []
        for (const { created, linkId, note } of yield* messages.linksOf(message)) {
          const link = Option.getOrUndefined(yield* Effect.option(links.get(linkId)))
          if (link === undefined || note === now) continue
          const next = replaceNote(link.note, note, now)
          if (next !== link.note) {
            yield* links.setNote(linkId, next)
            changed.push({ ...link, note: next })
          }
          yield* messages.record(message, { linkId, note: now, created })
        }
        yield* afterCommit(events.links("changed", changed))
        return changed
      })

      return {
        save: Effect.fn("SaveMessage.save")(function* ({ id, isSpared }, message, answer) {
          const before = yield* recordedBy(message)
          const saved = yield* saveLink.save(yield* pendingRequests(message, before), {
            source: "chat",
            reEnrich: false,
            arrival: { id, first: 0 },
            isSpared,
            claimed: recordNew(message, before),
            settle: (saved) => inbox.settle(id, answer(saved.map(resultOf(before))))
          })
          return saved.map(resultOf(before))
        }),
        saveEach: Effect.fn("SaveMessage.saveEach")(function* (
          { id, isSpared },
          message,
          showProgress,
          answer
        ) {
          const before = yield* recordedBy(message)
          const requests = yield* pendingRequests(message, before)
          const done = yield* Ref.make(0)
          const saving = Effect.forEach(
            requests,
            (request, place) =>
              Effect.zipLeft(
                saveLink.save([request], {
                  source: "chat",
                  reEnrich: false,
                  arrival: { id, first: place },
                  isSpared,
                  claimed: recordNew(message, before),
                  settle: () => Effect.void
                }),
                Ref.update(done, (count) => count + 1)
              ),
            { concurrency: CONCURRENCY }
          )
          const saved = (yield* showProgress(requests.length, done, saving)).flat().map(resultOf(before))
          yield* inbox.settle(id, answer(saved))
          return saved
        }),
        edit: Effect.fn("SaveMessage.edit")(function* ({ id, isSpared }, message, answer) {
          const changed = yield* orDefect(transaction(updateNotes(message)))
          const before = yield* recordedBy(message)
          yield* saveLink.save(requestsOf(message), {
            source: "chat",
            reEnrich: false,
            arrival: { id, first: 0 },
            isSpared,
            claimed: record(message, ({ created }) => created),
            settle: (saved) => {
              const added = saved.filter(({ link }) => !before.has(link.id)).map(resultOf(before))
              return inbox.settle(id, answer({ added, changed }))
            }
          })
        })
      }
    })
  )
}
