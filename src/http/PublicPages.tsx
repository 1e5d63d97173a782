/** @jsxImportSource preact */

import { HttpServerRequest } from "@effect/platform"
import { Effect, Either, Option, ParseResult, Schema } from "effect"
import { PublicList } from "../../web/public/PublicList.tsx"
import { Setting } from "../config/Configuration.ts"
import { PublicLink } from "../domain/Link.ts"
import type { Highlights } from "../domain/LinkQuery.ts"
import { type PublicPage, PublicSearch } from "../search/PublicSearch.ts"
import {
  feedAddress,
  firstPageAddress,
  LIST_DESCRIPTION,
  LIST_TITLE,
  type ListView,
  pageAddress,
  parseView,
  viewTitle
} from "../shared/ListAddress.ts"
import { paramValue } from "../shared/ListParameters.ts"
import { noticesOf } from "../shared/SearchNotices.ts"
import { isHttpUrl } from "../shared/WebAddress.ts"
import { conditionalResponse } from "./EmbeddedFile.ts"
import { encodePublicCursor, publicQuery, searchParams } from "./ListParams.ts"
import { PublicRate } from "./PublicRate.ts"
import { renderAppPage } from "./Shell.tsx"

/** A shared link with the positions of the search words in it. */
interface SharedLink {
  readonly link: PublicLink
  readonly marks: Highlights | undefined
}

const decodeLink = Schema.decodeEither(Schema.parseJson(PublicLink))

/** Names the first invalid field; the whole message would repeat the row's values. */
const invalidField = (error: ParseResult.ParseError): string =>
  ParseResult.ArrayFormatter.formatErrorSync(error)[0]?.path.join(".") ?? ""

/**
 * Decodes the links of a page. Leaves out a row that is not a shared link, and logs why, so that it hides no other link.
 */
const sharedLinks = Effect.fnUntraced(function* ({ highlights, links }: PublicPage) {
  const decoded: Array<SharedLink> = []
  for (const [at, text] of links.entries()) {
    const link = decodeLink(text)
    if (Either.isRight(link)) decoded.push({ link: link.right, marks: highlights?.[at] })
    else yield* Effect.logError("A row of the public list is invalid", { field: invalidField(link.left) })
  }
  return decoded
})

/** The public address of the service without a slash at its end; none if it is unset or its source is unreadable. */
const publicAddress = Effect.map(
  Effect.orElseSucceed(Setting.publicUrl.config, () => Option.none<string>()),
  Option.map((url) => url.replace(/\/+$/, ""))
)

/** Default number of links in a feed. */
const FEED_LIMIT = 50

/** Removes the characters that XML 1.0 does not allow, not even escaped. */
const xml = (text: string) => text.toWellFormed().replace(/[[\p{Cc}\ufffe\uffff]--[\t\n\r]]/gv, "")

/** Returns an address as an IRI, which contains no spaces or quotation marks (RFC 4287, 4.2.6 and 4.2.7). */
const iri = (url: string) => Bun.escapeHTML(URL.parse(url)?.href ?? url)

/** Returns the text of an entry, which includes the tags because few readers show categories. */
const entryText = ({ description, summary, tags }: PublicLink) =>
  [summary || description, tags.map((tag) => `#${tag}`).join(" ")].filter((part) => part !== "").join("\n\n")

const categories = ({ category, tags }: PublicLink) =>
  [...new Set([category, ...tags])].map((term) => `<category term="${Bun.escapeHTML(term)}"/>`).join("")

const entry = (link: PublicLink) => `<entry>
<id>${iri(link.url)}</id>
<title>${Bun.escapeHTML(link.title)}</title>
<link rel="alternate" href="${iri(link.url)}"/>
<published>${link.createdAt}</published>
<updated>${link.createdAt}</updated>
${categories(link)}
<summary>${Bun.escapeHTML(entryText(link))}</summary>
</entry>`

