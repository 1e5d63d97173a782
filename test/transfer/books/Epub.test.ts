import { describe, expect, test } from "bun:test"
import { Chunk, Effect, Stream } from "effect"
import { articleText } from "../../../src/domain/Article.ts"
import { zipOf } from "../../../src/runtime/ZipFile.ts"
import type { BookArticle, BookPicture } from "../../../src/transfer/books/Book.ts"
import { firstFiles, lastFiles, pageFile, pictureFile } from "../../../src/transfer/books/Epub.ts"
import { randomArticle } from "../../support/articles.ts"
import { problemsOfEpub, readEpub } from "../../support/epub.ts"
import { byTier, sampleOf } from "../../support/tier.ts"

const article = (more: Partial<BookArticle> = {}): BookArticle => ({
  id: 1,
  url: "https://example.org/a?b=1&c=2",
  title: "A title",
  author: "Ada",
  siteName: "Example",
  publishedAt: "2026-01-02T03:04:05.000Z",
  language: "en",
  savedAt: "2026-02-03T04:05:06.789Z",
  html: "<p>Words.</p>",
  highlights: [],
  ...more
})

const picture: BookPicture = { name: "pictures/1-1.webp", type: "image/webp", width: 2, height: 1 }
const WEBP = Uint8Array.fromBase64("UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAgA0JaQAA3AA/vuUAAA=")

/** Writes articles into an EPUB, all of which may show the one picture. */
const epubOf = async (
  articles: ReadonlyArray<BookArticle>,
  title = "A book",
  pictures: ReadonlyMap<string, BookPicture> = new Map()
) => {
  const pages = articles.map((one, n) => pageFile(one, n + 1, pictures))
  const shown = pages.some(({ page }) => page.pictures.length > 0)
  const files = [
    ...firstFiles,
    ...pages.map(({ file }) => file),
    ...(shown ? [pictureFile(picture, WEBP)] : []),
    ...lastFiles(
      title,
      pages.map(({ page }) => page)
    )
  ]
  const chunks = await Effect.runPromise(Stream.runCollect(zipOf(Stream.fromIterable(files))))
  return new Uint8Array(Buffer.concat(Chunk.toReadonlyArray(chunks)))
}

const textOf = (xhtml: string) =>
  xhtml
    .slice(xhtml.indexOf("</header>"), xhtml.indexOf("</section>"))
    .replace(/<span[^>]*>[^<]*<\/span>/g, "")
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")

/** Titles that are markup, are no text at all, or hold what XML cannot. */
const titles = [
  ...[
    "",
    " \n ",
    "<b>&amp;</b> ]]> <!-- --> <?xml?>",
    "\"quoted\" 'twice'",
    "\u0000\u0001\u001f\ufffe\uffff"
  ],
  ...[
    "\ud800 alone",
    "../../etc/passwd",
    "a\nb\tc",
    "🦊".repeat(400),
    "x".repeat(5_000),
    "---\ntitle: y",
    "%PDF"
  ]
]

describe("an EPUB", () => {
  test("is valid, and has every text of its article, whatever that says", async () => {
    for (let seed = 5_000; seed < 5_000 + byTier(8, 40); seed++) {
      const html = randomArticle(seed)
      const bytes = await epubOf([article({ html })])
      expect([seed, await problemsOfEpub(bytes)]).toEqual([seed, []])
      const page = readEpub(bytes).text("EPUB/page-0001.xhtml")
      expect([seed, textOf(page).replace(/\s/g, "")]).toEqual([seed, articleText(html).replace(/\s/g, "")])
    }
  })

  test("is valid whatever titles, languages, dates and addresses its articles have", async () => {
    const articles = titles.map((title, n) =>
      article({
        id: n + 1,
        title,
        author: title,
        siteName: title,
        language: ["en", "de_AT", "", "not a language", "he-IL", null][n % 6] ?? null,
        publishedAt: ["2026-01-02", "yesterday", null][n % 3] ?? null,
        url: n % 2 === 0 ? "https://user:pass@example.org/a b?<>&\"'" : "ftp://example.org",
        html: n % 2 === 0 ? "" : "<p></p>"
      })
    )
    const books = [...titles.map((title) => epubOf(articles, title)), ...articles.map((one) => epubOf([one]))]
    for (const book of sampleOf(books, 8)) expect(await problemsOfEpub(await book)).toEqual([])
    expect(readEpub(await epubOf(articles)).text("EPUB/page-0001.xhtml")).not.toContain("pass@")
  })

  test("shows kept pictures, says what the others show, and leads from its contents to headings", async () => {
    const html = `<h2>One &amp; only</h2><p>See <a href="#r1">below</a>.</p><figure><img src="https://example.org/a.png" alt="A"><figcaption>First</figcaption></figure><p id="r1"><img src="https://example.org/b.png" alt="A &quot;fox&quot;"><img src="https://example.org/c.png" alt=""></p>`
    const bytes = await epubOf([article({ html })], "", new Map([["https://example.org/a.png", picture]]))
    expect(await problemsOfEpub(bytes)).toEqual([])
    const { text } = readEpub(bytes)
    const page = text("EPUB/page-0001.xhtml")
    expect(page).toContain('<img src="pictures/1-1.webp" alt="A" width="2" height="1"/>')
    expect(page).toContain('<span class="missing">[A &quot;fox&quot;]</span>')
    expect(page).not.toContain(".png")
    expect(page).toContain('<a href="#r1">below</a>')
    expect(text("EPUB/nav.xhtml")).toContain('<a href="page-0001.xhtml#h1">One &amp; only</a>')
    expect(text("EPUB/package.opf")).toContain('media-type="image/webp"')
  })

  test("has the metadata of its one article, and pages that turn as its language is written", async () => {
    const opf = readEpub(await epubOf([article({ language: "ar", title: "عنوان" })])).text("EPUB/package.opf")
    for (const part of [
      "<dc:title>عنوان</dc:title>",
      "<dc:language>ar</dc:language>",
      "<dc:creator>Ada</dc:creator>",
      "<dc:date>2026-01-02</dc:date>",
      "<dc:source>https://example.org/a?b=1&amp;c=2</dc:source>",
      '<meta property="dcterms:modified">2026-02-03T04:05:06Z</meta>',
      'page-progression-direction="rtl"'
    ])
      expect(opf).toContain(part)
    const ltr = readEpub(await epubOf([article(), article({ id: 2, language: "ar" })])).text(
      "EPUB/package.opf"
    )
    expect(ltr).not.toContain("page-progression-direction")
    expect(ltr).toContain("<dc:title>A book</dc:title>")
  })

  test("marks highlights across elements without cutting a character in two", async () => {
    const html = "<p>ab<em>cd</em>🦊</p>"
    const highlights = [
      { start: 1, end: 3, colour: "green" },
      { start: 5, end: 6, colour: "<x>" }
    ]
    const page = readEpub(await epubOf([article({ highlights, html })])).text("EPUB/page-0001.xhtml")
    expect(page).toContain('a<mark class="green">b</mark><em><mark class="green">c</mark>d</em>')
    expect(page).toContain("🦊")
    expect(page).not.toContain("<x>")
  })

  test("has the same bytes for the same articles", async () => {
    const articles = [article(), article({ id: 2, title: "Other" })]
    expect(Bun.hash(await epubOf(articles))).toBe(Bun.hash(await epubOf(articles)))
  })
})
