import { Database, type SQLQueryBindings } from "bun:sqlite"

/** How many postings are read at once, and how many rows are indexed at once: some 50 ms each. */
const POSTINGS = 100_000
const ROWS = 200

/** A place at which a row has a word, as `fts5vocab` lists it; damage can leave out a name. */
interface Posting {
  readonly term: string | null
  readonly doc: number
  readonly col: string | null
  readonly offset: number
}

type Rows = ReadonlyArray<ReadonlyArray<SQLQueryBindings>>

/** A sum over the postings of each row, by rowid. */
type Sums = Map<number, number>

/**
 * Adds up the postings that the table `temp.postings` lists. Every piece is a transaction of its own and ends with a
 * word. Damage can let words sort wrongly, so that a piece leads back to an earlier one: at most about `most` postings
 * are read.
 */
const addPostings = (sums: Sums, database: Database, most: number, afterPiece: () => void): number => {
  const query = database.query<Posting, [string]>(
    "SELECT term, doc, col, offset FROM temp.postings WHERE term > ?"
  )
  let read = 0
  const addPiece = (start: string) => {
    const first = read
    let last: string | null = start
    let hash = 0
    for (const { col, doc, offset, term } of query.iterate(start)) {
      if (term !== last) {
        if (read - first >= POSTINGS) return last ?? undefined
        last = term
        hash = Bun.hash.xxHash32(term ?? "")
      }
      read++
      const place = Math.imul(hash + Bun.hash.xxHash32(col ?? ""), 2 * offset + 1)
      sums.set(doc, ((sums.get(doc) ?? 0) + place) | 0)
    }
    return undefined
  }
  for (let start: string | undefined = ""; start !== undefined && read <= most; afterPiece())
    start = addPiece(start)
  return read
}

/**
 * Compares a full-text index with a fresh index of the same rows in memory, in pieces; `afterPiece` may throw to end
 * the comparison. Unlike FTS5's own, the comparison needs read locks alone. Rows that change meanwhile are skipped.
 * Returns the problem, if any.
 */
export const compareWords = (
  database: Database,
  index: string,
  afterPiece: () => void
): ReadonlyArray<string> => {
  const statement = database.query("SELECT sql FROM sqlite_schema WHERE name = ?").values(index).join()
  const content = /content = '(\w+)'/.exec(statement)?.[1] ?? index
  const columns = database.query("SELECT name FROM pragma_table_info(?)").values(index).join()

  using fresh = new Database(":memory:")
  fresh.run(statement.replace(`content = '${content}'`, "content = ''"))
  fresh.run(`CREATE VIRTUAL TABLE temp.postings USING fts5vocab (main, ${index}, instance)`)
  const fill = fresh.query(
    `INSERT INTO ${index} (rowid, ${columns}) VALUES (?${", ?".repeat(columns.split(",").length)})`
  )
  const addRows = fresh.transaction((rows: Rows) => {
    for (const row of rows) fill.run(...row)
  })
  let expected = 0
  const sumRows = (rows: Rows, sums: Sums) => {
    addRows(rows)
    expected += addPostings(sums, fresh, Number.POSITIVE_INFINITY, () => undefined)
    fresh.run(`INSERT INTO ${index} (${index}) VALUES ('delete-all')`)
    afterPiece()
  }

  const byContent: Sums = new Map()
  const next = database.query<never, [number]>(
    `SELECT id, ${columns} FROM ${content} WHERE id > ? ORDER BY id LIMIT ${ROWS}`
  )
  for (let rows = next.values(0); rows.length > 0; rows = next.values(Number(rows.at(-1)?.[0])))
    sumRows(rows, byContent)

  database.run(`CREATE VIRTUAL TABLE temp.postings USING fts5vocab (main, ${index}, instance)`)
  try {
    const sumIndex = () => {
      const sums: Sums = new Map()
      addPostings(sums, database, 2 * expected + POSTINGS, afterPiece)
      return sums
    }
    const differing = (byIndex: Sums) =>
      [...new Set([...byContent.keys(), ...byIndex.keys()])].filter(
        (row) => byContent.get(row) !== byIndex.get(row)
      )
    const suspects = differing(sumIndex())
    if (suspects.length === 0) return []
    // Rows that have changed since they were read differ too; those are not the ones that differ again, unchanged.
    const again = sumIndex()
    const now: Sums = new Map()
    const one = database.query<never, [number]>(`SELECT id, ${columns} FROM ${content} WHERE id = ?`)
    const damaged = suspects.filter((row) => {
      sumRows(one.values(row), now)
      return now.get(row) === byContent.get(row) && now.get(row) !== again.get(row)
    })
    return damaged.length === 0 ? [] : [`${index} lacks or misplaces words of ${damaged.length} rows`]
  } finally {
    database.run("DROP TABLE temp.postings")
  }
}
