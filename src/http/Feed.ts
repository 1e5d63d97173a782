import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Option, Schema } from "effect"
import { Setting } from "../domain/Configuration.ts"
import { PublicLink } from "../domain/Link.ts"
import type { SearchLinks } from "../library/SearchLinks.ts"
import { escapeHtml } from "./Html.ts"
import { listQuery } from "./ListParams.ts"

/** How many links a feed holds where its reader names no number. */
const DEFAULT_LIMIT = 50

const decode = Schema.decode(Schema.Array(Schema.parseJson(PublicLink)))

const entry = (link: PublicLink) => `<entry>
<id>${escapeHtml(link.url)}</id>
<title>${escapeHtml(link.title)}</title>
<link rel="alternate" href="${escapeHtml(link.url)}"/>
<published>${link.createdAt}</published>
<updated>${link.createdAt}</updated>
<category term="${escapeHtml(link.category)}"/>${link.tags.map((tag) => `<category term="${escapeHtml(tag)}"/>`).join("")}
<summary>${escapeHtml(link.summary || link.description)}</summary>
</entry>`

/** XML 1.0 knows no such characters, not even escaped. */
const xml = (text: string) => text.toWellFormed().replace(/[[\p{Cc}\ufffe\uffff]--[\t\n\r]]/gv, "")

/** The shared links, the newest first, as an Atom feed (RFC 4287). */
export const feed = Effect.fn("Feed.feed")(function* (list: SearchLinks["Type"]) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const params = yield* HttpServerRequest.ParsedSearchParams
  const query = yield* listQuery(params)
  const { links } = yield* list.page(
    { ...query, sort: "newest", limit: query.limit ?? DEFAULT_LIMIT, cursor: undefined },
    "public"
  )
  const shared = yield* Effect.orDie(decode(links))
  const base = Option.getOrElse(
    yield* Effect.orDie(Setting.publicUrl.config),
    () => `http://${headers["host"] ?? "localhost"}`
  )
  const address = escapeHtml(`${base.replace(/\/+$/, "")}/list`)
  const text = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${address}</id>
<title>Shared links</title>
<author><name>Linkbower</name></author>
<link rel="alternate" href="${address}"/>
<link rel="self" href="${address}/feed.xml"/>
<updated>${shared[0]?.createdAt ?? "1970-01-01T00:00:00.000Z"}</updated>
${shared.map(entry).join("\n")}
</feed>
`
  return HttpServerResponse.text(xml(text), { contentType: "application/atom+xml; charset=utf-8" })
})
