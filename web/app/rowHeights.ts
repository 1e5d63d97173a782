/** The rows of a list, as far as their places depend on them. */
export interface Rows {
  readonly count: number
  /** Returns what identifies a row while others come and go. */
  readonly keyOf: (index: number) => string | number
  /** Returns a row's likely height in pixels, until it is measured. */
  readonly estimate: (index: number) => number
}

/**
 * The heights and places of a list's rows, in pixels from its top: measured where a row has been shown, else estimated.
 * Places are computed only as far as they are asked for.
 */
export const makeRowHeights = () => {
  const measured = new Map<string | number, number>()
  let rows: Rows = { count: 0, keyOf: (index) => index, estimate: () => 0 }
  /** The top of each row, and the end of the last one; those up to `known` are right. */
  let tops = new Float64Array(1)
  let known = 0
  /** The height of all rows; undefined if it must be summed up. */
  let total: number | undefined = 0
  const heightOf = (index: number) => measured.get(rows.keyOf(index)) ?? rows.estimate(index)
  const knowUpTo = (index: number) => {
    for (; known < index; known++) tops[known + 1] = (tops[known] ?? 0) + heightOf(known)
  }
  const topOf = (index: number): number => {
    const at = Math.min(index, rows.count)
    knowUpTo(at)
    return tops[at] ?? 0
  }
  return {
    /** Takes other rows over. */
    setRows: (next: Rows): void => {
      rows = next
      if (tops.length <= rows.count) tops = new Float64Array(2 * rows.count + 1)
      known = 0
      total = undefined
    },
    /** Notes a row's height; returns by how much it differs from the known one. */
    measure: (index: number, height: number): number => {
      if (index >= rows.count) return 0
      const difference = height - heightOf(index)
      measured.set(rows.keyOf(index), height)
      if (difference !== 0) {
        known = Math.min(known, index)
        if (total !== undefined) total += difference
      }
      return difference
    },
    forget: (): void => {
      measured.clear()
      known = 0
      total = undefined
    },
    /** The top of a row; for the number of rows, the end of the last one. */
    topOf,
    total: (): number => {
      if (total === undefined) {
        total = 0
        for (let index = 0; index < rows.count; index++) total += heightOf(index)
      }
      return total
    },
    /** The row at a place, or the nearest one. */
    rowAt: (offset: number): number => {
      const last = Math.max(0, rows.count - 1)
      while (known < last && (tops[known] ?? 0) <= offset) knowUpTo(known + 1)
      let low = 0
      let high = Math.min(known, last)
      while (low < high) {
        const middle = Math.ceil((low + high) / 2)
        if ((tops[middle] ?? 0) <= offset) low = middle
        else high = middle - 1
      }
      return low
    }
  }
}
