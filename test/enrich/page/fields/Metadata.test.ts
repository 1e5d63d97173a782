import { describe, expect, test } from "bun:test"
import { type Metadata, readMetadata } from "../../../../src/enrich/page/fields/Metadata.ts"
import { cpuTime } from "../../../support/cpuTime.ts"
import { rowsOf } from "../../../support/rows.ts"
import { long, sampleOf } from "../../../support/tier.ts"

const read = (html: string, url = "https://www.acme.example/news/kestrels") =>
  readMetadata(html, new URL(url))
const ld = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`
const meta = (name: string, content: string) => `<meta name="${name}" content="${content}">`
const property = (name: string, content: string) => `<meta property="${name}" content="${content}">`

/** Markup in pieces: as it stands, or JSON-LD. */
type Markup = string | object | ReadonlyArray<string | object>
const markup = (pieces: Markup) =>
  [pieces]
    .flat()
    .map((piece) => (typeof piece === "string" ? piece : ld(piece)))
    .join("")

for (const [about, what, pieces, fields] of rowsOf<
  readonly [about: string, what: string, pieces: Markup, fields: Partial<Metadata>]
>(import.meta, "Metadata"))
  test(`${about} ${what}`, () => expect(read(markup(pieces))).toMatchObject(fields))

test("the authors of a page are not the text of a site's first page", () => {
  const html = '<article><b class="author">Ann Lee</b><time datetime="2020-05-04">today</time></article>'
  expect(read(html, "https://acme.example/")).toMatchObject({ author: null, publishedAt: null })
  expect(read(html)).toMatchObject({ author: "Ann Lee", publishedAt: "2020-05-04" })
})

test("fields behind a long script", () => {
  const script = `<script>${"x < y; ".repeat(60_000)}</script>`
  const html = `<head>${script}${property("og:title", "Late")}${meta("author", "Ann Lee")}</head>`
  expect(read(html)).toMatchObject({ title: "Late", author: "Ann Lee" })
})

describe("an attack on the fields of a page", () => {
  const nodes = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      "@type": "Article",
      "@id": `#${n}`,
      author: { "@id": `#${(n + 1) % count}` }
    }))
  const pages: Readonly<Record<string, () => string>> = {
    "JSON-LD that refers to itself": () =>
      ld({
        "@id": "#a",
        "@type": "Article",
        author: { "@id": "#a" },
        isPartOf: { "@id": "#a" },
        publisher: { "@id": "#a" }
      }),
    "references in a circle": () => ld({ "@graph": nodes(20_000) }),
    "a list of 200,000 authors": () =>
      ld({ "@type": "Article", author: Array.from({ length: 200_000 }, (_, n) => `A ${n}`) }),
    "lists in lists": () =>
      ld({ "@type": "Article", author: JSON.parse(`${"[".repeat(3_000)}"x"${"]".repeat(3_000)}`) }),
    "nodes in nodes": () =>
      `<script type="application/ld+json">${'{"@type":"WebPage","mainEntity":'.repeat(20_000)}1${"}".repeat(20_000)}</script>`,
    "2 MB of JSON-LD": () => ld({ "@type": "Article", articleBody: "x".repeat(2_000_000) }),
    "entities in JSON-LD": () => ld({ "@type": "Article", headline: "&amp;<".repeat(200_000) }),
    "100 scripts of JSON-LD": () => ld({ "@graph": nodes(200) }).repeat(100),
    "a prototype's properties": () =>
      ld({ "@type": "Article", author: { name: "x" } }).replace('"author"', '"__proto__"'),
    "100,000 meta elements": () => Array.from({ length: 100_000 }, (_, n) => meta(`n${n}`, "x")).join(""),
    "100,000 authors": () => meta("author", "Ann Lee").repeat(100_000),
    "100,000 items": () =>
      '<p itemscope itemtype="https://schema.org/Article"><b itemprop="author">'.repeat(100_000),
    "an item of 100,000 properties": () =>
      `<div itemscope>${'<b itemprop="__proto__ constructor a">x</b>'.repeat(100_000)}`,
    "100,000 bylines": () => '<div class="byline author"><a rel=author>'.repeat(100_000),
    "100,000 closed bylines": () => '<b class="byline">By Ann Lee</b>'.repeat(100_000),
    "100,000 times": () => "<time>".repeat(100_000),
    "deep nesting": () => `${"<div>".repeat(300_000)}${"</div>".repeat(300_000)}`,
    "end tags of elements that are open far above": () =>
      `<i>${"<b>".repeat(500)}${"<u></i>".repeat(200_000)}`,
    "list items and cells that never end": () => "<ul><li><table><tr><td>".repeat(50_000),
    "paragraphs that never end": () => "<p><span>".repeat(200_000),
    "classes by the thousand": () =>
      Array.from(
        { length: 20_000 },
        (_, n) => `<p class="author-${n} byline${n} ${"post-".repeat(20)}">`
      ).join(""),
    "one long class": () => `<p class="${"author-".repeat(150_000)}" id="${"byline".repeat(150_000)}">`,
    "a title of separators": () =>
      `<title>${" | - : ".repeat(100_000)}</title><h1>${" | ".repeat(100_000)}</h1>`,
    "a long date": () =>
      `${property("article:published_time", "20".repeat(4_000))}<time>${"1 May ".repeat(100_000)}</time>`,
    "a long DOI": () => meta("citation_doi", `10.1234/${"a.".repeat(4_000)}`) + meta("citation_title", "x"),
    "long addresses of nodes": () =>
      ld({
        "@graph": Array.from({ length: 500 }, () => ({ "@type": "Article", url: `/${"../".repeat(500)}` }))
      })
  }
  for (const [what, page] of sampleOf(Object.entries(pages), 6))
    test(`${what} takes bounded time`, () => {
      const html = page()
      const begun = cpuTime()
      const { author, facts, title } = read(html)
      expect(cpuTime() - begun).toBeLessThan(6_000)
      expect((author ?? "").length).toBeLessThanOrEqual(200)
      expect((title ?? "").length).toBeLessThanOrEqual(300)
      expect(JSON.stringify(facts).length).toBeLessThan(2_000)
    })

  long(test)("a page twice as long takes about twice the time", () => {
    const piece =
      '<div class="byline"><a rel=author href="/author/x">Ann Lee</a><time>May 4, 2020</time><p itemprop=x itemscope>'
    const timed = (count: number) => {
      const html = piece.repeat(count)
      const runs = [1, 2, 3].map(() => {
        const begun = cpuTime()
        read(html)
        return cpuTime() - begun
      })
      return Math.min(...runs)
    }
    timed(2_000)
    expect(timed(16_000)).toBeLessThan(timed(4_000) * 12 + 50)
  })
})

