/** @jsxImportSource preact */

import { Effect, Option } from "effect"
import { PublicList } from "../../web/public/PublicList.tsx"
import { PublicSearch } from "../search/PublicSearch.ts"
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
import { encodePublicCursor } from "./Cursor.ts"
import { conditionalResponse } from "./EmbeddedFile.ts"
import { publicQuery, searchParams } from "./ListParams.ts"
import { PublicRate } from "./PublicRate.ts"
import { publicAddress, sharedLinks } from "./SharedLinks.ts"
import { renderAppPage } from "./Shell.tsx"

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
    const text = renderAppPage({
      app: "list",
      title,
      description: LIST_DESCRIPTION,
      head: <Head view={view} title={title} base={base} next={next} isEmpty={total === 0} />,
      body: <PublicList view={view} meta={meta} shown={shown} total={total} ranked={ranked} next={next} />,
      data: {
        meta,
        page: {
          links: shown.map(({ link }) => link),
          total,
          nextCursor: next,
          notices: noticesOf(view.q ?? ""),
          ...(ranked ? { highlights: shown.map(({ marks }) => marks ?? {}) } : {})
        }
      }
    })
    return yield* conditionalResponse(text, "text/html; charset=utf-8", changedAt)
  }).pipe(Effect.withSpan("ListPage"))

  return { respond: rate.reading(respond) }
})
