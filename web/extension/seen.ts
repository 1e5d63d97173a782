/** Maximum number of remembered addresses; the oldest are dropped first. */
export const MAX_SEEN = 20_000
/** Characters of one hash: 10 base64 characters are 60 bits, and every hash has the same width. */
export const WIDTH = 10
const SEEN = "seen"
const SALT = "salt"

/** The part of `storage.local` that is used. */
export type Storage = {
  readonly get: (key: string) => Promise<Readonly<Record<string, unknown>>>
  readonly set: (items: Readonly<Record<string, unknown>>) => Promise<void>
}

/** Runs `work` under an exclusive lock of this name. */
export type WithLock = <A>(name: string, work: () => Promise<A>) => Promise<A>

/** Tells the identity of the page at an address; it takes the tables of sites, which are loaded for it. */
export type IdentityOf = (address: string) => Promise<string>

/** A hash of a page's identity. */
export type Hash = (identity: string) => Promise<string>

const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))

/**
 * Makes the hash of this browser: its salt never leaves the browser, so that hashes of two browsers do not compare, and
 * no list of hashes that somebody has computed tells the addresses.
 */
export const makeHash = (storage: Storage, withLock: WithLock): Hash => {
  const saltOf = () =>
    withLock("salt", async () => {
      const { [SALT]: kept } = await storage.get(SALT)
      if (typeof kept === "string") return kept
      const salt = base64(crypto.getRandomValues(new Uint8Array(18)))
      await storage.set({ [SALT]: salt })
      return salt
    })
  let salt: Promise<string> | undefined
  return async (identity) => {
    salt ??= saltOf()
    const bytes = new TextEncoder().encode(`${await salt} ${identity}`)
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).slice(0, 9)
    return base64(digest).slice(0, WIDTH)
  }
}

/** The place of a hash in hashes that are written one after another; -1 if it is not there. */
export const placeOf = (hashes: string, hash: string): number => {
  for (let at = hashes.indexOf(hash); at >= 0; at = hashes.indexOf(hash, at + 1))
    if (at % WIDTH === 0) return at / WIDTH
  return -1
}

/**
 * The addresses saved from this browser, as hashes in a ring: they suffice to mark saved pages, cannot be read back,
 * and spare asking the service about every visited page.
 */
export const makeSeen = (
  storage: Storage,
  hashOf: Hash,
  identityOf: IdentityOf,
  withLock: WithLock,
  limit: number = MAX_SEEN
) => {
  const ring = async (): Promise<string> => {
    const { [SEEN]: kept } = await storage.get(SEEN)
    return typeof kept === "string" ? kept : ""
  }
  return {
    has: async (address: string): Promise<boolean> => {
      const kept = await ring()
      return kept !== "" && placeOf(kept, await hashOf(await identityOf(address))) >= 0
    },
    add: (address: string): Promise<void> =>
      withLock("seen", async () => {
        const [hash, kept] = await Promise.all([identityOf(address).then(hashOf), ring()])
        if (placeOf(kept, hash) < 0) await storage.set({ [SEEN]: (kept + hash).slice(-limit * WIDTH) })
      })
  }
}
export type Seen = ReturnType<typeof makeSeen>
