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

/** Returns the link without subscribing to it. */
export const peekLink = (id: number): Link | undefined => entries.get(id)?.shown.peek()

/**
 * Stores links as the service sent them. Links of a list's `page` may be older than what is known already, and are then
 * ignored; events and responses to changes arrive in order.
 */
export const storeLinks = (links: ReadonlyArray<Link>, { page = false } = {}): void =>
  batch(() => {
    for (const link of links) {
      const entry = entries.get(link.id)
      if (entry === undefined) entries.set(link.id, { server: link, patches: [], shown: signal(link) })
      else {
        if (page && link.updatedAt < entry.server.updatedAt) continue
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

const deleted = new Set<number>()

/** Whether a link is known to be deleted; numbers are never reused. */
export const isDeleted = (id: number): boolean => deleted.has(id)

/** Forgets deleted links; a response that was in flight does not bring them back. */
export const forgetLinks = (ids: ReadonlyArray<number>): void => {
  for (const id of ids) {
    deleted.add(id)
    entries.delete(id)
  }
}
