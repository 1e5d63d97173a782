import { isHttpUrl } from "../shared/WebAddress.ts"
import { xmlText } from "../shared/Xml.ts"

export const ATOM = "application/atom+xml; charset=utf-8"

export const FEED_LIMIT = 50

export interface FeedLink {
  readonly url: string
  readonly title: string
  readonly summary: string
  readonly description: string
  readonly tags: ReadonlyArray<string>
  readonly category: string
  /** When it was saved, as an ISO 8601 time in UTC. */
  readonly createdAt: string
  /** The text of its page, as HTML. */
  readonly content?: string | undefined
}

/** A feed with its own addresses; `page` is the page that shows the same links. */
export interface Feed {
  /** Never changes, whatever else does. */
  readonly id: string
  readonly title: string
  readonly subtitle: string
  readonly page: string
  readonly self: string
  /** Newest first. */
  readonly links: ReadonlyArray<FeedLink>
}

/** Returns an address as an IRI, which contains no spaces or quotation marks (RFC 4287, 4.2.6 and 4.2.7). */
export const iri = (url: string) => Bun.escapeHTML(URL.parse(url)?.href ?? url)

/** Makes an id of a name, which never changes and tells nothing of it (RFC 9562, 5.8). */
export const feedId = (name: string): string => {
  const hash = new Bun.CryptoHasher("sha256").update(name).digest("hex")
  const variant = "89ab".charAt(Number.parseInt(hash.charAt(16), 16) % 4)
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`]
  return `urn:uuid:${[...parts, `${variant}${hash.slice(17, 20)}`, hash.slice(20, 32)].join("-")}`
}

/** Returns the text of an entry, which includes the tags because few readers show categories. */
const entryText = ({ description, summary, tags }: FeedLink) =>
  [summary || description, tags.map((tag) => `#${tag}`).join(" ")].filter((part) => part !== "").join("\n\n")

const categories = ({ category, tags }: FeedLink) =>
  [...new Set([category, ...tags])].map((term) => `<category term="${Bun.escapeHTML(term)}"/>`).join("")

const content = ({ content, url }: FeedLink) =>
  content === undefined
    ? ""
    : `\n<content type="html" xml:base="${iri(url)}">${Bun.escapeHTML(content)}</content>`

/** A link is the same entry in every feed: its id is its address, and its time the one when it was saved. */
const entry = (link: FeedLink) => `<entry>
<id>${iri(link.url)}</id>
<title>${Bun.escapeHTML(link.title)}</title>
<link rel="alternate" href="${iri(link.url)}"/>
<published>${link.createdAt}</published>
<updated>${link.createdAt}</updated>
${categories(link)}
<summary>${Bun.escapeHTML(entryText(link))}</summary>${content(link)}
</entry>`

/** Writes links as an Atom feed (RFC 4287); leaves out those that are not on the web. */
export const atomFeed = ({ id, links, page, self, subtitle, title }: Feed): string => {
  const shown = links.filter(({ url }) => isHttpUrl(url))
  const about = subtitle === "" ? "" : `<subtitle>${Bun.escapeHTML(subtitle)}</subtitle>\n`
  return xmlText(`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${Bun.escapeHTML(id)}</id>
<title xml:lang="en">${Bun.escapeHTML(title)}</title>
${about}<author><name>Linkbower</name></author>
<link rel="alternate" type="text/html" hreflang="en" href="${Bun.escapeHTML(page)}"/>
<link rel="self" type="application/atom+xml" href="${Bun.escapeHTML(self)}"/>
<updated>${shown[0]?.createdAt ?? "1970-01-01T00:00:00.000Z"}</updated>
${shown.map(entry).join("\n")}
</feed>
`)
}
