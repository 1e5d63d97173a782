import { openDatabase, resultOf } from "./database.ts"
import type { Library } from "./library.ts"
import { type Hash, placeOf, type WithLock } from "./seen.ts"

/** A block of saved pages: their links' numbers, and the hashes of their keys one after another. */
export interface Block {
  readonly after: number
  readonly next: number | null
  readonly etag: string
  readonly ids: ReadonlyArray<number>
  readonly hashes: string
}

/** Where the blocks are kept. */
export interface Blocks {
  readonly all: () => Promise<ReadonlyArray<Block>>
  readonly put: (block: Block) => Promise<unknown>
  readonly remove: (after: number) => Promise<unknown>
}

const NAME = "saved"

/** The blocks in an IndexedDB: `storage.local` is read as a whole for the outbox. */
export const storedBlocks = (): Blocks => {
  let opened: Promise<IDBDatabase> | undefined
  const storeOf = async (mode: IDBTransactionMode) => {
    opened ??= openDatabase(NAME, "after")
    return (await opened).transaction(NAME, mode).objectStore(NAME)
  }
  return {
    all: async () => resultOf<Array<Block>>((await storeOf("readonly")).getAll()),
    put: async (block) => resultOf((await storeOf("readwrite")).put(block)),
    remove: async (after) => resultOf((await storeOf("readwrite")).delete(after))
  }
}

/** How old the list may be before an address that is not in it is looked up in a new one, in milliseconds. */
const FRESH = 60_000
/** Hashes that are computed at the same time. */
const AT_ONCE = 500

/**
 * The list of all saved pages in this browser, as salted hashes. It comes from the service in blocks, of which only those
 * that have changed are sent again; whether an address is in it is found out here, so no visited site is sent anywhere.
 */
export const makeSaved = (hashOf: Hash, blocks: Blocks, withLock: WithLock, now: () => number = Date.now) => {
  let kept: Promise<ReadonlyArray<Block>> | undefined
  let at = 0
  const all = () => {
    kept ??= blocks.all().catch(() => [])
    return kept
  }

  const hashesOf = async (keys: ReadonlyArray<string>): Promise<string> => {
    let hashes = ""
    for (let from = 0; from < keys.length; from += AT_ONCE)
      hashes += (await Promise.all(keys.slice(from, from + AT_ONCE).map(hashOf))).join("")
    return hashes
  }

  /** Brings the list up to date; one that breaks off keeps what it has. Returns whether it is complete. */
  const update = (library: Library): Promise<boolean> =>
    withLock(NAME, async () => {
      kept = undefined
      const before = new Map((await all()).map((block) => [block.after, block]))
      const there = new Set<number>()
      for (let after: number | null = 0; after !== null && !there.has(after); ) {
        const known = before.get(after)
        const answer = await library.keys(after, known?.etag)
        if (answer === undefined || (answer === "same" && known === undefined)) return false
        there.add(after)
        if (answer !== "same") {
          const { etag, ids, keys, next } = answer
          await blocks.put({ after, next, etag, ids, hashes: await hashesOf(keys) })
          kept = undefined
        }
        after = (answer === "same" ? known?.next : answer.next) ?? null
      }
      for (const after of before.keys()) if (!there.has(after)) await blocks.remove(after)
      kept = undefined
      at = now()
      return true
    })

  const look = async (hash: string): Promise<number | undefined> => {
    for (const { hashes, ids } of await all()) {
      const place = placeOf(hashes, hash)
      if (place >= 0) return ids[place]
    }
    return undefined
  }

  return {
    update,
    /** The number of the link with this page; undefined if it is not in the list. */
    find: async (identity: string): Promise<number | undefined> => look(await hashOf(identity)),
    /** The same for somebody who waits: an address that is not in an old list is looked up in a new one. */
    findFresh: async (identity: string, library: Library): Promise<number | undefined> => {
      const hash = await hashOf(identity)
      const found = await look(hash)
      if (found !== undefined || at > now() - FRESH || !(await update(library))) return found
      return look(hash)
    },
    forget: (): Promise<void> =>
      withLock(NAME, async () => {
        for (const { after } of await blocks.all()) await blocks.remove(after)
        kept = undefined
        at = 0
      })
  }
}
export type Saved = ReturnType<typeof makeSaved>
