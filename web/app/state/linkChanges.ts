import { api, type Link, type Mutation } from "../api.ts"
import { change, named, nonEmpty } from "./changes.ts"
import { forgetLinks, type Patch, storeLinks } from "./entities.ts"
import { takeOut } from "./leaving.ts"
import { optimistic } from "./optimistic.ts"
import { deselect } from "./selection.ts"

type Ids = ReadonlyArray<number>

const listed = new Intl.ListFormat("en")

/** The texts of a link that the owner edits, as a sentence calls them. */
const fieldNames = { title: "title", url: "address", note: "note", summary: "summary" }

/** Changes what is given of a link; returns why the service rejected it, or undefined. */
export const editLink = async (
  id: number,
  edited: { readonly [name in keyof typeof fieldNames]?: string }
): Promise<unknown> => {
  const reasons: Array<unknown> = []
  const what = Object.entries(fieldNames).flatMap(([field, name]) => (field in edited ? [name] : []))
  await change({
    ids: [id],
    patch: edited,
    mutation: { op: "edit", ids: [id], ...edited },
    done: "Saved.",
    name: `Edited the ${listed.format(what)} of ${named([id])}`,
    onRejected: (error) => reasons.push(error)
  })
  return reasons[0]
}

/** What a change into each state does. */
const moved: Readonly<Record<Link["state"], (what: string) => string>> = {
  unread: (what) => `Marked ${what} as unread`,
  read: (what) => `Marked ${what} as read`,
  archived: (what) => `Archived ${what}`
}

export const setState = async (ids: Ids, state: Link["state"]): Promise<void> => {
  const all = nonEmpty(ids)
  if (all === undefined) return
  const name = moved[state](named(ids))
  await change({ ids, patch: { state }, mutation: { op: "state", ids: all, state }, done: `${name}.`, name })
}

const hashed = (tags: ReadonlyArray<string>) => tags.map((tag) => `#${tag}`).join(" ")

/** Adds tags to links and removes others. */
export const changeTags = async (
  ids: Ids,
  { add, remove }: { readonly add: ReadonlyArray<string>; readonly remove: ReadonlyArray<string> }
): Promise<void> => {
  const all = nonEmpty(ids)
  if (all === undefined || add.length + remove.length === 0) return
  const gone = new Set(remove)
  const patch = ({ tags }: Link): Patch => ({
    tags: [...new Set([...tags.filter((tag) => !gone.has(tag)), ...add])]
  })
  const what = named(ids)
  const name =
    add.length === 0
      ? `Removed ${hashed(remove)} from ${what}`
      : remove.length === 0
        ? `Added ${hashed(add)} to ${what}`
        : `Added ${hashed(add)} to ${what} and removed ${hashed(remove)}`
  const mutation: Mutation = {
    op: "tags",
    ids: all,
    ...(add.length === 0 ? {} : { add }),
    ...(remove.length === 0 ? {} : { remove })
  }
  await change({ ids, patch, mutation, done: `${name}.`, name })
}

/** Takes links out of the collections they were filed in, and keeps them from being filed there again. */
export const refuseFiling = async (ids: Ids): Promise<void> => {
  const all = nonEmpty(ids)
  if (all === undefined) return
  const name = `Took ${named(ids)} out of ${ids.length === 1 ? "its collection" : "their collections"}`
  await change({
    ids,
    patch: { collection: null, filedBecause: null },
    mutation: { op: "refuse", ids: all },
    done: `${name}. It will not be filed there again.`,
    name
  })
}

/** Takes links out of the trash. */
export const restoreLinks = async (ids: Ids): Promise<void> => {
  const all = nonEmpty(ids)
  if (all === undefined) return
  const name = `Restored ${named(ids)}`
  await optimistic({
    name,
    ids,
    revert: takeOut(ids),
    send: () => api.mutate({ op: "restore", ids: all }),
    accept: ({ links }) => {
      storeLinks(links)
      deselect(ids)
    },
    done: () => `${name}.`,
    failed: "Not restored."
  })
}

/** Deletes links for good, from the library or the trash; returns whether it succeeded. */
export const deleteForever = async (ids: Ids): Promise<boolean> => {
  const all = nonEmpty(ids)
  if (all === undefined) return true
  const what = named(ids)
  return optimistic({
    ids,
    revert: takeOut(ids),
    send: () => api.mutate({ op: "delete", ids: all, forever: true }),
    accept: () => {
      forgetLinks(ids)
      deselect(ids)
    },
    done: () => `Deleted ${what} for good.`,
    failed: "Not deleted."
  })
}
