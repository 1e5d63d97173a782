import { describe, expect } from "bun:test"
import { ConfigProvider, Effect, Layer } from "effect"
import { library } from "../../src/Application.ts"
import type { Enrichment } from "../../src/domain/Enrichment.ts"
import type { LinkId } from "../../src/domain/Link.ts"
import { KeepPages } from "../../src/library/KeepPages.ts"
import { Refresh } from "../../src/library/Refresh.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { PageStore } from "../../src/store/pages/PageStore.ts"
import { libraryTest } from "../support/effect.ts"
import { fakeEnricher } from "../support/fakeEnricher.ts"
import { stores } from "../support/library.ts"
import { found } from "../support/links.ts"
import { requestOf, saveAll } from "../support/saving.ts"

const world: { page: Enrichment } = { page: found() }
const enricher = fakeEnricher(() => Effect.sync(() => world.page))
const it = libraryTest(Layer.provideMerge(library, Layer.merge(stores(), enricher)))

/** A page that says this in one paragraph. */
const pageOf = (text: string, page: Partial<Enrichment["page"]> = {}, more: Partial<Enrichment> = {}) =>
  found({ text, article: `<p>${text}</p>`, url: "https://example.org/final", ...page }, more)

const LONG = "All that the article says. ".repeat(40)

/** Saves the link while its page is this one. */
const save = Effect.fnUntraced(function* (page: Enrichment) {
  world.page = page
  const [saved] = yield* saveAll([requestOf("https://example.org/a")])
  return saved === undefined ? yield* Effect.dieMessage("nothing was saved") : saved.link
})

/** Refreshes the link while its page is this one, and returns what is kept then. */
const refresh = Effect.fnUntraced(function* (id: LinkId, page: Enrichment) {
  world.page = page
  yield* (yield* Refresh).refresh(id)
  return yield* (yield* PageStore).read(id)
})

const withMode = (mode: string) =>
  Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["KEEP_PAGES", mode]])))

const failed: Partial<Enrichment> = { fellBack: ["page"], mayPass: true }

describe("KeepPages", () => {
  it("keeps the page of a saved link, and a version for each refresh that changes its text", function* () {
    const pages = yield* PageStore
    const link = yield* save(pageOf(LONG, { title: "Title", author: "Ada", language: "en" }))
    expect(link.kept).toBe(true)
    expect(yield* pages.read(link.id)).toMatchObject({
      title: "Title",
      author: "Ada",
      language: "en",
      source: "site",
      url: "https://example.org/final",
      version: 1
    })
    expect(yield* refresh(link.id, pageOf(LONG))).toMatchObject({ version: 1, title: "Title" })
    expect(yield* refresh(link.id, pageOf(`${LONG}And more.`))).toMatchObject({ version: 2 })
    expect((yield* pages.read(link.id, 1)).html).toBe(`<p>${LONG}</p>`)
  })

  it("keeps what it has when the page cannot be read, or is cut short by a paywall", function* () {
    const { id } = yield* save(pageOf(LONG))
    const wall = pageOf("", { article: "", title: "example.org" }, failed)
    expect(yield* refresh(id, wall)).toMatchObject({ version: 1 })
    const opening = pageOf("All that.", { facts: { paywall: true } })
    expect(yield* refresh(id, opening)).toMatchObject({ version: 1 })
    expect(yield* (yield* LinkStore).hasText(id, LONG)).toBe(true)
    // A site may shorten its page.
    expect(yield* refresh(id, pageOf("All that."))).toMatchObject({ version: 2, html: "<p>All that.</p>" })
  })

  it("keeps what the browser showed while the site sends clearly less", function* () {
    const { id } = yield* save(pageOf(LONG, {}, { fromBrowser: "more" }))
    const short = pageOf("All that.")
    expect(yield* refresh(id, short)).toMatchObject({ source: "browser", html: `<p>${LONG}</p>` })
    const longer = pageOf(`${LONG}${LONG}`)
    expect(yield* refresh(id, longer)).toMatchObject({ source: "site", version: 2 })
  })

  it("does not keep an article that is not clean", function* () {
    const { id, kept } = yield* save(pageOf(LONG, { article: "<p onclick='x'>All</p>" }))
    expect(kept).toBe(false)
    expect(yield* Effect.flip((yield* PageStore).read(id))).toMatchObject({ _tag: "PageNotKept" })
    expect(yield* (yield* LinkStore).hasText(id, LONG)).toBe(true)
  })

  it("keeps as much as the setting says, and deletes nothing when it changes", function* () {
    const [links, pages] = [yield* LinkStore, yield* PageStore]
    const { id, kept } = yield* withMode("off")(save(pageOf(LONG)))
    expect([kept, yield* links.textLength(id)]).toEqual([false, 0])
    yield* withMode("text")(Effect.either(refresh(id, pageOf(LONG))))
    expect([(yield* links.get(id)).kept, yield* links.hasText(id, LONG)]).toEqual([false, true])
    yield* refresh(id, pageOf(LONG))
    yield* withMode("off")(refresh(id, pageOf("Something else.")))
    expect(yield* links.hasText(id, LONG)).toBe(true)
    expect((yield* pages.read(id)).html).toBe(`<p>${LONG}</p>`)
  })

  it("forgets a page, and keeps it again at the next refresh", function* () {
    const [links, pages] = [yield* LinkStore, yield* KeepPages]
    const { id } = yield* save(pageOf(LONG))
    expect([yield* pages.forget(id), yield* pages.forget(id)]).toEqual([true, false])
    expect((yield* links.get(id)).kept).toBe(false)
    expect(yield* links.hasText(id, LONG)).toBe(true)
    expect(yield* refresh(id, pageOf(LONG))).toMatchObject({ version: 1 })
  })
})
