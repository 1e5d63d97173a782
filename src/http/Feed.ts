import { HttpServerRequest } from "@effect/platform"
import { Effect, Option } from "effect"
import type { PublicLink } from "../domain/Link.ts"
import { PublicSearch } from "../search/PublicSearch.ts"
import { feedAddress, pageAddress, parseView, viewTitle } from "../shared/ListAddress.ts"
import { paramValue } from "../shared/ListParameters.ts"
import { isHttpUrl } from "../shared/WebAddress.ts"
import { conditionalResponse } from "./EmbeddedFile.ts"
import { publicQuery, searchParams } from "./ListParams.ts"
import { publicAddress, sharedLinks } from "./SharedLinks.ts"

/** Default number of links in a feed. */
const DEFAULT_LIMIT = 50

/** Removes the characters that XML 1.0 does not allow, not even escaped. */
const xml = (text: string) => text.toWellFormed().replace(/[[\p{Cc}\ufffe\uffff]--[\t\n\r]]/gv, "")

/** Returns an address as an IRI, which holds no spaces or quotation marks (RFC 4287, 4.2.6 and 4.2.7). */
const iri = (url: string) => Bun.escapeHTML(URL.parse(url)?.href ?? url)

/** Returns the text of an entry, which includes the tags because few readers show categories. */
const textOf = ({ description, summary, tags }: PublicLink) =>
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
<summary>${Bun.escapeHTML(textOf(link))}</summary>
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
    const page = yield* search.page({ ...query, limit: query.limit ?? DEFAULT_LIMIT })
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
