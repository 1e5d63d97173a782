import { Array, Data, Effect, Equal, Option, Ref } from "effect"
import type { Link, LinkId } from "../domain/Link.ts"
import type { LinkMessage, MessageRef } from "../domain/Messages.ts"
import { joinNotes, type ReadNote, replaceNote } from "../domain/Note.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { parseWebUrl } from "../domain/WebUrl.ts"
import { Service } from "../runtime/Services.ts"
import { trimmedAddress } from "../shared/GivenAddress.ts"
import { savingKey } from "../shared/page/PageKey.ts"
import { MessageStore } from "../store/chat/MessageStore.ts"
import { LinkStore, type Upserted } from "../store/links/LinkStore.ts"
import { orDefect, Transaction } from "../store/Transaction.ts"
import { ChatChanges } from "./ChatChanges.ts"
import { Inbox } from "./Inbox.ts"
import { type Saved, SaveLink, type SaveRequest } from "./SaveLink.ts"

const CONCURRENCY = 16

/** `skipReading` saves its links by address alone. */
interface MessageArrival {
  readonly id: number
  readonly skipReading: boolean
}

export type MessageLink = Pick<
  Saved,
  "link" | "created" | "noteAdded" | "isNoteFull" | "returnedFrom" | "filed"
>

/** `full` are links whose notes had no room for the text. */
export interface EditedMessage {
  readonly added: ReadonlyArray<MessageLink>
  readonly changed: ReadonlyArray<Link>
  readonly full: ReadonlyArray<LinkId>
}

/** In the transaction that marks the arrival done. */
type Answer<A> = (result: A) => Effect.Effect<void, StoreUnavailable>

/** Shows meanwhile how many of `total` links are `done`. */
type ShowProgress = <A, E>(
  total: number,
  done: Ref.Ref<number>,
  saving: Effect.Effect<A, E>
) => Effect.Effect<A, E>

/** With the post it was forwarded from. */
const noteOf = ({ note, source }: LinkMessage) => (source === null ? note : joinNotes(note, source))

const requestsOf = (links: LinkMessage): ReadonlyArray<SaveRequest> =>
  links.urls.flatMap((given) =>
    Option.match(parseWebUrl(given), {
      onNone: () => [],
      onSome: (url) => [
        { given: trimmedAddress(given), url, note: noteOf(links), tags: links.tags, hints: {} }
      ]
    })
  )

interface Recorded extends ReadNote {
  readonly created: boolean
}

/** On a retry, what an earlier attempt created or noted still counts as this message's. */
const resultOf =
  (before: ReadonlyMap<LinkId, Recorded>) =>
  ({ created, filed, isNoteFull, link, noteAdded, returnedFrom }: Saved): MessageLink => {
    const earlier = before.get(link.id)
    return {
      link,
      created: created || earlier?.created === true,
      noteAdded: noteAdded || (earlier !== undefined && earlier.note !== ""),
      isNoteFull,
      returnedFrom,
      filed
    }
  }

