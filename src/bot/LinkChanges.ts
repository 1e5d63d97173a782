import { Effect, Option, Schema } from "effect"
import type { ChangedSince, Field, FieldValues } from "../domain/Change.ts"
import { type Link, LinkId, MAX_COLLECTION_NAME } from "../domain/Link.ts"
import { joinNotes } from "../domain/Note.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { EditLinks } from "../library/EditLinks.ts"
import { Events } from "../library/Events.ts"
import { ChatListStore } from "../store/ChatListStore.ts"
import { LinkStore } from "../store/LinkStore.ts"
import { afterCommit } from "../store/Transaction.ts"

/** A change as it is noted: one that has a token, or one of a note. */
const Noted = Schema.parseJson(
  Schema.Union(
    Schema.Struct({ token: Schema.String }),
    Schema.Struct({ note: Schema.Struct({ id: LinkId, before: Schema.String, after: Schema.String }) })
  )
)
const decodeNoted = Schema.decodeOption(Noted)
const encodeNoted = (noted: typeof Noted.Type) => Effect.orDie(Schema.encode(Noted)(noted))

/** A link as it is now, with the token that takes the change back; none where there was nothing to change. */
export interface ChangedLink {
  readonly link: Link
  readonly undo: Option.Option<string>
}

/** What was undone: the links as numbers, and the link itself where there is one alone. */
export interface Undone {
  readonly ids: ReadonlyArray<LinkId>
  readonly link: Link | undefined
}

/** How an attempt to undo the last change ended. */
export type UndoneLast =
  | { readonly _tag: "Nothing" }
  | { readonly _tag: "Undone"; readonly undone: Undone }
  | { readonly _tag: "ChangedSince"; readonly error: ChangedSince; readonly token: string }
  /** The note of this link says something else since; it has no token. */
  | { readonly _tag: "NoteChanged"; readonly link: Link }

/** A collection's name as the library writes it; none where nothing is left of it or it is too long. */
export const collectionName = (said: string): Option.Option<string> => {
  const name = said.trim().replace(/\s+/g, " ")
  return name === "" || name.length > MAX_COLLECTION_NAME ? Option.none() : Option.some(name)
}

/** Changes made in the chat: each is noted, so that the last one can be taken back. */
export const makeLinkChanges = Effect.gen(function* () {
  const edits = yield* EditLinks
  const events = yield* Events
  const links = yield* LinkStore
  const lists = yield* ChatListStore

  const change = Effect.fnUntraced(function* (
    id: LinkId,
    field: Field,
    isSo: (link: Link) => boolean,
    values: Omit<FieldValues, "id">
  ) {
    const link = yield* links.get(id)
    const unchanged: ChangedLink = { link, undo: Option.none() }
    if (isSo(link)) return unchanged
    const { undo } = yield* edits.change([id], [field], values)
    yield* lists.changed(yield* encodeNoted({ token: undo }))
    const made: ChangedLink = { link: yield* links.get(id), undo: Option.some(undo) }
    return made
  })

  /** Undoes a change by its token; `force` overwrites what was changed since. */
  const undo = Effect.fn("LinkChanges.undo")(function* (token: string, force = false) {
    const { ids } = yield* edits.undo(token, { force })
    yield* lists.takenBack(yield* encodeNoted({ token }))
    const [link] = ids.length === 1 ? yield* links.getAll(ids) : []
    const undone: Undone = { ids, link }
    return undone
  })

  const undoNoted = (token: string): Effect.Effect<UndoneLast, StoreUnavailable> =>
    undo(token).pipe(
      Effect.map((undone): UndoneLast => ({ _tag: "Undone", undone })),
      Effect.catchTags({
        UndoNotFound: () => Effect.succeed<UndoneLast>({ _tag: "Nothing" }),
        ChangedSince: (error) => Effect.succeed<UndoneLast>({ _tag: "ChangedSince", error, token })
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
    /** Puts the link into the collection of this name, which is made where there is none, or into none. */
    move: (id: LinkId, name: string | null) =>
      change(id, "collection", ({ collection }) => (collection?.name ?? null) === name, {
        collection: name,
        collectionByHand: true
      }),
    /** Adds to the link's note what is not there yet. */
    addNote: Effect.fn("LinkChanges.addNote")(function* (link: Link, more: string) {
      const after = joinNotes(link.note, more)
      if (after === link.note) return link
      yield* lists.changed(yield* encodeNoted({ note: { id: link.id, before: link.note, after } }))
      return yield* setNote(link, after)
    }),
    /** Notes what a job has changed. */
    noted: (token: string) => Effect.flatMap(encodeNoted({ token }), lists.changed),
    undo,
    /** Undoes the last change that is noted. One whose links were changed since is no longer the last one then. */
    undoLast: Effect.gen(function* (): Effect.fn.Return<UndoneLast, StoreUnavailable> {
      const noted = Option.flatMap(yield* lists.takeLastChange, decodeNoted)
      if (Option.isNone(noted)) return { _tag: "Nothing" }
      if ("token" in noted.value) return yield* undoNoted(noted.value.token)
      const { after, before, id } = noted.value.note
      const link = Option.getOrUndefined(yield* Effect.option(links.get(id)))
      if (link === undefined) return { _tag: "Nothing" }
      // What has been written since is worth more.
      if (link.note !== after) return { _tag: "NoteChanged", link }
      return { _tag: "Undone", undone: { ids: [id], link: yield* setNote(link, before) } }
    }).pipe(Effect.withSpan("LinkChanges.undoLast"))
  }
})
