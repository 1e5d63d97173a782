import { describe, expect } from "bun:test"
import { Effect, Schema } from "effect"
import { unzipSync } from "fflate"
import { NewHighlight } from "../../src/domain/Highlight.ts"
import type { NewPage } from "../../src/domain/KeptPage.ts"
import { LinkId } from "../../src/domain/Link.ts"
import { HighlightStore } from "../../src/store/pages/HighlightStore.ts"
import { PageStore } from "../../src/store/pages/PageStore.ts"
import { type App, appTests } from "../support/app.ts"
import { problemsOfEpub, readEpub } from "../support/epub.ts"
import { pageToKeep } from "../support/pages.ts"

const appTest = appTests()

/** Saves a link and keeps a page of it. */
const saveWith = async (
  app: App,
  path: string,
  text: string,
  more: object = {},
  page: Partial<NewPage> = {}
) => {
  const answer = await app.owner("POST", "/api/links", { url: `https://example.org/${path}`, ...more })
  const { id } = (await answer.json()).link
  await app.run(Effect.flatMap(PageStore, (pages) => pages.keep(LinkId.make(id), pageToKeep(text, page))))
  return id
}

/** Highlights a passage of a link's page. */
const highlight = (app: App, id: number, made: Partial<NewHighlight> & { readonly quote: string }) =>
  app.run(
    Effect.flatMap(HighlightStore, (highlights) =>
      highlights.add(LinkId.make(id), Schema.decodeUnknownSync(NewHighlight)(made), {
        start: made.start ?? 0,
        end: made.end ?? 0
      })
    )
  )

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer())

/** The fields of a Markdown file, and the rest of it. */
const partsOf = (markdown: string) => {
  const [, front = "", text = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(markdown) ?? []
  return { fields: Bun.YAML.parse(front), text }
}

describe("the books API", () => {
  appTest("returns a kept page as an EPUB, with the owner's highlights", async (app) => {
    const id = await saveWith(app, "a", "some words")
    await app.owner("POST", "/api/mutate", { op: "edit", ids: [id], title: 'Ünï / "title"' })
    await highlight(app, id, {
      quote: "words",
      start: 5,
      end: 10,
      colour: "blue"
    })
    const response = await app.owner("GET", `/api/links/${id}/page.epub`)
    expect(response.status).toBe(200)
    expect(response.headers.get("content-type")).toBe("application/epub+zip")
    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename="${id}-n-title.epub"; filename*=UTF-8''${id}-%C3%9Cn%C3%AF-title.epub`
    )
    const bytes = await bytesOf(response)
    expect(await problemsOfEpub(bytes)).toEqual([])
    expect(readEpub(bytes).text("EPUB/page-0001.xhtml")).toContain('some <mark class="blue">words</mark>')
  })

  appTest("returns a kept page as Markdown, whose fields are the link's", async (app) => {
    const trap = '---\n"x": [1, {{y}}] # é\u2028\u0085 \ufeff: *a &b !c |'
    const id = await saveWith(app, "b", "a *star*", { note: trap, tags: ["one", "two words"] })
    await app.owner("POST", "/api/mutate", { op: "edit", ids: [id], title: "yes: #no", collection: "A/B" })
    await highlight(app, id, { quote: "*star*", note: "<b>" })
    const response = await app.owner("GET", `/api/links/${id}/page.md`)
    const { fields, text } = partsOf(await response.text())
    expect(fields).toMatchObject({
      title: "yes: #no",
      url: "https://example.org/b",
      author: "Ada",
      published: "2026-01-02",
      collection: "A/B",
      note: (await (await app.owner("GET", `/api/links/${id}`)).json()).link.note,
      linkbower: id
    })
    expect(text).toBe("\n# yes: #no\n\na \\*star\\*\n\n## Highlights\n\n> \\*star\\*\n\n\\<b>\n")
  })

  appTest("returns the kept pages of a list, in its order", async (app) => {
    const first = await saveWith(app, "1", "first", { tags: ["x"] })
    const second = await saveWith(app, "2", "second", { tags: ["x"] })
    await saveWith(app, "3", "third", {})
    await app.owner("POST", "/api/links", { url: "https://example.org/none", tags: ["x"] })
    const epub = await bytesOf(await app.owner("GET", "/api/books.epub?q=tag:x&sort=oldest"))
    expect(await problemsOfEpub(epub)).toEqual([])
    const { names, text } = readEpub(epub)
    expect(names.filter((name) => name.includes("page-"))).toEqual([
      "EPUB/page-0001.xhtml",
      "EPUB/page-0002.xhtml"
    ])
    expect(text("EPUB/page-0001.xhtml")).toContain("first")
    expect(text("EPUB/package.opf")).toContain("<dc:title>tag:x</dc:title>")
    const files = unzipSync(await bytesOf(await app.owner("GET", "/api/books.md?q=tag:x&sort=oldest")))
    expect(Object.keys(files).map((name) => Number.parseInt(name, 10))).toEqual([first, second])
  })

  appTest("says that no page is kept, and keeps the trash to itself", async (app) => {
    const id = await saveWith(app, "gone", "words")
    for (const path of ["/api/links/99/page.epub", "/api/links/99/page.md"])
      expect((await app.owner("GET", path)).status).toBe(404)
    await app.owner("POST", "/api/mutate", { op: "delete", ids: [id] })
    for (const path of ["/api/books.epub", "/api/books.md", "/api/books.epub?q=is:trashed"]) {
      const response = await app.owner("GET", path)
      expect([response.status, (await response.json()).error]).toEqual([404, "not_kept"])
    }
    expect((await app.owner("GET", "/api/books.epub?sort=wrong")).status).toBe(400)
  })
})
