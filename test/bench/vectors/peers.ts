import { Database } from "bun:sqlite"
import type { Vectors } from "./data.ts"

/** The ids of the k rows nearest to a query, best first. */
export type Search = (query: Float32Array, k: number) => ReadonlyArray<number>

/** The folder whose `node_modules` contain the peers: `VECTOR_PEERS` or this repository. */
const folder = Bun.env["VECTOR_PEERS"] ?? import.meta.dir

const resolve = (name: string) => {
  try {
    return Bun.resolveSync(name, folder)
  } catch {
    return undefined
  }
}

/** sqlite-vec over a table of float32 rows; undefined if it is not installed. */
export const sqliteVec = ({ count, dimensions, row }: Vectors): Search | undefined => {
  const path = resolve(`sqlite-vec-${process.platform}-${process.arch}/vec0.so`)
  if (path === undefined) return undefined
  const database = new Database(":memory:")
  database.loadExtension(path)
  database.run(`CREATE VIRTUAL TABLE vectors USING vec0(vector float[${dimensions}] distance_metric=cosine)`)
  const insert = database.prepare("INSERT INTO vectors (rowid, vector) VALUES (?, ?)")
  database.transaction(() => {
    for (let i = 0; i < count; i++) insert.run(i + 1, row(i))
  })()
  const search = database.prepare<{ rowid: number }, [Float32Array, number]>(
    "SELECT rowid FROM vectors WHERE vector MATCH ? AND k = ? ORDER BY distance"
  )
  return (query, k) => search.all(query, k).map(({ rowid }) => rowid)
}

/** The part of usearch used here. */
interface Usearch {
  readonly exactSearch: (
    rows: Float32Array,
    queries: Float32Array,
    dimensions: number,
    count: number,
    metric: string
  ) => { readonly keys: BigUint64Array }
}

const isUsearch = (value: unknown): value is Usearch =>
  typeof value === "object" && value !== null && typeof Reflect.get(value, "exactSearch") === "function"

/** usearch's exact search over the float32 rows; undefined if it is not installed or fails to load. */
export const usearch = async ({ dimensions, floats }: Vectors): Promise<Search | undefined> => {
  const path = resolve("usearch")
  if (path === undefined) return undefined
  try {
    const loaded: unknown = await import(path)
    const library = isUsearch(loaded) ? loaded : Reflect.get(Object(loaded), "default")
    if (!isUsearch(library)) return undefined
    return (query, k) =>
      [...library.exactSearch(floats, query, dimensions, k, "cos").keys].map((key) => Number(key) + 1)
  } catch (error) {
    console.log(`usearch does not load: ${String(error).split("\n")[0]}`)
    return undefined
  }
}

/** Reads float32 rows from SQLite by id: the cost of rescoring without floats in memory. */
export const floatsInSqlite = ({ count, dimensions, row }: Vectors) => {
  const database = new Database(":memory:")
  database.run("CREATE TABLE vectors (id INTEGER PRIMARY KEY, vector BLOB NOT NULL)")
  const insert = database.prepare("INSERT INTO vectors VALUES (?, ?)")
  database.transaction(() => {
    for (let i = 0; i < count; i++) insert.run(i + 1, row(i))
  })()
  const some = database.prepare<{ id: number; vector: Uint8Array }, [string]>(
    "SELECT vectors.id, vector FROM json_each(?) AS asked JOIN vectors ON vectors.id = asked.value"
  )
  return (ids: ReadonlyArray<number>) =>
    some.all(JSON.stringify(ids)).map(({ id, vector }) => ({
      id,
      vector: new Float32Array(vector.buffer, vector.byteOffset, dimensions)
    }))
}
