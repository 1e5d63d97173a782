import { Effect, Option } from "effect"
import { type Author, CurrentAuthor } from "../domain/Author.ts"
import { type Field, type FieldValues, type LinkEdit, UrlTaken, valuesOfEdit } from "../domain/Change.ts"
import type { LinkId } from "../domain/Link.ts"
import { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { Service } from "../runtime/Services.ts"
import { isTitleFromAddress } from "../shared/AddressTitle.ts"
import { normalizeUrl } from "../shared/UrlIdentity.ts"
import { JobStore } from "../store/jobs/JobStore.ts"
import { ChangeStore } from "../store/links/ChangeStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { NameStore } from "../store/links/NameStore.ts"
import { TrashStore } from "../store/links/TrashStore.ts"
import { afterCommit, Transaction } from "../store/Transaction.ts"
import { Embeddings } from "./Embeddings.ts"
import { Events } from "./Events.ts"
import { Inbox } from "./Inbox.ts"
import { LargeChanges, MAX_IN_ONE_TRANSACTION } from "./LargeChanges.ts"

interface Changed {
  readonly ids: ReadonlyArray<LinkId>
  readonly undo: string
}

/** A final undo cannot be undone itself. */
interface Undone extends Changed {
  readonly deleted: ReadonlyArray<LinkId>
  readonly isFinal: boolean
}

const make = Effect.gen(function* () {
  const changes = yield* ChangeStore
  const jobs = yield* JobStore
  const links = yield* LinkStore
  const names = yield* NameStore
  const transaction = yield* Transaction
  const trash = yield* TrashStore
  const embeddings = yield* Embeddings
  const events = yield* Events
  const large = yield* LargeChanges
  const inbox = yield* Inbox

  /** Wakes the embedder too, because the links' text may have changed. */
  const announce = (ids: ReadonlyArray<LinkId>) =>
    Effect.gen(function* () {
      if (ids.length > MAX_IN_ONE_TRANSACTION) yield* events.changed(ids)
      else yield* events.links("changed", yield* links.getAll(ids))
      // Only collections changed: no other event updates the pages that show them.
      if (ids.length === 0) yield* events.reloadAll
      yield* embeddings.wake
    })

  /** Stores the change that `accept` records, and applies it. A large change queues behind earlier ones. */
  const make = Effect.fnUntraced(function* <E>(
    given: ReadonlyArray<LinkId>,
    accept: (ids: ReadonlyArray<LinkId>) => Effect.Effect<string, E>,
    announceAll: (ids: ReadonlyArray<LinkId>) => Effect.Effect<void> = announce
  ) {
    const ids = [...new Set(given)]
    const undo = yield* transaction(
      Effect.gen(function* () {
        if (ids.length <= MAX_IN_ONE_TRANSACTION) yield* large.applyPending(ids)
        const token = yield* accept(ids)
        yield* large.make(token, ids.length, announceAll(ids))
        return token
      })
    )
    if (ids.length > MAX_IN_ONE_TRANSACTION) yield* large.awaitPending
    return { ids, undo }
  })

  /** Reloads pages, for returned links and collections; wakes the inbox, as captures return with their links. */
  const announceWithRest = (ids: ReadonlyArray<LinkId>) =>
    ids.length === 0
      ? announce(ids)
      : Effect.all([announce(ids), events.reloadAll, inbox.wake], { discard: true })

  /** Resolves aliases of tags and categories. */
  const withoutAliases = Effect.fnUntraced(function* (values: LinkEdit) {
    const { category, tagging } = values
    const [named] = category === undefined ? [] : yield* names.resolve("category", [category])
    if (tagging === undefined) return { ...values, category: named }
    const { add, remove, set } = tagging
    return {
      ...values,
      category: named,
      tagging: {
        ...tagging,
        set: set && (yield* names.resolve("tag", set)),
        remove: remove && [...new Set([...remove, ...(yield* names.resolve("tag", remove))])],
        add: add && (yield* names.resolve("tag", add))
      }
    }
  })

  /** Makes the reverse that `record` stores after all earlier changes are applied. */
  const reverse = Effect.fnUntraced(function* <A extends { readonly token: string }, E>(
    record: Effect.Effect<A, E>
  ) {
    yield* large.awaitPending
    const changed = yield* transaction(
      Effect.gen(function* () {
        yield* large.applyAllPending
        const recorded = yield* record
        const undo = recorded.token
        const ids = yield* changes.linksOf(undo)
        const change = (yield* changes.unfinished).find((one) => one.token === undo)
        const moves = change === undefined ? undefined : yield* changes.moves(change, ids)
        const deleted = moves === undefined ? [] : [...moves.trash, ...moves.delete]
        const gone = new Set(deleted)
        const left = ids.filter((id) => !gone.has(id))
        const withRest = (moves?.restore.length ?? 0) > 0 || (yield* changes.touchesLabels(undo))
        const announceLeft = (withRest ? announceWithRest : announce)(left)
        const announceAll =
          deleted.length === 0
            ? announceLeft
            : Effect.zipRight(events.deleted(deleted), left.length === 0 ? Effect.void : announceLeft)
        yield* large.make(undo, ids.length, announceAll)
        const undone: Undone = { ids: left, undo, deleted, isFinal: change?.kind === "delete" }
        return { ...undone, recorded }
      })
    )
    if (changed.ids.length + changed.deleted.length > MAX_IN_ONE_TRANSACTION) yield* large.awaitPending
    return changed
  })

  return {
    change: Effect.fn("EditLinks.change")((given: ReadonlyArray<LinkId>, edit: LinkEdit) =>
      make(given, (ids) =>
        Effect.flatMap(withoutAliases(edit), (meant) => {
          const { fields, values } = valuesOfEdit(meant)
          return changes.accept({ fields, links: ids.map((id) => ({ ...values, id })) })
        })
      )
    ),
    changeEach: Effect.fn("EditLinks.changeEach")(
      (given: ReadonlyArray<FieldValues>, fields: ReadonlyArray<Field>) =>
        make(
          given.map(({ id }) => id),
          () => changes.accept({ fields, links: given })
        )
    ),
    /** Fails if another link has the address. */
    changeAddress: Effect.fn("EditLinks.changeAddress")(
      (id: LinkId, { given, url }: { readonly given: string; readonly url: URL }, edit: LinkEdit = {}) =>
        make([id], () =>
          Effect.gen(function* () {
            const link = yield* links.get(id)
            const normalizedUrl = normalizeUrl(url)
            const holder = yield* changes.holderOf(normalizedUrl)
            if (Option.isSome(holder) && holder.value !== id) return yield* new UrlTaken({ id: holder.value })
            const address = {
              url: given,
              normalizedUrl,
              host: url.hostname,
              ...(isTitleFromAddress(link) ? { titleOfAddress: link.title } : {})
            }
            // The address comes first: a given title replaces the one that the address stands for.
            const { fields, values } = valuesOfEdit(yield* withoutAliases(edit))
            return yield* changes.accept({
              fields: ["url", ...fields],
              links: [{ ...values, ...address, id }]
            })
          })
        )
    ),
    /** Takes the links out of their collections, and keeps filing from putting them back. */
    refuse: Effect.fn("EditLinks.refuse")((given: ReadonlyArray<LinkId>) =>
      make(given, (ids) =>
        changes.accept({
          fields: ["collection", "refused"],
          links: ids.map((id) => ({ id, refuse: true }))
        })
      )
    ),
    trash: Effect.fn("EditLinks.trash")((given: ReadonlyArray<LinkId>) =>
      make(given, (ids) => changes.acceptMove("trash", ids), events.deleted)
    ),
    /** Fails if another link has the address by now. */
    restore: Effect.fn("EditLinks.restore")((given: ReadonlyArray<LinkId>) =>
      make(given, changes.acceptRestore, announceWithRest)
    ),
    /**
     * Links deleted for good stay deleted, and links in the trash stay there. Fails if a link has changed since, unless
     * `force` overwrites it, or if another link has taken an address. `deleted` are the links moved to the trash.
     *
     * The undo of an import is final: `deleted` are the links that the import added, deleted for good; with `force`,
     * links changed since stay. `last` stands for the author's last change that is not undone.
     */
    undo: Effect.fn("EditLinks.undo")(
      (token: string, { force = false }: { readonly force?: boolean | undefined } = {}) =>
        reverse(
          Effect.gen(function* () {
            const named = token === "last" ? yield* changes.lastOf(yield* CurrentAuthor) : token
            const undo = yield* changes.undo(named, { force })
            yield* jobs.takenBack(named, undo)
            return { token: undo }
          })
        )
    ),
    /** One change; what others have changed since stays. With `dryRun` nothing changes. */
    undoAll: Effect.fn("EditLinks.undoAll")(function* (
      author: Author,
      { dryRun, since }: { readonly since: string; readonly dryRun: boolean }
    ) {
      if (!dryRun) return (yield* reverse(changes.undoAll(author, since))).recorded
      yield* large.awaitPending
      return yield* Effect.flip(
        transaction(
          Effect.zipRight(large.applyAllPending, Effect.flatMap(changes.undoAll(author, since), Effect.fail))
        )
      ).pipe(
        Effect.flatMap((done) =>
          done instanceof StoreUnavailable ? Effect.fail(done) : Effect.succeed(done)
        )
      )
    }),
    /** A change that finds its links itself: `record` stores it after all earlier ones, and returns its token. */
    make: Effect.fn("EditLinks.make")(function* <A, E>(
      record: Effect.Effect<readonly [token: string, A], E>
    ) {
      yield* large.awaitPending
      const changed = yield* transaction(
        Effect.gen(function* () {
          yield* large.applyAllPending
          const [undo, value] = yield* record
          const ids = yield* changes.linksOf(undo)
          yield* large.make(undo, ids.length, announceWithRest(ids))
          return { ids, undo, value }
        })
      )
      if (changed.ids.length > MAX_IN_ONE_TRANSACTION) yield* large.awaitPending
      return changed
    }),
    remove: Effect.fn("EditLinks.remove")((given: ReadonlyArray<LinkId>) =>
      Effect.asVoid(make(given, (ids) => changes.acceptMove("delete", ids), events.deleted))
    ),
    /** Deletes up to `limit` links that have been in the trash for 30 days; returns how many. */
    removeExpired: Effect.fn("EditLinks.removeExpired")(function* (limit: number) {
      const found = yield* trash.expired(limit)
      if (found.length === 0) return 0
      // A link on its way out of the trash comes back first.
      yield* large.applyPending(found)
      const ids = (yield* trash.expired(limit)).filter((id) => found.includes(id))
      yield* links.remove(ids)
      yield* afterCommit(events.deleted(ids))
      return found.length
    }, transaction)
  }
})

/** Each applies to all links or none. Large ones go in pieces, and return outside a transaction once applied. */
export class EditLinks extends Service<EditLinks>()("EditLinks", make) {}
