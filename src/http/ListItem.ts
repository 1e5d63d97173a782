import type { Highlights } from "../domain/Highlights.ts"
import type { PublicLink } from "../domain/Link.ts"
import { escapeHtml } from "./Html.ts"
import { collectionAddress, pageAddress, pictureAddress } from "./ListAddress.ts"
import { marked } from "./Marked.ts"

/** An address a browser may follow: they were checked when they were saved, and this keeps a page safe from a row that was not. */
export const isWeb = (url: string): boolean => /^https?:\/\//i.test(url)

const favicon = ({ favicon, host }: PublicLink) =>
  favicon === null
    ? `<span class="favicon" aria-hidden="true">${escapeHtml(host.replace(/^www\./, "").charAt(0))}</span>`
    : `<img class="favicon" src="${escapeHtml(pictureAddress("favicon", favicon))}" alt="" width="20" height="20" loading="lazy" decoding="async">`

const preview = ({ image }: PublicLink) =>
  image === null
    ? ""
    : `\n<div class="preview" data-state="there"><img src="${escapeHtml(pictureAddress("image", image))}" alt="" loading="lazy" decoding="async"></div>`

const title = ({ title, url }: PublicLink, ranges: Highlights["title"]) =>
  isWeb(url)
    ? `<a href="${escapeHtml(url)}" target="_blank" rel="noopener noreferrer">${marked(title, ranges)}</a>`
    : marked(title, ranges)

const text = ({ description, summary }: PublicLink, ranges: Highlights) => {
  if (summary !== "") return `\n<p class="card-summary" dir="auto">${marked(summary, ranges.summary)}</p>`
  return description === ""
    ? ""
    : `\n<p class="card-summary" dir="auto" data-voice="page">${marked(description, ranges.description)}</p>`
}

/** The day a link was saved, in UTC: `21 Nov 2026`. */
const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" })

const time = (createdAt: string) =>
  `<time datetime="${escapeHtml(createdAt)}">${day.format(new Date(createdAt))}</time>`

const label = (attributes: string, href: string, html: string) =>
  `<li><a ${attributes} href="${escapeHtml(href)}" dir="auto">${html}</a></li>`

const labels = ({ category, collection, tags }: PublicLink, ranges: Highlights) =>
  [
    label('class="badge" data-kind="category"', pageAddress({ category }), escapeHtml(category)),
    ...(collection === null
      ? []
      : [label('class="badge"', collectionAddress(collection), escapeHtml(collection))]),
    ...tags.map((tag, place) => {
      const found = ranges.tags?.filter(([at]) => at === place).map(([, start, end]) => [start, end] as const)
      return label('class="card-tag"', pageAddress({ tag }), `#${marked(tag, found)}`)
    })
  ].join("\n")

/** One shared link, element by element what the app's card is, so that nothing moves when the app takes over. */
export const listItem = (link: PublicLink, highlights: Highlights = {}): string => `<li>
<article class="card" data-density="cards" data-public>
<span class="card-select">${favicon(link)}</span>
<div class="card-body">
<h3 class="card-title" dir="auto">${title(link, highlights.title)}</h3>
<p class="card-source"><span>${escapeHtml(link.host)}</span> ${time(link.createdAt)}</p>${text(link, highlights)}
<ul class="card-labels">
${labels(link, highlights)}
</ul>
</div>${preview(link)}
</article>
</li>`
