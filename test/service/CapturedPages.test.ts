import { afterAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { ENDED_TWICE } from "../../src/domain/Enrichment.ts"
import { document, paragraphs } from "../enrich/page/support/visits.ts"
import { numberIn } from "../support/libraryFile.ts"
import { makeWorld, type SeenLink, until } from "../support/service.ts"
import { useTestService } from "../support/testService.ts"
import { long } from "../support/tier.ts"

const FULL = paragraphs(
  "The report counts every quokka on Rottnest Island, north and south of the salt lakes.",
  12
)
const OPENING = paragraphs("The report counts every quokka on Rottnest Island, north and south.", 1)

const full = document(
  { title: "Counting quokkas | Island News" },
  `<article><h1>Counting quokkas</h1>${FULL}</article>`
)
/** What the browser shows a person who may read the page. */
const article = { html: full, title: "Counting quokkas", byline: "By Ada Palm", lang: "en" }

const login = document(
  { title: "Log in" },
  '<h1>Log in</h1><form><input name="user"><input type="password" name="password"></form>'
)
const shell = document(
  { title: "App", head: '<meta property="og:image" content="/cover.png">' },
  '<div id="root"></div><script src="/app.js"></script>'
)
const paywall = document(
  {
    title: "Counting quokkas - Island News",
    head: '<meta name="description" content="How many there are."><meta property="og:image" content="/cover.png">'
  },
  `<article><h1>Counting quokkas</h1>${OPENING}</article>`
)

describe("a page that the owner's browser sends with its capture", () => {
  const site = { isOpen: false, isSlow: false, pages: 0 }
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 60,
    fetch: async ({ url }) => {
      const { pathname } = new URL(url)
      const headers = { "content-type": "text/html; charset=utf-8" }
      site.pages++
      while (site.isSlow) await Bun.sleep(20)
      if (site.isOpen) return new Response(full, { headers })
      if (pathname.startsWith("/members/"))
        return new Response(null, { status: 302, headers: { location: `/login?next=${pathname}` } })
      if (pathname === "/login") return new Response(login, { headers })
      if (pathname.startsWith("/app/")) return new Response(shell, { headers })
      if (pathname.startsWith("/paid/")) return new Response(paywall, { headers })
      if (pathname.startsWith("/private/")) return new Response("Not found", { status: 404 })
      if (pathname.startsWith("/down/")) return new Response("Later", { status: 503 })
      return new Response(full, { headers })
    }
  })
  const base = `http://127.0.0.1:${server.port}`
  const service = useTestService(async () => {
    const world = await makeWorld()
    const settings = {
      FETCH_ALLOW: `${world.settings["FETCH_ALLOW"]},127.0.0.1:${server.port}`,
      CAPTURE_WAIT: "20 seconds"
    }
    return { world, settings }
  })
  afterAll(async () => {
    await Promise.all([server.stop(true), service().world.stop()])
  })

  const linkAt = async (path: string): Promise<SeenLink> => {
    const link = (await service().client.links()).find((one) => one.url === base + path)
    if (link === undefined) throw new Error(`${path} was not saved`)
    return link
  }
  /** Everything about the link, with its page's text. */
  const detailOf = async (
    path: string
  ): Promise<SeenLink & { readonly text: string; readonly author: string | null }> => {
    const { id } = await linkAt(path)
    const response = await service().client.owner("GET", `/api/links/${id}`)
    const { link, text } = await response.json()
    return { ...link, text }
  }
  const save = async (path: string, more: object = {}) => {
    const answer = await service().client.capture({ url: base + path, ...more })
    expect(answer.status).toBe(200)
    return await answer.json()
  }
  const refresh = async (path: string) => {
    const { client } = service()
    const { id } = await linkAt(path)
    await client.ended((await client.start({ action: "refresh", id })).id)
    return detailOf(path)
  }
  const isKept = async (path: string) => {
    const { id } = await linkAt(path)
    return (await service().client.owner("GET", `/api/links/${id}/page`)).status === 200
  }
  const pageStage = ({ stages }: SeenLink) => stages.find(({ stage }) => stage === "page")
  const fromBrowser = { stage: "page", state: "done", reason: null, from: "browser" }

  for (const [what, path, without] of [
    ["behind a log-in", "/members/1", { enrichment: "partial", summary: "", text: "" }],
    ["that its site hides from strangers", "/private/1", { enrichment: "partial", summary: "", text: "" }],
    ["drawn by scripts", "/app/1", { title: "App", text: "" }]
  ] as const)
    test(`is read in place of one ${what}`, async () => {
      await save(path)
      expect(await detailOf(path)).toMatchObject(without)
      expect(await save(path, { article })).toMatchObject({ title: "Counting quokkas" })
      const link = await detailOf(path)
      expect(link).toMatchObject({
        title: "Counting quokkas",
        author: "Ada Palm",
        summary: "What the page says.",
        enrichment: "complete"
      })
      expect(link.text).toContain("north and south of the salt lakes")
      expect(pageStage(link)).toEqual(fromBrowser)
      expect((await service().client.links("?q=salt+lakes")).map(({ id }) => id)).toContain(link.id)
    })

  test("completes a page that shows only its opening, which keeps what the site says about it", async () => {
    await save("/paid/1", { article })
    const link = await detailOf("/paid/1")
    expect(link).toMatchObject({
      title: "Counting quokkas",
      description: "How many there are.",
      image: `${base}/cover.png`,
      enrichment: "complete"
    })
    expect(link.text).toContain("salt lakes")
    expect(pageStage(link)).toEqual(fromBrowser)
  })

  test("changes nothing of a page that its site sends whole", async () => {
    await save("/open/1", {
      article: { ...article, html: `<p>${"Other words. ".repeat(20)}</p>`, byline: "Eve" }
    })
    const link = await detailOf("/open/1")
    expect(link.text).not.toContain("Other words")
    expect(link.author).not.toBe("Eve")
    expect(pageStage(link)).toEqual({ stage: "page", state: "done", reason: null })
  })

  test("is used while its site is down, and the site is asked again later", async () => {
    await save("/down/1", { article })
    const link = await detailOf("/down/1")
    expect(link.text).toContain("salt lakes")
    expect(link).toMatchObject({ enrichment: "partial", summary: "What the page says." })
    expect(pageStage(link)).toEqual({ ...fromBrowser, state: "failed", reason: "503 Service Unavailable" })
  })

  test("is kept when a refresh finds a log-in or less text, and replaced by a page that is read whole", async () => {
    await save("/members/2", { article })
    await save("/paid/2", { article: { ...article, html: full.replaceAll("quokka", "wallaby") } })
    for (const path of ["/members/2", "/paid/2"]) {
      const before = await detailOf(path)
      const { model } = service().world
      const requests = model.requests
      expect(await refresh(path)).toMatchObject({
        text: before.text,
        title: before.title,
        enrichment: "complete"
      })
      // The model is asked about the text that is kept.
      expect(model.requests).toBe(requests + 1)
      // Nor does a capture without a page, or with one that shows a log-in, replace it.
      await save(path)
      await save(path, { article: { ...article, html: login } })
      await save(path, { article: { ...article, html: "<p>Nothing to see.</p>" } })
      expect(await detailOf(path)).toMatchObject({ text: before.text, title: before.title })
      expect(pageStage(await detailOf(path))).toEqual(fromBrowser)
    }
    expect((await detailOf("/paid/2")).text).toContain("wallaby")
    site.isOpen = true
    const read = await refresh("/paid/2")
    site.isOpen = false
    expect(read.text).toContain("quokka")
    expect(pageStage(read)).toEqual({ stage: "page", state: "done", reason: null })
  })

  long(test)("gets the same answer for a new and a known address, whatever is stored", async () => {
    const { client } = service()
    const first = await save("/members/3", { article })
    const { id } = await linkAt("/members/3")
    expect(await save("/members/3", { article })).toEqual(first)
    await client.change({ op: "edit", ids: [id], title: "A private title" })
    expect(await save("/members/3", { article })).toEqual(first)
    // Without a page of its own, a capture is answered as one of an address that nobody has saved.
    const { title } = await save("/members/3")
    expect(title).toBe((await save("/members/4")).title)
    expect(await detailOf("/members/3")).toMatchObject({ title: "A private title" })
  })

  test("becomes text and nothing else, whatever it says about itself", async () => {
    const hostile = document(
      {
        title: "Innocent",
        head:
          '<link rel="canonical" href="https://bank.example/"><meta property="og:image" content="https://evil.example/x.png">' +
          '<meta property="og:site_name" content="Your bank"><base href="https://evil.example/">' +
          '<script type="application/ld+json">{"@type":"Product","image":"https://evil.example/y.png"}</script>'
      },
      `<article><script>alert(1)</script>${FULL}<img src="https://evil.example/z.png" onerror="alert(1)"></article>`
    )
    await save("/members/5", {
      article: { html: hostile, title: "<b>Bold</b>\u202e title", byline: "x".repeat(5_000) }
    })
    const link = await detailOf("/members/5")
    expect(link).toMatchObject({ title: "<b>Bold</b> title", image: null, siteName: null, favicon: null })
    expect(link.text).toContain("salt lakes")
    expect(link.text).not.toContain("alert")
    expect(JSON.stringify(link)).not.toMatch(/evil\.example|bank/)
  })

  test("keeps apart what two captures of one address bring at once", async () => {
    const other = {
      ...article,
      html: full.replaceAll("quokka", "numbat").replaceAll("salt lakes", "dry lakes")
    }
    site.isSlow = true
    const both = [article, other].map((one) =>
      service().client.capture({ url: `${base}/members/6`, article: one })
    )
    await Bun.sleep(300)
    site.isSlow = false
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200])
    const { text } = await detailOf("/members/6")
    // One of them, whole.
    expect(text.includes("quokka")).not.toBe(text.includes("numbat"))
  })

  long(test)("survives a kill before it is read, and is gone from disk afterwards", async () => {
    const { client, restart } = service()
    const key = { "idempotency-key": "killed" }
    site.isSlow = true
    const pages = site.pages
    client.capture({ url: `${base}/members/7`, article }, key).catch(() => undefined)
    await until(() => site.pages > pages)
    await restart("SIGKILL")
    site.isSlow = false
    await until(async () => (await linkAt("/members/7")).enrichment === "complete")
    expect((await detailOf("/members/7")).text).toContain("salt lakes")
    const library = join(service().running.folder, "data", "library.db")
    expect(numberIn(library, "SELECT count(*) FROM captured_pages")).toBe(0)
    // The same delivery is recognized, and another page under its key is not.
    expect((await client.capture({ url: `${base}/members/7`, article }, key)).status).toBe(200)
    const other = { ...article, html: "<p>Another page.</p>" }
    expect((await client.capture({ url: `${base}/members/7`, article: other }, key)).status).toBe(409)
  })

  test("is kept after two kills, though its site fails then", async () => {
    const { client, restart } = service()
    site.isSlow = true
    let pages = site.pages
    client.capture({ url: `${base}/down/2`, article }).catch(() => undefined)
    for (const _ of [1, 2]) {
      await until(() => site.pages > pages)
      pages = site.pages
      await restart("SIGKILL")
    }
    site.isSlow = false
    await until(() => isKept("/down/2"))
    expect((await detailOf("/down/2")).text).toContain("salt lakes")
    expect(pageStage(await linkAt("/down/2"))).toEqual({
      ...fromBrowser,
      state: "failed",
      reason: ENDED_TWICE
    })
  })

  test("waits for a link that is in the trash when it is processed, and goes with it for good", async () => {
    const { client } = service()
    const library = join(service().running.folder, "data", "library.db")
    const waiting = () => numberIn(library, "SELECT count(*) FROM captured_pages")
    const saved = async (path: string) => {
      site.isSlow = true
      const highlight = { quote: "north and south of the salt lakes", prefix: "", suffix: "" }
      const snapshot = { html: full }
      client.capture({ url: base + path, article, snapshot, highlight }).catch(() => undefined)
      await until(async () => (await client.links()).some(({ url }) => url === base + path))
      const { id } = await linkAt(path)
      const { undo } = await (await client.change({ op: "delete", ids: [id] })).json()
      site.isSlow = false
      await until(() => numberIn(library, "SELECT count(*) FROM inbox WHERE state = 'waiting'") === 0)
      expect(waiting()).toBe(1)
      return { id, undo }
    }
    const { id, undo } = await saved("/members/9")
    await client.change({ op: "undo", token: undo })
    await until(() => isKept("/members/9"))
    expect((await detailOf("/members/9")).text).toContain("salt lakes")
    expect((await client.owner("GET", `/read/${id}/snapshot`)).status).toBe(200)
    const highlights = await (await client.owner("GET", `/api/links/${id}/highlights`)).json()
    expect(highlights.highlights).toHaveLength(1)
    expect(waiting()).toBe(0)

    const gone = await saved("/members/10")
    await client.change({ op: "delete", ids: [gone.id], forever: true })
    expect(waiting()).toBe(0)
  })

  long(test)("waits for a model that is down, and is summarized once it is back", async () => {
    const { model } = service().world
    model.status = 500
    await save("/members/8", { article })
    expect(await detailOf("/members/8")).toMatchObject({ summary: "", enrichment: "partial" })
    model.status = 200
    await until(async () => (await refresh("/members/8")).summary === "What the page says.")
    const link = await detailOf("/members/8")
    expect(link.text).toContain("salt lakes")
    expect(link.enrichment).toBe("complete")
  })
})
