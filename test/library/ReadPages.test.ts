import { describe, expect } from "bun:test"
import { Context, Deferred, Effect, Layer } from "effect"
import { library } from "../../src/Application.ts"
import { Jobs } from "../../src/library/Jobs.ts"
import { ReadPages } from "../../src/library/ReadPages.ts"
import { AT_ONCE, TaskStore } from "../../src/store/jobs/TaskStore.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { libraryTest } from "../support/effect.ts"
import { fakeEnricher } from "../support/fakeEnricher.ts"
import { stores } from "../support/library.ts"
import { found, newLink } from "../support/links.ts"

/** Opens the pages of the world. */
class World extends Context.Tag("World")<World, Deferred.Deferred<void>>() {
  static readonly layer = Layer.effect(this, Deferred.make<void>())
}

/** Reads pages once the world is open; crashes at an address that ends in `broken`. */
const enricher = Layer.unwrapEffect(
  Effect.map(World, (open) =>
    fakeEnricher(({ url }) =>
      url.pathname.endsWith("broken")
        ? Effect.die("a bug")
        : Effect.as(Deferred.await(open), found({ url: url.href, title: `read ${url.pathname}` }))
    )
  )
)

const it = libraryTest(
  library.pipe(Layer.provideMerge(Layer.merge(stores(), enricher)), Layer.provideMerge(World.layer))
)

/** Imported links in the reading queue. */
const queued = Effect.fnUntraced(function* (paths: ReadonlyArray<string>, held = false) {
  const links = yield* LinkStore
  const made = yield* Effect.forEach(paths, (path) => links.upsert(newLink(path)))
  const ids = made.map(({ link }) => link.id)
  yield* (yield* TaskStore).add("read", ids, held ? null : AT_ONCE)
  return ids
})

/** How many pages wait to be read. */
const unread = Effect.flatMap(TaskStore, ({ waiting }) => waiting("read"))

const titles = Effect.fnUntraced(function* (ids: Effect.Effect.Success<ReturnType<typeof queued>>) {
  return (yield* (yield* LinkStore).getAll(ids)).map(({ title }) => title)
})

describe("reading the pages of links from a file", () => {
  it("reads all of them, and skips pages that crash", function* () {
    const ids = yield* queued(["a", "broken", "b"])
    yield* Deferred.succeed(yield* World, undefined)
    const pages = yield* ReadPages
    const job = yield* (yield* Jobs).awaitEnd((yield* pages.start).id)
    expect(job).toMatchObject({
      action: "read",
      state: "done",
      done: 3,
      total: 3,
      result: { read: 2, tried: 3 }
    })
    expect(yield* titles(ids)).toEqual(["read /a", "example.org", "read /b"])
    expect(yield* unread).toBe(0)
  })

  it("starts by itself unless put off, also after a restart", function* () {
    const ids = yield* queued(["a"])
    const held = yield* queued(["later"], true)
    yield* Deferred.succeed(yield* World, undefined)
    const pages = yield* ReadPages
    yield* Effect.forkScoped(pages.run)
    while ((yield* unread) > 0) yield* Effect.sleep("5 millis")
    expect(yield* titles(ids)).toEqual(["read /a"])
    expect(yield* titles(held)).toEqual(["example.org"])
  })

  it("pauses on request, and continues when started again", function* () {
    const ids = yield* queued(["a", "b", "c"])
    const pages = yield* ReadPages
    const jobs = yield* Jobs
    const running = yield* pages.start
    const paused = yield* pages.pause
    expect(paused).toMatchObject({ id: running.id, state: "interrupted" })
    expect(yield* unread).toBe(0)
    expect(yield* titles(ids)).toEqual(["example.org", "example.org", "example.org"])
    yield* Deferred.succeed(yield* World, undefined)
    yield* jobs.awaitEnd((yield* pages.start).id)
    expect(yield* titles(ids)).toEqual(["read /a", "read /b", "read /c"])
  })

  it("skips deleted links", function* () {
    const ids = yield* queued(["a", "b"])
    yield* (yield* LinkStore).remove(ids.slice(0, 1))
    expect(yield* unread).toBe(1)
  })
})
