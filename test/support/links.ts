import type { Enrichment } from "../../src/domain/Enrichment.ts"
import { blankPage } from "../../src/domain/Link.ts"
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

/** What every source found out, with some of the page's statements of the caller's choosing. */
export const found = (
  page: Partial<Enrichment["page"]> = {},
  more: Partial<Enrichment> = {}
): Enrichment => ({
  page: { ...blankPage("https://example.org/"), title: "A page", ...page },
  repository: null,
  summary: { summary: "", tags: [], category: null },
  fellBack: [],
  mayPass: false,
  failures: [],
  waitsFor: [],
  ...more
})
