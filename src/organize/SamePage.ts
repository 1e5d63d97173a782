import { UnionFind } from "./UnionFind.ts"

/** A link and the keys of its page, its own address's key first. */
export interface LinkKeys {
  readonly id: number
  readonly keys: ReadonlyArray<string>
}

/**
 * Maximum number of addresses that a site can call one page or redirect to one; beyond it, that page is a front page, a
 * login or similar that stands in for all of them.
 */
const MOST_ALIASES = 8

/** Groups the links that share a key, directly or through other links; omits single links. */
export const groupByPageKey = (links: ReadonlyArray<LinkKeys>): ReadonlyArray<ReadonlyArray<number>> => {
  const aliases = new Map<string, Set<string>>()
  for (const { keys } of links)
    for (const key of keys.slice(1)) {
      const owners = aliases.get(key)
      if (owners === undefined) aliases.set(key, new Set(keys.slice(0, 1)))
      else owners.add(keys[0] ?? "")
    }
  const joined = new UnionFind(links.length)
  const holders = new Map<string, number>()
  for (const [index, { keys }] of links.entries())
    for (const [at, key] of keys.entries()) {
      if (at > 0 && (aliases.get(key)?.size ?? 0) > MOST_ALIASES) continue
      const holder = holders.get(key)
      if (holder === undefined) holders.set(key, index)
      else {
        const [a, b] = [joined.groupOf(holder), joined.groupOf(index)]
        if (a !== b) joined.join(a, b)
      }
    }
  const groups = new Map<number, Array<number>>()
  for (const [index, { id }] of links.entries()) {
    const group = joined.groupOf(index)
    if (joined.sizeOf(group) === 1) continue
    const members = groups.get(group)
    if (members === undefined) groups.set(group, [id])
    else members.push(id)
  }
  return [...groups.values()]
}
