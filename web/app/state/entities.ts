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

const settle = (entry: Entry) => {
  let link = entry.server
  for (const patch of entry.patches) link = { ...link, ...patch }
  entry.shown.value = link
}

/** Returns the link with its pending changes; undefined if it is unknown. */
export const linkOf = (id: number): ReadonlySignal<Link> | undefined => entries.get(id)?.shown

/** Returns the link without subscribing to it. */
export const peekLink = (id: number): Link | undefined => entries.get(id)?.shown.peek()

/**
 * Takes over what the service says of these links. A `page` may have been overtaken on its way by what is known already;
 * events and the answers to changes come in their order.
 */
export const takeLinks = (links: ReadonlyArray<Link>, { page = false } = {}): void =>
  batch(() => {
    for (const link of links) {
      const entry = entries.get(link.id)
      if (entry === undefined) entries.set(link.id, { server: link, patches: [], shown: signal(link) })
      else {
        if (page && link.updatedAt < entry.server.updatedAt) continue
        entry.server = link
        settle(entry)
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
      settle(entry)
    }
  })
  return () =>
    batch(() => {
      for (const { entry, patch } of patched) {
        entry.patches = entry.patches.filter((one) => one !== patch)
        settle(entry)
      }
    })
}

const gone = new Set<number>()

/** Whether a link is known to be deleted; numbers are never reused. */
export const isGone = (id: number): boolean => gone.has(id)

/** Forgets deleted links; a response that was in flight does not bring them back. */
export const forgetLinks = (ids: ReadonlyArray<number>): void => {
  for (const id of ids) {
    gone.add(id)
    entries.delete(id)
  }
}
