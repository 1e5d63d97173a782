import { batch, type ReadonlySignal, type Signal, signal } from "@preact/signals"
import type { Link } from "../api.ts"

/** The fields of a link that a pending change sets. */
export type Patch = Partial<Omit<Link, "id">>

interface Entry {
  /** The link as last received from the service. */
  server: Link
  /** Pending changes, oldest first; each is shown at once and removed when the service responds. */
  patches: ReadonlyArray<Patch>
  readonly shown: Signal<Link>
}

const entries = new Map<number, Entry>()

const applyPatches = (entry: Entry) => {
  let link = entry.server
  for (const patch of entry.patches) link = { ...link, ...patch }
  entry.shown.value = link
}

/** Returns the link with its pending changes; undefined if it is unknown. */
export const linkOf = (id: number): ReadonlySignal<Link> | undefined => entries.get(id)?.shown

export const peekLink = (id: number): Link | undefined => entries.get(id)?.shown.peek()

/**
 * Stores links as the service sent them. The links of a list, of a response and of an event may each come after newer
 * ones that came another way, and are then ignored (`ifNewer`).
 */
export const storeLinks = (links: ReadonlyArray<Link>, { ifNewer = false } = {}): void =>
  batch(() => {
    for (const sent of links) {
      // The service has no pictures of links in the trash.
      const link = sent.deletedAt === undefined ? sent : { ...sent, image: null, favicon: null }
      const entry = entries.get(link.id)
      if (entry === undefined) entries.set(link.id, { server: link, patches: [], shown: signal(link) })
      else {
        if (ifNewer && link.updatedAt < entry.server.updatedAt) continue
        entry.server = link
        applyPatches(entry)
      }
    }
  })

/** Applies a pending change; the returned function removes it once the service has accepted or rejected it. */
export const patchLinks = (ids: ReadonlyArray<number>, patchOf: (link: Link) => Patch): (() => void) => {
  const patched = ids.flatMap((id) => {
    const entry = entries.get(id)
    return entry === undefined ? [] : [{ entry, patch: patchOf(entry.shown.peek()) }]
  })
  batch(() => {
    for (const { entry, patch } of patched) {
      entry.patches = [...entry.patches, patch]
      applyPatches(entry)
    }
  })
  return () =>
    batch(() => {
      for (const { entry, patch } of patched) {
        entry.patches = entry.patches.filter((one) => one !== patch)
        applyPatches(entry)
      }
    })
}

/** When each deleted link was, on the clock of deletions. */
const deletions = new Map<number, number>()

/**
 * The clock of deletions, to compare them with the moment of a request, whose response shows the library as it was then
 * or later.
 */
export const deletionClock = signal(0)

/** Whether a link was deleted after this moment; it may have come back from the trash since. */
export const isDeletedSince = (id: number, moment: number): boolean => (deletions.get(id) ?? 0) > moment

/** Forgets deleted links; responses to earlier requests do not bring them back, later ones can. */
export const forgetLinks = (ids: ReadonlyArray<number>): void => {
  const now = deletionClock.peek() + 1
  for (const id of ids) {
    deletions.set(id, now)
    entries.delete(id)
  }
  deletionClock.value = now
}
