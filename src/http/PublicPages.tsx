/** @jsxImportSource preact */

import { HttpServerResponse } from "@effect/platform"
import { Effect, Either, Option, ParseResult, Schema } from "effect"
import { isMissingCollection, PublicList } from "../../web/public/PublicList.tsx"
import { publicAddress } from "../config/Addresses.ts"
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
import { cutText, oneLine } from "../shared/Text.ts"
import { ATOM, atomFeed, FEED_LIMIT } from "./Atom.ts"
import { NotFound } from "./api/Failures.ts"
import { feedBase } from "./BaseAddress.ts"
import { conditionalResponse } from "./EmbeddedFile.ts"
import { publicCursor, publicQuery, searchParams } from "./ListQuery.ts"
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

const withName = (view: ListView, { collection }: PublicPage): ListView =>
  collection === null ? view : { ...view, collection: collection.name }

/** Serves the shared links, or the part of them that an address selects, newest first, as an Atom feed (RFC 4287). */
export const makeFeed = Effect.gen(function* () {
  const search = yield* PublicSearch

  const respond = Effect.gen(function* () {
    const params = yield* searchParams
    const { cursor: _, ...asked } = parseView((name) => paramValue(params, name))
    const limit = paramValue(params, "limit") ?? paramValue(params, "n")
    const query = yield* publicQuery({ ...asked, limit, sort: "newest" })
    const page = yield* search.page({ ...query, limit: query.limit ?? FEED_LIMIT })
    if (isMissingCollection({ ...page, view: asked })) return yield* new NotFound()
    const view = withName(asked, page)
    const shared = (yield* sharedLinks(page)).map(({ link }) => link)
    const base = yield* feedBase
    const size =
      limit === undefined ? "" : `${feedAddress(view).includes("?") ? "&" : "?"}limit=${query.limit}`
    const text = atomFeed({
      id: `${base}${pageAddress(view)}`,
      title: viewTitle(view),
      subtitle: page.collection?.description ?? "",
      page: `${base}${pageAddress(view)}`,
      self: `${base}${feedAddress(view)}${size}`,
      links: shared
    })
    return yield* conditionalResponse(text, ATOM, page.changedAt)
  }).pipe(Effect.withSpan("Feed"))

  return { respond }
})

/** Maximum length of a page's description for link previews, in UTF-16 units. */
const MAX_DESCRIPTION = 300

/** Number of links on a page. */
const PAGE_SIZE = "50"

interface HeadProps {
  readonly view: ListView
  readonly title: string
  readonly description: string
  readonly base: string | undefined
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null
  readonly isEmpty: boolean
}

/** The metadata for search engines, feed readers and link previews (ogp.me). */
const Head = ({ base, description, isEmpty, next, title, view }: HeadProps) => {
  const here = base === undefined ? undefined : `${base}${pageAddress(view)}`
  return (
    <>
      <meta name="robots" content={isEmpty ? "noindex" : "index, follow"} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={LIST_TITLE} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta name="twitter:card" content="summary" />
      <meta name="twitter:title" content={title} />
      <meta name="twitter:description" content={description} />
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

/** Complete without scripts, taken over by the app. Answers every address: an invalid cursor shows the first page. */
export const makeListPage = Effect.gen(function* () {
  const search = yield* PublicSearch
  const rate = yield* PublicRate

  const queryOf = (view: ListView) => publicQuery({ ...view, limit: PAGE_SIZE })

  const respond = Effect.gen(function* () {
    const params = yield* searchParams
    const asked = parseView((name) => paramValue(params, name))
    const { cursor: _, ...first } = asked
    const { query, wanted } = yield* Effect.map(queryOf(asked), (query) => ({ query, wanted: asked })).pipe(
      Effect.orElse(() => Effect.map(queryOf(first), (query) => ({ query, wanted: first })))
    )
    const page = yield* search.page(query)
    const view = withName(wanted, page)
    const shown = yield* sharedLinks(page)
    const meta = yield* search.facets
    const base = Option.getOrUndefined(yield* publicAddress)
    const { changedAt, collection, total } = page
    const ranked = page.highlights !== undefined
    const next = page.next === null ? null : publicCursor.encode(page.next)
    const isMissing = isMissingCollection({ ...page, view })
    const title = isMissing ? LIST_TITLE : viewTitle(view)
    const description = cutText(oneLine(collection?.description ?? ""), MAX_DESCRIPTION) || LIST_DESCRIPTION
    const notices = noticesOf(view.q ?? "", page.also)
    const text = renderAppPage({
      app: "list",
      title,
      description,
      head: (
        <Head
          view={isMissing ? {} : view}
          title={title}
          description={description}
          base={base}
          next={next}
          isEmpty={total === 0}
        />
      ),
      body: (
        <PublicList
          view={view}
          collection={collection}
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
          ...(collection === null ? {} : { collection }),
          ...(ranked ? { highlights: shown.map(({ marks }) => marks ?? {}) } : {})
        }
      }
    })
    return isMissing
      ? HttpServerResponse.html(text).pipe(HttpServerResponse.setStatus(404))
      : yield* conditionalResponse(text, "text/html; charset=utf-8", changedAt)
  }).pipe(Effect.withSpan("ListPage"))

  return { respond: rate.reading(respond) }
})
