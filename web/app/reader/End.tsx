import { signal } from "@preact/signals"
import { useEffect, useState } from "preact/hooks"
import type { Link } from "../api.ts"
import { Button } from "../components/Button.tsx"
import { Icon } from "../components/Icon.tsx"
import { setFavorite } from "../state/changes.ts"
import { setState } from "../state/linkChanges.ts"
import { navigate, readerHref } from "../state/route.ts"
import { tell, tellFailure } from "../state/toasts.ts"
import { nextUnread } from "./nextUnread.ts"
import type { PartProps } from "./parts.ts"
import { isAtEnd } from "./progress.ts"

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
    <section class="reader-end" aria-label="End of the page">
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
          <span dir="auto">{next.title}</span>
          <Icon name="chevron" />
        </a>
      )}
    </section>
  )
}
