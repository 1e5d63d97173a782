import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { LinkId } from "../../src/domain/Link.ts"
import { PageStore } from "../../src/store/pages/PageStore.ts"
import { type App, appTests, makeApp } from "../support/app.ts"
import { pageToKeep } from "../support/pages.ts"
import { type RawLink, writeLinks } from "../support/randomLibrary.ts"
import { wellFormed } from "../support/wellFormed.ts"

const appTest = appTests()

/** A saved search in the owner's API. */
interface Saved {
  readonly id: number
  readonly name: string
  readonly query: string
  readonly sort: string | null
  readonly pinned: boolean
  readonly order: number
  readonly feed: string
}

const saveIn = async (
  app: App,
  name: string,
  more: object = {}
): Promise<{ search: Saved; undo: string }> => {
  const answer = await app.owner("POST", "/api/searches", { name, query: "", ...more })
  expect(answer.status).toBe(201)
  return answer.json()
}
const allOf = async (app: App): Promise<ReadonlyArray<Saved>> =>
  (await (await app.owner("GET", "/api/searches")).json()).searches
const namesOf = async (app: App) => (await allOf(app)).map(({ name }) => name)
const edit = (app: App, { id }: Saved, change: object) => app.owner("PATCH", `/api/searches/${id}`, change)
const undo = async (app: App, token: string, force?: boolean) => {
  const answer = await app.owner("POST", "/api/mutate", { op: "undo", token, ...(force ? { force } : {}) })
  return { status: answer.status, body: await answer.json() }
}

describe("saved searches", () => {
  appTest("are created, changed, ordered and deleted", async (app) => {
    const { search: first } = await saveIn(app, "  To \n read ", { query: "is:unread tag:a" })
    expect(first).toMatchObject({
      name: "To read",
      query: "is:unread tag:a",
      sort: null,
      pinned: true,
      order: 0
    })
    expect(first.feed).toMatch(/^\/feeds\/[\w-]{43}$/)
    const { search: second } = await saveIn(app, "Second", { sort: "title", pinned: false })
    await saveIn(app, "In front", { order: 0 })
    expect(await namesOf(app)).toEqual(["In front", "To read", "Second"])
    expect(await (await edit(app, second, { order: 0, query: "x", sort: null })).json()).toMatchObject({
      search: { name: "Second", order: 0, query: "x", sort: null, pinned: false, feed: second.feed }
    })
    expect((await allOf(app)).map(({ name, order }) => [name, order])).toEqual([
      ["Second", 0],
      ["In front", 1],
      ["To read", 2]
    ])
    expect((await app.owner("DELETE", `/api/searches/${first.id}`)).status).toBe(200)
    expect(await namesOf(app)).toEqual(["Second", "In front"])
  })

  appTest("are in the app's data while they are pinned", async (app) => {
    await saveIn(app, "Hidden", { pinned: false })
    const { search } = await saveIn(app, "Shown", { query: "a b", sort: "oldest" })
    const { searches } = await (await app.owner("GET", "/api/meta")).json()
    expect(searches).toEqual([{ id: search.id, name: "Shown", query: "a b", sort: "oldest" }])
  })

  appTest("have names of their own, in any case", async (app) => {
    const { search } = await saveIn(app, "Reading")
    const { search: other } = await saveIn(app, "Other")
    for (const answer of [
      await app.owner("POST", "/api/searches", { name: " READING ", query: "" }),
      await edit(app, other, { name: "reading" })
    ]) {
      expect(answer.status).toBe(409)
      expect((await answer.json()).message).toContain("Choose another name.")
    }
    expect((await edit(app, search, { name: "READING" })).status).toBe(200)
    expect(await namesOf(app)).toEqual(["READING", "Other"])
  })

  appTest("are refused if they are invalid, unknown or too many", async (app) => {
    const { search } = await saveIn(app, "One")
    const name = "x".repeat(101)
    const refused = [
      {},
      { name: " " },
      { name },
      { query: "x".repeat(2_001) },
      { sort: "size" },
      { order: -1 }
    ]
    for (const change of refused) expect((await edit(app, search, change)).status).toBe(400)
    for (const given of [{}, { name: "a" }, { name, query: "" }, { name: "", query: "" }])
      expect((await app.owner("POST", "/api/searches", given)).status).toBe(400)
    for (const id of [0, 999, "x"]) {
      const status = id === 999 ? 404 : 400
      expect((await app.owner("PATCH", `/api/searches/${id}`, { name: "a" })).status).toBe(status)
      expect((await app.owner("DELETE", `/api/searches/${id}`)).status).toBe(status)
    }
    const names = JSON.stringify(Array.from({ length: 199 }, (_, n) => `Search ${n}`))
    await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`INSERT INTO searches (name, query, token, created_at)
            SELECT value, '', value, '2026' FROM json_each(${names})`
      )
    )
    const answer = await app.owner("POST", "/api/searches", { name: "One more", query: "" })
    expect([answer.status, (await answer.json()).message]).toEqual([
      409,
      "There can be at most 200 saved searches. Delete one first."
    ])
  })

  appTest("are undone and redone, with their places and feeds", async (app) => {
    const { search: first } = await saveIn(app, "First")
    const created = await saveIn(app, "Second", { order: 0 })
    const before = await allOf(app)
    const undone = await undo(app, created.undo)
    expect(await namesOf(app)).toEqual(["First"])
    await undo(app, undone.body.undo)
    expect(await allOf(app)).toEqual(before)
    const deleted = await (await app.owner("DELETE", `/api/searches/${first.id}`)).json()
    const back = await undo(app, deleted.undo)
    expect(await allOf(app)).toEqual(before)
    await undo(app, back.body.undo)
    expect(await namesOf(app)).toEqual(["Second"])
    await undo(app, deleted.undo)
    const edited = await (await edit(app, first, { name: "1st", query: "q", pinned: false, order: 0 })).json()
    expect(await namesOf(app)).toEqual(["1st", "Second"])
    await undo(app, edited.undo)
    expect(await allOf(app)).toEqual(before)
  })

  appTest("are not undone over something newer, unless that is wanted", async (app) => {
    const { search } = await saveIn(app, "First")
    const renamed = await (await edit(app, search, { name: "Second" })).json()
    await edit(app, search, { query: "changed" })
    // The query is newer, but the undo does not touch it.
    const undone = await undo(app, renamed.undo)
    expect([undone.status, (await allOf(app))[0]?.query]).toEqual([200, "changed"])
    await undo(app, undone.body.undo)
    await edit(app, search, { name: "Third" })
    const refused = await undo(app, renamed.undo)
    expect(refused).toMatchObject({ status: 409, body: { error: "changed_since" } })
    expect(refused.body.message).toBe(
      "The saved search “Second” has been changed since then. Undoing would overwrite that."
    )
    expect(await namesOf(app)).toEqual(["Third"])
    // The name that comes back has been taken meanwhile.
    await saveIn(app, "First")
    expect((await undo(app, renamed.undo, true)).status).toBe(200)
    expect(await namesOf(app)).toEqual(["First (2)", "First"])
  })

  appTest("stay with the owner", async (app) => {
    for (const [method, path] of [
      ["GET", "/dashboard/api/searches"],
      ["POST", "/dashboard/api/searches"],
      ["PATCH", "/dashboard/api/searches/1"],
      ["DELETE", "/dashboard/api/searches/1"]
    ] as const)
      expect((await app.request(method, path, method === "GET" ? undefined : {})).status).toBe(403)
  })
})

