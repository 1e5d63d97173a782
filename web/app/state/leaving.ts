import { neighbourOf } from "../neighbour.ts"
import { dropLinks, listing } from "./list.ts"
import { putBack } from "./listChanges.ts"
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
