import { identityOf } from "./addresses.ts"

/** Maximum number of remembered addresses; the oldest are dropped first. */
export const MAX_SEEN = 20_000
/** Characters of one hash: 10 base64 characters are 60 bits, and every hash has the same width. */
const WIDTH = 10
const SEEN = "seen"

type Storage = {
  readonly get: (key: string) => Promise<Readonly<Record<string, unknown>>>
  readonly set: (items: Readonly<Record<string, unknown>>) => Promise<void>
}

const hashOf = async (address: string): Promise<string> => {
  const bytes = new TextEncoder().encode(identityOf(address))
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).slice(0, 9)
  return btoa(String.fromCharCode(...digest)).slice(0, WIDTH)
}

const includesHash = (ring: string, hash: string): boolean => {
  for (let at = ring.indexOf(hash); at >= 0; at = ring.indexOf(hash, at + 1))
    if (at % WIDTH === 0) return true
  return false
}

/**
 * The addresses saved from this browser, as hashes in a ring: they suffice to mark saved pages, cannot be read back,
 * and spare asking the service about every visited page.
 */
export const makeSeen = (
  storage: Storage,
  withLock: <A>(name: string, work: () => Promise<A>) => Promise<A>,
  limit: number = MAX_SEEN
) => {
  const ring = async (): Promise<string> => {
    const { [SEEN]: kept } = await storage.get(SEEN)
    return typeof kept === "string" ? kept : ""
  }
  return {
    has: async (address: string): Promise<boolean> => includesHash(await ring(), await hashOf(address)),
    add: (address: string): Promise<void> =>
      withLock("seen", async () => {
        const [hash, kept] = await Promise.all([hashOf(address), ring()])
        if (!includesHash(kept, hash)) await storage.set({ [SEEN]: (kept + hash).slice(-limit * WIDTH) })
      })
  }
}
export type Seen = ReturnType<typeof makeSeen>