const link = (title: string, more: Partial<RawLink> = {}): RawLink => ({
  title,
  collection: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  shareable: false,
  category: "reading",
  tags: ["news"],
  ...more
})

describe("the feed of a saved search", () => {
  const app = makeApp({ PUBLIC_URL: "https://links.example/" })
  let saved: Saved
  const get = (path: string, headers: Record<string, string> = {}) =>
    app.request("GET", path, undefined, headers)
  const feedOf = async ({ feed }: Saved) => (await get(new URL(feed).pathname)).text()
  const titlesIn = (feed: string) =>
    [...feed.matchAll(/<entry>\n<id>[^<]*<\/id>\n<title>([^<]*)/g)].map(([, t]) => t)
  beforeAll(async () => {
    await app.run(
      writeLinks([
        link("Older <one>", {
          url: "https://me:hunter2@example.org/a?x=1&y=2",
          note: "my secret note",
          summary: "In short & \u0007sweet.",
          tags: ["news", ".private"]
        }),
        link("Newer", { createdAt: "2026-01-02T00:00:00.000Z", shareable: true }),
        link("Other", { tags: [] }),
        ...Array.from({ length: 60 }, (_, n) => link(`Bulk ${n}`, { tags: ["bulk"] }))
      ])
    )
    saved = (await saveIn(app, "News & more", { query: "tag:news", sort: "title" })).search
  })
  afterAll(() => app.dispose())

  test("has the owner's links, newest first, and no note, private tag or password", async () => {
    expect(saved.feed).toStartWith("https://links.example/feeds/")
    const feed = await feedOf(saved)
    wellFormed(feed)
    expect(titlesIn(feed)).toEqual(["Newer", "Older &lt;one&gt;"])
    expect(feed).toContain('<title xml:lang="en">News &amp; more</title>')
    expect(feed).toContain("<id>https://example.org/a?x=1&amp;y=2</id>")
    expect(feed).toContain("<published>2026-01-01T00:00:00.000Z</published>")
    expect(feed).toContain("<summary>In short &amp; sweet.\n\n#news</summary>")
    expect(feed).toContain(`<link rel="self" type="application/atom+xml" href="${saved.feed}"/>`)
    expect(feed).toContain('href="https://links.example/dashboard?q=tag%3Anews"/>')
    for (const secret of ["secret", "private", "hunter2"]) expect(feed).not.toContain(secret)
  })

  test("has the kept text of its pages if its search says so", async () => {
    const newer = (await app.links()).find(({ title }) => title === "Newer")
    const html = '<h2>Its text</h2><p>One &amp; two <img src="https://example.org/p.png"></p>'
    await app.run(
      Effect.flatMap(PageStore, (pages) => pages.keep(LinkId.make(newer?.id ?? 0), pageToKeep("", { html })))
    )
    expect(await feedOf(saved)).not.toContain("Its text")
    await edit(app, saved, { feedText: true })
    const feed = await feedOf(saved)
    wellFormed(feed)
    expect(feed).toContain(
      `<content type="html" xml:base="https://example.org/1">${Bun.escapeHTML(html)}</content>`
    )
    expect(feed.match(/<content/g)).toHaveLength(1)
    await edit(app, saved, { feedText: false })
    expect(await feedOf(saved)).not.toContain("Its text")
  })

  test("has a link under the same id and times as the public feed", async () => {
    const entryIn = (feed: string) =>
      /<id>([^<]+)<\/id>\n<title>Newer[\s\S]*?<updated>([^<]+)/.exec(feed)?.slice(1)
    const own = entryIn(await feedOf(saved))
    expect(own).toEqual(entryIn(await (await get("/list/feed.xml")).text()))
    expect(own).toHaveLength(2)
  })

  test("keeps its id and is small, whatever else changes", async () => {
    const idIn = (feed: string) => /<feed[^>]*>\n<id>([^<]+)/.exec(feed)?.[1]
    const { search } = await saveIn(app, "Bulk", { query: "tag:bulk" })
    const before = await feedOf(search)
    expect(titlesIn(before)).toHaveLength(50)
    expect(idIn(before)).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    expect(idIn(before)).not.toBe(idIn(await feedOf(saved)))
    const renewed = await (await edit(app, search, { name: "Renamed", query: "", renewFeed: true })).json()
    expect(renewed.search.feed).not.toBe(search.feed)
    expect(idIn(await feedOf(renewed.search))).toBe(idIn(before))
    await app.owner("DELETE", `/api/searches/${search.id}`)
  })

  test("is stored by nobody, and is not sent again unchanged", async () => {
    const { pathname } = new URL(saved.feed)
    const answer = await get(pathname)
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/atom+xml; charset=utf-8",
      "cache-control": "no-store",
      "x-robots-tag": "noindex, nofollow",
      "referrer-policy": "no-referrer",
      "cross-origin-resource-policy": "same-origin"
    })
    const etag = answer.headers.get("etag") ?? ""
    const again = await get(pathname, { "if-none-match": etag })
    expect([again.status, await again.text(), again.headers.get("cache-control")]).toEqual([
      304,
      "",
      "no-store"
    ])
    expect((await app.request("HEAD", pathname)).status).toBe(200)
    await app.run(writeLinks([link("Newest", { createdAt: "2026-02-01T00:00:00.000Z" })]))
    expect((await get(pathname, { "if-none-match": etag })).status).toBe(200)
  })

  test("is the same nothing for every wrong address", async () => {
    const { pathname } = new URL(saved.feed)
    const wrong = [
      "/feeds/x",
      `${pathname}x`,
      pathname.slice(0, -1),
      pathname.toLowerCase(),
      `/feeds/${"A".repeat(43)}`,
      `/feeds/${saved.id}`,
      "/feeds/%E6%97%A5",
      `/feeds/${"x".repeat(90)}`
    ]
    const answers = await Promise.all(
      wrong.map(async (path) => {
        const answer = await get(path)
        return [answer.status, await answer.text(), [...answer.headers].toSorted()]
      })
    )
    for (const answer of answers) expect(answer).toEqual(answers[0] ?? [])
    expect(answers[0]?.[0]).toBe(404)
    expect((await app.request("POST", pathname)).status).toBe(405)
    expect((await get("/feeds")).status).toBe(404)
  })

  test("ends with its saved search or a new address, and returns with an undo", async () => {
    const { search } = await saveIn(app, "Short-lived", { query: "tag:news" })
    const { pathname } = new URL(search.feed)
    const renewed = await (await edit(app, search, { renewFeed: true })).json()
    expect((await get(pathname)).status).toBe(404)
    const next = new URL(renewed.search.feed).pathname
    const deleted = await (await app.owner("DELETE", `/api/searches/${search.id}`)).json()
    expect((await get(next)).status).toBe(404)
    await undo(app, deleted.undo)
    expect([(await get(next)).status, (await get(pathname)).status]).toEqual([200, 404])
    // A new address that was a mistake can be taken back too.
    await undo(app, renewed.undo)
    expect([(await get(next)).status, (await get(pathname)).status]).toEqual([404, 200])
  })

  test("is limited like the public list", async () => {
    const { pathname } = new URL(saved.feed)
    const from = { "x-forwarded-for": "203.0.113.77" }
    const statuses = new Set<number>()
    while (!statuses.has(429)) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => get(`${pathname}x`, from)))
      for (const { status } of answers) statuses.add(status)
    }
    expect([...statuses]).toEqual([404, 429])
    expect((await get(pathname, { "x-forwarded-for": "203.0.113.78" })).status).toBe(200)
  })
})
