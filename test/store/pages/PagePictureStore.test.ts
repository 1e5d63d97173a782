import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Layer, Option, TestClock } from "effect"
import type { SizedPicture } from "../../../src/domain/ArticlePictures.ts"
import type { LinkId } from "../../../src/domain/Link.ts"
import { PagePictures } from "../../../src/library/PagePictures.ts"
import { LinkStore } from "../../../src/store/links/LinkStore.ts"
import { TrashStore } from "../../../src/store/links/TrashStore.ts"
import { MAX_PAGE_PICTURES, PagePictureStore } from "../../../src/store/pages/PagePictureStore.ts"
import { PageStore } from "../../../src/store/pages/PageStore.ts"
import { clockTest, libraryTest } from "../../support/effect.ts"
import { keepArticle, withImages } from "../../support/keptPages.ts"
import { stores } from "../../support/library.ts"
import { newLink } from "../../support/links.ts"
import { byTier } from "../../support/tier.ts"

const layer = Layer.provideMerge(PagePictures.layer, stores())
const it = libraryTest(layer)
const timed = clockTest(layer)

const LIMIT = 1024 ** 3

/** A picture of so many bytes, which differ by `seed`. */
const picture = (size: number, seed = 1): SizedPicture => ({
  type: "image/webp",
  width: 40,
  height: 30,
  bytes: new Uint8Array(size).fill(seed)
})

const at = (name: string) => `https://pictures.example/${name}.png`

/** A link whose page has pictures with these names. */
const linkWith = Effect.fnUntraced(function* (path: string, names: ReadonlyArray<string>) {
  const { link } = yield* (yield* LinkStore).upsert(newLink(path))
  yield* keepArticle(link.id, withImages(path, names.map(at)))
  return link.id
})

const dueNames = Effect.flatMap(PagePictureStore, (store) =>
  Effect.map(store.due(1_000, []), (due) =>
    due.map(({ address }) => address.slice("https://pictures.example/".length, -".png".length))
  )
)

/** Keeps a picture for everything that is due. */
const keepAll = (size = 100, seed?: number, limit = LIMIT) =>
  Effect.flatMap(PagePictureStore, (store) =>
    Effect.flatMap(store.due(1_000, []), (due) =>
      Effect.forEach(due, ({ id }, index) => store.keep(id, picture(size, seed ?? index + 1), limit))
    )
  )

const statesOf = (id: LinkId) =>
  Effect.flatMap(PagePictureStore, (store) =>
    Effect.map(store.ofPage(id), (all) => all.map(({ state }) => state))
  )

const stored = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{
      n: number
    }>`SELECT (SELECT count(*) FROM pictures) AS n UNION ALL SELECT count(*) FROM page_pictures`,
    (rows) => rows.map(({ n }) => n)
  )
)

describe("the queue of pictures", () => {
  it("has the pictures of the newest link first, in the order of their page", function* () {
    yield* linkWith("old", ["a", "b"])
    yield* linkWith("new", ["c", "d"])
    expect(yield* dueNames).toEqual(["c", "d", "a", "b"])
  })

  it("takes the first pictures of a page with ten thousand", function* () {
    const names = Array.from({ length: 10_000 }, (_, index) => String(index))
    yield* linkWith("a", names)
    expect(yield* dueNames).toEqual(names.slice(0, MAX_PAGE_PICTURES))
  })

  it("leaves out paused hosts and pages in the trash", function* () {
    const id = yield* linkWith("a", ["a"])
    const store = yield* PagePictureStore
    expect(yield* store.due(10, ["pictures.example"])).toEqual([])
    yield* (yield* TrashStore).moveSome([id])
    expect(yield* store.due(10, [])).toEqual([])
    yield* (yield* TrashStore).restoreSome([id])
    expect(yield* store.due(10, [])).toMatchObject([{ address: at("a"), page: "https://example.org/a" }])
  })

  it("replaces the pictures of a changed page, and keeps those of its earlier version", function* () {
    const id = yield* linkWith("a", ["kept", "both"])
    yield* keepAll()
    yield* keepArticle(id, withImages("waits", [at("both"), at("gone")]))
    yield* keepArticle(id, withImages("changed", [at("both"), at("new")]))
    expect(yield* dueNames).toEqual(["new"])
    const all = yield* (yield* PagePictureStore).ofPage(id)
    expect(all.map(({ address, state }) => [address, state])).toEqual([
      [at("both"), "kept"],
      [at("new"), "waiting"],
      [at("kept"), "kept"]
    ])
  })

  it("bounds the pictures of all versions of a page", function* () {
    const id = yield* linkWith("a", [])
    for (let version = 0; version < 8; version++) {
      const names = Array.from({ length: 30 }, (_, index) => at(`${version}-${index}`))
      yield* keepArticle(id, withImages(`version ${version}`, names))
      yield* keepAll(10, undefined)
    }
    const all = yield* (yield* PagePictureStore).ofPage(id)
    expect(all.length).toBe(2 * MAX_PAGE_PICTURES)
    expect(all[0]?.address).toBe(at("7-0"))
    expect(all.every(({ address }) => /[4567]-\d+\.png$/.test(address))).toBe(true)
  })

  timed("retries a picture three times, later each time", function* () {
    const id = yield* linkWith("a", ["a"])
    const store = yield* PagePictureStore
    for (const [minutes, isDueAfter] of [
      [10, true],
      [120, true],
      [1_440, true],
      [10_000, false]
    ] as const) {
      const [due] = yield* store.due(1, [])
      yield* store.failed(due?.id ?? 0, false)
      expect(yield* dueNames).toEqual([])
      yield* TestClock.adjust(`${minutes - 1} minutes`)
      expect(yield* dueNames).toEqual([])
      yield* TestClock.adjust("61 seconds")
      expect(yield* dueNames).toEqual(isDueAfter ? ["a"] : [])
    }
    expect(yield* statesOf(id)).toEqual(["failed"])
    expect(yield* store.waiting).toBe(0)
    // The page is read again and is the same.
    yield* keepArticle(id, withImages("a", [at("a")]))
    expect(yield* dueNames).toEqual(["a"])
  })

  timed("counts a failure for each picture of a host", function* () {
    const store = yield* PagePictureStore
    yield* linkWith("a", ["a", "b", "c"])
    yield* store.failedHost("pictures.example")
    expect(yield* dueNames).toEqual([])
    const next = Option.getOrThrow(yield* store.nextDue)
    expect(DateTime.toEpochMillis(next) - DateTime.toEpochMillis(yield* DateTime.now)).toBeLessThanOrEqual(
      601_000
    )
    yield* TestClock.adjust("10 minutes")
    expect(yield* dueNames).toEqual(["a", "b", "c"])
  })
})