const make = Effect.gen(function* () {
  const changes = yield* ChatChanges
  const inbox = yield* Inbox
  const links = yield* LinkStore
  const messages = yield* MessageStore
  const saveLink = yield* SaveLink
  const transaction = yield* Transaction

  /** By an earlier attempt, or an edit that arrived first. */
  const recordedBy = (message: MessageRef) =>
    Effect.map(
      messages.linksOf(message),
      (all): ReadonlyMap<LinkId, Recorded> => new Map(all.map((one) => [one.linkId, one]))
    )

  /** Records in the same transaction that the message is about the links. */
  const upsert = (
    arrival: { readonly id: number; readonly first: number },
    message: LinkMessage,
    requests: ReadonlyArray<SaveRequest>,
    isMade: (upsert: Upserted) => boolean
  ) =>
    orDefect(
      transaction(
        Effect.gen(function* () {
          const upserts = yield* saveLink.upsert(requests, arrival)
          const before = yield* recordedBy(message)
          for (const one of upserts.filter(({ isFresh }) => isFresh)) {
            const linkId = one.link.id
            const { note, tags } = before.get(linkId) ?? {
              note: one.isNoteFull ? "" : noteOf(message),
              tags: message.tags
            }
            yield* messages.record(message, { linkId, note, tags, created: isMade(one) })
          }
          return upserts
        })
      )
    )

  /** Links that an earlier attempt created count as this message's. */
  const isMadeAfter =
    (before: ReadonlyMap<LinkId, Recorded>) =>
    ({ created, link }: Upserted) =>
      created || before.get(link.id)?.created === true

  /** A link that the message is already about stays archived and gets no note or tags again. */
  const pendingRequests = Effect.fnUntraced(function* (
    message: LinkMessage,
    before: ReadonlyMap<LinkId, Recorded>
  ) {
    const known = yield* links.getAll([...before.keys()])
    const recorded = new Set(known.map(({ url }) => savingKey(new URL(url))))
    return requestsOf(message).map((request) =>
      recorded.has(savingKey(request.url)) ? { ...request, staysArchived: true, note: "", tags: [] } : request
    )
  })

  /** A tag the message lost stays if another message gave it, or if the owner has changed the link's tags. */
  const updateNotes = Effect.fnUntraced(function* (message: LinkMessage) {
    const now = noteOf(message)
    const edited = (yield* messages.linksOf(message)).filter(
      ({ note, tags }) => note !== now || !Equal.equals(Data.array([...tags]), Data.array([...message.tags]))
    )
    const { changed, full } = yield* changes.setNotes(
      edited.map(({ heldTags, isRetagged, linkId, note, tags }) => ({
        id: linkId,
        next: (before: string) => replaceNote(before, note, now),
        add: Array.difference(message.tags, tags),
        remove: isRetagged ? [] : Array.difference(tags, [...message.tags, ...heldTags])
      }))
    )
    for (const { created, linkId, note } of edited)
      yield* messages.record(message, {
        linkId,
        note: full.includes(linkId) ? note : now,
        tags: message.tags,
        created
      })
    return { changed, full }
  })

  return {
    /** Links deleted meanwhile are left out of the result. */
    save: Effect.fn("SaveMessage.save")(function* (
      { id, skipReading }: MessageArrival,
      message: LinkMessage,
      answer: Answer<ReadonlyArray<MessageLink>>
    ) {
      const before = yield* recordedBy(message)
      const requests = yield* pendingRequests(message, before)
      const upserts = yield* upsert({ id, first: 0 }, message, requests, isMadeAfter(before))
      const enriched = yield* saveLink.enrich(upserts, { reEnrich: false, skipReading })
      return yield* inbox.settle(
        id,
        Effect.gen(function* () {
          const saved = (yield* saveLink.finish(enriched, "chat")).map(resultOf(before))
          yield* answer(saved)
          return saved
        })
      )
    }),
    /** Each link separately: progress shows, and finished links stay saved. */
    saveEach: Effect.fn("SaveMessage.saveEach")(function* (
      { id, skipReading }: MessageArrival,
      message: LinkMessage,
      showProgress: ShowProgress,
      answer: Answer<ReadonlyArray<MessageLink>>
    ) {
      const before = yield* recordedBy(message)
      const requests = yield* pendingRequests(message, before)
      const done = yield* Ref.make(0)
      const saving = Effect.forEach(
        requests,
        (request, place) =>
          upsert({ id, first: place }, message, [request], isMadeAfter(before)).pipe(
            Effect.flatMap((upserts) => saveLink.enrich(upserts, { reEnrich: false, skipReading })),
            Effect.flatMap((enriched) => saveLink.finish(enriched, "chat")),
            Effect.zipLeft(Ref.update(done, (count) => count + 1))
          ),
        { concurrency: CONCURRENCY }
      )
      const saved = (yield* showProgress(requests.length, done, saving)).flat().map(resultOf(before))
      yield* inbox.settle(id, answer(saved))
      return saved
    }),
    /** Updates the message's notes and saves its new links; links it no longer has stay. */
    edit: Effect.fn("SaveMessage.edit")(function* (
      { id, skipReading }: MessageArrival,
      message: LinkMessage,
      answer: Answer<EditedMessage>
    ) {
      const updated = yield* orDefect(transaction(updateNotes(message)))
      const before = yield* recordedBy(message)
      const requests = yield* pendingRequests(message, before)
      const upserts = yield* upsert({ id, first: 0 }, message, requests, ({ created }) => created)
      const enriched = yield* saveLink.enrich(upserts, { reEnrich: false, skipReading })
      yield* inbox.settle(
        id,
        Effect.gen(function* () {
          const saved = yield* saveLink.finish(enriched, "chat")
          const added = saved.filter(({ link }) => !before.has(link.id)).map(resultOf(before))
          yield* answer({ added, ...updated })
        })
      )
    })
  }
})

export class SaveMessage extends Service<SaveMessage>()("SaveMessage", make) {}
