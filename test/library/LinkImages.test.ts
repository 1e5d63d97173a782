import { describe, expect } from "bun:test"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { BunFileSystem } from "@effect/platform-bun"
import { SqlClient } from "@effect/sql"
import { ConfigProvider, Duration, Effect, Fiber, Layer, Logger, Option, TestClock } from "effect"
import { library } from "../../src/Application.ts"
import type { LinkId } from "../../src/domain/Link.ts"
import type { PictureKind } from "../../src/domain/Picture.ts"
import { Images, makeImages } from "../../src/enrich/page/Images.ts"
import { Duplicates } from "../../src/library/Duplicates.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { LinkImages, makeRecentFailures } from "../../src/library/LinkImages.ts"
import { ImageFiles, ImageStore } from "../../src/store/links/ImageStore.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { clockTest, libraryTest } from "../support/effect.ts"
import { fakeEnricher } from "../support/fakeEnricher.ts"
import { limits, pages, resolver } from "../support/fetching.ts"
import { stores } from "../support/library.ts"
import { found, newLink } from "../support/links.ts"
import { icon, png, temporaryFolder } from "../support/pictures.ts"
import { sandbox } from "../support/sandbox.ts"
import { long } from "../support/tier.ts"

const everything = Layer.provideMerge(
  library,
  Layer.merge(
    stores(),
    fakeEnricher(() => Effect.succeed(found()))
  )
)

/** Pictures of a test's library, a server that records requests, and a folder of files. */
const world = Effect.gen(function* () {
  const asked: Array<string> = []
  const gate = Promise.withResolvers<void>()
  const server = yield* pages(async ({ url }) => {
    const { pathname } = new URL(url)
    asked.push(pathname)
    if (pathname.startsWith("/slow")) await gate.promise
    if (pathname.endsWith(".ico")) return new Response(icon(png(4, 4)))
    return pathname.endsWith(".png") ? new Response(png(600, 400)) : new Response("<p>no picture")
  })
  const dataDir = yield* temporaryFolder
  const settings = Layer.setConfigProvider(
    ConfigProvider.fromMap(
      new Map([
        ["DATA_DIR", dataDir],
        // The server of the pictures, and the host of the links.
        ["FETCH_ALLOW", `127.0.0.2:${server.port},example.org`]
      ])
    )
  )
  const fetching = Layer.effect(Images, makeImages(limits)).pipe(Layer.provide([resolver, sandbox]))
  const files = ImageFiles.layer.pipe(Layer.provide(BunFileSystem.layer))
  const start = Layer.build(
    Layer.scoped(LinkImages, LinkImages.make).pipe(
      Layer.provide([fetching, files]),
      Layer.provide([settings, Logger.remove(Logger.defaultLogger)]),
      Layer.fresh
    )
  )
  const folder = join(dataDir, "images")
  const kept = Effect.sync(() => {
    try {
      return readdirSync(folder).length
    } catch {
      return 0
    }
  })
  return {
    asked,
    kept,
    open: gate.resolve,
    url: (path: string) => `http://127.0.0.2:${server.port}/${path}`,
    start: Effect.map(start, (context) => {
      const images = Effect.provide(LinkImages, context)
      // Fetching uses the settings of its caller.
      const within = Effect.provide(settings)
      return {
        ofLink: (kind: PictureKind, id: LinkId) =>
          within(Effect.flatMap(images, (all) => all.ofLink(kind, id))),
        shared: (kind: PictureKind, url: string) =>
          within(Effect.flatMap(images, (all) => all.shared(kind, url))),
        forget: Effect.flatMap(images, (all) => all.forget),
        run: Effect.flatMap(images, (all) => all.run)
      }
    })
  }
})

/** A link whose page names these pictures. */
const saved = Effect.fnUntraced(function* (path: string, page: { image?: string; favicon?: string }) {
  const links = yield* LinkStore
  const { link } = yield* links.upsert(newLink(path))
  yield* links.finish(link.id, found(page))
  return link.id
})

const share = (id: LinkId, shareable: boolean) =>
  Effect.flatMap(EditLinks, (edits) => edits.change([id], { shareable }))

/** Waits for a condition, for two minutes and more. */
const until = <E, R>(so: Effect.Effect<boolean, E, R>) =>
  Effect.gen(function* () {
    for (let asked = 0; asked < 12_000; asked++) {
      if (yield* so) return
      yield* Effect.promise(() => Bun.sleep(10))
    }
    expect.unreachable()
  })

const it = libraryTest(everything)
const atAnyTime = clockTest(everything)

