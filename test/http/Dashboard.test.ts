import { describe, expect, test } from "bun:test"
import { type App, makeApp } from "../support/app.ts"

const withApp = (name: string, body: (app: App) => Promise<void>) =>
  test(name, async () => {
    const app = makeApp()
    for (const title of ["Alpha", "Beta", "Gamma"])
      await app.capture({ url: `https://example.org/${title}?t=${title}`, note: `about ${title}` })
    await body(app).finally(app.dispose)
  })

const list = async (app: App, query = "") => (await app.owner("GET", `/api/links${query}`)).json()
const titles = async (app: App, query = "") =>
  (await list(app, query)).links.map(({ title }: { title: string }) => title)
const first = async (app: App) => (await list(app, "?sort=oldest")).links[0]
const mutate = async (app: App, body: unknown) => {
  const response = await app.owner("POST", "/api/mutate", body)
  return { status: response.status, ...(await response.json()) }
}

describe("GET /dashboard/api/links", () => {
  withApp("lists every link, the newest first, with their number", async (app) => {
    expect(await titles(app)).toEqual(["Gamma", "Beta", "Alpha"])
    expect(await list(app)).toMatchObject({ total: 3, nextCursor: null })
  })

  withApp("pages by its cursor without overlap, and counts all of them on each page", async (app) => {
    const first = await list(app, "?limit=2")
    expect(first).toMatchObject({ total: 3, links: [{ title: "Gamma" }, { title: "Beta" }] })
    const second = await list(app, `?limit=2&cursor=${encodeURIComponent(first.nextCursor)}`)
    expect(second).toMatchObject({ total: 3, links: [{ title: "Alpha" }], nextCursor: null })
  })

  withApp("sorts, and narrows by parameters and operators", async (app) => {
    expect(await titles(app, "?sort=oldest")).toEqual(["Alpha", "Beta", "Gamma"])
    expect(await titles(app, "?sort=title")).toEqual(["Alpha", "Beta", "Gamma"])
    await mutate(app, { op: "favorite", ids: [2], favorite: true })
    await mutate(app, { op: "collection", ids: [1], collection: "One" })
    const [{ collection }] = (await list(app, "?q=alpha")).links
    for (const [query, found] of [
      ["?favorite=true", ["Beta"]],
      ["?favorite=false&sort=oldest", ["Alpha", "Gamma"]],
      [`?collection=${collection.id}`, ["Alpha"]],
      ["?collection=none&sort=oldest", ["Beta", "Gamma"]],
      ["?category=reading&sort=oldest", ["Alpha", "Beta", "Gamma"]],
      ["?category=other", []],
      ["?tag=some-tag&limit=1", ["Gamma"]],
      ["?q=is:favorite", ["Beta"]],
      ['?q="about+alpha"+alpha&limit=1', ["Alpha"]],
      ["?q=about+alpha&limit=1", ["Alpha"]]
    ] as const)
      expect([query, await titles(app, query)]).toEqual([query, [...found]])
  })

  for (const [name, value] of [
    ["sort", "best"],
    ["limit", "0"],
    ["limit", "many"],
    ["limit", "-1"],
    ["favorite", "maybe"],
    ["shareable", "2"],
    ["collection", "1 OR 1=1"],
    ["cursor", "x"],
    ["cursor", "WyJ0aXRsZSIsMSwxXQ"]
  ] as const)
    withApp(`refuses ${name}=${value}, naming the parameter`, async (app) => {
      const response = await app.owner("GET", `/api/links?${new URLSearchParams({ [name]: value })}`)
      const answer = await response.json()
      expect([response.status, answer.error]).toEqual([400, "bad_request"])
      expect(answer.message).toContain(`"${name}"`)
    })
})

