import { Context, Effect, Layer, Option, Schema } from "effect"
import type { ChangedSince, Field, FieldValues, UndoNotFound } from "../domain/Change.ts"
import { type Link, LinkId, type LinkNotFound } from "../domain/Link.ts"
import type { MessageRef } from "../domain/Messages.ts"
import { joinNotes } from "../domain/Note.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { ChatListStore, MessageStore } from "../store/chat/MessageStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { afterCommit, Transaction } from "../store/Transaction.ts"
import { EditLinks } from "./EditLinks.ts"
import { Events } from "./Events.ts"

/** A recorded change: an undo token, or a note before and after. */
const RecordedChange = Schema.Union(
  Schema.Struct({ token: Schema.String }),
  Schema.Struct({ note: Schema.Struct({ id: LinkId, before: Schema.String, after: Schema.String }) })
)
const decodeRecorded = Schema.decodeOption(Schema.parseJson(RecordedChange))
const encodeRecorded = (recorded: typeof RecordedChange.Type) => JSON.stringify(recorded)

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
export type UndoOutcome =
  | { readonly _tag: "Nothing" }
  | { readonly _tag: "Undone"; readonly undone: Undone }
  | { readonly _tag: "ChangedSince"; readonly error: ChangedSince; readonly token: string }
  /** The link's note was changed since; a note change has no token. */
  | { readonly _tag: "NoteChanged"; readonly link: Link }

type Changing = Effect.Effect<ChangedLink, LinkNotFound | StoreUnavailable>

/**
 * Makes changes from the chat and records each for 30 days, so that they can be undone from the last one on. A change and
 * its record are stored together, as part of the caller's transaction if there is one.
 */
export class ChatChanges extends Context.Tag("ChatChanges")<
  ChatChanges,
  {
    readonly favorite: (id: LinkId, on: boolean) => Changing
    readonly share: (id: LinkId, on: boolean) => Changing
    /** Moves the link to the collection of this name, creating it if needed; null removes it from its collection. */
    readonly move: (id: LinkId, name: string | null) => Changing
    /**
     * Appends text to the link's note unless the note already contains it. With `from`, the text comes from that message:
     * editing the message then edits the note.
     */
    readonly addNote: (link: Link, text: string, from?: MessageRef) => Effect.Effect<Link, StoreUnavailable>
    /** Records a job's change by its undo token. */
    readonly record: (token: string) => Effect.Effect<void, StoreUnavailable>
    /** Undoes a change by its token; `force` overwrites later changes. */
    readonly undo: (
      token: string,
      force?: boolean
    ) => Effect.Effect<Undone, UndoNotFound | ChangedSince | StoreUnavailable>
    /** Undoes the last recorded change. Its record is removed even if the links have changed since. */
    readonly undoLast: Effect.Effect<UndoOutcome, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const edits = yield* EditLinks
      const events = yield* Events
      const links = yield* LinkStore
      const lists = yield* ChatListStore
      const messages = yield* MessageStore
      const transaction = yield* Transaction

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
        yield* lists.changed(encodeRecorded({ token: undo }))
        const made: ChangedLink = { link: yield* links.get(id), undo: Option.some(undo) }
        return made
      }, transaction)

      const undo = Effect.fn("ChatChanges.undo")(function* (token: string, force = false) {
        const { ids } = yield* edits.undo(token, { force })
        yield* lists.takenBack(encodeRecorded({ token }))
        const [link] = ids.length === 1 ? yield* links.getAll(ids) : []
        const undone: Undone = { ids, link }
        return undone
      }, transaction)

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

      const appendNote = Effect.fnUntraced(function* (link: Link, text: string) {
        const after = joinNotes(link.note, text)
        if (after === link.note) return link
        yield* lists.changed(encodeRecorded({ note: { id: link.id, before: link.note, after } }))
        return yield* setNote(link, after)
      })

      return {
        favorite: (id, on) => change(id, "favorite", ({ favorite }) => favorite === on, { favorite: on }),
        share: (id, on) => change(id, "shareable", ({ shareable }) => shareable === on, { shareable: on }),
        move: (id, name) =>
          change(id, "collection", ({ collection }) => (collection?.name ?? null) === name, {
            collection: name,
            collectionByHand: true
          }),
        addNote: Effect.fn("ChatChanges.addNote")(function* (link: Link, text: string, from?: MessageRef) {
          const now = yield* appendNote(link, text)
          if (from !== undefined)
            yield* messages.record(from, { linkId: link.id, note: text, created: false })
          return now
        }, transaction),
        record: (token) => lists.changed(encodeRecorded({ token })),
        undo,
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
        }).pipe(transaction, Effect.withSpan("ChatChanges.undoLast"))
      }
    })
  )
}
