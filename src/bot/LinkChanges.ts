import { Effect, Option, Schema } from "effect"
import type { Field, FieldValues } from "../domain/Change.ts"
import { type Link, LinkId, MAX_COLLECTION_NAME } from "../domain/Link.ts"
import { joinNotes } from "../domain/Note.ts"
import { EditLinks } from "../library/EditLinks.ts"
import { Events } from "../library/Events.ts"
import { ChatListStore } from "../store/ChatListStore.ts"
import { LinkStore } from "../store/LinkStore.ts"

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
    const { links: changed, undo } = yield* edits.change([id], [field], values)
    yield* lists.changed(yield* encodeNoted({ token: undo }))
    const made: ChangedLink = { link: changed[0] ?? link, undo: Option.some(undo) }
    return made
  })

  /** Takes a change with a token back; the links as they are now. */
  const undo = Effect.fn("LinkChanges.undo")(function* (token: string) {
    const taken = yield* edits.undo(token)
    yield* lists.takenBack(yield* encodeNoted({ token }))
    return taken.links
  })

  const setNote = Effect.fnUntraced(function* (link: Link, note: string) {
    yield* links.setNote(link.id, note)
    const now = { ...link, note }
    yield* events.links("changed", [now])
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
    /** Takes back the last change that is noted; none where there is none, or it can no longer be taken back. */
    undoLast: Effect.gen(function* () {
      const noted = Option.flatMap(yield* lists.takeLastChange, decodeNoted)
      if (Option.isNone(noted)) return Option.none()
      if ("token" in noted.value)
        return yield* undo(noted.value.token).pipe(
          Effect.asSome,
          Effect.catchTag("UndoNotFound", () => Effect.succeedNone)
        )
      const { after, before, id } = noted.value.note
      const link = Option.getOrUndefined(yield* Effect.option(links.get(id)))
      // What has been written since is worth more.
      if (link === undefined || link.note !== after) return Option.none()
      return Option.some([yield* setNote(link, before)])
    }).pipe(Effect.withSpan("LinkChanges.undoLast"))
  }
})