/** Serves the shared links, or the part of them that an address selects, newest first, as an Atom feed (RFC 4287). */
export const makeFeed = Effect.gen(function* () {
  const search = yield* PublicSearch

  const respond = Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const params = yield* searchParams
    const { cursor: _, ...view } = parseView((name) => paramValue(params, name))
    const limit = paramValue(params, "limit") ?? paramValue(params, "n")
    const query = yield* publicQuery({ ...view, limit, sort: "newest" })
    const page = yield* search.page({ ...query, limit: query.limit ?? FEED_LIMIT })
    const shared = (yield* sharedLinks(page)).map(({ link }) => link).filter(({ url }) => isHttpUrl(url))
    const base = Option.getOrElse(yield* publicAddress, () => `http://${headers["host"] ?? "localhost"}`)
    const size =
      limit === undefined ? "" : `${feedAddress(view).includes("?") ? "&" : "?"}limit=${query.limit}`
    const self = Bun.escapeHTML(`${base}${feedAddress(view)}${size}`)
    const text = xml(`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${Bun.escapeHTML(`${base}${pageAddress(view)}`)}</id>
<title xml:lang="en">${Bun.escapeHTML(viewTitle(view))}</title>
<author><name>Linkbower</name></author>
<link rel="alternate" type="text/html" hreflang="en" href="${Bun.escapeHTML(`${base}${pageAddress(view)}`)}"/>
<link rel="self" type="application/atom+xml" href="${self}"/>
<updated>${shared[0]?.createdAt ?? "1970-01-01T00:00:00.000Z"}</updated>
${shared.map(entry).join("\n")}
</feed>
`)
    return yield* conditionalResponse(text, "application/atom+xml; charset=utf-8", page.changedAt)
  }).pipe(Effect.withSpan("Feed"))

  return { respond }
})

/** Number of links on a page. */
const PAGE_SIZE = "50"

interface HeadProps {
  readonly view: ListView
  readonly title: string
  /** The public address of the service, if known. */
  readonly base: string | undefined
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null
  /** Whether the view has no links. */
  readonly isEmpty: boolean
}

/** The metadata for search engines, feed readers and link previews (ogp.me). */
const Head = ({ base, isEmpty, next, title, view }: HeadProps) => {
  const here = base === undefined ? undefined : `${base}${pageAddress(view)}`
  return (
    <>
      <meta name="robots" content={isEmpty ? "noindex" : "index, follow"} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={LIST_TITLE} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={LIST_DESCRIPTION} />
      <meta name="twitter:card" content="summary" />
      <meta name="twitter:title" content={title} />
      <meta name="twitter:description" content={LIST_DESCRIPTION} />
      {here === undefined ? null : (
        <>
          <link rel="canonical" href={here} />
          <meta property="og:url" content={here} />
        </>
      )}
      <link rel="alternate" type="application/atom+xml" title={title} href={feedAddress(view)} />
      {view.cursor === undefined ? null : <link rel="prev" href={firstPageAddress(view)} />}
      {next === null ? null : <link rel="next" href={pageAddress({ ...view, cursor: next })} />}
    </>
  )
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
    const params = yield* searchParams
    const asked = parseView((name) => paramValue(params, name))
    const { cursor: _, ...first } = asked
    const { query, view } = yield* Effect.map(queryOf(asked), (query) => ({ query, view: asked })).pipe(
      Effect.orElse(() => Effect.map(queryOf(first), (query) => ({ query, view: first })))
    )
    const page = yield* search.page(query)
    const shown = yield* sharedLinks(page)
    const meta = yield* search.facets
    const base = Option.getOrUndefined(yield* publicAddress)
    const { changedAt, total } = page
    const ranked = page.highlights !== undefined
    const next = page.next === null ? null : encodePublicCursor(page.next)
    const title = viewTitle(view)
    const notices = noticesOf(view.q ?? "")
    const text = renderAppPage({
      app: "list",
      title,
      description: LIST_DESCRIPTION,
      head: <Head view={view} title={title} base={base} next={next} isEmpty={total === 0} />,
      body: (
        <PublicList
          view={view}
          meta={meta}
          shown={shown}
          total={total}
          ranked={ranked}
          next={next}
          notices={notices}
        />
      ),
      data: {
        meta,
        page: {
          links: shown.map(({ link }) => link),
          total,
          nextCursor: next,
          notices,
          ...(ranked ? { highlights: shown.map(({ marks }) => marks ?? {}) } : {})
        }
      }
    })
    return yield* conditionalResponse(text, "text/html; charset=utf-8", changedAt)
  }).pipe(Effect.withSpan("ListPage"))

  return { respond: rate.reading(respond) }
})
