import { type Article, asArticle } from "./article.ts"
import { fieldsOf } from "./settings.ts"

/** Maximum size of all stored articles together, in UTF-16 units; a capture whose article is dropped for it remains. */
export const MAX_STORED = 32 * 1024 * 1024

/** A stored article: its capture's id, when it was stored, in milliseconds since 1970, and its length. */
export interface Stored {
  readonly id: string
  readonly at: number
  readonly length: number
}

/** The oldest articles that must go so that the others fit into `limit`. */
export const surplusOf = (all: ReadonlyArray<Stored>, limit: number = MAX_STORED): ReadonlyArray<Stored> => {
  let left = all.reduce((sum, { length }) => sum + length, 0) - limit
  return all
    .toSorted((a, b) => a.at - b.at)
    .filter(({ length }) => {
      const isSurplus = left > 0
      if (isSurplus) left -= length
      return isSurplus
    })
}

const NAME = "articles"
/** How long an article may lack its capture, which is stored at the same time, in milliseconds. */
const ORPHAN = 60_000

const resultOf = <A>(request: IDBRequest<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

let opened: Promise<IDBDatabase> | undefined

const open = (): Promise<IDBDatabase> => {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1)
    request.onupgradeneeded = () => {
      request.result.createObjectStore(NAME, { keyPath: "id" }).createIndex("order", ["at", "length"])
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  return opened
}

const storeOf = async (mode: IDBTransactionMode) => (await open()).transaction(NAME, mode).objectStore(NAME)

/** All stored articles without their texts, oldest first. */
const listed = (store: IDBObjectStore): Promise<ReadonlyArray<Stored>> =>
  new Promise((resolve, reject) => {
    const all: Array<Stored> = []
    const request = store.index("order").openKeyCursor()
    request.onsuccess = () => {
      const cursor = request.result
      if (cursor === null) return resolve(all)
      const [at, length] = Array.isArray(cursor.key) ? cursor.key.map(Number) : []
      all.push({ id: String(cursor.primaryKey), at: at ?? 0, length: length ?? 0 })
      cursor.continue()
    }
    request.onerror = () => reject(request.error)
  })

/**
 * The articles of waiting captures, in IndexedDB, because `storage.local` holds 10 MB. They are an addition: none of these
 * fails, and a capture is sent without its article if that cannot be stored.
 */
export const articles = {
  /** Stores a capture's article; drops the oldest ones if there is no room. */
  put: async (id: string, article: Article): Promise<void> => {
    try {
      const store = await storeOf("readwrite")
      await resultOf(store.put({ id, at: Date.now(), length: article.html.length, article }))
      for (const { id } of surplusOf(await listed(store))) store.delete(id)
    } catch (problem) {
      console.warn("The page's text was not stored", problem)
    }
  },
  get: async (id: string): Promise<Article | undefined> => {
    try {
      return asArticle(fieldsOf(await resultOf((await storeOf("readonly")).get(id)))["article"])
    } catch {
      return undefined
    }
  },
  remove: async (id: string): Promise<void> => {
    try {
      await resultOf((await storeOf("readwrite")).delete(id))
    } catch {
      // The next `keepOnly` removes it.
    }
  },
  /** Removes the articles of other captures, such as those that were undone. */
  keepOnly: async (ids: ReadonlySet<string>): Promise<void> => {
    try {
      const store = await storeOf("readwrite")
      for (const { at, id } of await listed(store))
        if (!ids.has(id) && at < Date.now() - ORPHAN) store.delete(id)
    } catch {
      // Tried again at the next start.
    }
  }
}
