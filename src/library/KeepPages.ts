import { DateTime, Duration, Effect, Option } from "effect"
import { Setting } from "../config/Configuration.ts"
import { isCleanArticle } from "../domain/Article.ts"
import type { Enrichment } from "../domain/Enrichment.ts"
import type { Incoming } from "../domain/Incoming.ts"
import { articleOfText, type ExportedPage, type KeepMode } from "../domain/KeptPage.ts"
import type { Link, LinkId } from "../domain/Link.ts"
import type { ReportedPosition } from "../domain/ReadingPosition.ts"
import { awaitQuietTurn } from "../runtime/Scheduling.ts"
import { Service } from "../runtime/Services.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { PagePictureStore } from "../store/pages/PagePictureStore.ts"
import { PageStore } from "../store/pages/PageStore.ts"
import { PositionStore } from "../store/pages/PositionStore.ts"
import { afterCommit } from "../store/Transaction.ts"
import { Measure } from "../telemetry/Metrics.ts"
import { Events } from "./Events.ts"
import { Highlights } from "./Highlights.ts"
import { PagePictures } from "./PagePictures.ts"

type FoundPage = Pick<Enrichment, "fromBrowser" | "page">

/** Per transaction. */
const FORGOTTEN_AT_ONCE = 50

/** As another Linkbower kept it, or made of the text that another program kept. */
const pageIn = ({ text, title, url, whole }: Incoming, now: string): ExportedPage | undefined => {
  if (whole !== null) return whole.page
  const html = articleOfText(text)
  if (html === "") return undefined
  const unknown = { author: null, siteName: null, publishedAt: null, language: null }
  return { ...unknown, title, url, html, source: "file", savedAt: now, version: 1 }
}

const make = Effect.gen(function* () {
  const pages = yield* PageStore
  const pictures = yield* PagePictures
  const pictureStore = yield* PagePictureStore
  const links = yield* LinkStore
  const events = yield* Events
  const highlights = yield* Highlights
  const positions = yield* PositionStore
  /** `article` if the setting cannot be read. */
  const mode = Effect.orElseSucceed(Setting.keepPages.config, (): KeepMode => "article")

  const keep = Effect.fnUntraced(function* (id: LinkId, { fromBrowser, page }: FoundPage) {
    if (page.article === "" || (yield* mode) !== "article") return false
    if (!isCleanArticle(page.article)) {
      yield* Measure.pagesKept.count("unclean")
      yield* Effect.logWarning(`the article of #${id} is not clean, and is not kept`)
      return false
    }
    // The stored text is an earlier page's, which said more.
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
    yield* pictures.queue(id, page.article)
    yield* afterCommit(Measure.pagesKept.count(kept))
    if (kept === "new" || kept === "changed") yield* highlights.replace(id)
    return true
  })

  return {
    mode,
    /** With `KEEP_PAGES=off` without the pages' texts. */
    importable: (given: ReadonlyArray<Incoming>) =>
      Effect.map(mode, (now) => (now === "off" ? given.map((link) => ({ ...link, text: "" })) : given)),
    /** In the caller's transaction, where no page is kept. `ids` has the links by normalized address. */
    fill: Effect.fn("KeepPages.fill")(function* (
      given: ReadonlyArray<Incoming>,
      ids: ReadonlyMap<string, LinkId>
    ) {
      if ((yield* mode) !== "article") return
      const now = DateTime.formatIso(yield* DateTime.now)
      const found = given.flatMap((link) => {
        const id = ids.get(link.normalizedUrl)
        const page = id === undefined ? undefined : pageIn(link, now)
        return id === undefined || page === undefined ? [] : [{ id, page }]
      })
      for (const { id, page } of found) {
        if (!isCleanArticle(page.html)) yield* Measure.pagesKept.count("unclean")
        else if (yield* pages.fill(id, page)) {
          yield* pictures.queue(id, page.html)
          yield* highlights.replace(id)
        }
      }
    }),
    /**
     * A link without a kept page gets the newest page of these links, with its pictures, in the caller's transaction.
     */
    share: Effect.fn("KeepPages.share")(function* (id: LinkId, others: ReadonlyArray<LinkId>) {
      const from = Option.getOrUndefined(yield* pages.share(id, others))
      if (from === undefined) return
      yield* pictureStore.copy(from, id)
      yield* highlights.replace(id)
    }),
    /** With `KEEP_PAGES=off` without the page's text. */
    storable: (found: Enrichment) =>
      Effect.map(mode, (now) => (now === "off" ? { ...found, page: { ...found.page, text: "" } } : found)),
    /** Follows the link's text: where that stayed, the copy stays too. An unclean article is counted, not kept. */
    write: Effect.fn("KeepPages.write")(function* (link: Link, found: FoundPage) {
      return (yield* keep(link.id, found)) && !link.kept ? { ...link, kept: true } : link
    }),
    /** Keeps the position unless a newer one is kept; returns the newest. */
    reportPosition: Effect.fn("KeepPages.reportPosition")(function* (
      id: LinkId,
      { age = 0, at, offset }: ReportedPosition
    ) {
      const readAt = DateTime.subtractDuration(yield* DateTime.now, Duration.seconds(age))
      return yield* positions.write(id, { at, offset, updatedAt: DateTime.formatIso(readAt) })
    }),
    /** For good, with all versions; returns whether there was one. The link's text and the owner's words stay. */
    forget: Effect.fn("KeepPages.forget")(function* (id: LinkId) {
      if (!(yield* pages.isKept(id))) return false
      yield* pages.forget([id])
      yield* highlights.replace(id)
      yield* events.links("changed", yield* links.getAll([id]))
      return true
    }),
    /** Also in the trash; returns how many pages there were. */
    forgetAll: Effect.gen(function* () {
      for (let forgotten = 0; ; ) {
        const ids = yield* pages.forgetSome(FORGOTTEN_AT_ONCE)
        if (ids.length === 0) return forgotten
        forgotten += ids.length
        yield* events.links("changed", yield* links.getAll(ids))
        yield* Effect.forEach(ids, highlights.replace, { discard: true })
        yield* awaitQuietTurn
      }
    }).pipe(Effect.withSpan("KeepPages.forgetAll"))
  }
})

/** Keeps copies of the links' pages, as `KEEP_PAGES` says. */
export class KeepPages extends Service<KeepPages>()("KeepPages", make) {}
