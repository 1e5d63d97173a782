import { describe, expect, test } from "bun:test"
import { type Metadata, readMetadata } from "../../../../src/enrich/page/fields/Metadata.ts"
import { cpuTime } from "../../../support/cpuTime.ts"
import { long, sampleOf } from "../../../support/tier.ts"

const read = (html: string, url = "https://www.acme.example/news/kestrels") =>
  readMetadata(html, new URL(url))
const ld = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`
const meta = (name: string, content: string) => `<meta name="${name}" content="${content}">`
const property = (name: string, content: string) => `<meta property="${name}" content="${content}">`

type Case = readonly [what: string, html: string, fields: Partial<Metadata>]
const table = (cases: ReadonlyArray<Case>) => {
  for (const [what, html, fields] of cases) test(what, () => expect(read(html)).toMatchObject(fields))
}

describe("the authors of a page", () => {
  table([
    ["by a meta element", meta("author", "Ann Lee"), { author: "Ann Lee" }],
    [
      "by every meta element",
      meta("author", "Ann Lee") + meta("author", "Bo Chen"),
      { author: "Ann Lee, Bo Chen" }
    ],
    [
      "by a person in JSON-LD",
      ld({ "@type": "Article", author: { "@type": "Person", name: "Ann Lee" } }),
      { author: "Ann Lee" }
    ],
    ["by a text in JSON-LD", ld({ "@type": "Article", author: "Ann Lee" }), { author: "Ann Lee" }],
    [
      "by an organization in JSON-LD",
      ld({ "@type": "Article", author: { "@type": "Organization", name: "Acme" } }),
      { author: "Acme" }
    ],
    [
      "by a list in JSON-LD",
      ld({ "@type": "Article", author: [{ name: "Ann Lee" }, "Bo Chen", [{ name: "Cy Fox" }]] }),
      { author: "Ann Lee, Bo Chen, Cy Fox" }
    ],
    [
      "by the parts of a name in JSON-LD",
      ld({ "@type": "Article", author: { givenName: "Ann", familyName: "Lee" } }),
      { author: "Ann Lee" }
    ],
    [
      "by a reference within a graph",
      ld({
        "@graph": [
          { "@type": "Article", author: { "@id": "#ann" } },
          { "@type": "Person", "@id": "#ann", name: "Ann Lee" }
        ]
      }),
      { author: "Ann Lee" }
    ],
    [
      "by a reference to another script in the body",
      `<head>${ld({ "@type": "Article", author: [{ "@id": "#ann" }, { "@id": "#bo" }] })}</head><body><p>x</p>${ld(
        [
          { "@id": "#ann", name: "Ann Lee" },
          { "@id": "#bo", name: "Bo Chen" }
        ]
      )}`,
      { author: "Ann Lee, Bo Chen" }
    ],
    ["by a reference to nothing", ld({ "@type": "Article", author: { "@id": "#ann" } }), { author: null }],
    [
      "by the creator of a video",
      ld({ "@type": "VideoObject", creator: { name: "Ann Lee" } }),
      { author: "Ann Lee" }
    ],
    [
      "by the artist of an album",
      ld({ "@type": "MusicAlbum", byArtist: { name: "The Kestrels" } }),
      { author: "The Kestrels" }
    ],
    [
      "by an episode's series",
      ld({ "@type": "PodcastEpisode", partOfSeries: { author: { name: "Ann Lee" } } }),
      { author: "Ann Lee" }
    ],
    [
      "by the entities in JSON-LD",
      ld({ "@type": "Article", author: "Lee &amp; Sons" }),
      { author: "Lee & Sons" }
    ],
    [
      "by microdata with a nested person",
      '<div itemscope itemtype="https://schema.org/Article"><p itemprop="author" itemscope itemtype="https://schema.org/Person">By <span itemprop="name">Ann Lee</span></p></div>',
      { author: "Ann Lee" }
    ],
    [
      "by microdata with a text",
      '<article itemscope itemtype="https://schema.org/Article"><a itemprop="author" href="/ann">Ann Lee</a></article>',
      { author: "Ann Lee" }
    ],
    [
      "by microdata, not by its comments",
      '<article itemscope itemtype="https://schema.org/Article"><div itemprop="comment" itemscope itemtype="https://schema.org/Comment"><b itemprop="author">Bo Chen</b></div><b itemprop="author">Ann Lee</b></article>',
      { author: "Ann Lee" }
    ],
    [
      "by a property outside an item",
      '<p>By <span itemprop="author">Ann Lee</span></p>',
      { author: "Ann Lee" }
    ],
    ["by a link", '<p>By <a rel="author" href="/ann">Ann Lee</a></p>', { author: "Ann Lee" }],
    [
      "by links beside each other",
      '<p>By <a rel="author">Ann Lee</a> and <a rel="author">Bo Chen</a></p>',
      { author: "Ann Lee, Bo Chen" }
    ],
    [
      "by the first of links far apart",
      `<p>By <a rel="author">Ann Lee</a></p><p>${"Words of the article. ".repeat(9)}</p><p>By <a rel="author">Bo Chen</a></p>`,
      { author: "Ann Lee" }
    ],
    [
      "by a byline",
      '<div class="byline">By Ann Lee and Bo Chen, Staff Writers | May 4, 2020</div>',
      { author: "Ann Lee, Bo Chen" }
    ],
    [
      "by a byline in elements",
      '<div class="c-byline"><span>By</span> <div>Ann Lee</div><div>Reporter</div></div>',
      { author: "Ann Lee" }
    ],
    [
      "by the class of a name",
      '<div class="post-author"><img class="author-avatar"><span class="author-name">Ann Lee</span><p class="author-bio">Ann writes.</p></div>',
      { author: "Ann Lee" }
    ],
    ["by an identifier", '<span id="js_author_name">赵传文</span>', { author: "赵传文" }],
    [
      "by a link to the author's page",
      '<p><a href="/authors/ann-lee">Ann Lee</a></p>',
      { author: "Ann Lee" }
    ],
    ["not by a comment", '<div id="comments"><span class="author">Bo Chen</span></div>', { author: null }],
    [
      "not by other stories",
      '<aside><span class="byline">Bo Chen</span></aside><nav><a rel="author">Cy Fox</a></nav>',
      { author: null }
    ],
    [
      "not by hidden text",
      '<p class="author"><span class="sr-only">Written with care</span>Ann Lee</p>',
      { author: "Ann Lee" }
    ],
    ["not by text in scripts", "<p class=author><script>Bo Chen</script>Ann Lee</p>", { author: "Ann Lee" }],
    [
      "by papers' names",
      meta("citation_author", "Lee, Ann") + meta("citation_author", "Chen, Bo"),
      { author: "Ann Lee, Bo Chen" }
    ],
    ["by Parse.ly", meta("parsely-author", "Ann Lee"), { author: "Ann Lee" }],
    ["by Dublin Core with a colon", property("dc:creator", "Ann Lee"), { author: "Ann Lee" }],
    ["by Sailthru", meta("sailthru.author", "Ann Lee"), { author: "Ann Lee" }],
    ["by the newspapers' name", meta("byl", "By Ann Lee"), { author: "Ann Lee" }],
    [
      "by Dublin Core",
      meta("DC.Creator", "Ann Lee") + meta("dcterms.creator", "Bo Chen"),
      { author: "Ann Lee, Bo Chen" }
    ],
    [
      "by every Open Graph author",
      property("article:author", "Ann Lee") + property("article:author", "Bo Chen"),
      { author: "Ann Lee, Bo Chen" }
    ],
    [
      "by a name rather than an address",
      `${property("article:author", "https://social.example/ann")}<b class="author">Ann Lee</b>`,
      { author: "Ann Lee" }
    ],
    [
      "by a name rather than a handle",
      `${meta("twitter:creator", "@ann")}<b class="author">Ann Lee</b>`,
      { author: "Ann Lee" }
    ],
    ["by a handle at last", meta("twitter:creator", "@ann"), { author: "@ann" }],
    [
      "by a person rather than the site",
      `${property("og:site_name", "Acme") + meta("author", "Acme")}<b class="author">Ann Lee</b>`,
      { author: "Ann Lee" }
    ]
  ])

  test("not by the text of a site's first page", () => {
    const html = '<article><b class="author">Ann Lee</b><time datetime="2020-05-04">today</time></article>'
    expect(read(html, "https://acme.example/")).toMatchObject({ author: null, publishedAt: null })
    expect(read(html)).toMatchObject({ author: "Ann Lee", publishedAt: "2020-05-04" })
  })
})

describe("the date of a page", () => {
  table([
    [
      "by Open Graph",
      property("article:published_time", "2026-01-02T03:04:05Z"),
      { publishedAt: "2026-01-02T03:04:05.000Z" }
    ],
    [
      "by a time without a zone",
      property("og:article:published_time", "2026-01-02 03:04"),
      { publishedAt: "2026-01-02" }
    ],
    ["by JSON-LD", ld({ "@type": "Article", datePublished: "2026-01-02" }), { publishedAt: "2026-01-02" }],
    ["by an upload", ld({ "@type": "VideoObject", uploadDate: "2026-01-02" }), { publishedAt: "2026-01-02" }],
    ["by a creation", ld({ "@type": "Report", dateCreated: "2026-01-02" }), { publishedAt: "2026-01-02" }],
    [
      "by microdata",
      '<div itemscope itemtype="https://schema.org/Article"><meta itemprop="datePublished" content="2026-01-02"></div>',
      { publishedAt: "2026-01-02" }
    ],
    [
      "by a property outside an item",
      '<span itemprop="datePublished">2 January 2026</span>',
      { publishedAt: "2026-01-02" }
    ],
    ["by papers' names", meta("citation_publication_date", "2026/01/02"), { publishedAt: "2026-01-02" }],
    ["by Parse.ly", meta("parsely-pub-date", "2026-01-02"), { publishedAt: "2026-01-02" }],
    ["by Dublin Core", meta("dcterms.issued", "2026-01-02"), { publishedAt: "2026-01-02" }],
    [
      "by the publication's time element",
      '<time datetime="2020-01-01">old</time><time pubdate datetime="2026-01-02">x</time>',
      { publishedAt: "2026-01-02" }
    ],
    [
      "by the article's first time element",
      '<time datetime="2020-01-01">x</time><article><time datetime="2026-01-02">x</time></article>',
      { publishedAt: "2026-01-02" }
    ],
    [
      "by a time element's text",
      "<article><time>Jan 2, 2026</time></article>",
      { publishedAt: "2026-01-02" }
    ],
    ["by a class", '<span class="entry-date">2. Januar 2026</span>', { publishedAt: "2026-01-02" }],
    [
      "by a byline in the form around a whole page",
      '<form action="/"><div class="byline">By Ann Lee</div></form>',
      { author: "Ann Lee" }
    ],
    [
      "not by a link to a licence",
      '<a href="https://creativecommons.org/licenses/by/4.0/">Attribution</a>',
      { author: null }
    ],
    ["by a byline", '<p class="byline">By Ann Lee | Jan 2, 2026</p>', { publishedAt: "2026-01-02" }],
    [
      "by the text after an author",
      '<p>by <a rel="author">Ann Lee</a> | Jan 2, 2026 | News</p>',
      { publishedAt: "2026-01-02" }
    ],
    [
      "by the publication rather than a change",
      '<time class="updated" datetime="2026-03-04">x</time><time class="published" datetime="2026-01-02">x</time>',
      { publishedAt: "2026-01-02" }
    ],
    [
      "by the article rather than other stories",
      '<aside><time datetime="2020-01-01">x</time></aside><time datetime="2026-01-02">x</time>',
      { publishedAt: "2026-01-02" }
    ],
    [
      "by the next statement where one is impossible",
      property("article:published_time", "0000-00-00") + meta("date", "2026-01-02"),
      { publishedAt: "2026-01-02" }
    ],
    [
      "by numbers in the order of the page's language",
      `<html lang="fr">${meta("date", "05/08/2014")}`,
      { publishedAt: "2014-08-05" }
    ]
  ])
})

describe("the title and the site of a page", () => {
  table([
    [
      "by Open Graph",
      property("og:title", "Kestrels | Acme") + property("og:site_name", "Acme"),
      { title: "Kestrels", siteName: "Acme" }
    ],
    ["by the host", "<title>Kestrels - ACME</title>", { title: "Kestrels", siteName: "ACME" }],
    [
      "by JSON-LD's publisher",
      `<title>Kestrels | Acme Times</title>${ld({ "@type": "Article", publisher: { name: "Acme Times" } })}`,
      { title: "Kestrels", siteName: "Acme Times" }
    ],
    [
      "by JSON-LD's site",
      `<title>Kestrels | Times</title>${ld([{ "@type": "WebSite", name: "Times" }])}`,
      { title: "Kestrels", siteName: "Times" }
    ],
    [
      "by a nested publisher in microdata",
      '<title>Kestrels | Times</title><div itemscope itemtype="http://schema.org/NewsArticle"><div itemprop="publisher" itemscope itemtype="http://schema.org/Organization"><meta itemprop="name" content="Times"></div></div>',
      { title: "Kestrels", siteName: "Times" }
    ],
    [
      "by the heading",
      "<title>Kestrels return | Birds</title><h1>Kestrels return</h1>",
      { title: "Kestrels return" }
    ],
    [
      "by the work where the title is the site's",
      `<title>Acme</title>${ld({ "@type": "VideoObject", name: "Kestrels" })}`,
      { title: "Kestrels" }
    ],
    ["that is all there is", "<title>Acme</title>", { title: "Acme", siteName: null }],
    [
      "by a site's name that is no address",
      property("og:site_name", "https://acme.example") + meta("application-name", "Acme"),
      { siteName: "Acme" }
    ],
    ["by an account with the host's name", meta("twitter:site", "@Acme"), { siteName: "Acme" }],
    ["not by another account", meta("twitter:site", "@annlee"), { siteName: null }]
  ])
})

describe("the kind of a page and its facts", () => {
  table([
    ["an article", ld({ "@type": "NewsArticle" }), { type: "article", facts: {} }],
    [
      "a video's length",
      ld({ "@type": "VideoObject", duration: "PT1M30S" }),
      { type: "video", facts: { duration: 90 } }
    ],
    [
      "an article's reading time is no length",
      ld({ "@type": "Article", timeRequired: "PT5M" }),
      { facts: {} }
    ],
    ["a paywall", ld({ "@type": "Article", isAccessibleForFree: false }), { facts: { paywall: true } }],
    [
      "a paywall as a text",
      ld({ "@type": "Article", isAccessibleForFree: "False" }),
      { facts: { paywall: true } }
    ],
    [
      "a paywall of a part",
      ld({
        "@type": "Article",
        isAccessibleForFree: true,
        hasPart: [{ isAccessibleForFree: "http://schema.org/False" }]
      }),
      { facts: { paywall: true } }
    ],
    ["no paywall", ld({ "@type": "Article", isAccessibleForFree: "True" }), { facts: {} }],
    [
      "a price",
      ld({ "@type": "Product", offers: { price: "49.00", priceCurrency: "EUR" } }),
      { type: "product", facts: { price: "49.00 EUR" } }
    ],
    [
      "the lowest of several prices",
      ld({
        "@type": "Product",
        offers: [{ "@type": "AggregateOffer", lowPrice: 49.5, priceCurrency: "usd" }]
      }),
      { facts: { price: "49.5 USD" } }
    ],
    ["a price without a currency", ld({ "@type": "Product", offers: { price: "49.00" } }), { facts: {} }],
    [
      "a price in meta elements",
      property("og:type", "product") +
        property("product:price:amount", "49,00") +
        property("product:price:currency", "EUR"),
      { type: "product", facts: { price: "49.00 EUR" } }
    ],
    [
      "a book",
      ld({ "@type": "Book", isbn: "978-0-316-76948-8", numberOfPages: 224 }),
      { type: "book", facts: { isbn: "9780316769488", pages: 224 } }
    ],
    ["no ISBN", ld({ "@type": "Book", isbn: "12345" }), { facts: {} }],
    [
      "an episode",
      ld({ "@type": "PodcastEpisode", duration: "PT20M", partOfSeries: { name: "Kestrel Radio" } }),
      { type: "audio", facts: { show: "Kestrel Radio", duration: 1_200 } }
    ],
    [
      "a paper by JSON-LD",
      ld({
        "@type": "ScholarlyArticle",
        sameAs: "https://doi.org/10.1093/nar/gks1195",
        isPartOf: { "@type": "PublicationIssue", isPartOf: { "@type": "Periodical", name: "Birds" } }
      }),
      { type: "paper", facts: { doi: "10.1093/nar/gks1195", journal: "Birds" } }
    ],
    [
      "a paper by meta elements",
      meta("citation_title", "Kestrels") +
        meta("citation_doi", "doi:10.1093/nar/gks1195") +
        meta("citation_journal_title", "Birds") +
        meta("citation_pdf_url", "/k.pdf"),
      {
        type: "paper",
        title: "Kestrels",
        facts: { doi: "10.1093/nar/gks1195", journal: "Birds", pdf: "https://www.acme.example/k.pdf" }
      }
    ],
    ["a post", ld({ "@type": "DiscussionForumPosting" }), { type: "post" }],
    [
      "an article with a video",
      property("og:type", "article") + ld([{ "@type": "WebPage" }, { "@type": "VideoObject" }]),
      { type: "article" }
    ],
    [
      "a page that describes its picture",
      ld({ "@graph": [{ "@type": "ImageObject" }, { "@type": "WebPage", name: "x" }] }),
      { type: null }
    ],
    [
      "microdata of a product",
      '<div itemscope itemtype="http://schema.org/Product"><p itemprop="offers" itemscope><meta itemprop="priceCurrency" content="USD"><b itemprop="price">9.99</b></p></div>',
      { type: "product", facts: { price: "9.99 USD" } }
    ],
    [
      "a software's version",
      ld({ "@type": "SoftwareApplication", softwareVersion: "2.1.0" }),
      { facts: { version: "2.1.0" } }
    ]
  ])
})

describe("other fields", () => {
  table([
    [
      "an oEmbed address",
      '<link rel="alternate" type="application/json+oembed" href="/oembed?url=a&amp;b=c">',
      { oembed: "https://www.acme.example/oembed?url=a&b=c" }
    ],
    [
      "no oEmbed address in XML",
      '<link rel="alternate" type="text/xml+oembed" href="/oembed">',
      { oembed: null }
    ],
    [
      "no oEmbed address of another protocol",
      '<link rel="alternate" type="application/json+oembed" href="javascript:x">',
      { oembed: null }
    ],
    ["a language", '<html lang="pt_br">', { language: "pt-BR" }],
    [
      "a language that is no tag",
      `<html lang="english">${property("og:locale", "en_GB")}`,
      { language: "en-GB" }
    ],
    ["a language in JSON-LD", ld({ "@type": "Article", inLanguage: "fr" }), { language: "fr" }],
    [
      "statements behind a long script",
      `<head><script>${"x < y; ".repeat(60_000)}</script>${property("og:title", "Late")}${meta("author", "Ann Lee")}</head>`,
      { title: "Late", author: "Ann Lee" }
    ],
    [
      "the page's own node among others",
      ld([
        { "@type": "Article", url: "/other", headline: "Other", author: "Bo Chen" },
        { "@type": "Article", url: "/news/kestrels", headline: "Kestrels", author: "Ann Lee" }
      ]),
      { title: "Kestrels", author: "Ann Lee" }
    ],
    [
      "the article rather than its site",
      ld({
        "@graph": [
          { "@type": "WebSite", name: "Times" },
          { "@type": "WebPage", name: "Page" },
          { "@type": "NewsArticle", headline: "Kestrels" }
        ]
      }),
      { title: "Kestrels", siteName: "Times" }
    ],
    [
      "a page's main entity",
      ld({ "@type": "ItemPage", mainEntity: { "@type": "Article", headline: "Kestrels" } }),
      { title: "Kestrels" }
    ],
    [
      "a description in microdata",
      '<div itemscope itemtype="http://schema.org/Article"><p itemprop="description">On kestrels.</p></div>',
      { description: "On kestrels." }
    ]
  ])
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
