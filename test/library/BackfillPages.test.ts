import { describe, expect } from "bun:test"
import { ConfigProvider, Effect, Layer } from "effect"
import { library } from "../../src/Application.ts"
import type { Enrichment } from "../../src/domain/Enrichment.ts"
import { BackfillPages } from "../../src/library/BackfillPages.ts"
import { Jobs } from "../../src/library/Jobs.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { PageStore } from "../../src/store/pages/PageStore.ts"
import { libraryTest } from "../support/effect.ts"
import { fakeEnricher } from "../support/fakeEnricher.ts"
import { stores } from "../support/library.ts"
import { ended } from "../support/libraryOf.ts"
import { found, newLink } from "../support/links.ts"
import { pageToKeep } from "../support/pages.ts"

const LONG = "All that the article says. ".repeat(40)

/** What the page at a path gives. */
const page = (path: string): Enrichment => {
  if (path === "/gone") return found({}, { fellBack: ["page"], mayPass: true })
  if (path === "/video") return found({ text: "A description." })
  const text = path === "/paywall" ? "All that." : `What ${path} says.`
  return found({ text, article: `<p>${text}</p>`, facts: path === "/paywall" ? { paywall: true } : {} })
}

const world: { asked: ReadonlyArray<string>; hold: Effect.Effect<void> } = { asked: [], hold: Effect.void }
const enricher = fakeEnricher(({ url }) =>
  Effect.suspend(() => {
    world.asked = [...world.asked, url.pathname]
    return Effect.as(world.hold, page(url.pathname))
  })
)
const it = libraryTest(Layer.provideMerge(library, Layer.merge(stores(), enricher)))

/** Links as an earlier version left them, each with a summary and a long text. */
const savedBefore = Effect.fnUntraced(function* (...paths: ReadonlyArray<string>) {
  world.asked = []
  world.hold = Effect.void
  const links = yield* LinkStore
  return yield* Effect.forEach(paths, (path) =>
    Effect.gen(function* () {
      const { link } = yield* links.upsert(newLink(path))
      const summary = { summary: "In short.", tags: ["some"], category: null }
      yield* links.finish(link.id, found({ text: LONG, title: "As it was" }, { summary }))
      return link.id
    })
  )
})

const runJob = Effect.flatMap(BackfillPages, (missing) => Effect.flatMap(missing.start, ended))

describe("BackfillPages", () => {
  it("keeps the pages that are not kept, and leaves everything else of their links", function* () {
    const ids = yield* savedBefore("a", "kept", "gone", "video", "paywall")
    const [a, kept, gone, video, paywall] = ids
    if (a === undefined || kept === undefined) return yield* Effect.dieMessage("not saved")
    const [links, pages] = [yield* LinkStore, yield* PageStore]
    yield* pages.keep(kept, pageToKeep("kept before"))
    const job = yield* runJob
    expect(job).toMatchObject({ state: "done", total: 4, done: 4, result: { kept: 1, tried: 4 } })
    expect([...world.asked].sort()).toEqual(["/a", "/gone", "/paywall", "/video"])
    expect(yield* pages.read(a)).toMatchObject({ html: "<p>What /a says.</p>", source: "site" })
    expect(yield* links.get(a)).toMatchObject({ kept: true, title: "As it was", summary: "In short." })
    expect(yield* links.hasText(a, "What /a says.")).toBe(true)
    for (const id of [gone, video, paywall])
      expect(id === undefined || (yield* links.hasText(id, LONG))).toBe(true)
  })

  it("continues after a pause where it was", function* () {
    yield* savedBefore(...Array.from({ length: 30 }, (_, n) => `${n}`))
    const [jobs, missing, pages] = [yield* Jobs, yield* BackfillPages, yield* PageStore]
    world.hold = Effect.suspend(() => (world.asked.length > 20 ? Effect.never : Effect.void))
    const begun = yield* missing.start
    while (world.asked.length < 24) yield* Effect.sleep("2 millis")
    expect(yield* missing.pause).toMatchObject({ id: begun.id, state: "interrupted" })
    world.hold = Effect.void
    const again = yield* Effect.flatMap(missing.start, ({ id }) => jobs.awaitEnd(id))
    expect(again).toMatchObject({ state: "done", total: 30, result: { kept: 30, tried: 30 } })
    expect(yield* pages.countMissing).toBe(0)
  })

  it("keeps nothing while the setting says so", function* () {
    yield* savedBefore("a")
    const withText = Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["KEEP_PAGES", "text"]])))
    expect(yield* withText(runJob)).toMatchObject({
      state: "failed",
      error: expect.stringContaining("KEEP_PAGES")
    })
    expect(world.asked).toEqual([])
  })
})
