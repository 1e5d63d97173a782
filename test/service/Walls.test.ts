import { afterAll, describe, expect, test } from "bun:test"
import { document, paragraphs } from "../enrich/page/support/visits.ts"
import { makeWorld } from "../support/service.ts"
import { useTestService } from "../support/testService.ts"
import { long } from "../support/tier.ts"

const challenge = document(
  { title: "Just a moment..." },
  "<noscript>Enable JavaScript and cookies to continue</noscript><script>window._cf_chl_opt={}</script>"
)
const article = document(
  {
    title: "How we cut our build times in half",
    head: '<meta name="description" content="Caches, mostly.">'
  },
  `<article><h1>How we cut our build times in half</h1>${paragraphs("We measured first, then cached what never changes.", 5)}</article>`
)
const login = document(
  { title: "Log in" },
  '<h1>Log in</h1><form><input name="user"><input type="password" name="password"></form>'
)

describe("a service whose pages are behind walls", () => {
  const site = { isOpen: false }
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) => {
      const { pathname } = new URL(url)
      const headers = { "content-type": "text/html; charset=utf-8" }
      if (site.isOpen) return new Response(article, { headers })
      if (pathname.startsWith("/members/"))
        return new Response(null, { status: 302, headers: { location: `/login?next=${pathname}` } })
      return pathname === "/login"
        ? new Response(login, { headers })
        : new Response(challenge, { status: 403, headers: { ...headers, server: "cloudflare" } })
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

  const save = async (path: string, more: object = {}) => {
    const url = base + path
    const answer = await service().client.capture({ url, ...more })
    expect(answer.status).toBe(200)
    const link = (await service().client.links()).find((one) => one.url === url)
    if (link === undefined) throw new Error(`${url} was not saved`)
    return link
  }
  const refreshed = async (id: number) => {
    const { client } = service()
    await client.ended((await client.start({ action: "refresh", id })).id)
    const link = (await client.links()).find((one) => one.id === id)
    if (link === undefined) throw new Error(`#${id} is gone`)
    return link
  }

  long(test)(
    "stores no word of a wall, and replaces the title of the address's words by the page's",
    async () => {
      const { model } = service().world
      const wall = await save("/2026/how-we-cut-build-times")
      expect(wall).toMatchObject({
        title: "How we cut build times",
        summary: "",
        tags: [],
        category: "unsorted",
        enrichment: "partial",
        stages: [
          { stage: "page", state: "failed", reason: "The site asks visitors to prove that they are human" },
          { stage: "model", state: "failed", reason: "There is nothing to summarize" }
        ]
      })
      expect(await save("/members/secret")).toMatchObject({
        title: "127.0.0.1",
        tags: [],
        enrichment: "partial",
        stages: [{ stage: "page", reason: "The site asks visitors to log in" }, { stage: "model" }]
      })
      expect(model.requests).toBe(0)

      site.isOpen = true
      expect(await refreshed(wall.id)).toMatchObject({
        title: "How we cut our build times in half",
        summary: "What the page says.",
        tags: ["some-tag"],
        category: "reading",
        enrichment: "complete"
      })
      site.isOpen = false
      expect(await refreshed(wall.id)).toMatchObject({
        title: "How we cut our build times in half",
        summary: "What the page says.",
        enrichment: "partial"
      })
    }
  )

  test("asks the model about what the browser saw", async () => {
    const { model } = service().world
    const before = model.requests
    const link = await save("/2026/why-we-measure-first", {
      title: "Measure first",
      selection: "We measured for a week."
    })
    expect(link).toMatchObject({
      title: "Measure first",
      summary: "What the page says.",
      tags: ["some-tag"],
      enrichment: "partial"
    })
    expect(model.requests).toBe(before + 1)
    expect(await refreshed(link.id)).toMatchObject({ title: "Measure first", summary: "What the page says." })
    // A log-in may have the title of the page behind it.
    const members = await save("/members/area", { title: "Log in", selection: "What only members see." })
    expect(await refreshed(members.id)).toMatchObject({ title: "Log in", summary: "What the page says." })
  })
})
