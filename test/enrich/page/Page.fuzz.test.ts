import { describe, expect, test } from "bun:test"
import { FastCheck as fc } from "effect"
import { isCleanArticle } from "../../../src/domain/Article.ts"
import { isTooDeep } from "../../../src/enrich/page/article/Extraction.ts"
import { readContent } from "../../../src/enrich/page/article/ReadableText.ts"
import { decodePage } from "../../../src/enrich/page/Charset.ts"
import { readGraph } from "../../../src/enrich/page/fields/JsonLd.ts"
import { type Metadata, readMetadata } from "../../../src/enrich/page/fields/Metadata.ts"
import { readDescribed } from "../../../src/enrich/page/fields/SchemaOrg.ts"
import { MAX_PAGE_TEXT } from "../../../src/shared/Limits.ts"
import { cpuTime } from "../../support/cpuTime.ts"
import { bytes, describeData, json } from "../../support/data.ts"
import { spoiltBytes } from "../../support/mutate.ts"
import { randomOf } from "../../support/randomLibrary.ts"
import { always, deepJson, isClean, strangeJson, strangeText } from "../../support/strange.ts"
import { sampleOf } from "../../support/tier.ts"

const url = new URL("https://example.org/a/b")

const isAddress = (address: string | null) =>
  address === null ||
  (address.length <= 2_048 &&
    /^https?:\/\/[^\s\p{Cc}\p{Cf}\p{Cs}]+$/iu.test(address) &&
    URL.canParse(address))

/** Checks the limits that the metadata of every page keeps. */
const expectMetadata = (read: Metadata) => {
  const { author, canonicalUrl, description, favicon, image, language, publishedAt, siteName, title } = read
  for (const [text, limit] of [
    [title ?? "", 300],
    [description, 1_000],
    [siteName ?? "", 200],
    [author ?? "", 200]
  ] as const) {
    expect(isClean(text)).toBe(true)
    expect(text.length).toBeLessThanOrEqual(limit)
  }
  for (const address of [canonicalUrl, favicon, image])
    expect([address, isAddress(address)]).toEqual([address, true])
  expect(language ?? "").toMatch(/^[A-Za-z0-9-]{0,35}$/)
  const instant = publishedAt === null ? "" : new Date(publishedAt).toISOString()
  expect([instant, instant.slice(0, 10)]).toContain(publishedAt ?? "")
}

const expectText = (text: string) => {
  expect(text.length).toBeLessThanOrEqual(MAX_PAGE_TEXT)
  expect(text.split("\n").every(isClean)).toBe(true)
}

const expectBounded = (html: string) => {
  expectMetadata(readMetadata(html, url))
  const { article, author, description, text } = readContent(html, url)
  expectText(text)
  expect(isCleanArticle(article)).toBe(true)
  expect(isClean(author ?? "") && (author ?? "").length <= 200).toBe(true)
  expect(isClean(description) && description.length <= 1_000).toBe(true)
}

const names =
  "headline name description image url contentUrl author publisher datePublished offers price isPartOf @id @type @value @graph".split(
    " "
  )
const fields =
  `og:title og:description og:image og:url og:site_name og:locale twitter:title twitter:image author description
  article:published_time date content-language dc.title application-name twitter:creator citation_author citation_doi citation_pdf_url dc.date
  product:price:amount product:price:currency book:isbn video:duration parsely-pub-date byl`.split(/\s+/)
const escapeAttribute = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;")

/** Valid and broken fragments of pages. */
const markup = fc
  .array(
    fc.oneof(
      { weight: 2, arbitrary: strangeText(3) },
      {
        weight: 3,
        arbitrary: fc
          .tuple(fc.constantFrom(...fields), fc.oneof(strangeText(6), fc.webUrl()))
          .map(([name, said]) => `<meta property="${name}" content="${escapeAttribute(said)}">`)
      },
      { weight: 1, arbitrary: strangeText(6).map((said) => `<title>${said}</title>`) },
      { weight: 1, arbitrary: strangeText(3).map((said) => `<html lang="${escapeAttribute(said)}">`) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom("icon", "canonical", "image_src"), strangeText(4))
          .map(([rel, href]) => `<link rel=${rel} href="${escapeAttribute(href)}">`)
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(strangeJson(names), fc.constantFrom("", "//", "<!--", "/*", "<![CDATA["))
          .map(
            ([value, before]) =>
              `<script type="application/ld+json">${before}\n${JSON.stringify(value)}</script>`
          )
      },
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          ..."<head> </head> <body> <p> </p> <div> <table> <svg> <template> <select> <noscript> <script> </script> <base".split(
            " "
          ),
          "<time> </time> <a rel=author> </a> <span class=byline> <p class=author-name> <li>"
            .split(" ")
            .join(""),
          '<div itemscope itemtype="https://schema.org/Article"><p itemprop=author itemscope>',
          '<span itemprop="datePublished">2020-02-30</span></div></span>',
          '<base href="javascript:alert(1)">',
          '<base href="https://evil.example/x/">',
          '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
          "<h1>Heading</h1>",
          '<ul><li><a href="/x">item</a>',
          "<pre><code>  code\n",
          '<tr><td>cell<blockquote><figure><img src="/p.jpg" alt="&quot;">',
          "</ul></a></td></pre>",
          `<article><p>${"Words of an article that may be read. ".repeat(12)}</p></article>`
        )
      }
    ),
    { maxLength: 14 }
  )
  .map((pieces) => pieces.join(""))

