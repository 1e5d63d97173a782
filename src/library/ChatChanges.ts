import { Array, Effect, Option } from "effect"
import type { ChangedSince, Field, LinkEdit, UrlTaken } from "../domain/Change.ts"
import type { ChatChange } from "../domain/ChatChange.ts"
import { newHighlight } from "../domain/Highlight.ts"
import type { Link, LinkId, LinkNotFound, LinkState } from "../domain/Link.ts"
import type { MessageRef } from "../domain/Messages.ts"
import { addToNote, type ReadNote, type WrittenNote } from "../domain/Note.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { Service } from "../runtime/Services.ts"
import { MessageStore } from "../store/chat/MessageStore.ts"
import { ToldChanges } from "../store/chat/ToldChanges.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { Transaction } from "../store/Transaction.ts"
import { EditLinks } from "./EditLinks.ts"
import { Highlights } from "./Highlights.ts"
import { LargeChanges } from "./LargeChanges.ts"

export interface ChangedLink {
  readonly link: Link
  readonly undo: Option.Option<string>
}

/** The link's next note, and the tags to add and to remove; the others stay. */
interface NextNote {
  readonly id: LinkId
  readonly next: (note: string) => WrittenNote
  readonly add: ReadonlyArray<string>
  readonly remove: ReadonlyArray<string>
}

/** `link` is set if there is exactly one; `deleted` are back in the trash. */
export interface Undone {
  readonly change: ChatChange | undefined
  readonly ids: ReadonlyArray<LinkId>
  readonly deleted: ReadonlyArray<LinkId>
  readonly link: Link | undefined
}

export interface Undoable {
  readonly token: string
  readonly change: ChatChange | undefined
}

type UndoOutcome =
  | { readonly _tag: "Nothing" }
  | { readonly _tag: "Undone"; readonly undone: Undone }
  /** The last change was final, or its links are gone. `before` is the change before it. */
  | { readonly _tag: "Final"; readonly change: ChatChange; readonly before: Option.Option<Undoable> }
  | { readonly _tag: "ChangedSince"; readonly error: ChangedSince; readonly token: string }
  /** Another link has taken the address that the undo would restore. */
  | { readonly _tag: "UrlTaken"; readonly error: UrlTaken }

