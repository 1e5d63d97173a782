import { Database, type SQLQueryBindings } from "bun:sqlite"
import { firstCharacters } from "../../shared/Text.ts"

/** How many postings are read at once, and how many rows are indexed at once: some 50 ms each. */
const POSTINGS = 100_000
const ROWS = 200
/** How many postings a search for a prefix takes the time of. */
const SEARCH = 20

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

const add = (sums: Sums, row: number, value: number) => sums.set(row, ((sums.get(row) ?? 0) + value) | 0)

/** Tells a place in a column from others: what a posting adds to the sum of its row. */
const valueOf = (hash: number, column: number, place: number) => Math.imul(hash + column, 2 * place + 1)

/** A beginning of words whose list of rows and columns an index keeps beside its words (its option `prefix`). */
type Prefix = readonly [prefix: string, hash: number]

/** The stemmer shortens such a prefix, so that no search reads its list. */
const isStemmed = (prefix: string) => prefix.length > 2 && /[a-z0-9][deysDEYS]$/.test(prefix)

interface Index {
  readonly name: string
  readonly columns: ReadonlyArray<string>
  readonly prefixLengths: ReadonlyArray<number>
}

/** The returned function is called once for each column of a row that has words with a prefix. */
const makePrefixFinder = (
  { columns, prefixLengths }: Index,
  found: (prefix: Prefix, row: number, column: number) => void
) => {
  const current = prefixLengths.map((length) => ({
    length,
    prefix: ["", 0] as Prefix,
    seen: new Set<number>()
  }))
  const goTo = (term: string) => {
    for (const one of current) {
      if (one.prefix[0] !== "" && term.startsWith(one.prefix[0])) continue
      const prefix = firstCharacters(term, one.length)
      const isKept = prefix.length >= one.length && !isStemmed(prefix)
      one.prefix = [isKept ? prefix : "", Bun.hash.xxHash32(`${prefix}*`)]
      one.seen.clear()
    }
  }
  const see = (row: number, column: number) => {
    for (const { prefix, seen } of current) {
      const place = row * columns.length + column
      if (prefix[0] === "" || seen.has(place)) continue
      seen.add(place)
      found(prefix, row, column)
    }
  }
  return { goTo, see }
}

/** Each piece is a transaction that ends with a word; at most about `most` are read, as damage can sort words wrongly. */
const addPostings = (
  sums: Sums,
  database: Database,
  index: Index,
  foundPrefix: (prefix: Prefix, row: number, column: number) => void,
  most = Number.POSITIVE_INFINITY,
  afterPiece = () => {}
): number => {
  const prefixes = makePrefixFinder(index, foundPrefix)
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
        prefixes.goTo(term ?? "")
      }
      read++
      const column = index.columns.indexOf(col ?? "")
      add(sums, doc, valueOf(hash, column, offset))
      if (column >= 0) prefixes.see(doc, column)
    }
    return undefined
  }
  for (let start: string | undefined = ""; start !== undefined && read <= most; afterPiece())
    start = addPiece(start)
  return read
}

/** The prefixes of an index's words, each with its hash and the columns in which it stands. */
type Prefixes = Map<string, { readonly hash: number; readonly columns: Set<number> }>

/** Adds up the rows and columns that an index lists under prefixes. */
const addPrefixes = (
  sums: Sums,
  database: Database,
  { columns, name }: Index,
  prefixes: Prefixes,
  afterPiece: () => void
) => {
  const query = database.query<{ readonly rowid: number }, [string]>(
    `SELECT rowid FROM ${name} WHERE ${name} MATCH ?`
  )
  let read = 0
  for (const [prefix, { columns: held, hash }] of prefixes)
    for (const column of held) {
      const search = `${columns[column]} : "${prefix.replaceAll('"', '""')}" *`
      for (const { rowid } of query.iterate(search)) {
        add(sums, rowid, valueOf(hash, column, 0))
        read++
      }
      read += SEARCH
      if (read < POSTINGS) continue
      read = 0
      afterPiece()
    }
}

/**
 * Compares a full-text index with a fresh index of the same rows in memory, in pieces; `afterPiece` may throw to end
 * the comparison. Unlike FTS5's own, the comparison needs read locks alone; it leaves out the places of words in the
 * lists of prefixes. Rows that change meanwhile are skipped. Returns the problem, if any.
 */
export const compareWords = (
  database: Database,
  name: string,
  afterPiece: () => void
): ReadonlyArray<string> => {
  const statement = database.query("SELECT sql FROM sqlite_schema WHERE name = ?").values(name).join()
  const content = /content = '(\w+)'/.exec(statement)?.[1] ?? name
  const fields = database.query("SELECT name FROM pragma_table_info(?)").values(name).flat().map(String)
  const columns = fields.join()
  const index: Index = {
    name,
    columns: fields,
    prefixLengths: (/prefix = '([\d ]+)'/.exec(statement)?.[1]?.split(" ") ?? []).map(Number)
  }

  using fresh = new Database(":memory:")
  fresh.run(statement.replace(`content = '${content}'`, "content = ''"))
  fresh.run(`CREATE VIRTUAL TABLE temp.postings USING fts5vocab (main, ${name}, instance)`)
  const fill = fresh.query(`INSERT INTO ${name} (rowid, ${columns}) VALUES (?${", ?".repeat(fields.length)})`)
  const addRows = fresh.transaction((rows: Rows) => {
    for (const row of rows) fill.run(...row)
  })
  let expected = 0
  const sumRows = (rows: Rows, sums: Sums) => {
    addRows(rows)
    expected += addPostings(sums, fresh, index, ([, hash], row, column) =>
      add(sums, row, valueOf(hash, column, 0))
    )
    fresh.run(`INSERT INTO ${name} (${name}) VALUES ('delete-all')`)
    afterPiece()
  }

  const byContent: Sums = new Map()
  const next = database.query<never, [number]>(
    `SELECT id, ${columns} FROM ${content} WHERE id > ? ORDER BY id LIMIT ${ROWS}`
  )
  for (let rows = next.values(0); rows.length > 0; rows = next.values(Number(rows.at(-1)?.[0])))
    sumRows(rows, byContent)

  database.run(`CREATE VIRTUAL TABLE temp.postings USING fts5vocab (main, ${name}, instance)`)
  try {
    const sumIndex = () => {
      const sums: Sums = new Map()
      const prefixes: Prefixes = new Map()
      const addPrefix = ([prefix, hash]: Prefix, _row: number, column: number) => {
        const known = prefixes.get(prefix)
        if (known === undefined) prefixes.set(prefix, { hash, columns: new Set([column]) })
        else known.columns.add(column)
      }
      addPostings(sums, database, index, addPrefix, 2 * expected + POSTINGS, afterPiece)
      addPrefixes(sums, database, index, prefixes, afterPiece)
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
    return damaged.length === 0 ? [] : [`${name} lacks or misplaces words of ${damaged.length} rows`]
  } finally {
    database.run("DROP TABLE temp.postings")
  }
}