describe("kept pictures", () => {
  it("are stored once for many pages, and go with the last of them", function* () {
    const COUNT = byTier(40, 300)
    const ids: Array<LinkId> = []
    for (let index = 0; index < COUNT; index++) ids.push(yield* linkWith(String(index), [`picture-${index}`]))
    yield* keepAll(1_000, 7)
    expect(yield* stored).toEqual([1, COUNT])
    expect(yield* (yield* PagePictureStore).bytes).toBe(1_000)
    const links = yield* LinkStore
    yield* links.remove(ids.slice(1))
    expect(yield* stored).toEqual([1, 1])
    yield* links.remove(ids)
    expect(yield* stored).toEqual([0, 0])
  })

  it("stand for the picture at the same address in another page", function* () {
    yield* linkWith("a", ["shared"])
    yield* keepAll()
    const id = yield* linkWith("b", ["shared", "own"])
    expect(yield* statesOf(id)).toEqual(["kept", "waiting"])
    expect(yield* dueNames).toEqual(["own"])
  })

  it("survive the trash, and go with the kept page", function* () {
    const id = yield* linkWith("a", ["a"])
    yield* keepAll()
    const trash = yield* TrashStore
    yield* trash.moveSome([id])
    expect(yield* stored).toEqual([1, 1])
    yield* trash.restoreSome([id])
    expect(yield* statesOf(id)).toEqual(["kept"])
    yield* (yield* PageStore).forget([id])
    expect(yield* stored).toEqual([0, 0])
  })

  it("are read by the link that shows them, and by no other", function* () {
    const id = yield* linkWith("a", ["a"])
    const other = yield* linkWith("b", [])
    yield* keepAll(3, 9)
    const store = yield* PagePictureStore
    const [shown] = yield* store.ofPage(id)
    const read = Option.getOrThrow(yield* store.read(id, shown?.id ?? 0))
    expect(read).toMatchObject({
      type: "image/webp",
      width: 40,
      height: 30,
      bytes: new Uint8Array([9, 9, 9])
    })
    expect(read.hash).toBe(new Bun.CryptoHasher("sha256").update(read.bytes).digest("hex"))
    expect(yield* store.read(other, shown?.id ?? 0)).toEqual(Option.none())
  })

  it("never take more than the limit, and wait while they would", function* () {
    yield* linkWith("a", ["a", "b", "c"])
    expect(yield* keepAll(400, undefined, 1_000)).toEqual(["kept", "kept", "full"])
    expect(yield* dueNames).toEqual(["c"])
    expect(yield* keepAll(400, 1, 1_000)).toEqual(["kept"])
    expect(yield* stored).toEqual([2, 3])
  })

  it("take at most 8 MiB of a page", function* () {
    const id = yield* linkWith(
      "a",
      Array.from({ length: 10 }, (_, index) => String(index))
    )
    const outcomes = yield* keepAll(1024 * 1024)
    expect(outcomes).toEqual([...Array(8).fill("kept"), "page-full", "page-full"])
    expect((yield* statesOf(id)).filter((state) => state === "failed").length).toBe(2)
  })

  it("are not kept for a page that has gone meanwhile", function* () {
    const id = yield* linkWith("a", ["a"])
    const store = yield* PagePictureStore
    const [due] = yield* store.due(1, [])
    yield* (yield* LinkStore).remove([id])
    expect(yield* store.keep(due?.id ?? 0, picture(10), LIMIT)).toBe("gone")
    expect(yield* stored).toEqual([0, 0])
  })

  it("are copied to the link that gets the page", function* () {
    const from = yield* linkWith("a", ["a", "waits"])
    const store = yield* PagePictureStore
    const [due] = yield* store.due(1, [])
    yield* store.keep(due?.id ?? 0, picture(10), LIMIT)
    const into = yield* linkWith("b", [])
    yield* store.copy(from, into)
    yield* (yield* LinkStore).remove([from])
    expect(yield* statesOf(into)).toEqual(["kept"])
    expect(yield* stored).toEqual([1, 1])
  })
})
