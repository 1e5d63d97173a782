import { Effect, Option, Schema } from "effect"
import { Setting } from "../config/Configuration.ts"
import { PublicLink } from "../domain/Link.ts"
import { isPublicSearch, PublicSearch } from "../search/PublicSearch.ts"
import { encodePublicCursor } from "./Cursor.ts"
import { conditionalResponse } from "./EmbeddedFile.ts"
import {
  feedAddress,
  LIST_DESCRIPTION,
  LIST_TITLE,
  type ListView,
  pageAddress,
  parseView,
  viewTitle
} from "./ListAddress.ts"
import { listBody } from "./ListBody.ts"
import { publicQuery, searchParams } from "./ListParams.ts"
import { PublicRate } from "./PublicRate.ts"
import { renderAppPage } from "./Shell.ts"

/** Number of links on a page. */
const PAGE_SIZE = "50"

const decode = Schema.decode(Schema.Array(Schema.parseJson(PublicLink)))

const metaTag = (kind: "name" | "property", name: string, content: string) =>
  `<meta ${kind}="${name}" content="${Bun.escapeHTML(content)}">`

interface Head {
  readonly view: ListView
  readonly title: string
  /** The public address of the service, if known. */
  readonly base: string | undefined
  readonly next: string | undefined
  /** Whether the view has no links. */
  readonly empty: boolean
}

/** Renders the metadata for search engines, feed readers and link previews (ogp.me). */
const headOf = ({ base, empty, next, title, view }: Head) => {
  const { cursor, ...first } = view
  const link = (rel: string, href: string, more = "") =>
    `<link rel="${rel}"${more} href="${Bun.escapeHTML(href)}">`
  const here = base === undefined ? undefined : `${base}${pageAddress(view)}`
  return `${[
    metaTag("name", "robots", empty ? "noindex" : "index, follow"),
    metaTag("property", "og:type", "website"),
    metaTag("property", "og:site_name", LIST_TITLE),
    metaTag("property", "og:title", title),
    metaTag("property", "og:description", LIST_DESCRIPTION),
    metaTag("name", "twitter:card", "summary"),
    metaTag("name", "twitter:title", title),
    metaTag("name", "twitter:description", LIST_DESCRIPTION),
    ...(here === undefined ? [] : [link("canonical", here), metaTag("property", "og:url", here)]),
    link("alternate", feedAddress(view), ` type="application/atom+xml" title="${Bun.escapeHTML(title)}"`),
    ...(cursor === undefined ? [] : [link("prev", pageAddress(first))]),
    ...(next === undefined ? [] : [link("next", pageAddress({ ...first, cursor: next }))])
  ].join("\n")}\n`
}

/**
 * Serves the public list as a page that is complete without scripts and that the app takes over with the same content.
 * Answers every address: an invalid cursor shows the first page.
 */
export const makeListPage = Effect.gen(function* () {
  const search = yield* PublicSearch
  const rate = yield* PublicRate

  const queryOf = (view: ListView) => publicQuery({ ...view, limit: PAGE_SIZE })

  const respond = Effect.gen(function* () {
    const asked = parseView(yield* searchParams)
    const { cursor: _, ...first } = asked
    const { query, view } = yield* Effect.map(queryOf(asked), (query) => ({ query, view: asked })).pipe(
      Effect.orElse(() => Effect.map(queryOf(first), (query) => ({ query, view: first })))
    )
    const { changedAt, highlights, links, next, total } = yield* search.page(query)
    const decoded = yield* Effect.orDie(decode(links))
    const meta = yield* search.facets
    const base = Option.map(yield* Effect.orDie(Setting.publicUrl.config), (url) => url.replace(/\/+$/, ""))
    const nextCursor = next === null ? null : encodePublicCursor(next)
    const title = viewTitle(view)
    const text = renderAppPage({
      app: "list",
      title,
      description: LIST_DESCRIPTION,
      head: headOf({
        view,
        title,
        base: Option.getOrUndefined(base),
        next: nextCursor ?? undefined,
        empty: total === 0
      }),
      body: listBody({
        view,
        meta,
        total,
        ranked: isPublicSearch(query) && query.sort === "relevance",
        shown: decoded.map((link, at) => ({ link, highlights: highlights?.[at] })),
        next: nextCursor ?? undefined
      }),
      data: {
        meta,
        page: { links: decoded, total, nextCursor, ...(highlights === undefined ? {} : { highlights }) }
      }
    })
    return yield* conditionalResponse(text, "text/html; charset=utf-8", changedAt)
  }).pipe(Effect.withSpan("ListPage"))

  return { respond: rate.reading(respond) }
})
