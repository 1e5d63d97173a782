import { ownName } from "../../../src/shared/CollectionPath.ts"
import { count } from "../../../src/shared/Format.ts"
import {
  api,
  type Collection,
  type CollectionChange,
  type Labels,
  type NewCollection,
  type NewSearch,
  type SavedSearch,
  type SearchChange
} from "../api.ts"
import { inTreeOrder } from "../tree.ts"
import { type Destination, movedTo } from "../treeMoves.ts"
import { changeThings } from "./changes.ts"
import { meta } from "./meta.ts"
import { currentFilters, everything, show } from "./route.ts"

/** The two kinds of labels that a link can have. */
export type LabelKind = "tag" | "category"

/** What the two kinds are called. */
export const labelWords = {
  tag: { one: "tag", many: "tags", title: "Tags" },
  category: { one: "category", many: "categories", title: "Categories" }
} as const

/** A label as a person reads it. */
export const labelText = (kind: LabelKind, name: string): string => (kind === "tag" ? `#${name}` : name)

/** Adds to a message on how many links the change was made. */
const onLinks = (name: string) => (changed: number | undefined) =>
  changed === undefined ? `${name}.` : `${name} on ${count(changed, "link")}.`

export const loadLabels = (kind: LabelKind): Promise<Labels> => api.labels(labelWords[kind].many)

/** Renames a label; merges it if the new name is in use. */
export const renameLabel = (kind: LabelKind, from: string, to: string): Promise<boolean> => {
  const name = `Renamed ${labelText(kind, from)} to ${labelText(kind, to)}`
  return changeThings(name, () => api.changeLabel(labelWords[kind].many, from, { name: to }), {
    done: onLinks(name)
  })
}

const mergeLabel = (kind: LabelKind, from: string, into: string): Promise<boolean> => {
  const name = `Merged ${labelText(kind, from)} into ${labelText(kind, into)}`
  return changeThings(name, () => api.changeLabel(labelWords[kind].many, from, { into }), {
    done: onLinks(name),
    failed: "Not merged."
  })
}

/** Merges labels into one of them, one after the other; returns whether all were merged. */
export const mergeLabels = async (
  kind: LabelKind,
  names: ReadonlyArray<string>,
  into: string
): Promise<boolean> => {
  for (const from of names) if (from !== into && !(await mergeLabel(kind, from, into))) return false
  return true
}

/** Takes a label off all its links. */
export const removeLabel = (kind: LabelKind, label: string): Promise<boolean> =>
  changeThings(`Deleted ${labelText(kind, label)}`, () => api.removeLabel(labelWords[kind].many, label), {
    done: () => `Deleted ${labelText(kind, label)}. Its links stay.`,
    failed: "Not deleted."
  })

export const createCollection = (collection: NewCollection): Promise<boolean> =>
  changeThings(`Created the collection “${collection.name}”`, () => api.createCollection(collection), {
    failed: "Not created."
  })

/** Changes a collection; `name` says what was done. */
export const changeCollection = (
  collection: Pick<Collection, "id" | "name">,
  change: CollectionChange,
  name = `Changed the collection “${collection.name}”`
): Promise<boolean> => changeThings(name, () => api.changeCollection(collection.id, change))

/** Moves a collection among the others; returns whether it was moved. */
export const moveCollection = async (id: number, to: Destination): Promise<boolean> => {
  const entries = inTreeOrder(meta.peek()?.collections ?? [])
  const nameOf = (id: number) => entries.find(({ one }) => one.id === id)?.one.name ?? ""
  const moved = movedTo(entries, id, to)
  if (moved === undefined) return false
  const where =
    moved.parent === undefined
      ? ""
      : moved.parent === null
        ? " out of the one around it"
        : ` into “${ownName(nameOf(moved.parent))}”`
  return changeCollection({ id, name: nameOf(id) }, moved, `Moved “${ownName(nameOf(id))}”${where}`)
}

/** Deletes a collection, and leaves its view if it is shown; its links become unfiled. */
export const removeCollection = async ({ id, name }: Pick<Collection, "id" | "name">): Promise<boolean> => {
  const isDone = await changeThings(`Deleted the collection “${name}”`, () => api.removeCollection(id), {
    done: () => `Deleted the collection “${name}”. Its links stay.`,
    failed: "Not deleted."
  })
  if (isDone && currentFilters().collection === id) show(everything)
  return isDone
}

export const loadSearches = async (): Promise<ReadonlyArray<SavedSearch>> => (await api.searches()).searches

export const saveSearch = (search: NewSearch): Promise<boolean> =>
  changeThings(`Saved the search “${search.name}”`, () => api.saveSearch(search), { failed: "Not saved." })

/** Changes a saved search; `name` says what was done. */
export const changeSearch = (
  search: Pick<SavedSearch, "id" | "name">,
  change: SearchChange,
  name = `Changed the search “${search.name}”`
): Promise<boolean> => changeThings(name, () => api.changeSearch(search.id, change))

export const removeSearch = ({ id, name }: Pick<SavedSearch, "id" | "name">): Promise<boolean> =>
  changeThings(`Deleted the search “${name}”`, () => api.removeSearch(id), { failed: "Not deleted." })
