import { Context, Effect, Layer } from "effect"
import { Setting } from "../config/Configuration.ts"
import { isCleanArticle } from "../domain/Article.ts"
import type { Enrichment } from "../domain/Enrichment.ts"
import type { KeepMode, KeptPage, PageDamaged, PageNotKept, PageVersion } from "../domain/KeptPage.ts"
import type { Link, LinkId } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { PageStore } from "../store/pages/PageStore.ts"
import { afterCommit } from "../store/Transaction.ts"
import { Measure } from "../telemetry/Metrics.ts"
import { Events } from "./Events.ts"
import { PagePictures } from "./PagePictures.ts"

/** Keeps copies of the pages of links, to be read when the pages are gone. `KEEP_PAGES` says what is kept. */
export class KeepPages extends Context.Tag("KeepPages")<
  KeepPages,
  {
    /** What `KEEP_PAGES` says; `article` if it cannot be read. */
    readonly mode: Effect.Effect<KeepMode>
    /** Returns what may be stored of an enrichment: with `KEEP_PAGES=off` the page's text is missing from it. */
    readonly storable: (found: Enrichment) => Effect.Effect<Enrichment>
    /**
     * Keeps the article of a page in the caller's transaction, after `LinkStore.finish`, and returns the link as it is
     * then. The copy follows the link's text: where that stayed, because the page could not be read or was clearly cut
     * short, the copy stays too. An article that is not clean is not kept, and is counted.
     */
    readonly write: (link: Link, found: Enrichment) => Effect.Effect<Link, StoreUnavailable>
    /** Reads a kept page, or an earlier version of it. */
    readonly read: (id: LinkId, version?: number) => Effect.Effect<KeptPage, PageDamaged | PageNotKept>
    /** Returns the versions that are kept, newest first; empty if no page is kept. */
    readonly versions: (id: LinkId) => Effect.Effect<ReadonlyArray<PageVersion>>
    /**
     * Deletes the kept page of a link with its earlier versions, for good; returns whether there was one. The link's text
     * stays, and so does what the owner wrote about the page.
     */
    readonly forget: (id: LinkId) => Effect.Effect<boolean, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const pages = yield* PageStore
      const pictures = yield* PagePictures
      const links = yield* LinkStore
      const events = yield* Events
      const mode = Effect.orElseSucceed(Setting.keepPages.config, (): KeepMode => "article")

      const keep = Effect.fnUntraced(function* (id: LinkId, { fromBrowser, page }: Enrichment) {
        if (page.article === "" || (yield* mode) !== "article") return false
        if (!isCleanArticle(page.article)) {
          yield* Measure.pagesKept.count("unclean")
          yield* Effect.logWarning(`the article of #${id} is not clean, and is not kept`)
          return false
        }
        // The text that is stored is not this page's: an earlier one said more.
        if (!(yield* links.hasText(id, page.text))) return false
        const kept = yield* pages.keep(id, {
          title: page.title,
          author: page.author,
          siteName: page.siteName,
          publishedAt: page.publishedAt,
          language: page.language,
          source: fromBrowser === undefined ? "site" : "browser",
          url: page.url,
          html: page.article
        })
        yield* pictures.queue(id, page.article, kept)
        yield* afterCommit(Measure.pagesKept.count(kept))
        return true
      })

      return {
        mode,
        storable: (found) =>
          Effect.map(mode, (now) =>
            now === "off" ? { ...found, page: { ...found.page, text: "" } } : found
          ),
        write: Effect.fn("KeepPages.write")(function* (link, found) {
          return (yield* keep(link.id, found)) && !link.kept ? { ...link, kept: true } : link
        }),
        read: pages.read,
        versions: pages.versions,
        forget: Effect.fn("KeepPages.forget")(function* (id) {
          if (!(yield* pages.isKept(id))) return false
          yield* pages.forget([id])
          yield* events.links("changed", yield* links.getAll([id]))
          return true
        })
      }
    })
  )
}
