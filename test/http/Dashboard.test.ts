import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type App, appTests, makeApp } from "../support/app.ts"
import { isLong } from "../support/tier.ts"

const TITLES = ["Alpha", "Beta", "Gamma"]

const fill = async (app: App) => {
  for (const title of TITLES)
    await app.capture({ url: `https://example.org/${title}?t=${title}`, note: `about ${title}` })
}

/** A test on an app with three links. */
const filledTest = appTests(fill)

/** An app with three links that no test changes. */
const filled = makeApp()
beforeAll(() => fill(filled))
afterAll(() => filled.dispose())

const list = async (app: App, query = "") => (await app.owner("GET", `/api/links${query}`)).json()
const titles = async (app: App, query = "") =>
  (await list(app, query)).links.map(({ title }: { title: string }) => title)
const first = async (app: App) => (await list(app, "?sort=oldest")).links[0]
const mutate = async (app: App, body: unknown) => {
  const response = await app.owner("POST", "/api/mutate", body)
  return { status: response.status, ...(await response.json()) }
}

describe("GET /dashboard/api/links", () => {
  test("returns pages, newest first, without overlap and each with the total", async () => {
    expect(await titles(filled)).toEqual(["Gamma", "Beta", "Alpha"])
    expect(await list(filled)).toMatchObject({ total: 3, nextCursor: null })
    const page = await list(filled, "?limit=2")
    expect(page).toMatchObject({ total: 3, links: [{ title: "Gamma" }, { title: "Beta" }] })
    const next = await list(filled, `?limit=2&cursor=${encodeURIComponent(page.nextCursor)}`)
    expect(next).toMatchObject({ total: 3, links: [{ title: "Alpha" }], nextCursor: null })
  })

  filledTest("sorts, and filters by parameters and operators", async (app) => {
    await mutate(app, { op: "favorite", ids: [2], favorite: true })
    await mutate(app, { op: "collection", ids: [1], collection: "One" })
    const [{ collection }] = (await list(app, "?q=alpha")).links
    for (const [query, found] of [
      ["?sort=oldest", TITLES],
      ["?sort=title", TITLES],
      ["?sort=changed", ["Alpha", "Beta", "Gamma"]],
      ["?sort=site", ["Gamma", "Beta", "Alpha"]],
      ["?favorite=true", ["Beta"]],
      ["?favorite=false&sort=oldest", ["Alpha", "Gamma"]],
      [`?collection=${collection.id}`, ["Alpha"]],
      ["?collection=none&sort=oldest", ["Beta", "Gamma"]],
      ["?category=reading&sort=oldest", TITLES],
      ["?category=other", []],
      ["?tag=some-tag&limit=1", ["Gamma"]],
      ["?q=is:favorite", ["Beta"]],
      ['?q="about+alpha"+alpha&limit=1', ["Alpha"]],
      ["?q=about+alpha&limit=1", ["Alpha"]]
    ] as const)
      expect([query, await titles(app, query)]).toEqual([query, [...found]])
  })

  test("continues a random order with the cursor, whatever its seed was", async () => {
    const titleOn = async (query: string) => {
      const { links, nextCursor } = await list(filled, `?sort=random&limit=1${query}`)
      return { title: links[0].title, next: `&cursor=${encodeURIComponent(nextCursor)}` }
    }
    for (const seed of ["", "&seed=5"]) {
      const one = await titleOn(seed)
      const two = await titleOn(one.next)
      const three = await titleOn(two.next)
      expect([one, two, three].map(({ title }) => title).toSorted()).toEqual(TITLES)
    }
  })

  for (const [name, value] of [
    ["sort", "best"],
    ["seed", "x"],
    ["limit", "0"],
    ["limit", "many"],
    ["limit", "-1"],
    ["favorite", "maybe"],
    ["shareable", "2"],
    ["collection", "1 OR 1=1"],
    ["cursor", "x"],
    ["cursor", "WyJ0aXRsZSIsMSwxXQ"]
  ] as const)
    test(`rejects ${name}=${value} and names the parameter`, async () => {
      const response = await filled.owner("GET", `/api/links?${new URLSearchParams({ [name]: value })}`)
      const { error, message } = await response.json()
      expect([response.status, error]).toEqual([400, "bad_request"])
      expect(message).toContain(`"${name}"`)
    })
})

