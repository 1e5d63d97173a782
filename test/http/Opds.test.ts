import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { LinkId } from "../../src/domain/Link.ts"
import { HighlightStore } from "../../src/store/pages/HighlightStore.ts"
import { PageStore } from "../../src/store/pages/PageStore.ts"
import { type App, appTests } from "../support/app.ts"
import { problemsOfEpub, readEpub } from "../support/epub.ts"
import { pageToKeep } from "../support/pages.ts"
import { writeLinks } from "../support/randomLibrary.ts"
import { wellFormed } from "../support/wellFormed.ts"

const appTest = appTests()

const save = async (app: App, path: string, more: object = {}) => {
  const answer = await app.owner("POST", "/api/links", { url: `https://example.org/${path}`, ...more })
  const { id } = (await answer.json()).link
  await app.run(Effect.flatMap(PageStore, (pages) => pages.keep(LinkId.make(id), pageToKeep(`text ${path}`))))
  return id
}

const access = async (app: App) => (await (await app.owner("POST", "/api/ereaders")).json()).ereaders
const basic = (password: string) => ({ authorization: `Basic ${btoa(`anyone:${password}`)}` })
const get = (app: App, path: string, headers = {}) => app.request("GET", path, undefined, headers)
const count = (text: string, part: string) => text.split(part).length - 1

describe("the catalog of e-readers", () => {
  appTest("lists kept pages and gives them as books without notes and highlights", async (app) => {
    const id = await save(app, "a", { note: "zebra", tags: [".quagga"] })
    await app.owner("POST", "/api/mutate", { op: "edit", ids: [id], title: "<One> & \u0007two" })
    await app.owner("POST", "/api/mutate", { op: "favorite", ids: [id], favorite: true })
    await app.owner("POST", "/api/links", { url: "https://example.org/unkept" })
    await app.owner("POST", "/api/searches", { name: "Mine & yours", query: "title:two" })
    await app.run(
      Effect.flatMap(HighlightStore, (all) =>
        all.add(
          LinkId.make(id),
          { quote: "text", prefix: "", suffix: "", colour: "blue", note: "okapi", source: "reader" },
          { start: 0, end: 4 }
        )
      )
    )
    const { password } = await access(app)
    const start = `/opds/${password}`
    const root = await get(app, start)
    expect(root.headers.get("content-type")).toContain("kind=navigation")
    expect(root.headers.get("content-security-policy")).toContain("default-src 'none'")
    expect(root.headers.get("referrer-policy")).toBe("no-referrer")
    const text = await root.text()
    expect(wellFormed(text)).toBe(true)
    expect(text).toContain("<title>Mine &amp; yours</title>")
    const again = await get(app, start, { "if-none-match": root.headers.get("etag") ?? "" })
    expect(again.status).toBe(304)
    const shelves = [...text.matchAll(/rel="subsection"[^>]*href="([^"]+)"/g)].map(([, href = ""]) => href)
    expect(shelves).toEqual([`${start}/unread`, `${start}/favorites`, `${start}/searches/1`])
    for (const shelf of shelves) {
      const answer = await get(app, shelf)
      expect(answer.status).toBe(200)
      const feed = await answer.text()
      expect(wellFormed(feed)).toBe(true)
      expect(count(feed, "<entry>")).toBe(1)
      expect(feed).toContain("<title>&lt;One&gt; &amp; two</title>")
      expect(feed).toContain(`type="application/epub+zip" href="${start}/books/${id}.epub"`)
      for (const secret of ["zebra", "quagga", "okapi"]) expect(feed).not.toContain(secret)
    }
    const book = await get(app, `/opds/books/${id}.epub`, basic(password))
    const bytes = new Uint8Array(await book.arrayBuffer())
    expect(await problemsOfEpub(bytes)).toEqual([])
    const page = readEpub(bytes).text("EPUB/page-0001.xhtml")
    expect(page).toContain("text a")
    expect(page).not.toContain("<mark")
    await app.owner("POST", "/api/mutate", { op: "delete", ids: [id] })
    expect((await get(app, `${start}/books/${id}.epub`)).status).toBe(404)
    expect(await (await get(app, `${start}/unread`)).text()).not.toContain("<entry>")
  })

  appTest("pages through a long list, with one book of all first", async (app) => {
    const titles = Array.from({ length: 52 }, (_, n) => `${n}`)
    const about = {
      collection: null,
      createdAt: "2026-01-01T00:00:00.000Z",
      shareable: false,
      category: "reading",
      tags: []
    }
    await app.run(
      writeLinks(titles.map((title) => ({ ...about, title, url: `https://example.org/${title}` })))
    )
    await app.run(
      Effect.flatMap(PageStore, (pages) =>
        Effect.forEach(titles, (title, at) => pages.keep(LinkId.make(at + 1), pageToKeep(`text ${title}`)))
      )
    )
    const { password } = await access(app)
    const start = `/opds/${password}`
    const first = await (await get(app, `${start}/unread`)).text()
    expect(count(first, "<entry>")).toBe(51)
    expect(first).toContain(`href="${start}/books/unread.epub"`)
    const [, next = ""] = /rel="next"[^>]*href="([^"]+)"/.exec(first) ?? []
    const second = await (await get(app, next)).text()
    expect(count(second, "<entry>")).toBe(2)
    expect(second).not.toContain('rel="next"')
    const bytes = new Uint8Array(await (await get(app, `${start}/books/unread.epub`)).arrayBuffer())
    expect(readEpub(bytes).text("EPUB/page-0052.xhtml")).toContain("text 0")
  })

  appTest("rejects requests without the secret, and ends it at once", async (app) => {
    const before = await get(app, "/opds", basic(""))
    expect([before.status, before.headers.get("www-authenticate")]).toEqual([
      401,
      'Basic realm="Linkbower", charset="UTF-8"'
    ])
    expect((await app.request("GET", "/dashboard/api/ereaders")).status).not.toBe(200)
    const { address, catalog, password } = await access(app)
    expect(address).toBe(`${catalog}/${password}`)
    expect((await get(app, "/opds", basic(password))).status).toBe(200)
    expect((await get(app, "/opds/unread", basic(`${password}x`))).status).toBe(401)
    for (const path of [`${password}x`, password.toLowerCase(), "x/unread", "searches2", `${password}/x`])
      expect((await get(app, `/opds/${path}`, basic(password))).status).toBe(404)
    expect((await app.request("POST", `/opds/${password}`)).status).toBe(405)
    expect((await app.request("HEAD", `/opds/${password}`)).status).toBe(200)
    const renewed = await access(app)
    expect((await get(app, "/opds", basic(password))).status).toBe(401)
    expect((await app.owner("DELETE", "/api/ereaders")).status).toBe(204)
    expect((await get(app, `/opds/${renewed.password}`)).status).toBe(404)
    expect(await (await app.owner("GET", "/api/ereaders")).json()).toEqual({ ereaders: null })
  })
})