describe("a random page", () => {
  always("has clean and bounded metadata and text", markup, expectBounded, 150)

  always(
    "is decoded to well-formed text, whatever its bytes and declared encoding",
    fc.tuple(
      fc.uint8Array({ maxLength: 200 }),
      fc.oneof(
        fc.constantFrom(
          null,
          "text/html; charset=shift_jis",
          "text/html;charset='utf-16'",
          "charset=x-user-defined"
        ),
        strangeText(4).map((text) => `text/html; charset=${text}`)
      ),
      fc.constantFrom(
        "",
        "\xff\xfe",
        "\xfe\xff",
        "\xef\xbb\xbf",
        "<meta charset=big5>",
        "<?xml encoding='EUC-JP'?>"
      )
    ),
    ([rest, contentType, start]) => {
      const html = decodePage(Buffer.concat([Buffer.from(start, "latin1"), rest]), contentType)
      expect(html.isWellFormed()).toBe(true)
      expect(html.length).toBeLessThanOrEqual(start.length + rest.length + 1)
    }
  )

  always(
    "has only strings in its JSON-LD",
    fc.array(
      strangeJson(names).map((value) => JSON.stringify(value)),
      { maxLength: 3 }
    ),
    (scripts) => {
      const { facts: _, subject, type: __, ...lists } = readDescribed(readGraph(scripts), () => false)
      for (const said of [subject ?? "", ...Object.values(lists).flat()]) expect(typeof said).toBe("string")
    }
  )
})

describe("an expensive page", () => {
  /** Beside the floods of `test/support/floods.ts`, which the whole service reads. */
  const pages: Readonly<Record<string, string>> = {
    "comments in JSON-LD": `<script type="application/ld+json">{//${" ".repeat(500_000)}x\nx</script>`,
    "slashes in JSON-LD": `<script type="application/ld+json">{${"//".repeat(200_000)}x\nx</script>`,
    "nested JSON-LD": `<script type="application/ld+json">{"@type":"Article","headline":${deepJson(100_000, '"x"')}}</script>`,
    "graphs in JSON-LD": `<script type="application/ld+json">${'{"@graph":['.repeat(20_000)}${"]}".repeat(20_000)}</script>`,
    "many attributes": `<html ${Array.from({ length: 40_000 }, (_, n) => `a${n}=b`).join(" ")}><title>x</title>`,
    "many names in one attribute": `<head><meta content=x name="${"a b ".repeat(100_000)}">`,
    "titles in SVG": `<head><svg>${"<x><title>".repeat(40_000)}`,
    "unclosed end tags": "</head ".repeat(70_000),
    "unfinished references": "&#".repeat(200_000),
    "unclosed quotes": `<p ${"a='".repeat(100_000)}`,
    "white space in a title": `<title>${" ".repeat(500_000)}x</title>`,
    "a path of parent segments": `<meta property=og:image content="https://e.org/${"../".repeat(100_000)}">`,
    "a language tag of many subtags": `<html lang="en-x-${"abcdefgh-".repeat(50_000)}a">`
  }
  for (const [what, html] of sampleOf(Object.entries(pages), 4))
    test(`with ${what} is read in bounded time`, () => {
      const begun = cpuTime()
      expectBounded(html)
      isTooDeep(html)
      expect(cpuTime() - begun).toBeLessThan(15_000)
    })

  test("with repeated declarations is decoded in bounded time", () => {
    const begun = cpuTime()
    for (const piece of [
      "<meta ",
      "<meta charset",
      "<meta charset = ",
      "<!--",
      "<?xml ",
      "charset= ",
      "\0a",
      "\xff"
    ])
      decodePage(
        Buffer.from(piece.repeat(500_000 / piece.length), "latin1"),
        `text/html; ${piece.repeat(1_000)}`
      )
    expect(cpuTime() - begun).toBeLessThan(15_000)
  })
})

describeData("pages", "real pages with random damage", () => {
  const index = json<ReadonlyArray<{ readonly dir: string }>>("pages/index.json")
  const small = index
    .map(({ dir }) => bytes(`pages/${dir}/page.html`))
    .filter(({ length }) => length < 30_000)
  const spoilt = fc
    .tuple(fc.constantFrom(...small), fc.integer(), fc.constantFrom(null, "text/html; charset=shift_jis"))
    .map(([page, seed, contentType]) => decodePage(spoiltBytes(page, randomOf(seed)), contentType))

  always("have clean and bounded metadata and text", spoilt, expectBounded, 40)
})
