/** What a place in the tree of collections depends on. */
interface Node {
  readonly id: number
  readonly name: string
  readonly parent: number | null
  /** The owner's order among the collections with the same parent. */
  readonly order: number
}

/** A collection in the tree. */
export interface TreeEntry<A> {
  readonly one: A
  /** 0 at the top. */
  readonly depth: number
  /** The position among the collections with the same parent. */
  readonly place: number
  readonly isFirst: boolean
  readonly isLast: boolean
}

const { compare } = new Intl.Collator()

/** Counts the links of each collection and of all collections inside it, by number. */
export const totalsIn = (
  entries: ReadonlyArray<TreeEntry<Node & { readonly count: number }>>
): ReadonlyMap<number, number> => {
  const totals = new Map(entries.map(({ one }) => [one.id, one.count]))
  // Each collection comes after the one around it.
  for (const { one } of entries.toReversed())
    if (one.parent !== null) totals.set(one.parent, (totals.get(one.parent) ?? 0) + (totals.get(one.id) ?? 0))
  return totals
}

/**
 * Lists collections as a tree: each one is followed by those inside, in the owner's order and then by name. A collection
 * whose parent is unknown is at the top.
 */
export const inTreeOrder = <A extends Node>(all: ReadonlyArray<A>): ReadonlyArray<TreeEntry<A>> => {
  const known = new Set(all.map(({ id }) => id))
  const inside = Map.groupBy(all, ({ parent }) => (parent !== null && known.has(parent) ? parent : null))
  const entries: Array<TreeEntry<A>> = []
  const seen = new Set<number>()
  const add = (parent: number | null, depth: number) => {
    const siblings = (inside.get(parent) ?? []).toSorted(
      (a, b) => a.order - b.order || compare(a.name, b.name)
    )
    for (const [place, one] of siblings.entries()) {
      if (seen.has(one.id)) continue
      seen.add(one.id)
      entries.push({
        one,
        depth,
        place,
        isFirst: place === 0,
        isLast: place === siblings.length - 1
      })
      add(one.id, depth + 1)
    }
  }
  add(null, 0)
  return entries
}

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
