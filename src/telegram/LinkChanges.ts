import { Effect, Option, Schema } from "effect"
import type { ChangedSince, Field, FieldValues } from "../domain/Change.ts"
import { type Link, LinkId, MAX_COLLECTION_NAME } from "../domain/Link.ts"
import { joinNotes } from "../domain/Note.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { EditLinks } from "../library/EditLinks.ts"
import { Events } from "../library/Events.ts"
import { ChatListStore, type MessageRef, MessageStore } from "../store/chat/MessageStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { afterCommit } from "../store/Transaction.ts"
import { userError } from "./Content.ts"
import type { ChatUpdate } from "./Update.ts"

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
type UndoneLast =
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

const isLinkId = Schema.is(LinkId)

/** A link's number, `#12` or `12`, at the beginning of a text, and what follows it. */
export const leadingNumber = (
  text: string
): { readonly id: LinkId; readonly rest: string; readonly marked: boolean } | undefined => {
  const [, mark, digits = "", rest = ""] = /^(#?)(\d{1,15})(?:\s+([\s\S]*))?$/.exec(text) ?? []
  const id = Number(digits)
  return digits !== "" && isLinkId(id) ? { id, rest, marked: mark === "#" } : undefined
}

/** Finds the link that a message or a command is about. */
export const makeLinkLookup = Effect.gen(function* () {
  const links = yield* LinkStore
  const messages = yield* MessageStore

  /** The one link that a message is about; none where there are several. */
  const ofMessage = Effect.fn("LinkNamed.ofMessage")(function* (message: MessageRef) {
    const [about, ...more] = yield* messages.linksOf(message)
    return about === undefined || more.length > 0
      ? Option.none<Link>()
      : yield* Effect.option(links.get(about.linkId))
  })

  const byNumber = Effect.fn("LinkNamed.byNumber")((id: LinkId) =>
    Effect.mapError(links.get(id), ({ message }) => userError(message))
  )

  return {
    ofMessage,
    byNumber,
    /**
     * The link a command names by its number, else the one whose message it answers, and the rest of what it says.
     * Where text may follow, a number without `#` in an answer is a part of it.
     */
    ofCommand: Effect.fn("LinkNamed.ofCommand")(function* (
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
