import { neighbourOf } from "../neighbour.ts"
import { peekLink } from "./entities.ts"
import { belongs, dropLinks, type Listing, listing, update } from "./list.ts"
import { current } from "./selection.ts"

/**
 * Takes links out of the view; the link next to them becomes the current one. The returned function puts them back, if the
 * service rejects what takes them out.
 */
export const takeOut = (ids: ReadonlyArray<number>): (() => void) => {
  const before = listing.peek()
  const was = current.peek()
  if (was !== null && ids.includes(was)) current.value = neighbourOf(before?.ids ?? [], ids)
  dropLinks(ids)
  return () => {
    if (before !== null) putBack(ids, before)
    if (was !== null) current.value = was
  }
}

/** Removes those of the links from the view that no longer match its filters. */
export const dropMismatches = (ids: ReadonlyArray<number>): void => {
  const now = listing.peek()
  if (now === null) return
  dropLinks(
    ids.filter((id) => {
      const link = peekLink(id)
      return link !== undefined && !belongs(now.filters, link)
    })
  )
}

/** Restores links that match to their places in an earlier state of the view, after a rejected change. */
export const putBack = (ids: ReadonlyArray<number>, before: Listing): void => {
  if (listing.peek()?.filters !== before.filters) return
  const missing = new Set(
    ids.filter((id) => {
      const link = peekLink(id)
      return link === undefined || belongs(before.filters, link)
    })
  )
  update((all) => {
    const shown = new Set(all)
    const result = [...all]
    let at = 0
    for (const id of before.ids) {
      if (shown.has(id)) at = result.indexOf(id, at) + 1
      else if (missing.has(id)) result.splice(at++, 0, id)
    }
    return result
  })
}
