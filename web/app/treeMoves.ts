import type { Node, TreeEntry } from "./tree.ts"

/** Where a collection is moved: by a step, into another one (null for the top), or beside it. */
export type Destination =
  | "up"
  | "down"
  | "in"
  | "out"
  | { readonly inside: number | null }
  | { readonly before: number }
  | { readonly after: number }

/** What a move changes; without an `order` it becomes the last in `parent`. */
interface Moved {
  readonly parent?: number | null
  readonly order?: number
}

/** What moving a collection changes; undefined if it is there already, or cannot be, as inside itself. */
export const movedTo = (
  entries: ReadonlyArray<TreeEntry<Node>>,
  id: number,
  to: Destination
): Moved | undefined => {
  const entryOf = (id: number | null) => entries.find(({ one }) => one.id === id)
  const around = (entry: TreeEntry<Node>): number | null => entryOf(entry.one.parent)?.one.id ?? null
  const own = entryOf(id)
  if (own === undefined) return undefined
  const parent = around(own)
  const isInside = (place: number | null): boolean => {
    const entry = entryOf(place)
    return entry !== undefined && (entry === own || isInside(around(entry)))
  }
  const inside = (place: number | null) =>
    place === parent || isInside(place) ? undefined : { parent: place }
  const beside = (place: number, by: 0 | 1): Moved | undefined => {
    const target = entryOf(place)
    if (target === undefined || isInside(place)) return undefined
    const into = around(target)
    if (into !== parent) return { parent: into, order: target.place + by }
    const order = target.place + by - (own.place < target.place ? 1 : 0)
    return order === own.place ? undefined : { order }
  }
  if (typeof to === "object")
    return "inside" in to ? inside(to.inside) : "before" in to ? beside(to.before, 0) : beside(to.after, 1)
  switch (to) {
    case "up":
      return own.isFirst ? undefined : { order: own.place - 1 }
    case "down":
      return own.isLast ? undefined : { order: own.place + 1 }
    case "in": {
      const before = entries.find((entry) => entry.place === own.place - 1 && around(entry) === parent)
      return before === undefined ? undefined : inside(before.one.id)
    }
    case "out":
      return parent === null ? undefined : beside(parent, 1)
  }
}
