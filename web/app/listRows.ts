/** A line of a list: a heading, or the links from one index to before another. */
export type ListRow =
  | { readonly kind: "heading"; readonly text: string; readonly first: number }
  | { readonly kind: "links"; readonly from: number; readonly to: number }

interface Lines {
  readonly rows: ReadonlyArray<ListRow>
  /** The index of the row that shows each link. */
  readonly rowOf: (index: number) => number
}

/** What the lines of a list are made of. */
interface Shape {
  /** Links per line. */
  readonly columns: number
  /** The heading above a link; a new one starts wherever it changes. Undefined for a list without headings. */
  readonly headingOf: ((id: number) => string) | undefined
}

/** Whether a list is an earlier one with links added at its end. */
const continues = (before: ReadonlyArray<number>, ids: ReadonlyArray<number>) =>
  before.length <= ids.length && before.every((id, at) => id === ids[at])

/** The last row that starts at or before an index. */
const findRow = (rows: ReadonlyArray<ListRow>, index: number): number => {
  let low = 0
  let high = rows.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const row = rows[middle]
    const start = row === undefined ? 0 : row.kind === "heading" ? row.first : row.from
    if (start <= index) low = middle
    else high = middle - 1
  }
  return low
}

/**
 * Returns a function that arranges links in lines. A list that grows at its end, as scrolling makes it, is continued:
 * only the added links are looked at.
 */
export const makeListRows = ({ columns, headingOf }: Shape): ((ids: ReadonlyArray<number>) => Lines) => {
  let known: ReadonlyArray<number> = []
  let rows: Array<ListRow> = []
  let heading: string | undefined
  const add = (id: number, index: number) => {
    const text = headingOf?.(id)
    const isNew = text !== heading || index === 0
    if (isNew && text !== undefined) rows.push({ kind: "heading", text, first: index })
    heading = text
    const last = rows.at(-1)
    if (!isNew && last?.kind === "links" && last.to - last.from < columns)
      rows[rows.length - 1] = { ...last, to: index + 1 }
    else rows.push({ kind: "links", from: index, to: index + 1 })
  }
  return (ids) => {
    if (ids !== known) {
      const grew = continues(known, ids)
      rows = grew ? [...rows] : []
      for (let index = grew ? known.length : 0; index < ids.length; index++) add(ids[index] ?? 0, index)
      known = ids
    }
    const shown = rows
    return { rows: shown, rowOf: (index) => findRow(shown, index) }
  }
}

/** Returns a function that finds the links of a list whose key another one shares, looking only at added ones. */
export const makeTwins = (
  keyOf: (id: number) => string | undefined
): ((ids: ReadonlyArray<number>) => ReadonlySet<number>) => {
  let known: ReadonlyArray<number> = []
  let firsts = new Map<string, number>()
  let twins = new Set<number>()
  return (ids) => {
    if (ids === known) return twins
    const grew = continues(known, ids)
    if (!grew) {
      firsts = new Map()
      twins = new Set()
    }
    for (const id of ids.slice(grew ? known.length : 0)) {
      const key = keyOf(id)
      if (key === undefined) continue
      const first = firsts.get(key)
      if (first === undefined) firsts.set(key, id)
      else twins.add(first).add(id)
    }
    known = ids
    return twins
  }
}