describe("POST /dashboard/api/mutate", () => {
  filledTest("leaves the links out of the answer on request", async (app) => {
    const change = { op: "favorite", ids: [1, 2], favorite: true }
    const response = await app.owner("POST", "/api/mutate?links=none", change)
    expect([response.status, await response.json()]).toEqual([200, { links: [], undo: expect.any(String) }])
    expect((await list(app, "?favorite=true")).total).toBe(2)
    expect((await app.owner("POST", "/api/mutate?links=some", change)).status).toBe(400)
  })

  filledTest("makes every change, undoes it and redoes it", async (app) => {
    for (const [change, after, before] of [
      [{ op: "favorite", favorite: true }, { favorite: true }, { favorite: false }],
      [{ op: "shareable", shareable: true }, { shareable: true }, { shareable: false }],
      [
        { op: "category", category: "  Deep  Reading " },
        { category: "deep reading" },
        { category: "reading" }
      ],
      [
        { op: "collection", collection: " Reading  list " },
        { collection: { name: "Reading list" } },
        { collection: null }
      ],
      [{ op: "edit", title: " Mine " }, { title: "Mine" }, { title: "Alpha" }],
      [{ op: "edit", summary: "" }, { summary: "" }, { summary: "In short." }],
      [
        { op: "edit", category: "Deep Reading", collection: "A / B", note: " Why " },
        { category: "deep reading", collection: { name: "A / B" }, note: "Why" },
        { category: "reading", collection: null }
      ]
    ] as const) {
      const changed = await mutate(app, { ...change, ids: [1] })
      expect(changed).toMatchObject({ status: 200, links: [{ id: 1, ...after }] })
      const undone = await mutate(app, { op: "undo", token: changed.undo })
      expect(undone).toMatchObject({ status: 200, links: [{ id: 1, ...before }] })
      expect(await mutate(app, { op: "undo", token: undone.undo })).toMatchObject({
        links: [{ id: 1, ...after }]
      })
      await mutate(app, { op: "undo", token: changed.undo })
    }
  })

  filledTest("rejects an undo that would overwrite a newer change, unless forced", async (app) => {
    const undo = async (token: unknown, more = {}) => {
      const response = await app.owner("POST", "/api/mutate", { op: "undo", token, ...more })
      return { status: response.status, body: await response.json() }
    }
    for (const [change, later, field, word = field] of [
      [{ op: "favorite", favorite: true }, { op: "favorite", favorite: false }, "favorite", "favorite mark"],
      [{ op: "shareable", shareable: true }, { op: "shareable", shareable: false }, "shareable", "sharing"],
      [{ op: "category", category: "one" }, { op: "category", category: "two" }, "category"],
      [{ op: "collection", collection: "One" }, { op: "collection", collection: null }, "collection"],
      [{ op: "edit", title: "One" }, { op: "edit", title: "Two" }, "title"],
      [{ op: "edit", summary: "One" }, { op: "edit", summary: "Two" }, "summary"]
    ] as const) {
      const before = await first(app)
      const made = await mutate(app, { ...change, ids: [1] })
      const second = await mutate(app, { ...later, ids: [1] })
      const now = await first(app)
      for (const more of [{}, { force: false }])
        expect(await undo(made.undo, more)).toEqual({
          status: 409,
          body: {
            error: "changed_since",
            message: `The ${word} has been changed since then. Undoing would overwrite that.`,
            fields: [field]
          }
        })
      expect(await first(app)).toEqual(now)
      const undone = await undo(made.undo, { force: true })
      expect(undone).toMatchObject({
        status: 200,
        body: { links: [{ ...before, updatedAt: expect.anything() }] }
      })
      if (!isLong && field !== "favorite") continue
      // In their order, both can be undone without force.
      expect((await undo(undone.body.undo)).status).toBe(200)
      expect((await undo(second.undo)).status).toBe(200)
      expect((await undo(made.undo)).status).toBe(200)
      expect(await first(app)).toEqual({ ...before, updatedAt: expect.anything() })
    }
    expect(await undo(crypto.randomUUID(), { force: true })).toMatchObject({ status: 404 })
    expect(await undo(crypto.randomUUID(), { force: "yes" })).toMatchObject({ status: 400 })
  })

  filledTest("counts the links that have changed since, and names their fields", async (app) => {
    const bulk = await mutate(app, { op: "category", ids: [1, 2], category: "bulk" })
    await mutate(app, { op: "edit", ids: [1], title: "Elsewhere" })
    await mutate(app, { op: "category", ids: [2], category: "mine" })
    const stale = await mutate(app, { op: "undo", token: bulk.undo })
    expect(stale).toMatchObject({
      status: 409,
      fields: ["category"],
      message: "The category of 1 of 2 links has been changed since then. Undoing would overwrite that."
    })
    expect(await mutate(app, { op: "undo", token: bulk.undo, force: true })).toMatchObject({
      status: 200,
      links: [{ id: 1, title: "Elsewhere" }, { id: 2 }]
    })
  })

  filledTest("merges links and keeps notes, favorites and what was set by hand", async (app) => {
    await mutate(app, { op: "favorite", ids: [2], favorite: true })
    await mutate(app, { op: "edit", ids: [3], title: "Chosen by hand" })
    await mutate(app, { op: "collection", ids: [3], collection: "Kept" })
    expect(await mutate(app, { op: "merge", ids: [2, 3, 1], into: 1 })).toMatchObject({
      status: 200,
      links: [
        {
          id: 1,
          title: "Chosen by hand",
          favorite: true,
          note: "about Alpha\nabout Beta\nabout Gamma",
          collection: { name: "Kept" }
        }
      ],
      deleted: [2, 3]
    })
    expect((await list(app)).total).toBe(1)
  })

  filledTest("deletes links from the list, the search and the public list", async (app) => {
    await mutate(app, { op: "shareable", ids: [1, 2], shareable: true })
    expect(await mutate(app, { op: "delete", ids: [1] })).toEqual({
      status: 200,
      links: [],
      deleted: [1],
      undo: expect.any(String)
    })
    expect(await titles(app, "?q=alpha")).not.toContain("Alpha")
    expect((await list(app)).total).toBe(2)
    expect((await (await app.request("GET", "/list/api/links")).json()).total).toBe(1)
  })

  filledTest("restores deleted links, also by an undo, and deletes them for good", async (app) => {
    const { undo } = await mutate(app, { op: "delete", ids: [1, 2] })
    expect(await mutate(app, { op: "restore", ids: [2] })).toMatchObject({ status: 200, links: [{ id: 2 }] })
    const undone = await mutate(app, { op: "undo", token: undo })
    expect(undone).toMatchObject({ status: 200, links: [{ id: 1 }] })
    expect(undone).not.toHaveProperty("deleted")
    expect(await mutate(app, { op: "undo", token: undone.undo })).toMatchObject({
      status: 200,
      links: [],
      deleted: [1]
    })
    expect(await mutate(app, { op: "restore", ids: [3] })).toMatchObject({ status: 404 })
    expect(await mutate(app, { op: "delete", ids: [1, 2], forever: true })).toEqual({
      status: 200,
      links: [],
      deleted: [1, 2]
    })
    expect((await list(app, "?q=is:trashed")).total).toBe(0)
    expect(await mutate(app, { op: "undo", token: undo })).toMatchObject({ status: 404, error: "not_found" })
  })

  filledTest("lists the trash, narrowed and paged, the latest deletion first", async (app) => {
    await mutate(app, { op: "tags", ids: [2], add: ["kept"] })
    for (const id of [2, 3, 1]) await mutate(app, { op: "delete", ids: [id] })
    const trash = (query: string) => list(app, `?q=${encodeURIComponent(`is:trashed ${query}`)}`)
    expect(await trash("")).toMatchObject({
      total: 3,
      nextCursor: null,
      links: [
        { title: "Alpha", deletedAt: expect.any(String) },
        { title: "Gamma", deletedAt: expect.any(String) },
        { title: "Beta", deletedAt: expect.any(String) }
      ]
    })
    for (const [query, found] of [
      ["alp", ["Alpha"]],
      ["(ALPHA or gamma)", ["Alpha", "Gamma"]],
      ["-alpha", ["Gamma", "Beta"]],
      ["tag:kept", ["Beta"]],
      ["title:gam", ["Gamma"]],
      ["is:unread site:example.org", ["Alpha", "Gamma", "Beta"]],
      ["is:favorite", []],
      ["is:archived", []],
      ["nothing", []]
    ] as const)
      expect([query, await titles(app, `?q=${encodeURIComponent(`is:trashed ${query}`)}`)]).toEqual([
        query,
        [...found]
      ])
    const first = await list(app, "?q=is:trashed&limit=2&sort=collection")
    expect(first).toMatchObject({ total: 3, links: [{ title: "Alpha" }, { title: "Gamma" }] })
    const next = await list(app, `?q=is:trashed&limit=2&sort=collection&cursor=${first.nextCursor}`)
    expect(next).toMatchObject({ total: 3, nextCursor: null, links: [{ title: "Beta" }] })
    expect((await list(app, "?q=is:trashed&sort=title")).links).toMatchObject([
      { title: "Alpha" },
      { title: "Beta" },
      { title: "Gamma" }
    ])
    expect((await list(app, "?q=is:trashed%20or%20beta")).total).toBe(0)
    expect(await list(app)).toMatchObject({ total: 0 })
  })

  filledTest("gives links a state, and leaves archived ones out of broad views", async (app) => {
    expect((await mutate(app, { op: "state", ids: [1], state: "archived" })).links).toMatchObject([
      { id: 1, state: "archived" }
    ])
    await mutate(app, { op: "state", ids: [2], state: "read" })
    const meta = await (await app.owner("GET", "/api/meta")).json()
    expect(meta).toMatchObject({ total: 3, states: { unread: 1, read: 1, archived: 1 }, trash: 0 })
    for (const [query, found] of [
      ["", ["Beta", "Gamma"]],
      ["?q=about", ["Beta", "Gamma"]],
      ["?q=-beta", ["Gamma"]],
      ["?like=2", ["Gamma"]],
      ["?sort=collection", ["Beta", "Gamma"]],
      ["?q=is:archived", ["Alpha"]],
      ["?q=about%20is:archived", ["Alpha"]],
      ["?q=-is:unread", ["Alpha", "Beta"]],
      ["?q=is:unread%20or%20is:archived", ["Alpha", "Gamma"]],
      ["?collection=none", TITLES],
      ["?category=reading", TITLES],
      ["?tag=some-tag", TITLES],
      ["?favorite=false", TITLES]
    ] as const) {
      const { links, total } = await list(app, query)
      expect([query, links.map(({ title }: { title: string }) => title).toSorted()]).toEqual([
        query,
        [...found]
      ])
      expect([query, total]).toEqual([query, found.length])
    }
    // Its meaning finds other links, but not the archived one that has the word.
    expect(await titles(app, "?q=alpha")).not.toContain("Alpha")
  })

  for (const [body, status, error] of [
    ...[
      {},
      { op: 5 },
      { op: "explode", ids: [1] },
      { op: "favorite", ids: [] },
      { op: "favorite", ids: ["1"], favorite: true },
      { op: "favorite", ids: [-1], favorite: true },
      { op: "favorite", ids: [1], favorite: "yes" },
      { op: "edit", ids: [1] },
      { op: "edit", ids: [1, 2], title: "both" },
      { op: "edit", ids: [1], title: "  " },
      { op: "edit", ids: [1], title: "x".repeat(100_000) },
      { op: "category", ids: [1], category: "!!!" },
      { op: "merge", ids: [1], into: 1 },
      { op: "undo", token: "x" }
    ].map((body) => [body, 400, "bad_request"] as const),
    [{ op: "favorite", ids: [1, 99], favorite: true }, 404, "not_found"] as const,
    [{ op: "delete", ids: [1, 99] }, 404, "not_found"] as const
  ])
    test(`answers ${status} to ${JSON.stringify(body).slice(0, 60)} and changes nothing`, async () => {
      const before = await list(filled)
      expect(await mutate(filled, body)).toMatchObject({ status, error, message: expect.any(String) })
      expect(await list(filled)).toEqual(before)
    })
})

