import { type Link, LinkId } from "../../src/domain/Link.ts"
import { notLookedAt } from "../../src/domain/LinkCheck.ts"
import { stripMarkup } from "../../src/telegram/Content.ts"

/** A link with default fields. */
export const aLink: Link = {
  id: LinkId.make(12),
  url: "https://example.org/",
  host: "example.org",
  title: "A page",
  note: "",
  summary: "",
  description: "",
  tags: [],
  category: "reading",
  collection: null,
  favorite: false,
  shareable: false,
  inShared: false,
  image: null,
  favicon: null,
  siteName: null,
  author: null,
  publishedAt: null,
  language: null,
  repository: null,
  enrichment: "complete",
  state: "read",
  type: "page",
  facts: {},
  model: null,
  stages: [],
  filedBecause: null,
  kept: false,
  highlights: 0,
  check: notLookedAt,
  createdAt: "2026-03-03T12:00:00.000Z",
  updatedAt: "2026-03-03T12:00:00.000Z"
}

/** The text of a message as the platform parses it; undefined for invalid or unsupported markup. */
export const readMessage = (html: string): string | undefined => {
  const open: Array<string> = []
  for (const [, close, name, rest] of html.matchAll(/<(\/?)([a-z]+)([^>]*)>/g)) {
    if (!/^(b|i|code|a|blockquote)$/.test(name ?? "")) return undefined
    if (close === "") open.push(name ?? "")
    else if (open.pop() !== name) return undefined
    if (name === "a" && close === "" && !/^ href="https?:\/\/[^"<>]*"$/.test(rest ?? "")) return undefined
  }
  const plain = html.replace(/<\/?(b|i|code|a|blockquote)( [^>]*)?>/g, "")
  if (open.length > 0 || /[<>]/.test(plain) || /&(?!amp;|lt;|gt;|quot;)/.test(plain)) return undefined
  return stripMarkup(html)
}

/** The number of marked parts in a message; the platform allows 100. */
export const entitiesIn = (html: string): number => html.match(/<(?!\/)/g)?.length ?? 0
