import { HttpServerResponse } from "@effect/platform"
import { Effect, Schema } from "effect"
import { Link, PublicLink } from "../domain/Link.ts"
import type { LinkQuery } from "../domain/LinkQuery.ts"
import type { SearchLinks } from "../library/SearchLinks.ts"
import { escapeHtml, htmlPage } from "./Html.ts"

/** How many links a plain page shows. */
const SHOWN = 100

const newest: LinkQuery = { terms: [], filters: [], sort: "newest", limit: SHOWN }

const Shown = Schema.Struct({
  ...PublicLink.pick("url", "host", "title", "summary", "description", "category", "createdAt").fields,
  id: Schema.optional(Link.fields.id)
})
const decode = Schema.decode(Schema.Array(Schema.parseJson(Shown)))

/** Addresses were checked when they were saved; this keeps a page safe from a row that was not. */
const href = (url: string) => (/^https?:/i.test(url) ? escapeHtml(url) : "#")

const item = (link: typeof Shown.Type) => `<li>
<a href="${href(link.url)}" rel="noopener noreferrer" dir="auto">${escapeHtml(link.title)}</a>
<small>${link.id === undefined ? "" : `#${link.id} · `}${escapeHtml(link.host)} · ${escapeHtml(link.category)} · <time>${link.createdAt.slice(0, 10)}</time></small>
<p dir="auto">${escapeHtml(link.summary || link.description)}</p>
</li>`

const listOf = (heading: string, empty: string, total: number, links: ReadonlyArray<typeof Shown.Type>) =>
  htmlPage(
    heading,
    `<h1>${escapeHtml(heading)}</h1>
<p>${total === 0 ? escapeHtml(empty) : `${total} link${total === 1 ? "" : "s"}${total > SHOWN ? `, the newest ${SHOWN} of them here` : ""}.`}</p>
<ol>${links.map(item).join("\n")}</ol>`
  )

const page = Effect.fnUntraced(function* (
  list: SearchLinks["Type"],
  audience: "owner" | "public",
  heading: string,
  empty: string
) {
  const { links, total } = yield* list.page(newest, audience)
  return HttpServerResponse.html(listOf(heading, empty, total, yield* Effect.orDie(decode(links))))
})

/** The owner's newest links as plain HTML. */
export const dashboardPage = (list: SearchLinks["Type"]) =>
  page(
    list,
    "owner",
    "Linkbower",
    "Nothing is saved yet. Send your bot a link, or capture one with the extension."
  )

/** The shared links as plain HTML, readable without scripts. */
export const listPage = (list: SearchLinks["Type"]) =>
  page(list, "public", "Shared links", "Nothing is shared yet.")

/** What this is, for whoever comes by. */
export const welcomePage = HttpServerResponse.html(
  htmlPage(
    "Linkbower",
    `<h1>Linkbower</h1>
<p>A link library for one person. Send a link to its Telegram bot, or capture it from the browser: it is kept, read,
summarised, tagged and found again.</p>
<p><a href="/list">Links that are shared with everybody</a> · <a href="/dashboard">The owner’s dashboard</a></p>`
  )
)
