/** What deciding about one pair by its whole codes costs, in sixteenths of its product in a tile. */
const DECIDING = 76

/**
 * How many sixteenths of the dimensions to multiply before asking whether a pair can still reach the threshold: found by
 * trying, for it depends on how alike the rows are. Any level gives the same pairs.
 */
export const makeLevel = (start: number) => {
  const costs = new Map<number, number>()
  let level = Math.min(16, Math.max(1, start))
  return {
    get: () => level,
    /** Tells what share of the pairs had to be decided by their whole codes. */
    learn: (share: number) => {
      costs.set(level, level + share * DECIDING)
      const next = share > 0.01 ? level + 1 : level - 1
      if (next >= 1 && next <= 16 && !costs.has(next)) level = next
      else for (const [other, cost] of costs) if (cost < (costs.get(level) ?? 0)) level = other
    }
  }
}