filledTest("an address without a page is answered 404, with the app, which says so", async (app) => {
  const [missing, settings] = [await app.owner("GET", "/nope"), await app.owner("GET", "/settings")]
  expect([missing.status, settings.status]).toEqual([404, 200])
  expect(missing.headers.get("content-type")).toStartWith("text/html")
  expect(await missing.text()).toContain('<script type="module"')
})

filledTest("GET /dashboard/api/statistics returns the library in numbers", async (app) => {
  await mutate(app, { op: "state", ids: [2], state: "archived" })
  const response = await app.owner("GET", "/api/statistics")
  expect(response.status).toBe(200)
  const { embeddings, size, top, weeks, ...counts } = await response.json()
  expect(counts).toEqual({
    links: 3,
    favorites: 0,
    shared: 0,
    unfiled: 3,
    states: { unread: 2, read: 0, archived: 1 },
    collections: 0,
    categories: 1,
    incomplete: 0,
    pages: { kept: 0, missing: 3, versions: 0 },
    pagesToRead: 0,
    savedThisWeek: 3,
    savedThisMonth: 3
  })
  expect(weeks.length).toBe(52)
  expect(weeks.at(-1)).toEqual({ from: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00.000Z$/), saved: 3 })
  expect(top).toEqual({
    sites: [{ name: "example.org", count: 3 }],
    tags: [{ name: "some-tag", count: 3 }],
    categories: [{ name: "reading", count: 3 }],
    collections: []
  })
  expect(embeddings).toEqual({ embedder: expect.any(String), done: 3, waiting: 0 })
  expect(size).toEqual({
    database: expect.any(Number),
    pages: 0,
    vectors: expect.any(Number),
    pictures: 0,
    pagePictures: 0,
    pagePicturesLimit: 1024 ** 3
  })
})

