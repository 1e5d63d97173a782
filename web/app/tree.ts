/** What a place in the tree of collections depends on. */
export interface Node {
  readonly id: number
  readonly name: string
  readonly parent: number | null
  /** The owner's order among the collections with the same parent. */
  readonly order: number
}

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
