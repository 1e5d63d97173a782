import { api, type Link } from "../api.ts"
import { change, changeLinks, named, nonEmpty } from "./changes.ts"
import { storeLinks } from "./entities.ts"
import { takeOut } from "./listChanges.ts"
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

export const setState = (ids: Ids, state: Link["state"]): Promise<void> =>
  changeLinks(ids, { state }, (ids) => ({ op: "state", ids, state }), moved[state](named(ids)))

const hashed = (tags: ReadonlyArray<string>) => tags.map((tag) => `#${tag}`).join(" ")

/** Adds tags to links and removes others. */
export const changeTags = async (
  ids: Ids,
  { add, remove }: { readonly add: ReadonlyArray<string>; readonly remove: ReadonlyArray<string> }
): Promise<void> => {
  if (add.length + remove.length === 0) return
  const gone = new Set(remove)
  const what = named(ids)
  await changeLinks(
    ids,
    ({ tags }) => ({ tags: [...new Set([...tags.filter((tag) => !gone.has(tag)), ...add])] }),
    (ids) => ({
      op: "tags",
      ids,
      ...(add.length === 0 ? {} : { add }),
      ...(remove.length === 0 ? {} : { remove })
    }),
    add.length === 0
      ? `Removed ${hashed(remove)} from ${what}`
      : remove.length === 0
        ? `Added ${hashed(add)} to ${what}`
        : `Added ${hashed(add)} to ${what} and removed ${hashed(remove)}`
  )
}

/** Takes links out of the collections they were filed in, and keeps them from being filed there again. */
export const refuseFiling = (ids: Ids): Promise<void> => {
  const name = `Took ${named(ids)} out of ${ids.length === 1 ? "its collection" : "their collections"}`
  return changeLinks(
    ids,
    { collection: null, filedBecause: null },
    (ids) => ({ op: "refuse", ids }),
    name,
    `${name}. It will not be filed there again.`
  )
}

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
