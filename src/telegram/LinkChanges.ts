import { Effect, Option, Schema } from "effect"
import type { ChangedSince, Field, FieldValues } from "../domain/Change.ts"
import { type Link, LinkId } from "../domain/Link.ts"
import { joinNotes } from "../domain/Note.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { EditLinks } from "../library/EditLinks.ts"
import { Events } from "../library/Events.ts"
import { MAX_COLLECTION_NAME } from "../shared/Limits.ts"
import { ChatListStore, type MessageRef, MessageStore } from "../store/chat/MessageStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { afterCommit } from "../store/Transaction.ts"
import { userError } from "./Content.ts"
import type { ChatUpdate } from "./Update.ts"

/** A recorded change: an undo token, or a note before and after. */
const RecordedChange = Schema.parseJson(
  Schema.Union(
    Schema.Struct({ token: Schema.String }),
    Schema.Struct({ note: Schema.Struct({ id: LinkId, before: Schema.String, after: Schema.String }) })
  )
)
const decodeRecorded = Schema.decodeOption(RecordedChange)
const encodeRecorded = (recorded: typeof RecordedChange.Type) =>
  Effect.orDie(Schema.encode(RecordedChange)(recorded))

/** A link as it is now, with the change's undo token; none if nothing changed. */
export interface ChangedLink {
  readonly link: Link
  readonly undo: Option.Option<string>
}

/** An undone change: the link IDs, and the link itself if there is exactly one. */
export interface Undone {
  readonly ids: ReadonlyArray<LinkId>
  readonly link: Link | undefined
}

/** The outcome of undoing the last change. */
type UndoOutcome =
  | { readonly _tag: "Nothing" }
  | { readonly _tag: "Undone"; readonly undone: Undone }
  | { readonly _tag: "ChangedSince"; readonly error: ChangedSince; readonly token: string }
  /** The link's note was changed since; a note change has no token. */
  | { readonly _tag: "NoteChanged"; readonly link: Link }

/** Normalizes a collection name; none if it is empty or too long. */
export const collectionName = (raw: string): Option.Option<string> => {
  const name = raw.trim().replace(/\s+/g, " ")
  return name === "" || name.length > MAX_COLLECTION_NAME ? Option.none() : Option.some(name)
}

/** Makes changes from the chat and records each, so that the last one can be undone. */
export const makeLinkChanges = Effect.gen(function* () {
  const edits = yield* EditLinks
  const events = yield* Events
  const links = yield* LinkStore
  const lists = yield* ChatListStore

  const change = Effect.fnUntraced(function* (
    id: LinkId,
    field: Field,
    isAlreadySet: (link: Link) => boolean,
    values: Omit<FieldValues, "id">
  ) {
    const link = yield* links.get(id)
    const unchanged: ChangedLink = { link, undo: Option.none() }
    if (isAlreadySet(link)) return unchanged
    const { undo } = yield* edits.change([id], [field], values)
    yield* lists.changed(yield* encodeRecorded({ token: undo }))
    const made: ChangedLink = { link: yield* links.get(id), undo: Option.some(undo) }
    return made
  })

  /** Undoes a change by its token; `force` overwrites later changes. */
  const undo = Effect.fn("LinkChanges.undo")(function* (token: string, force = false) {
    const { ids } = yield* edits.undo(token, { force })
    yield* lists.takenBack(yield* encodeRecorded({ token }))
    const [link] = ids.length === 1 ? yield* links.getAll(ids) : []
    const undone: Undone = { ids, link }
    return undone
  })

  const undoRecorded = (token: string): Effect.Effect<UndoOutcome, StoreUnavailable> =>
    undo(token).pipe(
      Effect.map((undone): UndoOutcome => ({ _tag: "Undone", undone })),
      Effect.catchTags({
        UndoNotFound: () => Effect.succeed<UndoOutcome>({ _tag: "Nothing" }),
        ChangedSince: (error) => Effect.succeed<UndoOutcome>({ _tag: "ChangedSince", error, token })
      })
    )

  const setNote = Effect.fnUntraced(function* (link: Link, note: string) {
    yield* links.setNote(link.id, note)
    const now = { ...link, note }
    yield* afterCommit(events.links("changed", [now]))
    return now
  })

  return {
    favorite: (id: LinkId, on: boolean) =>
      change(id, "favorite", ({ favorite }) => favorite === on, { favorite: on }),
    share: (id: LinkId, on: boolean) =>
      change(id, "shareable", ({ shareable }) => shareable === on, { shareable: on }),
    /** Moves the link to the collection of this name, creating it if needed; null removes it from its collection. */
    move: (id: LinkId, name: string | null) =>
      change(id, "collection", ({ collection }) => (collection?.name ?? null) === name, {
        collection: name,
        collectionByHand: true
      }),
    /** Appends text to the link's note unless the note already contains it. */
    addNote: Effect.fn("LinkChanges.addNote")(function* (link: Link, more: string) {
      const after = joinNotes(link.note, more)
      if (after === link.note) return link
      yield* lists.changed(yield* encodeRecorded({ note: { id: link.id, before: link.note, after } }))
      return yield* setNote(link, after)
    }),
    /** Records a job's change by its undo token. */
    noted: (token: string) => Effect.flatMap(encodeRecorded({ token }), lists.changed),
    undo,
    /** Undoes the last recorded change. Its record is removed even if the links were changed since. */
    undoLast: Effect.gen(function* (): Effect.fn.Return<UndoOutcome, StoreUnavailable> {
      const recorded = Option.flatMap(yield* lists.takeLastChange, decodeRecorded)
      if (Option.isNone(recorded)) return { _tag: "Nothing" }
      if ("token" in recorded.value) return yield* undoRecorded(recorded.value.token)
      const { after, before, id } = recorded.value.note
      const link = Option.getOrUndefined(yield* Effect.option(links.get(id)))
      if (link === undefined) return { _tag: "Nothing" }
      // A later edit of the note takes precedence.
      if (link.note !== after) return { _tag: "NoteChanged", link }
      return { _tag: "Undone", undone: { ids: [id], link: yield* setNote(link, before) } }
    }).pipe(Effect.withSpan("LinkChanges.undoLast"))
  }
})