const make = Effect.gen(function* () {
  const edits = yield* EditLinks
  const highlights = yield* Highlights
  const large = yield* LargeChanges
  const links = yield* LinkStore
  const messages = yield* MessageStore
  const told = yield* ToldChanges
  const transaction = yield* Transaction

  /** Names a change, which can be made elsewhere, such as a job's, as the last one of the chat. */
  const record = told.tell

  const make = Effect.fnUntraced(function* (
    id: LinkId,
    isAlreadySet: (link: Link) => boolean,
    edit: Effect.Effect<{ readonly undo: string }, LinkNotFound | StoreUnavailable>,
    named: (before: Link) => ChatChange
  ) {
    yield* large.applyPending([id])
    const link = yield* links.get(id)
    const unchanged: ChangedLink = { link, undo: Option.none() }
    if (isAlreadySet(link)) return unchanged
    const { undo } = yield* edit
    yield* record(undo, named(link))
    return { link: yield* links.get(id), undo: Option.some(undo) }
  }, transaction)

  const change = (
    id: LinkId,
    isAlreadySet: (link: Link) => boolean,
    edit: LinkEdit,
    named: (before: Link) => ChatChange
  ) => make(id, isAlreadySet, edits.change([id], edit), named)

  /** Changes these links as one change. `full` are the links whose notes have no room for the text. */
  const setNotes = Effect.fn("ChatChanges.setNotes")(function* (wanted: ReadonlyArray<NextNote>) {
    yield* large.applyPending(wanted.map(({ id }) => id))
    const nextOf = new Map(wanted.map((one) => [one.id, one]))
    const full: Array<LinkId> = []
    const all = (yield* links.getAll([...nextOf.keys()])).flatMap((link) => {
      const wanted = nextOf.get(link.id)
      if (wanted === undefined) return []
      const { add, next, remove } = wanted
      const { isFull, note } = next(link.note)
      if (isFull) full.push(link.id)
      const tagging = {
        add: Array.difference(add, link.tags),
        remove: Array.intersection(remove, link.tags)
      }
      const isRetagged = tagging.add.length + tagging.remove.length > 0
      return note === link.note && !isRetagged ? [] : [{ id: link.id, note, tagging, isRetagged }]
    })
    if (all.length === 0) return { changed: [], full }
    const values = all.map(({ isRetagged: _, ...values }) => values)
    const fields: ReadonlyArray<Field> = all.some(({ isRetagged }) => isRetagged)
      ? ["note", "tags"]
      : ["note"]
    // Links deleted meanwhile were left out above.
    const { undo } = yield* Effect.catchTag(
      edits.changeEach(
        fields.includes("tags") ? values : values.map(({ id, note }) => ({ id, note })),
        fields
      ),
      "LinkNotFound",
      Effect.die
    )
    yield* record(undo, {
      kind: "notes",
      ids: values.map(({ id }) => id),
      ...(fields.includes("tags") ? { tagged: true } : {})
    })
    return { changed: yield* links.getAll(all.map(({ id }) => id)), full }
  }, transaction)

  const trash = Effect.fn("ChatChanges.trash")(function* (id: LinkId) {
    const { undo } = yield* edits.trash([id])
    yield* record(undo, { kind: "trash", id })
    return undo
  }, transaction)

  /** A link that is not in the trash stays as it is. */
  const restore = Effect.fn("ChatChanges.restore")(function* (id: LinkId) {
    const [here] = yield* links.getAll([id])
    if (here !== undefined) return { link: here, undo: Option.none<string>() }
    const { undo } = yield* edits.restore([id])
    yield* record(undo, { kind: "restore", id })
    return { link: yield* links.get(id), undo: Option.some(undo) }
  }, transaction)

  /** Deletes the link for good, in the library or in the trash, and records that this cannot be undone. */
  const remove = Effect.fn("ChatChanges.remove")(function* (id: LinkId) {
    yield* told.forget(id)
    yield* edits.remove([id])
    yield* told.tellFinal({ kind: "remove", id })
  }, transaction)

  const undo = Effect.fn("ChatChanges.undo")(function* (token: string, force = false) {
    const { deleted, ids } = yield* edits.undo(token, { force })
    const change = Option.getOrUndefined(yield* told.nameOf(token))
    const [link] = ids.length === 1 ? yield* links.getAll(ids) : []
    return { change, ids, deleted, link }
  }, transaction)

  /** The change that the next `undoLast` would undo. */
  const before = Effect.map(told.last, (last) =>
    Option.filterMap(
      last,
      ({ label, token }): Option.Option<Undoable> =>
        label.kind === "remove" ? Option.none() : Option.some({ token, change: label })
    )
  )

  const undoRecorded = (token: string, change: ChatChange): Effect.Effect<UndoOutcome, StoreUnavailable> => {
    const gone = Effect.map(before, (next): UndoOutcome => ({ _tag: "Final", change, before: next }))
    if (change.kind === "remove") return gone
    return undo(token).pipe(
      Effect.flatMap((undone) =>
        undone.ids.length + undone.deleted.length === 0 && change.kind !== "job"
          ? gone
          : Effect.succeed<UndoOutcome>({ _tag: "Undone", undone })
      ),
      Effect.catchTags({
        // A move to the trash can be undone as long as its link is there; a job, for a week.
        UndoNotFound: () =>
          change.kind === "trash" || change.kind === "merge"
            ? gone
            : Effect.succeed<UndoOutcome>({ _tag: "Nothing" }),
        UrlTaken: (error) => Effect.succeed<UndoOutcome>({ _tag: "UrlTaken", error }),
        ChangedSince: (error) => Effect.succeed<UndoOutcome>({ _tag: "ChangedSince", error, token })
      })
    )
  }

  return {
    favorite: (id: LinkId, on: boolean) =>
      change(
        id,
        ({ favorite }) => favorite === on,
        { favorite: on },
        () => ({
          kind: "favorite",
          id,
          on
        })
      ),
    share: (id: LinkId, on: boolean) =>
      change(
        id,
        ({ shareable }) => shareable === on,
        { shareable: on },
        () => ({
          kind: "share",
          id,
          on
        })
      ),
    /** Creates the collection if needed; null removes the link from its collection. */
    move: (id: LinkId, name: string | null) =>
      change(
        id,
        ({ collection }) => (collection?.name ?? null) === name,
        { collection: name },
        ({ collection }) => ({ kind: "move", id, from: collection?.name ?? null, to: name })
      ),
    tag: (
      id: LinkId,
      { add, remove }: { readonly add: ReadonlyArray<string>; readonly remove: ReadonlyArray<string> }
    ) =>
      make(
        id,
        ({ tags }) => Array.difference(add, tags).length + Array.intersection(remove, tags).length === 0,
        edits.change([id], { tagging: { add, remove } }),
        ({ tags }) => ({
          kind: "tags",
          id,
          added: Array.difference(add, tags),
          removed: Array.intersection(remove, tags)
        })
      ),
    title: (id: LinkId, title: string) =>
      make(
        id,
        () => false,
        edits.change([id], { title }),
        (before) => ({ kind: "title", id, from: before.title })
      ),
    note: (id: LinkId, text: string) =>
      change(
        id,
        ({ note }) => note === text,
        { note: text },
        () => ({ kind: "notes", ids: [id] })
      ),
    /** Takes the link out of its collection, and keeps filing from putting it back. */
    refuse: (id: LinkId) =>
      make(
        id,
        ({ collection }) => collection === null,
        edits.refuse([id]),
        ({ collection }) => ({ kind: "move", id, from: collection?.name ?? null, to: null })
      ),
    setNotes,
    /** Appends text that the note lacks, and adds tags. With `from`, editing that message edits them. */
    addNote: Effect.fn("ChatChanges.addNote")(function* (
      link: Link,
      { note: text, tags }: ReadNote,
      from?: MessageRef
    ) {
      const { changed, full } = yield* setNotes([
        { id: link.id, next: (note) => addToNote(note, text), add: tags, remove: [] }
      ])
      if (from !== undefined) {
        const note = full.length > 0 ? "" : text
        yield* messages.record(from, { linkId: link.id, note, tags, created: false })
      }
      return changed[0] ?? link
    }, transaction),
    /** None if the kept page lacks the passage, or the link has the maximum of highlights. */
    highlight: Effect.fn("ChatChanges.highlight")(
      function* (id: LinkId, { note, quote }: { readonly quote: string; readonly note: string }) {
        if (!(yield* highlights.isInPage(id, quote))) return Option.none<ChangedLink>()
        const { undo } = yield* highlights.add(id, { ...newHighlight(quote), note, source: "chat" })
        yield* record(undo, { kind: "highlight", id })
        return Option.some<ChangedLink>({ link: yield* links.get(id), undo: Option.some(undo) })
      },
      transaction,
      Effect.catchTags({
        LinkNotFound: () => Effect.succeedNone,
        TooManyHighlights: () => Effect.succeedNone
      })
    ),
    setState: (id: LinkId, state: LinkState) =>
      change(
        id,
        (link) => link.state === state,
        { state },
        (before) => ({
          kind: "state",
          id,
          from: before.state,
          to: state
        })
      ),
    trash,
    restore,
    remove,
    record,
    undo,
    /** The next call undoes the change before, even if this one was refused. */
    undoLast: Effect.gen(function* (): Effect.fn.Return<UndoOutcome, StoreUnavailable> {
      const last = yield* told.takeLast
      return Option.isNone(last)
        ? { _tag: "Nothing" }
        : yield* undoRecorded(last.value.token, last.value.label)
    }).pipe(transaction, Effect.withSpan("ChatChanges.undoLast"))
  }
})

/** Changes from the chat, by name, undone from the last one on; change and name are one transaction. */
export class ChatChanges extends Service<ChatChanges>()("ChatChanges", make) {}
