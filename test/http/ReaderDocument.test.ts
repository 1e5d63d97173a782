import { describe, expect, test } from "bun:test"
import { Effect } from "effect"
import { articleText, isCleanArticle } from "../../src/domain/Article.ts"
import { LinkId } from "../../src/domain/Link.ts"
import { shownArticle } from "../../src/http/PageDocuments.tsx"
import { PageStore } from "../../src/store/pages/PageStore.ts"
import { type App, appTests } from "../support/app.ts"

const appTest = appTests()

const HTML = '<h2>The harbour</h2><p>Quiet &amp; cold, with <a href="https://example.org/">a link</a>.</p>'

/** Saves a link and keeps pages for it, one after the other; returns its number. */
const keep = async (app: App, ...pages: ReadonlyArray<string>) => {
  await app.capture({ url: "https://example.org/harbour?t=Harbour" })
  await app.settled()
  const [link] = await app.links()
  const id = LinkId.make(link?.id ?? 0)
  for (const html of pages)
    await app.run(
      Effect.flatMap(PageStore, (store) =>
        store.keep(id, {
          title: "The <harbour>",
          author: "Ada & Co",
          siteName: "The Coastal Review",
          publishedAt: "2026-03-09",
          language: "en",
          source: "site",
          url: "https://example.org/harbour",
          html
        })
      )
    )
  return id
}

const documentOf = (app: App, id: number, query = "") => app.owner("GET", `/read/${id}/document${query}`)

describe("the document of a kept page", () => {
  appTest("has its article whole, with what is known about the page above it", async (app) => {
    const id = await keep(app, HTML)
    const response = await documentOf(app, id)
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    const text = await response.text()
    expect(text).toContain('<h1 lang="en">The &lt;harbour></h1>')
    expect(text).toContain("Ada &amp; Co")
    expect(text).toContain("9 Mar 2026")
    expect(text).toContain("1 min read")
    expect(text).toContain(
      `<article id="article" dir="auto" lang="en">${shownArticle(HTML, "The <harbour>")}</article>`
    )
  })

  appTest("carries a policy under which nothing runs and nothing is loaded from elsewhere", async (app) => {
    const id = await keep(app, HTML)
    for (const response of [await documentOf(app, id), await documentOf(app, id + 1)]) {
      const policy = response.headers.get("content-security-policy") ?? ""
      expect(policy.split("; ")).toEqual([
        "default-src 'none'",
        "img-src 'self'",
        "style-src 'self'",
        "frame-ancestors 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-modals"
      ])
      expect(response.headers.get("cache-control")).toBe("no-store")
      expect(response.headers.get("x-content-type-options")).toBe("nosniff")
      expect(response.headers.get("referrer-policy")).toBe("no-referrer")
    }
    const page = await app.owner("GET", `/read/${id}`)
    expect(page.headers.get("content-security-policy")).toContain("; frame-src 'self'; ")
    expect((await app.request("GET", "/list")).headers.get("content-security-policy")).not.toContain(
      "frame-src"
    )
  })

  appTest("comes in earlier versions too", async (app) => {
    const id = await keep(app, "<p>First.</p>", "<p>Second.</p>")
    const texts = [undefined, "?version=1", "?version=2", "?version=x"].map(
      async (query) => /First|Second/.exec(await (await documentOf(app, id, query)).text())?.[0]
    )
    expect(await Promise.all(texts)).toEqual(["Second", "First", "Second", "Second"])
    expect((await documentOf(app, id, "?version=3")).status).toBe(404)
  })

  appTest("is not there for a link without a kept page, or for a number that is none", async (app) => {
    const id = await keep(app)
    expect((await documentOf(app, id)).status).toBe(404)
    expect(await (await documentOf(app, id)).text()).toContain("No page is kept here")
    expect((await documentOf(app, 0)).status).toBe(404)
    expect((await documentOf(app, 99_999)).status).toBe(404)
  })

  appTest("is only for the owner, and only to be read", async (app) => {
    const id = await keep(app, HTML)
    expect((await app.request("GET", `/dashboard/read/${id}/document`)).status).toBe(403)
    const sent = await app.owner("POST", `/read/${id}/document`, {})
    expect([sent.status, sent.headers.get("allow")]).toEqual([405, "GET, HEAD"])
    const head = await app.owner("HEAD", `/read/${id}/document`)
    expect([head.status, await head.text()]).toEqual([200, ""])
  })

  appTest("is not sent again to who has it", async (app) => {
    const id = await keep(app, HTML)
    const etag = (await documentOf(app, id)).headers.get("etag") ?? ""
    const { accessToken } = await import("../support/app.ts")
    const again = await app.request("GET", `/dashboard/read/${id}/document`, undefined, {
      "cf-access-jwt-assertion": await accessToken(),
      "if-none-match": etag
    })
    expect([again.status, await again.text()]).toEqual([304, ""])
  })
})

describe("an article that is shown", () => {
  const article =
    '<h2>One</h2><p>Text <a href="#r1">1</a> <a href="https://example.org/">out</a></p><table><tbody><tr><td><table><tbody><tr><td>in</td></tr></tbody></table></td></tr></tbody></table><h3 id="r1">Two</h3><p><img src="https://example.org/a.png" alt="a"></p>'

  test("has the same text", () => {
    expect(isCleanArticle(article)).toBe(true)
    expect(articleText(shownArticle(article, "One"))).toBe(articleText(article))
  })

  test("opens links to elsewhere in a new tab, and those inside in place", () => {
    const shown = shownArticle(article, "")
    expect(shown).toContain('<a href="https://example.org/" target="_blank" rel="noopener noreferrer">')
    expect(shown).toContain('<a href="#r1">')
  })

  test("has boxes around its tables, also within each other, and headings that can be linked", () => {
    const shown = shownArticle(article, "")
    expect(shown.match(/<div class="wide" tabindex="0"><table>/g)?.length).toBe(2)
    expect(shown.match(/<\/table><\/div>/g)?.length).toBe(2)
    expect(shown).toContain('<h2 id="h1">')
    expect(shown).toContain('<h3 id="r1">')
    expect(shown).toContain('<img src="https://example.org/a.png" alt="a" loading="lazy" decoding="async">')
  })

  test("marks a first heading that repeats the title, and no other one", () => {
    expect(shownArticle("<h1>One: two!</h1><p>x</p>", "one – two")).toContain('<h1 id="h1" data-repeated="">')
    expect(shownArticle("<h1>One</h1><p>x</p>", "Two")).not.toContain("data-repeated")
    expect(shownArticle("<p>x</p><h1>One</h1>", "One")).not.toContain("data-repeated")
  })

  test("takes linear time on texts that look like tags", () => {
    for (const piece of ["<h1", '<a href="', "<", '<p a="b" ', "<h1>"]) {
      const html = piece.repeat(100_000)
      expect(shownArticle(html, "x").length).toBeGreaterThanOrEqual(html.length)
    }
  })
})
