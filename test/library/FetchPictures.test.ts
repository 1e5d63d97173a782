import { describe, expect } from "bun:test"
import { type Duration, Effect, Fiber, Layer, Logger, Option, Schedule } from "effect"
import { library } from "../../src/Application.ts"
import { articleText } from "../../src/domain/Article.ts"
import type { LinkId } from "../../src/domain/Link.ts"
import { Images, makeImages } from "../../src/enrich/page/Images.ts"
import { FetchPictures, PagePictures } from "../../src/library/PagePictures.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { PagePictureStore } from "../../src/store/pages/PagePictureStore.ts"
import { libraryTest } from "../support/effect.ts"
import { fakeEnricher } from "../support/fakeEnricher.ts"
import { limits, pages, resolver, trap } from "../support/fetching.ts"
import { keepArticle, withImages } from "../support/keptPages.ts"
import { stores } from "../support/library.ts"
import { found, newLink } from "../support/links.ts"
import { withSettings } from "../support/loopback.ts"
import { avif, boastful, gif, metadata, png, svg } from "../support/pictures.ts"
import { sandbox } from "../support/sandbox.ts"
import { long } from "../support/tier.ts"

const it = libraryTest(
  library.pipe(
    Layer.provideMerge(
      Layer.merge(
        stores(),
        fakeEnricher(() => Effect.succeed(found()))
      )
    )
  )
)

type Answer = (path: string) => Response | Promise<Response>

/** A server of pictures that counts requests, and a service that fetches from it. */
const world = Effect.fnUntraced(function* (answer: Answer, timeout: Duration.DurationInput = limits.timeout) {
  const asked: Array<string> = []
  const server = yield* pages(({ headers, url }) => {
    const { pathname } = new URL(url)
    asked.push(pathname)
    return headers.has("referer") || headers.has("cookie")
      ? new Response(null, { status: 400 })
      : answer(pathname)
  })
  const fetching = Layer.effect(Images, makeImages({ ...limits, timeout })).pipe(
    Layer.provide([resolver, sandbox])
  )
  const service = yield* Layer.build(
    Layer.effect(FetchPictures, FetchPictures.make).pipe(Layer.provide(fetching), Layer.fresh)
  )
  const settings = { FETCH_ALLOW: `127.0.0.2:${server.port},slow.test:${server.port},example.org` }
  const { run } = yield* Effect.provide(FetchPictures, service)
  const within = (more: Readonly<Record<string, string>> = {}) => withSettings({ ...settings, ...more })
  return {
    asked,
    url: (path: string) => `http://127.0.0.2:${server.port}/${path}`,
    port: server.port ?? 0,
    /** Runs the service until this many pictures wait. */
    fetchUntil: (waiting: number, more: Readonly<Record<string, string>> = {}) =>
      Effect.gen(function* () {
        const store = yield* PagePictureStore
        const fiber = yield* Effect.fork(run)
        yield* Effect.repeat(store.waiting, {
          schedule: Schedule.spaced("5 millis"),
          until: (left) => left <= waiting
        })
        yield* Fiber.interrupt(fiber)
      }).pipe(within(more), Effect.provide(Logger.remove(Logger.defaultLogger))),
    run: (more: Readonly<Record<string, string>> = {}) => run.pipe(within(more)),
    keep: (path: string, html: string) =>
      Effect.gen(function* () {
        const { link } = yield* (yield* LinkStore).upsert(newLink(path))
        yield* keepArticle(link.id, html)
        return link.id
      })
  }
})

const statesOf = (id: LinkId) =>
  Effect.flatMap(PagePictureStore, (pictures) =>
    Effect.map(pictures.ofPage(id), (all) => all.map(({ state }) => state))
  )

const sent = (bytes: BodyInit) => new Response(bytes, { headers: { "content-type": "image/png" } })

