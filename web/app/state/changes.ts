import { batch } from "@preact/signals"
import { count } from "../../../src/shared/Format.ts"
import { MAX_IDS } from "../../../src/shared/ListParameters.ts"
import { ApiError, api, type Changed, type Link, type Mutation } from "../api.ts"
import { open } from "./dialogs.ts"
import { forgetLinks, linkOf, type Patch, patchLinks, peekLink, storeLinks } from "./entities.ts"
import { MANY } from "./history.ts"
import { listing } from "./list.ts"
import { dropMismatches, putBack, takeOut } from "./listChanges.ts"
import { meta } from "./meta.ts"
import { optimistic } from "./optimistic.ts"
import { sharing } from "./preferences.ts"
import { deselect } from "./selection.ts"
import { tellFailure } from "./toasts.ts"

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

type NonEmptyIds = readonly [number, ...Array<number>]

export const nonEmpty = (ids: Ids): NonEmptyIds | undefined => {
  const [first, ...rest] = ids
  return first === undefined ? undefined : [first, ...rest]
}

/** The service cannot be reached; what fails may be tried again later. */
const isUnreachable = (error: unknown) => error instanceof ApiError && error.status === 0

interface Wanted {
  readonly ids: Ids
  readonly patch: Patch | ((link: Link) => Patch)
  readonly mutation: Mutation
  /** What to say when it is done. */
  readonly done: string
  /** What it did, for the history: a sentence without its period. */
  readonly name: string
  /** Reports why it was rejected. */
  readonly onRejected?: (error: unknown) => void
}

/** Makes a change of many links; the response has only those that are loaded. */
const mutateMany = async (mutation: Mutation, ids: Ids): Promise<Changed> => {
  const changed = await api.mutate(mutation, "none")
  const loaded = ids.filter((id) => peekLink(id) !== undefined).slice(0, MAX_IDS)
  return loaded.length === 0 ? changed : { ...changed, links: (await api.linksByIds(loaded)).links }
}

/** Changes links: shows it at once, and offers to try again if the service cannot be reached. */
export const change = (wanted: Wanted): Promise<boolean> => {
  const { done, ids, mutation, name, onRejected, patch } = wanted
  const before = listing.peek()
  const removePatch = patchLinks(ids, typeof patch === "function" ? patch : () => patch)
  dropMismatches(ids)
  const tellRejected = (error: unknown) =>
    tellFailure(
      "Not changed.",
      error,
      isUnreachable(error) ? { action: { label: "Try again", run: () => void change(wanted) } } : {}
    )
  return optimistic({
    name,
    ids,
    send: () => (ids.length > MANY ? mutateMany(mutation, ids) : api.mutate(mutation)),
    accept: ({ links }) =>
      batch(() => {
        storeLinks(links, { ifNewer: true })
        removePatch()
      }),
    revert: () =>
      batch(() => {
        removePatch()
        if (before !== null) putBack(ids, before)
      }),
    done: () => done,
    onRejected: onRejected ?? tellRejected
  })
}

/** Makes a change of links that has a message and a history of the same words; does nothing without links. */
export const changeLinks = async (
  ids: Ids,
  patch: Wanted["patch"],
  mutationOf: (ids: NonEmptyIds) => Mutation,
  name: string,
  done = `${name}.`
): Promise<void> => {
  const all = nonEmpty(ids)
  if (all !== undefined) await change({ ids, patch, mutation: mutationOf(all), done, name })
}

export const setFavorite = (ids: Ids, favorite: boolean): Promise<void> =>
  changeLinks(
    ids,
    { favorite },
    (ids) => ({ op: "favorite", ids, favorite }),
    favorite ? `Added ${named(ids)} to favorites` : `Removed ${named(ids)} from favorites`
  )

/** Shares links or makes them private; the first time this browser shares, it explains and asks. */
export const setShareable = async (ids: Ids, shareable: boolean): Promise<void> => {
  if (ids.length > 0 && shareable && sharing.value === "ask") return open({ kind: "share", ids })
  const what = named(ids)
  await changeLinks(
    ids,
    { shareable },
    (ids) => ({ op: "shareable", ids, shareable }),
    shareable ? `Shared ${what}` : `Made ${what} private`,
    shareable
      ? `Everyone can now see ${what} on the public list.`
      : `${ids.length === 1 ? `${what} is` : `${what} are`} private again.`
  )
}

export const setCategory = (ids: Ids, category: string): Promise<void> =>
  changeLinks(
    ids,
    { category },
    (ids) => ({ op: "category", ids, category }),
    `Set the category of ${named(ids)} to ${category}`
  )

/** The id of a new collection until the service has assigned one. */
const NEW_COLLECTION = -1

/** How a link refers to the collection of this name. */
const collectionCalled = (name: string | null): Link["collection"] => {
  const known = meta.value?.collections.find((one) => one.name.toLowerCase() === name?.toLowerCase())
  return name === null ? null : { id: known?.id ?? NEW_COLLECTION, name: known?.name ?? name }
}

export const setCollection = async (ids: Ids, collection: string | null): Promise<void> => {
  const patch = { collection: collectionCalled(collection) }
  await changeLinks(
    ids,
    patch,
    (ids) => ({ op: "collection", ids, collection }),
    collection === null
      ? `Removed ${named(ids)} from ${ids.length === 1 ? "its collection" : "their collections"}`
      : `Filed ${named(ids)} in ${patch.collection?.name}`
  )
}

interface ThingTexts {
  /** What to say when it is done, given the number of links changed. */
  readonly done?: (changed: number | undefined) => string
  /** How to begin the message of a failure. */
  readonly failed?: string
}

/** Makes a change of something other than links after every earlier change; returns whether it succeeded. */
export const changeThings = (
  name: string,
  send: () => Promise<{ readonly undo: string; readonly changed?: number }>,
  { done = () => `${name}.`, failed = "Not changed." }: ThingTexts = {}
): Promise<boolean> => optimistic({ name, ids: "any", send, failed, done: ({ changed }) => done(changed) })

/** Takes links out of the library, into the trash or for good; returns whether it succeeded. */
const remove = async (
  ids: Ids,
  forever: { readonly forever?: true },
  texts: { readonly name?: string; readonly done: string }
): Promise<boolean> => {
  const all = nonEmpty(ids)
  if (all === undefined) return true
  return optimistic({
    ...texts,
    ids,
    revert: takeOut(ids),
    send: () => api.mutate({ op: "delete", ids: all, ...forever }),
    accept: () => {
      forgetLinks(ids)
      deselect(ids)
    },
    done: () => texts.done,
    failed: "Not deleted."
  })
}

/** Moves links to the trash; returns whether it succeeded. */
export const deleteLinks = (ids: Ids): Promise<boolean> => {
  const name = `Moved ${named(ids)} to the trash`
  return remove(ids, {}, { name, done: `${name}.` })
}

/** Deletes links for good, from the library or the trash; returns whether it succeeded. */
export const deleteForever = (ids: Ids): Promise<boolean> =>
  remove(ids, { forever: true }, { done: `Deleted ${named(ids)} for good.` })
