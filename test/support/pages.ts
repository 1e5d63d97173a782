import type { NewPage } from "../../src/domain/KeptPage.ts"

/** A page to keep that says this in one paragraph. */
export const pageToKeep = (text: string, more: Partial<NewPage> = {}): NewPage => ({
  title: "A page",
  author: "Ada",
  siteName: "Example",
  publishedAt: "2026-01-02",
  language: "en",
  source: "site",
  url: "https://example.org/a",
  html: `<p>${text}</p>`,
  ...more
})