describe("the pictures of a kept page", () => {
  it("are fetched once, shrunk to WebP, and shown in the article", function* () {
    const { asked, fetchUntil, keep, url } = yield* world(() => sent(png(2_000, 1_000)))
    const html = `<h1>A</h1>${withImages("text &amp; more", [url("a.png?x=1&amp;y=2"), url("a.png?x=1&amp;y=2")])}`
    const id = yield* keep("a", html)
    const pictures = yield* PagePictures
    expect(yield* pictures.show(id, html)).toBe(
      html.replace(/<img [^>]*>/g, '<img alt="" data-missing="waiting">')
    )
    yield* fetchUntil(0)
    expect(asked).toEqual(["/a.png"])
    const store = yield* PagePictureStore
    const [only] = yield* store.ofPage(id)
    const path = `/dashboard/api/links/${id}/page/pictures/${only?.id}`
    const shown = yield* pictures.show(id, html)
    expect(shown).toBe(html.replace(/<img [^>]*>/g, `<img src="${path}" alt="" width="1600" height="800">`))
    expect(articleText(shown)).toBe(articleText(html))
    const { bytes, type } = Option.getOrThrow(yield* store.read(id, only?.id ?? 0))
    expect(type).toBe("image/webp")
    expect(yield* metadata(bytes)).toEqual({ format: "webp", width: 1_600, height: 800 })
  })

  it("are fetched after a restart, also if the first run ends while it fetches", function* () {
    const gate = Promise.withResolvers<void>()
    const { asked, fetchUntil, keep, run, url } = yield* world(async () => {
      await gate.promise
      return sent(png(4, 4))
    })
    const id = yield* keep("a", withImages("a", [url("a.png")]))
    const fiber = yield* Effect.fork(run())
    yield* Effect.repeat(Effect.sleep("5 millis"), { until: () => asked.length > 0 })
    yield* Fiber.interrupt(fiber)
    expect(yield* statesOf(id)).toEqual(["waiting"])
    gate.resolve()
    yield* fetchUntil(0)
    expect(yield* statesOf(id)).toEqual(["kept"])
  })

  for (const [what, answer] of [
    ["a drawing (SVG)", () => new Response(svg, { headers: { "content-type": "image/svg+xml" } })],
    ["a page", () => sent("<!doctype html><script>alert(1)</script>")],
    ["a picture of a size that it does not have", () => sent(boastful(50_000, 50_000))],
    ["more pixels than are decoded", () => sent(png(5_100, 5_000))],
    ["a picture that cannot be decoded here", () => sent(avif(4_000))],
    ["more bytes than are read", () => sent(Buffer.concat([png(8, 8), new Uint8Array(8.5 * 1024 * 1024)]))],
    [
      "a decompression bomb",
      () =>
        new Response(Bun.gzipSync(new Uint8Array(20e6)), {
          headers: { "content-encoding": "gzip", "content-type": "image/png" }
        })
    ],
    ["a missing picture", () => new Response("no", { status: 404 })]
  ] satisfies ReadonlyArray<readonly [string, Answer]>)
    it(`are not kept if the server sends ${what}, which is not asked again`, function* () {
      const { asked, fetchUntil, keep, url } = yield* world(answer)
      const id = yield* keep("a", withImages("a", [url("a.png")]))
      yield* fetchUntil(0)
      expect(yield* statesOf(id)).toEqual(["failed"])
      expect(asked.length).toBe(1)
      expect(yield* (yield* PagePictureStore).bytes).toBe(0)
    })

  long(it)("are decoded from large photos, and an animation's first frame is kept", function* () {
    const { fetchUntil, keep, url } = yield* world((path) =>
      sent(path.endsWith(".gif") ? gif : png(4_000, 2_000))
    )
    const id = yield* keep("a", withImages("a", [url("a.png"), url("a.gif")]))
    yield* fetchUntil(0)
    expect(yield* statesOf(id)).toEqual(["kept", "kept"])
  })

  it("are not fetched from a private address, nor through a redirect to one", function* () {
    const secret = yield* trap
    const { asked, fetchUntil, keep, port, url } = yield* world(
      () => new Response(null, { status: 302, headers: { location: `http://127.0.0.1:${secret.port}/` } })
    )
    const id = yield* keep(
      "a",
      withImages("a", [url("redirect.png"), `http://127.0.0.1:${secret.port}/a.png`, "http://10.0.0.1/a.png"])
    )
    yield* fetchUntil(0)
    expect(yield* statesOf(id)).toEqual(["failed", "failed", "failed"])
    expect([asked.length, secret.hits]).toEqual([1, 0])
    // The page of a stranger must not show what only the owner's pages may.
    const { link } = yield* (yield* LinkStore).upsert(newLink("s", { url: "https://stranger.example/" }))
    yield* keepArticle(link.id, withImages("a", [url("own.png")]))
    yield* fetchUntil(0, { FETCH_ALLOW: `127.0.0.2:${port}` })
    expect(yield* statesOf(link.id)).toEqual(["failed"])
    expect(asked.length).toBe(1)
  })

  long(it)("of a slow server hold up no others", function* () {
    const { asked, fetchUntil, keep, port, url } = yield* world(async (path) => {
      if (path.startsWith("/slow")) await Bun.sleep(60_000)
      return sent(png(4, 4, path.length))
    }, "2 seconds")
    const slow = Array.from({ length: 60 }, (_, index) => `http://slow.test:${port}/slow${index}.png`)
    const fast = Array.from({ length: 30 }, (_, index) => url(`${index}.png`))
    const first = yield* keep("a", withImages("a", fast))
    const second = yield* keep("b", withImages("b", slow))
    yield* fetchUntil(60)
    expect(yield* statesOf(first)).toEqual(Array(30).fill("kept"))
    expect(yield* statesOf(second)).toEqual(Array(60).fill("waiting"))
    expect(asked.filter((path) => path.startsWith("/slow")).length).toBeLessThanOrEqual(8)
  })

  it("stop at the limit of all pictures, and go on once it is raised", function* () {
    const { asked, fetchUntil, keep, run, url } = yield* world(() => sent(png(4, 4)))
    const id = yield* keep("a", withImages("a", [url("a.png")]))
    for (const KEEP_PICTURES of ["0", "1000KB"]) {
      const fiber = yield* Effect.fork(run({ KEEP_PICTURES }))
      yield* Effect.sleep("20 millis")
      yield* Fiber.interrupt(fiber)
    }
    expect(yield* statesOf(id)).toEqual(["waiting"])
    expect(asked).toEqual([])
    yield* fetchUntil(0, { KEEP_PICTURES: "2 MiB" })
    expect(yield* statesOf(id)).toEqual(["kept"])
  })

  it("are not queued while none are kept", function* () {
    const { keep, url } = yield* world(() => sent(png(4, 4)))
    const id = yield* keep("a", withImages("a", [url("a.png")])).pipe(withSettings({ KEEP_PICTURES: "0" }))
    expect(yield* statesOf(id)).toEqual([])
    const pictures = yield* PagePictures
    expect(yield* pictures.show(id, withImages("a", [url("a.png")]))).toBe(
      '<p>a<img alt="" data-missing="failed"></p>'
    )
  })
})
