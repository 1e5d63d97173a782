import { MAX_LIMIT } from "../../../src/shared/ListParameters.ts"
import { api, type Link } from "../api.ts"
import { peekLink, storeLinks } from "../state/entities.ts"
import { listing } from "../state/list.ts"

/** The most pages of unread links that are looked through for one with a kept page. */
const MAX_PAGES = 5

/** Whether a link can be read next. */
const isNext = (link: Pick<Link, "deletedAt" | "id" | "kept" | "state"> | undefined, id: number): boolean =>
  link !== undefined && link.id !== id && link.kept && link.state === "unread" && link.deletedAt === undefined

/** Of the links of a list, the first after this one that can be read next, or else the first of all. */
export const nextIn = <A extends Pick<Link, "deletedAt" | "id" | "kept" | "state">>(
  links: ReadonlyArray<A>,
  id: number
): A | undefined => {
  const at = links.findIndex((link) => link.id === id)
  return [...links.slice(at + 1), ...links.slice(0, Math.max(at, 0))].find((link) => isNext(link, id))
}

/**
 * Returns the unread link with a kept page to read after this one: the next of the list that the reader was opened from,
 * or else the newest of the library. Undefined if there is none.
 */
export const nextUnread = async (id: number, signal?: AbortSignal): Promise<Link | undefined> => {
  const listed = nextIn(
    (listing.peek()?.ids ?? []).flatMap((one) => peekLink(one) ?? []),
    id
  )
  if (listed !== undefined) return listed
  const params = new URLSearchParams({ q: "is:unread", limit: String(MAX_LIMIT) })
  for (let page = 0; page < MAX_PAGES; page++) {
    const { links, nextCursor } = await api.links(params, signal)
    const found = links.find((link) => isNext(link, id))
    if (found !== undefined) {
      storeLinks([found], { ifNewer: true })
      return found
    }
    if (nextCursor === null) return undefined
    params.set("cursor", nextCursor)
  }
  return undefined
}