filledTest("GET /dashboard/api/meta counts the links", async (app) => {
  await mutate(app, { op: "collection", ids: [1], collection: "One" })
  const meta = await (await app.owner("GET", "/api/meta")).json()
  expect(meta).toMatchObject({
    total: 3,
    favorites: 0,
    shareable: 0,
    uncollected: 2,
    categories: [{ name: "reading", count: 3 }],
    collections: [{ id: expect.any(Number), name: "One", count: 1 }],
    tags: [{ name: "some-tag", count: 3 }],
    model: { id: expect.any(String), configured: false },
    version: expect.any(String)
  })
})

filledTest("GET /dashboard/api/sites counts the links of each site, busiest first", async (app) => {
  const sites = async () => (await (await app.owner("GET", "/api/sites")).json()).sites
  await mutate(app, { op: "delete", ids: [1] })
  for (const url of ["https://www.quiet.example/", "https://quiet.example/1", "https://quiet.example/2"])
    await app.capture({ url })
  expect(await sites()).toEqual([
    { name: "quiet.example", count: 3 },
    { name: "example.org", count: 2 }
  ])
})

filledTest(
  "an empty collection is kept, hidden from strangers, deleted on request and restored",
  async (app) => {
    const collections = async () => (await (await app.owner("GET", "/api/meta")).json()).collections
    const remove = async (id: unknown) => {
      const response = await app.owner("DELETE", `/api/collections/${id}`)
      return { status: response.status, ...(await response.json()) }
    }
    await mutate(app, { op: "shareable", ids: [1, 2], shareable: true })
    await mutate(app, { op: "collection", ids: [1], collection: "Kept" })
    const [{ id }] = await collections()
    await mutate(app, { op: "collection", ids: [1], collection: null })
    expect(await collections()).toEqual([expect.objectContaining({ id, name: "Kept", count: 0 })])
    for (const path of ["/list", "/list/api/links", "/list/feed.xml"])
      expect(await (await app.request("GET", path)).text()).not.toContain("Kept")

    expect((await app.request("DELETE", `/dashboard/api/collections/${id}`)).status).toBe(403)
    for (const wrong of ["0", "-1", "x", "1e3", "9".repeat(16), "%2e%2e"])
      expect((await remove(wrong)).status).not.toBe(200)
    expect((await remove(id + 1)).status).toBe(404)
    const removed = await remove(id)
    expect(removed.status).toBe(200)
    expect(await collections()).toEqual([])
    expect((await remove(id)).status).toBe(404)
    expect(await mutate(app, { op: "undo", token: removed.undo })).toMatchObject({ status: 200, links: [] })
    expect(await collections()).toEqual([expect.objectContaining({ id, name: "Kept", count: 0 })])
  }
)

describe("GET /dashboard", () => {
  filledTest("embeds the first page of links as data, never as markup", async (app) => {
    const title = '</script><script>alert(1)</script>"'
    await app.capture({ url: `https://example.org/x?t=${encodeURIComponent(title)}` })
    const page = await app.owner("GET", "?q=alert")
    expect(page.headers.get("content-type")).toStartWith("text/html")
    const html = await page.text()
    expect(html).not.toContain("<script>alert")
    const data = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html)?.[1] ?? ""
    const { meta, page: links } = JSON.parse(data)
    expect(meta.total).toBe(4)
    expect(links).toMatchObject({ links: [{ title }], highlights: [{}] })
  })

  for (const path of ["?sort=by-chance", "/duplicates", "/jobs/1", "/add?url=https://example.org"])
    test(`embeds no links at ${path}`, async () =>
      expect(await (await filled.owner("GET", path)).text()).toContain('"page":null'))
})
