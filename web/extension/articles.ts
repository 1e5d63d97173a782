import { type Article, asArticle } from "./article.ts"
import { openDatabase, resultOf } from "./database.ts"
import { fieldsOf } from "./settings.ts"
import type { Snapshot } from "./snapshot.ts"

/**
 * Maximum size of all stored articles together, and of all snapshots, in UTF-16 units; a capture whose article or snapshot
 * is dropped for it remains.
 */
export const MAX_STORED = 32 * 1024 * 1024

/** A stored copy of a page: its capture's id, when it was stored, in milliseconds since 1970, and its length. */
export interface Stored {
  readonly id: string
  readonly at: number
  readonly length: number
}

/** The oldest copies that must go so that the others fit into `limit`. */
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

/** How long a copy may lack its capture, which is stored at the same time, in milliseconds. */
const ORPHAN = 60_000

/** All stored copies without their texts, oldest first. */
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
 * Copies of pages that wait with their captures, in an IndexedDB of this name, because `storage.local` holds 10 MB. They
 * are an addition: none of these fails, and a capture is sent without its copy if that cannot be stored.
 */
const copiesIn = <Copy extends { readonly html: string }>(
  name: string,
  asCopy: (value: unknown) => Copy | undefined
) => {
  let opened: Promise<IDBDatabase> | undefined
  const storeOf = async (mode: IDBTransactionMode) => {
    opened ??= openDatabase(name, "id", (store) => store.createIndex("order", ["at", "length"]))
    return (await opened).transaction(name, mode).objectStore(name)
  }
  return {
    /** Stores a capture's copy; drops the oldest ones if there is no room. */
    put: async (id: string, copy: Copy): Promise<void> => {
      try {
        const store = await storeOf("readwrite")
        await resultOf(store.put({ id, at: Date.now(), length: copy.html.length, article: copy }))
        for (const { id } of surplusOf(await listed(store))) store.delete(id)
      } catch (problem) {
        console.warn("The copy of the page was not stored", problem)
      }
    },
    get: async (id: string): Promise<Copy | undefined> => {
      try {
        return asCopy(fieldsOf(await resultOf((await storeOf("readonly")).get(id)))["article"])
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
    /** Removes the copies of other captures, such as those that were undone. */
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
}

/** The articles of waiting captures. */
export const articles = copiesIn<Article>("articles", asArticle)

/** The snapshots of waiting captures. */
export const snapshots = copiesIn<Snapshot>("snapshots", (value) => {
  const { html } = fieldsOf(value)
  return typeof html === "string" ? { html } : undefined
})
