import { batch, type ReadonlySignal, type Signal, signal } from "@preact/signals"
import type { Link } from "../api.ts"

/** What a change of the owner's is about to make of a link. */
export type Patch = Partial<Omit<Link, "id">>

interface Entry {
  /** The link as the service last told it. */
  server: Link
  /** Changes under way, oldest first; each shows at once and goes when it is answered. */
  patches: ReadonlyArray<Patch>
  readonly shown: Signal<Link>
}

const entries = new Map<number, Entry>()

const settle = (entry: Entry) => {
  let link = entry.server
  for (const patch of entry.patches) link = { ...link, ...patch }
  entry.shown.value = link
}

/** The link as it is to be shown, changes under way included; undefined where it is not known. */
export const linkOf = (id: number): ReadonlySignal<Link> | undefined => entries.get(id)?.shown

/** The link now, without following it. */
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

/** Shows a change that is under way; the returned function ends that, be it made or refused. */
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

/** Whether a link is known to be no more; numbers are not given twice. */
export const isGone = (id: number): boolean => gone.has(id)

/** Forgets links that are no more: a page that was on its way when they went does not bring them back. */
export const forgetLinks = (ids: ReadonlyArray<number>): void => {
  for (const id of ids) {
    gone.add(id)
    entries.delete(id)
  }
}
