import type { Enrichment } from "../../src/domain/Enrichment.ts"
import type { Page } from "../../src/domain/Link.ts"
import type { NewLink } from "../../src/store/links/LinkStore.ts"

/** A link as it arrives, at `address` on example.org. */
export const newLink = (path: string, more: Partial<NewLink> = {}): NewLink => ({
  url: `https://example.org/${path}`,
  normalizedUrl: `https://example.org/${path}`,
  host: "example.org",
  note: "",
  tags: [],
  ...more
})

/** A page that states nothing. */
export const blankPage: Page = {
  url: "https://example.org/",
  title: null,
  description: "",
  canonicalUrl: null,
  image: null,
  favicon: null,
  siteName: null,
  author: null,
  publishedAt: null,
  language: null,
  type: null,
  facts: {},
  text: "",
  article: ""
}

/** What every source found out, with some of the page's statements of the caller's choosing. */
export const found = (
  page: Partial<Enrichment["page"]> = {},
  more: Partial<Enrichment> = {}
): Enrichment => ({
  page: { ...blankPage, title: "A page", ...page },
  repository: null,
  summary: { summary: "", tags: [], category: null },
  fellBack: [],
  mayPass: false,
  failures: [],
  waitsFor: [],
  ...more
})
