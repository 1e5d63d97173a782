import { batch } from "@preact/signals"
import { count } from "../../../src/shared/Format.ts"
import { api, type Changed, type Mutation } from "../api.ts"
import { forgetLinks, linkOf, type Patch, patchLinks, peekLink, storeLinks } from "./entities.ts"
import { belongs, dropLinks, listing, putBack, putFirst, refill } from "./list.ts"
import { meta, refreshMeta } from "./meta.ts"
import { currentFilters, everything, show } from "./route.ts"
import { clearSelection, deselect } from "./selection.ts"
import { reasonOf, tell, tellFailure, tellNotUndone } from "./toasts.ts"

type Ids = ReadonlyArray<number>

/** Names links in a message: one by its title, several by their number. */
export const named = (ids: Ids): string => {
  const [first] = ids
  const title = ids.length === 1 && first !== undefined ? peekLink(first)?.title : undefined
  return title === undefined ? count(ids.length, "link") : `“${title}”`
}

/** Whether all links have a mark; a link that is not loaded has it if the view is filtered by it. */
export const allHave = (name: "favorite" | "shareable", ids: Ids): boolean =>
  ids.every((id) => linkOf(id)?.value[name] ?? listing.peek()?.filters[name] ?? false)

/** Removes links from the view that no longer match its filters. */
const dropMismatches = (ids: Ids) => {
  const now = listing.peek()
  if (now === null) return
  dropLinks(
    ids.filter((id) => {
      const link = peekLink(id)
      return link !== undefined && !belongs(now.filters, link)
    })
  )
}

const undo = async (token: string, force = false) => {
  try {
    const { links } = await api.mutate({ op: "undo", token, ...(force ? { force } : {}) })
    storeLinks(links)
    const now = listing.peek()
    const shown = new Set(now?.ids)
    const restored = links.filter((link) => now !== null && !shown.has(link.id) && belongs(now.filters, link))
    batch(() => {
      if (now?.filters.q === "") putFirst(restored.map(({ id }) => id))
      dropMismatches(links.map(({ id }) => id))
    })
    refreshMeta()
    tell("Undone.")
  } catch (error) {
    tellNotUndone(error, () => void undo(token, true))
  }
}

/** Shows a message that offers to undo the change with this token. */
const offerUndo = (text: string, token: string | undefined): void =>
  tell(text, token === undefined ? {} : { action: { label: "Undo", run: () => void undo(token) } })

const nonEmpty = (ids: Ids): readonly [number, ...Array<number>] | undefined => {
  const [first, ...rest] = ids
  return first === undefined ? undefined : [first, ...rest]
}

/** Shows a change at once, sends it, and confirms it; reverts it and says why if the service rejects it. */
const change = async (
  ids: Ids,
  patch: Patch,
  mutation: Mutation,
  done: string,
  onRejected = (error: unknown) => tellFailure("Not changed.", error)
): Promise<Changed | undefined> => {
  const before = listing.peek()
  const removePatch = patchLinks(ids, () => patch)
  dropMismatches(ids)
  try {
    const changed = await api.mutate(mutation)
    batch(() => {
      storeLinks(changed.links)
      removePatch()
    })
    offerUndo(done, changed.undo)
    refill()
    refreshMeta()
    return changed
  } catch (error) {
    batch(() => {
      removePatch()
      if (before !== null) putBack(ids, before)
    })
    onRejected(error)
    return undefined
  }
}

export const setFavorite = async (ids: Ids, favorite: boolean): Promise<void> => {
  const all = nonEmpty(ids)
  if (all === undefined) return
  const done = favorite ? `Added ${named(ids)} to favorites.` : `Removed ${named(ids)} from favorites.`
  await change(
    ids,
    { favorite },
    { op: "favorite", ids: all, favorite },
    ids.length === 1 ? done : `Favorites: ${favorite ? "added" : "removed"} ${named(ids)}.`
  )
}

export const setShareable = async (ids: Ids, shareable: boolean): Promise<void> => {
  const all = nonEmpty(ids)
  if (all === undefined) return
  const done = shareable
    ? `Everyone can now see ${named(ids)} on the public list.`
    : `${ids.length === 1 ? `${named(ids)} is` : `${named(ids)} are`} private again.`
  await change(ids, { shareable }, { op: "shareable", ids: all, shareable }, done)
}

export const setCategory = async (ids: Ids, category: string): Promise<void> => {
  const all = nonEmpty(ids)
  if (all === undefined) return
  await change(
    ids,
    { category },
    { op: "category", ids: all, category },
    `Set the category of ${named(ids)} to ${category}.`
  )
}

/** The id of a new collection until the service has assigned one. */
const NEW_COLLECTION = -1

export const setCollection = async (ids: Ids, collection: string | null): Promise<void> => {
  const all = nonEmpty(ids)
  if (all === undefined) return
  const known = meta.value?.collections.find(({ name }) => name.toLowerCase() === collection?.toLowerCase())
  const patch = {
    collection:
      collection === null ? null : { id: known?.id ?? NEW_COLLECTION, name: known?.name ?? collection }
  }
  const done =
    collection === null
      ? `Removed ${named(ids)} from ${ids.length === 1 ? "its collection" : "their collections"}.`
      : `Filed ${named(ids)} in ${patch.collection?.name}.`
  await change(ids, patch, { op: "collection", ids: all, collection }, done)
}

/** Deletes an empty collection, and leaves its view if it is shown. */
export const removeCollection = async ({
  id,
  name
}: {
  readonly id: number
  readonly name: string
}): Promise<void> => {
  try {
    const { undo } = await api.removeCollection(id)
    if (currentFilters().collection === id) show(everything)
    refreshMeta()
    offerUndo(`Deleted the collection “${name}”.`, undo)
  } catch (error) {
    refreshMeta()
    tellFailure("Not deleted.", error)
  }
}

/** Changes a link's title or summary; returns why the service rejected it, or undefined. */
export const editTexts = async (
  id: number,
  texts: { readonly title?: string; readonly summary?: string }
): Promise<string | undefined> => {
  const reasons: Array<string> = []
  await change([id], texts, { op: "edit", ids: [id], ...texts }, "Saved.", (error) =>
    reasons.push(reasonOf(error))
  )
  return reasons[0]
}

/** Deletes links permanently; returns whether it succeeded. */
export const deleteLinks = async (ids: Ids): Promise<boolean> => {
  const all = nonEmpty(ids)
  if (all === undefined) return true
  const before = listing.peek()
  const what = named(ids)
  dropLinks(ids)
  try {
    await api.mutate({ op: "delete", ids: all })
    forgetLinks(ids)
    deselect(ids)
    tell(`Deleted ${what}.`)
    refill()
    refreshMeta()
    return true
  } catch (error) {
    if (before !== null) putBack(ids, before)
    tellFailure("Not deleted.", error)
    return false
  }
}

/** Merges the other links into one and deletes them; returns whether it succeeded. */
export const mergeLinks = async (into: number, others: Ids): Promise<boolean> => {
  const all = nonEmpty(others)
  if (all === undefined) return true
  try {
    const { links } = await api.mutate({ op: "merge", ids: all, into })
    storeLinks(links)
    dropLinks(others)
    forgetLinks(others)
    clearSelection()
    tell(`Merged ${others.length + 1} links into ${named([into])}.`)
    refreshMeta()
    return true
  } catch (error) {
    tellFailure("Not merged.", error)
    return false
  }
}
