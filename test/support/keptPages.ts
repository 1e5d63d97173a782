import { Effect } from "effect"
import type { NewPage } from "../../src/domain/KeptPage.ts"
import type { LinkId } from "../../src/domain/Link.ts"
import { PagePictures } from "../../src/library/PagePictures.ts"
import { PageStore } from "../../src/store/pages/PageStore.ts"

/** A page with this article. */
export const pageWith = (html: string, more: Partial<NewPage> = {}): NewPage => ({
  title: "A page",
  author: null,
  siteName: null,
  publishedAt: null,
  language: null,
  source: "site",
  url: "https://example.org/a",
  html,
  ...more
})

/** A paragraph with a text and pictures at these addresses. */
export const withImages = (text: string, addresses: ReadonlyArray<string>) =>
  `<p>${text}${addresses.map((address) => `<img src="${address}" alt="">`).join("")}</p>`

/** Keeps an article as a link's page, and queues its pictures. */
export const keepArticle = Effect.fnUntraced(function* (id: LinkId, html: string) {
  const kept = yield* (yield* PageStore).keep(id, pageWith(html))
  yield* (yield* PagePictures).queue(id, html)
  return kept
})
