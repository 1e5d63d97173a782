import { signal } from "@preact/signals"
import { useEffect, useState } from "preact/hooks"
import { MAX_LIMIT } from "../../../src/shared/ListParameters.ts"
import { api, type Link } from "../api.ts"
import { Button } from "../components/Button.tsx"
import { Icon } from "../components/Icon.tsx"
import { setFavorite } from "../state/changes.ts"
import { peekLink, storeLinks } from "../state/entities.ts"
import { setState } from "../state/linkChanges.ts"
import { listing } from "../state/list.ts"
import { navigate, readerHref } from "../state/route.ts"
import { tell, tellFailure } from "../state/toasts.ts"
import type { PartProps } from "./parts.ts"
import { isAtEnd } from "./progress.ts"

/** The most pages of unread links that are looked through for one with a kept page. */
const MAX_PAGES = 5

/** Whether a link can be read next. */
const isNext = (link: Pick<Link, "deletedAt" | "id" | "kept" | "state"> | undefined, id: number): boolean =>
  link !== undefined && link.id !== id && link.kept && link.state === "unread" && link.deletedAt === undefined

/** Of the links of a list, the first after this one that can be read next, or else the first of all. */
const nextIn = <A extends Pick<Link, "deletedAt" | "id" | "kept" | "state">>(
  links: ReadonlyArray<A>,
  id: number
): A | undefined => {
  const at = links.findIndex((link) => link.id === id)
  return [...links.slice(at + 1), ...links.slice(0, Math.max(at, 0))].find((link) => isNext(link, id))
}

/**
 * Returns the unread link with a kept page to read after this one: the next of the list that the reader was opened from,
 * or else the newest of the library. Returns undefined if no such link is left.
 */
const nextUnread = async (id: number, signal?: AbortSignal): Promise<Link | undefined> => {
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

/** Opens the next unread link in place of this one, so that Back leaves the reader. */
const open = ({ id }: Link) => navigate(readerHref(id), { replace: true })

/** Whether the next link is being looked for. */
const isLooking = signal(false)

/** Opens the unread link after this one. */
export const openNext = async (id: number): Promise<void> => {
  if (isLooking.peek()) return
  isLooking.value = true
  try {
    const next = await nextUnread(id)
    if (next === undefined) tell("There is no other unread link with a kept page.")
    else open(next)
  } catch (error) {
    tellFailure("The next link could not be found.", error)
  } finally {
    isLooking.value = false
  }
}

/** What can be done at the end of an article: file its link, and go on with the next unread one. */
export const End = ({ frame, link }: PartProps) => {
  const isShown =
    frame !== null && frame.version === undefined && isAtEnd.value && link.deletedAt === undefined
  const [next, setNext] = useState<Link | undefined>(undefined)
  useEffect(() => {
    if (!isShown) return undefined
    const request = new AbortController()
    nextUnread(link.id, request.signal).then(
      (found) => !request.signal.aborted && setNext(found),
      // Without the service there is no next link to offer.
      () => undefined
    )
    return () => request.abort()
  }, [isShown, link.id])
  if (!isShown) return null
  const isArchived = link.state === "archived"
  return (
    <section class="reader-end row floating" aria-label="End of the page">
      <Button
        class="icon-button"
        title={link.favorite ? "Remove from favorites (f)" : "Favorite (f)"}
        aria-pressed={link.favorite}
        needsService
        onClick={() => void setFavorite([link.id], !link.favorite)}
      >
        <Icon name="star" filled={link.favorite} />
        <span class="visually-hidden">Favorite</span>
      </Button>
      {link.state === "unread" ? (
        <Button
          icon="check"
          title="Mark as read (u)"
          needsService
          onClick={() => void setState([link.id], "read")}
        >
          Read
        </Button>
      ) : null}
      <Button
        icon="archive"
        title={isArchived ? "Take out of the archive (y)" : "Archive (y)"}
        needsService
        onClick={() => void setState([link.id], isArchived ? "read" : "archived")}
      >
        {isArchived ? "Unarchive" : "Archive"}
      </Button>
      {next === undefined ? null : (
        <a
          class="button reader-next"
          data-kind="primary"
          href={readerHref(next.id)}
          title={`Next unread (n): ${next.title}`}
          onClick={(event) => {
            event.preventDefault()
            open(next)
          }}
        >
          <span class="one-line" dir="auto">
            {next.title}
          </span>
          <Icon name="chevron" />
        </a>
      )}
    </section>
  )
}