describe("POST /dashboard/api/mutate", () => {
  withApp("makes every change and takes it back", async (app) => {
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
      [{ op: "edit", summary: "" }, { summary: "" }, { summary: "In short." }]
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

  withApp("refuses an undo that would overwrite a newer change, and makes it when forced to", async (app) => {
    const undo = async (token: unknown, more = {}) => {
      const response = await app.owner("POST", "/api/mutate", { op: "undo", token, ...more })
      return { status: response.status, body: await response.json() }
    }
    for (const [change, later, field] of [
      [{ op: "favorite", favorite: true }, { op: "favorite", favorite: false }, "favorite"],
      [{ op: "shareable", shareable: true }, { op: "shareable", shareable: false }, "shareable"],
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
            message: `Changed since then: ${field}. Undoing would overwrite that.`,
            fields: [field]
          }
        })
      expect(await first(app)).toEqual(now)
      // In their order both can be undone; over the newer one it takes force.
      const undone = await undo(made.undo, { force: true })
      expect(undone).toMatchObject({
        status: 200,
        body: { links: [{ ...before, updatedAt: expect.anything() }] }
      })
      expect((await undo(undone.body.undo)).status).toBe(200)
      expect((await undo(second.undo)).status).toBe(200)
      expect((await undo(made.undo)).status).toBe(200)
      expect(await first(app)).toEqual({ ...before, updatedAt: expect.anything() })
    }
    expect(await undo(crypto.randomUUID(), { force: true })).toMatchObject({ status: 404 })
    expect(await undo(crypto.randomUUID(), { force: "yes" })).toMatchObject({ status: 400 })
  })

  withApp("names what changed since on some of many links, and how many", async (app) => {
    const bulk = await mutate(app, { op: "category", ids: [1, 2], category: "bulk" })
    await mutate(app, { op: "edit", ids: [1], title: "Elsewhere" })
    await mutate(app, { op: "category", ids: [2], category: "mine" })
    const stale = await mutate(app, { op: "undo", token: bulk.undo })
    expect(stale).toMatchObject({
      status: 409,
      fields: ["category"],
      message: "1 of 2 links have changed since then: category. Undoing would overwrite that."
    })
    expect(await mutate(app, { op: "undo", token: bulk.undo, force: true })).toMatchObject({
      status: 200,
      links: [{ id: 1, title: "Elsewhere" }, { id: 2 }]
    })
  })

  withApp("finds an edited title by its new words and not by its old ones", async (app) => {
    await mutate(app, { op: "edit", ids: [1], title: "Zanzibar ledger" })
    expect(await titles(app, "?q=zanzibar")).toEqual(["Zanzibar ledger"])
    expect(await titles(app, '?q="alpha"+-about')).toEqual([])
  })

  withApp("changes all of the links or none", async (app) => {
    expect(await mutate(app, { op: "favorite", ids: [1, 99], favorite: true })).toMatchObject({
      status: 404,
      error: "not_found"
    })
    expect(await mutate(app, { op: "delete", ids: [1, 99] })).toMatchObject({ status: 404 })
    expect(await list(app, "?favorite=true")).toMatchObject({ total: 0 })
    expect((await list(app)).total).toBe(3)
  })

  withApp("joins links without losing a note, a tag, a favorite or what was set by hand", async (app) => {
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

  withApp("deletes for good, from the list, the search and the public page", async (app) => {
    await mutate(app, { op: "shareable", ids: [1, 2], shareable: true })
    expect(await mutate(app, { op: "delete", ids: [1] })).toEqual({ status: 200, links: [], deleted: [1] })
    expect(await titles(app, "?q=alpha")).not.toContain("Alpha")
    expect((await list(app)).total).toBe(2)
    expect((await (await app.request("GET", "/list/api/links")).json()).total).toBe(1)
  })

  for (const bad of [
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
  ])
    withApp(`refuses ${JSON.stringify(bad).slice(0, 60)} and changes nothing`, async (app) => {
      const before = await list(app)
      expect(await mutate(app, bad)).toMatchObject({
        status: 400,
        error: "bad_request",
        message: expect.any(String)
      })
      expect(await list(app)).toEqual(before)
    })
})

describe("the rest of the dashboard's interface", () => {
  withApp("counts the library by what its links carry", async (app) => {
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

  withApp(
    "keeps a collection that the last link has left, shows it to the owner alone, and deletes it on demand",
    async (app) => {
      const collections = async () => (await (await app.owner("GET", "/api/meta")).json()).collections
      const remove = async (id: unknown, how: "owner" | "stranger" = "owner") => {
        const response =
          how === "owner"
            ? await app.owner("DELETE", `/api/collections/${id}`)
            : await app.request("DELETE", `/dashboard/api/collections/${id}`)
        return { status: response.status, ...(await response.json()) }
      }
      await mutate(app, { op: "shareable", ids: [1, 2], shareable: true })
      await mutate(app, { op: "collection", ids: [1], collection: "Kept" })
      const [{ id }] = await collections()
      expect(await remove(id)).toMatchObject({
        status: 409,
        error: "conflict",
        message: expect.stringContaining("“Kept”")
      })
      await mutate(app, { op: "collection", ids: [1], collection: null })
      expect(await collections()).toEqual([{ id, name: "Kept", count: 0 }])
      for (const path of ["/list", "/list/api/links", "/list/feed.xml"])
        expect(await (await app.request("GET", path)).text()).not.toContain("Kept")

      expect((await remove(id, "stranger")).status).toBe(403)
      for (const wrong of ["0", "-1", "x", "1e3", "9".repeat(16), "%2e%2e"])
        expect((await remove(wrong)).status).not.toBe(200)
      expect((await remove(id + 1)).status).toBe(404)
      const removed = await remove(id)
      expect(removed.status).toBe(200)
      expect(await collections()).toEqual([])
      expect((await remove(id)).status).toBe(404)
      expect(await mutate(app, { op: "undo", token: removed.undo })).toMatchObject({ status: 200, links: [] })
      expect(await collections()).toEqual([{ id, name: "Kept", count: 0 }])
    }
  )

  withApp("looks at one link again as a job, against nothing set by hand", async (app) => {
    await mutate(app, { op: "edit", ids: [1], title: "By hand" })
    const started = await app.owner("POST", "/api/action", { action: "refresh", id: 1 })
    const { job } = await started.json()
    expect([started.status, job.action, job.total]).toEqual([202, "refresh", 1])
    let seen = job
    while (seen.state === "running") seen = (await (await app.owner("GET", `/api/jobs/${job.id}`)).json()).job
    expect(seen).toMatchObject({
      state: "done",
      done: 1,
      result: { link: { id: 1, title: "By hand" } },
      error: null
    })
    await mutate(app, { op: "delete", ids: [1] })
    expect((await app.owner("GET", `/api/jobs/${job.id}`)).status).toBe(404)
  })

  withApp("refuses a job it does not know", async (app) => {
    for (const [body, status] of [
      [{ action: "explode" }, 400],
      [{ action: "refresh" }, 400],
      [{ action: "refresh", id: 99 }, 404]
    ] as const)
      expect((await app.owner("POST", "/api/action", body)).status).toBe(status)
    for (const id of ["999", "x"])
      expect([400, 404]).toContain((await app.owner("GET", `/api/jobs/${id}`)).status)
  })

  withApp("comes with what its address asks for, as data and never as markup", async (app) => {
    await app.capture({
      url: `https://example.org/x?t=${encodeURIComponent('</script><script>alert(1)</script>"')}`
    })
    const page = await app.owner("GET", "?q=alert")
    expect(page.headers.get("content-type")).toStartWith("text/html")
    const html = await page.text()
    expect(html).not.toContain("<script>alert")
    const data = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html)?.[1] ?? ""
    const { meta, page: first } = JSON.parse(data)
    expect(meta.total).toBe(4)
    expect(first.links.map(({ title }: { title: string }) => title)).toEqual([
      '</script><script>alert(1)</script>"'
    ])
    expect(first.highlights).toHaveLength(1)
  })

  for (const path of ["?sort=by-chance", "/duplicates", "/jobs/1", "/add?url=https://example.org"])
    withApp(`comes without links at ${path}`, async (app) => {
      const html = await (await app.owner("GET", path)).text()
      expect(html).toContain('"page":null')
    })
})

describe("the public list", () => {
  withApp("shows shared links with their public fields, and nothing of the others", async (app) => {
    await mutate(app, { op: "collection", ids: [1, 2], collection: "Shown" })
    await mutate(app, { op: "shareable", ids: [1], shareable: true })
    const text = await (await app.request("GET", "/list/api/links")).text()
    const { links } = JSON.parse(text)
    expect(links.length).toBe(1)
    expect(Object.keys(links[0]).sort()).toEqual(
      [
        "category",
        "collection",
        "createdAt",
        "description",
        "favicon",
        "host",
        "image",
        "publishedAt",
        "summary",
        "tags",
        "title",
        "url"
      ].sort()
    )
    for (const path of [
      "/list",
      "/list/api/links",
      "/list/feed.xml",
      "/list/api/links?q=beta&shareable=0&favorite=1&all=1"
    ]) {
      const body = await (await app.request("GET", path)).text()
      expect(body).not.toContain("Beta")
      expect(body).not.toContain("about Alpha")
    }
    await mutate(app, { op: "shareable", ids: [1], shareable: false })
    for (const path of ["/list", "/list/api/links", "/list/feed.xml"])
      expect(await (await app.request("GET", path)).text()).not.toContain("Alpha")
  })

  withApp("is an Atom feed too, whose titles are text", async (app) => {
    await app.capture({ url: `https://example.org/x?t=${encodeURIComponent("<b>&\u0001")}` })
    const [{ id }] = (await list(app, "?limit=1")).links
    await mutate(app, { op: "shareable", ids: [id], shareable: true })
    const feed = await app.request("GET", "/list/feed.xml")
    expect(feed.headers.get("content-type")).toStartWith("application/atom+xml")
    const xml = await feed.text()
    expect(xml).toContain('xmlns="http://www.w3.org/2005/Atom"')
    expect(xml).toContain("<title>&lt;b&gt;&amp;</title>")
  })
})
