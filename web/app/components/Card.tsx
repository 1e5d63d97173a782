import { useRef, useState } from "preact/hooks"
import type { Highlights } from "../api.ts"
import { externalLink } from "../externalLink.ts"
import { linkOf, peekLink } from "../state/entities.ts"
import { refreshingLinks } from "../state/jobs.ts"
import { lazyParts } from "../state/lazy.ts"
import type { Layout } from "../state/preferences.ts"
import { currentFilters, type Filters, hrefOf, labelLink, shownLink } from "../state/route.ts"
import { current, selected, selectRange, toggle } from "../state/selection.ts"
import { CardBody, type LabelLinks, progressOf } from "./CardBody.tsx"
import { Icon } from "./Icon.tsx"
import { Cover, LinkIcon, Preview } from "./LinkImages.tsx"
import { MenuButton } from "./MenuButton.tsx"
import { hovers } from "./Toasts.tsx"

/** Returns links that narrow a view to a label or, with Alt, show all links with it. */
const makeLabelLinks = (filters: Filters): LabelLinks => {
  const link = (label: Partial<Filters>) => labelLink(filters, label)
  return {
    category: (category) => link({ category }),
    tag: (tag) => link({ tag }),
    collection: (collection) =>
      typeof collection === "string"
        ? { href: hrefOf({ q: `collection:"${collection}"` }) }
        : link({ collection: collection.id })
  }
}

let labelLinks = { filters: currentFilters(), links: makeLabelLinks(currentFilters()) }

/** The label links of a view, made once for all cards. */
const labelLinksIn = (filters: Filters): LabelLinks => {
  if (labelLinks.filters !== filters) labelLinks = { filters, links: makeLabelLinks(filters) }
  return labelLinks.links
}

interface Props {
  readonly id: number
  readonly layout: Layout
  readonly heading: "h2" | "h3"
  readonly marks: Highlights | undefined
  /** Whether the link was found by meaning and contains none of the words. */
  readonly byMeaning: boolean
  /** Whether another link of the list has the same title and host. */
  readonly hasTwin: boolean
}

export const Card = ({ byMeaning, hasTwin, heading, id, layout, marks }: Props) => {
  // A link that is shown while its page is being read keeps its height when the result arrives.
  const waited = useRef(peekLink(id)?.enrichment === "pending")
  const [isActive, setActive] = useState(false)
  const parts = lazyParts.value
  const link = linkOf(id)?.value
  if (link === undefined) return null
  const isSelected = selected.value.has(id)
  const busy = refreshingLinks.value.has(id)
  const progress = progressOf(link)
  return (
    <article
      id={`link-${id}`}
      class="card"
      data-density={layout}
      data-selected={isSelected}
      data-waited={waited.current ? "" : undefined}
      data-shown={shownLink.value === id || undefined}
      aria-label={link.title}
      aria-busy={busy || link.enrichment === "pending"}
      tabIndex={current.value === id ? 0 : -1}
      onFocusIn={() => {
        setActive(true)
        current.value = id
      }}
      onPointerMove={isActive ? undefined : () => setActive(true)}
    >
      {layout === "grid" ? (
        <a class="card-cover" tabIndex={-1} aria-hidden="true" {...externalLink(link.url)}>
          <Cover key={link.image} src={link.image && `/dashboard/api/links/${id}/image`} host={link.host} />
        </a>
      ) : null}
      <label class="card-select">
        <input
          type="checkbox"
          aria-label={`Select ${link.title}`}
          checked={isSelected}
          onClick={(event) => {
            if (event.shiftKey) selectRange(id)
            else toggle(id)
          }}
        />
        <LinkIcon link={link} />
      </label>
      <CardBody
        link={link}
        heading={heading}
        layout={layout}
        hasTwin={hasTwin}
        marks={marks}
        labelLinks={labelLinksIn(currentFilters())}
        aside={
          <>
            {link.state === "unread" ? (
              <span class="card-unread" role="img" aria-label="Unread" title="Unread" />
            ) : null}
            {link.favorite ? (
              <span class="card-state" data-kind="favorite" title="Favorite">
                <Icon name="star" />
                <span class="visually-hidden">Favorite</span>
              </span>
            ) : null}
            {link.shareable || link.inShared ? (
              <span
                class="card-state"
                title={link.shareable ? "On the public list" : "On the public list with its collection"}
              >
                <Icon name="share" />
                <span class="visually-hidden">Shared</span>
              </span>
            ) : null}
            {busy ? (
              <span class="card-state">
                <span class="spinner" /> Reading the page again
              </span>
            ) : progress === undefined ? null : (
              <span
                class="card-state"
                data-kind={progress.failed ? "failed" : "waiting"}
                title={progress.text}
              >
                {progress.failed ? <Icon name="attention" /> : <span class="spinner" />}
                <span class="visually-hidden">{progress.text}</span>
              </span>
            )}
            {byMeaning ? <span title="Contains none of the search words">by meaning</span> : null}
          </>
        }
      />
      {link.image === null || layout !== "cards" ? null : (
        <Preview key={link.image} host={link.host} src={`/dashboard/api/links/${id}/image`} />
      )}
      {isActive || !hovers.matches ? (
        <div class="card-controls">
          {isActive && parts !== null ? <parts.CardTools id={id} /> : null}
          <MenuButton link={link} />
        </div>
      ) : null}
    </article>
  )
}