describe("LinkImages", () => {
  it("fetches a link's pictures once, also over a restart", function* () {
    const { asked, start, url } = yield* world
    const id = yield* saved("a", { image: url("a.png"), favicon: url("a.ico") })
    for (const images of [yield* start, yield* start]) {
      expect(yield* images.ofLink("image", id)).toMatchObject({ value: { type: "image/webp" } })
      expect(yield* images.ofLink("favicon", id)).toMatchObject({ value: { type: "image/x-icon" } })
    }
    expect(asked).toEqual(["/a.png", "/a.ico"])
  })

  it("returns nothing, without a request, for a link that is deleted or has no picture", function* () {
    const { asked, start, url } = yield* world
    const images = yield* start
    const id = yield* saved("a", { image: url("a.png") })
    expect(yield* images.ofLink("favicon", id)).toEqual(Option.none())
    const links = yield* LinkStore
    yield* links.remove([id])
    expect(yield* images.ofLink("image", id)).toEqual(Option.none())
    expect(asked).toEqual([])
  })

  it("shows a picture to anyone while the collection of its link is shared", function* () {
    const { start, url } = yield* world
    const images = yield* start
    const id = yield* saved("a", { image: url("a.png") })
    const edits = yield* EditLinks
    const sql = yield* SqlClient.SqlClient
    yield* edits.change([id], { collection: "Open" })
    expect(yield* images.shared("image", url("a.png"))).toEqual(Option.none())
    const setShared = (on: number) =>
      Effect.zipRight(
        sql`UPDATE collections SET shared = ${on}`,
        edits.changeEach([{ id, inShared: on === 1 }], ["inShared"])
      )
    yield* setShared(1)
    expect(yield* images.shared("image", url("a.png"))).toMatchObject({ value: { type: "image/webp" } })
    yield* setShared(0)
    expect(yield* images.shared("image", url("a.png"))).toEqual(Option.none())
  })

  it("fetches a picture once for concurrent requests of all its links", function* () {
    const { asked, open, start, url } = yield* world
    const images = yield* start
    const [a, b] = [
      yield* saved("a", { image: url("slow.png") }),
      yield* saved("b", { image: url("slow.png") })
    ]
    yield* share(b, true)
    const all = yield* Effect.fork(
      Effect.all(
        [
          images.ofLink("image", a),
          images.ofLink("image", b),
          images.shared("image", url("slow.png")),
          images.ofLink("image", a)
        ],
        { concurrency: "unbounded" }
      )
    )
    yield* until(Effect.sync(() => asked.length > 0))
    open()
    const found = yield* Fiber.join(all)
    expect(found.filter(Option.isSome).length).toBe(4)
    expect(asked).toEqual(["/slow.png"])
  })

  it("keeps a picture whose request was interrupted", function* () {
    const { asked, kept, open, start, url } = yield* world
    const images = yield* start
    const id = yield* saved("a", { image: url("slow.png") })
    const reader = yield* Effect.fork(images.ofLink("image", id))
    yield* until(Effect.sync(() => asked.length > 0))
    yield* Fiber.interrupt(reader)
    open()
    yield* until(Effect.map(kept, (files) => files === 1))
  })

  atAnyTime("retries an address without a picture after an hour", function* () {
    const { asked, kept, start, url } = yield* world
    const images = yield* start
    const id = yield* saved("a", { image: url("page") })
    const asking = TestClock.adjust("59 minutes").pipe(Effect.zipRight(images.ofLink("image", id)))
    expect([yield* asking, yield* images.ofLink("image", id), yield* asking]).toEqual([
      Option.none(),
      Option.none(),
      Option.none()
    ])
    expect(asked.length).toBe(1)
    yield* asking
    expect(asked.length).toBe(2)
    expect(yield* kept).toBe(0)
  })

  atAnyTime("returns after ten seconds, and has the picture the next time", function* () {
    const { asked, kept, open, start, url } = yield* world
    const images = yield* start
    const id = yield* saved("a", { image: url("slow.png") })
    const reader = yield* Effect.fork(images.ofLink("image", id))
    yield* until(Effect.sync(() => asked.length > 0))
    yield* TestClock.adjust("9 seconds")
    expect(yield* Fiber.poll(reader)).toEqual(Option.none())
    yield* TestClock.adjust("1 second")
    expect(yield* Fiber.join(reader)).toEqual(Option.none())
    open()
    yield* until(Effect.map(kept, (files) => files === 1))
    expect(Option.isSome(yield* images.ofLink("image", id))).toBe(true)
    expect(asked.length).toBe(1)
  })

  it("serves publicly only the pictures of shared links", function* () {
    const { asked, start, url } = yield* world
    const images = yield* start
    const id = yield* saved("a", { image: url("a.png"), favicon: url("b.png") })
    expect(yield* images.shared("image", url("a.png"))).toEqual(Option.none())
    expect(asked).toEqual([])
    yield* share(id, true)
    expect(yield* images.shared("image", url("a.png"))).toMatchObject({ value: { type: "image/webp" } })
    expect(yield* images.shared("favicon", url("a.png"))).toEqual(Option.none())
    expect(yield* images.shared("image", url("c.png"))).toEqual(Option.none())
    yield* share(id, false)
    expect(yield* images.shared("image", url("a.png"))).toEqual(Option.none())
    expect(asked).toEqual(["/a.png"])
  })

  for (const how of ["deleted", "merged away", "given another picture"] as const)
    it(`removes the file of a link that is ${how}, and no other`, function* () {
      const { asked, kept, start, url } = yield* world
      const images = yield* start
      const running = yield* Effect.fork(images.run)
      const [a, b] = [yield* saved("a", { image: url("a.png") }), yield* saved("b", { image: url("b.png") })]
      yield* images.ofLink("image", a)
      yield* images.ofLink("image", b)
      expect(yield* kept).toBe(2)
      if (how === "deleted") yield* (yield* EditLinks).remove([a])
      else if (how === "merged away") yield* (yield* Duplicates).merge(b, [a])
      else {
        yield* (yield* LinkStore).finish(a, found({ image: url("c.png") }))
        yield* share(a, true)
      }
      yield* until(Effect.map(kept, (files) => files === 1))
      yield* images.ofLink("image", b)
      expect(asked).toEqual(["/a.png", "/b.png"])
      yield* Fiber.interrupt(running)
    })

  it("removes after a restart what a crash left", function* () {
    const { kept, start, url } = yield* world
    const id = yield* saved("a", { image: url("a.png"), favicon: url("a.ico") })
    const before = yield* start
    yield* before.ofLink("image", id)
    yield* before.ofLink("favicon", id)
    yield* (yield* LinkStore).remove([id])
    expect(yield* kept).toBe(2)
    const running = yield* Effect.fork((yield* start).run)
    yield* until(Effect.map(kept, (files) => files === 0))
    yield* until(Effect.map((yield* ImageStore).removals(1), (left) => left.length === 0))
    yield* Fiber.interrupt(running)
  })

  it("keeps no picture of a link deleted while it was fetched", function* () {
    const { asked, kept, open, start, url } = yield* world
    const images = yield* start
    const id = yield* saved("a", { image: url("slow.png") })
    const reader = yield* Effect.fork(images.ofLink("image", id))
    yield* until(Effect.sync(() => asked.length > 0))
    yield* (yield* LinkStore).remove([id])
    const forgetting = yield* Effect.fork(images.forget)
    open()
    yield* Fiber.join(forgetting)
    yield* Fiber.join(reader)
    expect(yield* kept).toBe(0)
  })

  it("fetches nothing for a link deleted while the disk was read", function* () {
    const links = yield* LinkStore
    const id = yield* saved("a", { image: "https://pictures.example/a.png" })
    const slowDisk = Layer.succeed(ImageFiles, {
      read: () => Effect.as(Effect.orDie(links.remove([id])), Option.none()),
      write: () => Effect.die("kept"),
      remove: () => Effect.void,
      prune: Effect.void,
      bytes: Effect.succeed(0)
    })
    const fetching = Layer.succeed(Images, {
      mayTake: () => Effect.succeed(true),
      ofArticle: () => Effect.die("fetched"),
      find: () => Effect.die("fetched")
    })
    const images = yield* Effect.provide(
      LinkImages,
      yield* Layer.build(
        Layer.scoped(LinkImages, LinkImages.make).pipe(Layer.provide([slowDisk, fetching]), Layer.fresh)
      )
    )
    expect(yield* images.ofLink("image", id)).toEqual(Option.none())
  })

  it("fetches a removed picture again for another link", function* () {
    const { asked, kept, start, url } = yield* world
    const images = yield* start
    const [a, b] = [
      yield* saved("a", { favicon: url("a.ico") }),
      yield* saved("b", { favicon: url("a.ico") })
    ]
    yield* images.ofLink("favicon", a)
    yield* (yield* LinkStore).remove([a])
    yield* images.forget
    expect(yield* kept).toBe(0)
    expect(Option.isSome(yield* images.ofLink("favicon", b))).toBe(true)
    expect(asked).toEqual(["/a.ico", "/a.ico"])
  })

  long(it)("removes the pictures of several batches of links", function* () {
    const { start, url } = yield* world
    const images = yield* start
    const ids: Array<LinkId> = []
    for (let index = 0; index < 600; index++)
      ids.push(yield* saved(`${index}`, { image: url(`${index}.png`) }))
    yield* (yield* LinkStore).remove(ids)
    yield* images.forget
    expect(yield* (yield* ImageStore).removals(1)).toEqual([])
  })
})

const atTime = clockTest(Layer.empty)

describe("makeRecentFailures", () => {
  atTime("remembers a failure for the given time since its last occurrence", function* () {
    const failures = makeRecentFailures(Duration.hours(1), 10)
    expect(yield* failures.has("a")).toBe(false)
    yield* failures.add("a")
    yield* TestClock.adjust("50 minutes")
    yield* failures.add("a")
    yield* TestClock.adjust("50 minutes")
    expect([yield* failures.has("a"), yield* failures.has("b")]).toEqual([true, false])
    yield* TestClock.adjust("10 minutes")
    expect(yield* failures.has("a")).toBe(false)
  })

  atTime("forgets on request, and drops the oldest beyond its capacity", function* () {
    const failures = makeRecentFailures(Duration.hours(1), 3)
    yield* Effect.forEach(["a", "b", "c", "a", "d"], failures.add)
    const known = Effect.filter(["a", "b", "c", "d"], failures.has)
    expect(yield* known).toEqual(["a", "c", "d"])
    yield* failures.forget("c")
    expect(yield* known).toEqual(["a", "d"])
  })
})
