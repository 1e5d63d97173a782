import type { Highlights } from "../api.ts"
import { linkOf } from "../state/entities.ts"
import { refreshingLinks } from "../state/jobs.ts"
import { density } from "../state/preferences.ts"
import { hrefOf } from "../state/route.ts"
import { current, selected, selectRange, toggle } from "../state/selection.ts"
import { CardBody, type LabelLinks } from "./CardBody.tsx"
import { CardControls } from "./CardControls.tsx"
import { Icon } from "./Icon.tsx"
import { Favicon, Preview } from "./LinkImages.tsx"

const labelLinks: LabelLinks = {
  category: (category) => hrefOf({ q: "", category }),
  tag: (tag) => hrefOf({ q: "", tag }),
  collection: (collection) =>
    hrefOf(
      typeof collection === "string"
        ? { q: `collection:"${collection}"` }
        : { q: "", collection: collection.id }
    )
}

interface Props {
  readonly id: number
  readonly marks: Highlights | undefined
  /** Whether the link was found by meaning and contains none of the words. */
  readonly byMeaning: boolean
}

/** A card of the owner's list: the link and its actions. */
export const Card = ({ byMeaning, id, marks }: Props) => {
  const link = linkOf(id)?.value
  if (link === undefined) return null
  const isSelected = selected.value.has(id)
  const busy = refreshingLinks.value.has(id)
  return (
    <article
      id={`link-${id}`}
      class="card"
      data-density={density.value}
      data-selected={isSelected}
      aria-label={link.title}
      aria-busy={busy || link.enrichment === "pending"}
      tabIndex={current.value === id ? 0 : -1}
      onFocusIn={() => {
        current.value = id
      }}
    >
      <label class="card-select">
        <input
          type="checkbox"
          checked={isSelected}
          onClick={(event) => {
            if (event.shiftKey) selectRange(id)
            else toggle(id)
          }}
        />
        <span class="visually-hidden">Select {link.title}</span>
        <Favicon
          key={link.favicon}
          src={link.favicon && `/dashboard/api/links/${id}/favicon`}
          host={link.host}
        />
      </label>
      <CardBody
        link={link}
        heading="h2"
        marks={marks}
        labelLinks={labelLinks}
        aside={
          <>
            {link.favorite ? (
              <span class="card-state" data-kind="favorite" title="Favorite">
                <Icon name="star" />
                <span class="visually-hidden">Favorite</span>
              </span>
            ) : null}
            {link.shareable ? (
              <span class="card-state" title="On the public list">
                <Icon name="share" />
                <span class="visually-hidden">Shared</span>
              </span>
            ) : null}
            {busy ? (
              <span class="card-state">
                <span class="spinner" /> Reading the page again
              </span>
            ) : null}
            {byMeaning ? <span title="Contains none of the search words">by meaning</span> : null}
          </>
        }
      />
      {link.image === null || density.value === "rows" ? null : (
        <Preview key={link.image} src={`/dashboard/api/links/${id}/image`} />
      )}
      <CardControls link={link} />
    </article>
  )
}