const isLinkId = Schema.is(LinkId)

/** Parses a link number, `#12` or `12`, at the start of a text, and the rest; `marked` is whether it has the `#`. */
export const leadingNumber = (
  text: string
): { readonly id: LinkId; readonly rest: string; readonly marked: boolean } | undefined => {
  const [, mark, digits = "", rest = ""] = /^(#?)(\d{1,15})(?:\s+([\s\S]*))?$/.exec(text) ?? []
  const id = Number(digits)
  return digits !== "" && isLinkId(id) ? { id, rest, marked: mark === "#" } : undefined
}

/** Finds the link that a message or command is about. */
export const makeLinkLookup = Effect.gen(function* () {
  const links = yield* LinkStore
  const messages = yield* MessageStore

  /** The link that a message is about; none if it is about several links or about no link. */
  const ofMessage = Effect.fn("LinkLookup.ofMessage")(function* (message: MessageRef) {
    const [about, ...more] = yield* messages.linksOf(message)
    return about === undefined || more.length > 0
      ? Option.none<Link>()
      : yield* Effect.option(links.get(about.linkId))
  })

  const byNumber = Effect.fn("LinkLookup.byNumber")((id: LinkId) =>
    Effect.mapError(links.get(id), ({ message }) => userError(message))
  )

  return {
    ofMessage,
    byNumber,
    /**
     * The link that a command names by number, otherwise the link of the message it replies to, and the rest of its
     * text. With `textFollows`, a number without `#` in such a reply is part of the text.
     */
    ofCommand: Effect.fn("LinkLookup.ofCommand")(function* (
      { args, chatId, name, replyTo }: Extract<ChatUpdate, { readonly _tag: "Command" }>,
      textFollows: boolean
    ) {
      const answered =
        replyTo === null ? Option.none<Link>() : yield* ofMessage({ chatId, messageId: replyTo })
      const number = leadingNumber(args)
      const isText = Option.isSome(answered) && textFollows && number?.marked === false
      if (number !== undefined && !isText) return { link: yield* byNumber(number.id), rest: number.rest }
      if (Option.isSome(answered)) return { link: answered.value, rest: args }
      const example = textFollows ? `/${name} 12 …` : `/${name} 12`
      return yield* userError(`Say which link: ${example}, or answer its card with /${name}.`)
    })
  }
})
