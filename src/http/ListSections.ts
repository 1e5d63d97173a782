import type { Highlights } from "../domain/Highlights.ts"
import type { PublicLink } from "../domain/Link.ts"
import { escapeHtml } from "./Html.ts"
import { listItem } from "./ListItem.ts"

/** A link with where the searched words stand in it. */
export interface Shown {
  readonly link: PublicLink
  readonly highlights: Highlights | undefined
}

/** The name a section can be pointed at by: the same on every page, and no two collections share one. */
const anchorOf = (collection: string | null): string =>
  collection === null ? "unfiled" : `collection-${encodeURIComponent(collection.toWellFormed())}`

const section = (anchor: string, heading: string, shown: ReadonlyArray<Shown>) =>
  `<section class="public-group" id="${escapeHtml(anchor)}">
<h2 dir="auto">${escapeHtml(heading)}</h2>
<ol>
${shown.map(({ highlights, link }) => listItem(link, highlights)).join("\n")}
</ol>
</section>`

/** Links in the order by collection as a section for each, those in none last. */
export const byCollection = (shown: ReadonlyArray<Shown>): string =>
  [...Map.groupBy(shown, ({ link }) => link.collection)]
    .map(([collection, group]) => section(anchorOf(collection), collection ?? "More links", group))
    .join("\n")

/** Links in the order of a search: what fits best comes first, wherever it is filed. */
export const results = (shown: ReadonlyArray<Shown>): string => section("found", "Found", shown)