const title = "<title>Real title</title>"
describe("a value that was not filled in", () => {
  for (const value of [
    "undefined",
    "null",
    "None",
    "(null)",
    "NaN",
    "undefined undefined",
    "null, null",
    "[object Object]",
    "{{title}}",
    "{{ page.title | escape }} | Acme",
    "#{title}",
    "<%= title %>",
    "%title%",
    "{title}"
  ])
    test(`is not taken for one: ${value}`, () => {
      const html = `${title}${["og:title", "og:site_name", "description", "author", "og:image"].map((name) => meta(name, Bun.escapeHTML(value))).join("")}<link rel="canonical" href="${Bun.escapeHTML(value)}">${ld({ "@type": "Article", headline: value, author: value, description: value, image: "https://x.example/undefined" })}`
      expect(read(html)).toMatchObject({
        title: "Real title",
        siteName: null,
        description: "",
        author: null,
        image: null,
        canonicalUrl: null
      })
    })

  for (const real of [
    "undefined - JavaScript",
    "The null hypothesis",
    "null and void",
    "How {{ mustaches }} work",
    "100% of them",
    "None of the above"
  ])
    test(`is not seen in a real one: ${real}`, () => expect(read(`<title>${real}</title>`).title).toBe(real))
})

describe("structured data that is nearly right", () => {
  const fields = { author: "Ann Lee", publishedAt: "2026-01-02" }
  const right = `{"@type":"NewsArticle","datePublished":"2026-01-02","author":{"@type":"Person","name":"Ann Lee"}}`
  for (const [what, json] of [
    [
      "a comma before a bracket",
      `{"@type":"NewsArticle","datePublished":"2026-01-02","author":[{"name":"Ann Lee",},],}`
    ],
    ["a semicolon", `${right};`],
    ["a second value", `{"@type":"BreadcrumbList"}${right}`],
    ["a comma between values", `{"@type":"BreadcrumbList"},\n${right},`],
    ["escapes that JSON lacks", right.replace("{", `{"headline":"It\\'s",`)],
    ["commas in texts", right.replace("{", `{"headline":"a,}b,]",`).replace(/\}$/, ",}")],
    ["entities", Bun.escapeHTML(right)],
    ["a name in a name", right.replace(`"Ann Lee"`, `{"@type":"Person","name":"Ann Lee"}`)],
    ["values as nodes", right.replace(`"2026-01-02"`, `{"@type":"Date","@value":"2026-01-02"}`)]
  ] as const)
    test(`is read with ${what}`, () =>
      expect(read(`${title}<script type="application/ld+json">${json}</script>`)).toMatchObject(fields))

  for (const html of [
    `<div>Posted by <span itemprop="author" itemscope><span itemprop="name">Ann Lee</span></span> at <abbr class="published" itemprop="datePublished" title="2026-01-02">10:27</abbr></div>`,
    `<p>By <span itemprop="author" itemscope="itemscope">Ann Lee</span> <time itemprop="datePublished" datetime="2026-01-02">10:27</time></p>`,
    `<p><a rel="author" href="/ann">Ann Lee</a> <abbr class="published" title="2026-01-02">Friday</abbr></p>`
  ])
    test(`is read outside of an item: ${html.slice(0, 60)}`, () =>
      expect(read(title + html)).toMatchObject(fields))
})
