import { describe, expect, test } from "bun:test"
import { Effect, Layer } from "effect"
import { FetchError, type Fetched, Fetcher } from "../../../src/enrich/fetch/Fetcher.ts"
import { readContent } from "../../../src/enrich/page/article/ReadableText.ts"
import { withoutTitle } from "../../../src/enrich/page/article/TitleHeading.ts"
import { decodePage } from "../../../src/enrich/page/Charset.ts"
import { readMetadata } from "../../../src/enrich/page/fields/Metadata.ts"
import { Scraper } from "../../../src/enrich/page/Scraper.ts"
import { bytes, describeData, json } from "../../support/data.ts"
import { sharedTest } from "../../support/effect.ts"
import { sandbox } from "../../support/sandbox.ts"
import { sampleOf } from "../../support/tier.ts"

const it = sharedTest(sandbox)

/** How a page was answered. */
interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Scrapes a page whose fetched body is `body`. */
const scraping = (
  body: string | Uint8Array,
  contentType: string | null = "text/html",
  url = "https://example.org/a/b",
  { headers = {}, status = 200 }: Answer = {}
) => {
  const fetched = {
    url: new URL(url),
    redirects: [],
    isPermanent: true,
    status,
    headers: new Headers(headers),
    contentType,
    body: typeof body === "string" ? new TextEncoder().encode(body) : body,
    cut: false,
    follow: () => Effect.die("nothing is followed")
  }
  return Effect.flatMap(Scraper, (scraper) => scraper.scrape(new URL(url))).pipe(
    Effect.provide(
      Scraper.layer.pipe(Layer.provide(Layer.succeed(Fetcher, { fetch: () => Effect.succeed(fetched) })))
    )
  )
}

describe("Scraper", () => {
  it("reads the metadata and the text of a page", function* () {
    const page = yield* scraping(`<!doctype html><html lang="en-gb"><head><base href="/base/">
        <title>The headline | The site</title><meta property="og:title" content="The   headline"><meta name=description content="About &amp; more">
        <meta property="og:image" content="pic.png"><meta property="og:site_name" content="The site"><meta name="author" content="Ann">
        <meta property="article:published_time" content="2026-01-02T03:04:05+01:00"><link rel="canonical" href="https://example.org/c">
        <link rel="icon" sizes="16x16" href="small.png"><link rel="icon" sizes="64x64" href="large.png"></head>
        <body><nav>Menu</nav><article><h1>The headline</h1><p>${"Readable words of the article. ".repeat(20)}</p><p>Second paragraph.</p></article><script>no()</script></body></html>`)
    expect(page).toMatchObject({
      url: "https://example.org/a/b",
      title: "The headline",
      description: "About & more",
      image: "https://example.org/base/pic.png",
      siteName: "The site",
      author: "Ann",
      publishedAt: "2026-01-02T02:04:05.000Z",
      canonicalUrl: "https://example.org/c",
      favicon: "https://example.org/base/large.png",
      language: "en-GB"
    })
    expect(page.text).toContain("Readable words")
    expect(page.text).toContain("\nSecond paragraph.")
    expect(page.text).not.toContain("no()")
  })

  for (const type of ["application/xhtml+xml", "application/xml; charset=utf-8"])
    it(`reads XHTML served as ${type}`, function* () {
      const page = yield* scraping(
        `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">
<html xmlns="http://www.w3.org/1999/xhtml"><head><title>A page in XHTML</title><script type="text/javascript" src="/x.js"/><style/>
<script type="application/ld+json">//<![CDATA[
{"@type":"Article","author":"Ann Lee"}
//]]></script></head><body><div id="nav"/><h1><a id="top"/>A page in XHTML</h1><iframe src="/frame" />
<p>First<br></br>line of it, ${"with readable words. ".repeat(30)}</p><textarea/><p>${"More readable words. ".repeat(20)}<![CDATA[a < b]]></p></body></html>`,
        type
      )
      expect(page).toMatchObject({ title: "A page in XHTML", author: "Ann Lee" })
      expect(page.text).toContain("First\nline of it")
      expect(page.text).toContain("a < b")
    })

  it("reads the page that a page sends its visitors on to, by markup or by its header", function* () {
    const served: Readonly<Record<string, readonly [html: string, headers?: Record<string, string>]>> = {
      "/a": ["<title>Redirecting…</title><meta http-equiv=refresh content='0;url=/b'>"],
      "/b": ["<title>Please wait</title><p>You will be forwarded.", { refresh: "3; url=/c" }],
      "/c": ["<title>The page itself</title><p>Its text."]
    }
    const answer = (url: URL): Fetched => {
      const [html = "", headers = {}] = served[url.pathname] ?? []
      return {
        url,
        redirects: [],
        isPermanent: true,
        status: 200,
        headers: new Headers(headers),
        contentType: "text/html",
        body: new TextEncoder().encode(html),
        cut: false,
        follow: (to) => Effect.sync(() => answer(new URL(to)))
      }
    }
    const fetcher = Layer.succeed(Fetcher, { fetch: (url) => Effect.sync(() => answer(url)) })
    const page = yield* Effect.flatMap(Scraper, ({ scrape }) =>
      scrape(new URL("https://example.org/a"))
    ).pipe(Effect.provide(Scraper.layer.pipe(Layer.provide(fetcher))))
    expect([page.url, page.title]).toEqual(["https://example.org/c", "The page itself"])
  })

  it("decodes the entities of a title once and keeps markup as text", function* () {
    expect((yield* scraping("<title>&lt;img src=x onerror=alert(1)&gt;</title>")).title).toBe(
      "<img src=x onerror=alert(1)>"
    )
    expect((yield* scraping("<title>&amp;lt;b&amp;gt;</title>")).title).toBe("&lt;b&gt;")
    expect(
      (yield* scraping('<meta property="og:title" content="A &quot;quoted&quot; &#128512;">')).title
    ).toBe('A "quoted" 😀')
  })

  it("removes invisible characters from a title and shortens it", function* () {
    const { title } = yield* scraping(`<title>\u202eevil\u200b\u0000 ${"x".repeat(1_000_000)}</title>`)
    expect(title?.startsWith("evil x")).toBe(true)
    expect(title?.length).toBeLessThanOrEqual(300)
    expect(JSON.stringify(title)).not.toMatch(/\\u(202e|200b|0000|d8)/)
  })

  for (const [what, html, title] of [
    ["a title in the body", "<p>x</p><title>Late</title>", "Late"],
    [
      "Open Graph in the body",
      '<html><head></head><body><meta property="og:title" content="Below"></body></html>',
      "Below"
    ],
    [
      "JSON-LD",
      '<script type="application/ld+json">{"@graph":[{"@type":"WebSite","name":"S"},{"@type":"NewsArticle","headline":"H"}]}</script>',
      "H"
    ],
    [
      "JSON-LD with a comment",
      '<script type="application/ld+json">/* c */ {"@type":"Article","headline":"C"}</script>',
      "C"
    ],
    ["only a heading", "<body><h1>Only this</h1></body>", "Only this"],
    ["no title", "<body><p>x</p></body>", null],
    ["an SVG title before a heading", "<body><svg><title>icon</title></svg><h1>Real</h1></body>", "Real"]
  ] as const)
    it(`reads the title of a page with ${what}`, function* () {
      expect((yield* scraping(html)).title).toBe(title)
    })

  for (const [said, type] of [
    ["article", "article"],
    ["Video.movie", "video"],
    ["music:song", "audio"],
    ["books.book", "book"],
    ["og:product", "product"],
    ["website", null],
    ["__proto__", null]
  ] as const)
    it(`takes a page of the type ${said} for ${type ?? "a page"}`, function* () {
      expect((yield* scraping(`<title>x</title><meta property="og:type" content="${said}">`)).type).toBe(type)
    })

  it("drops addresses other than http and https", function* () {
    const page = yield* scraping(
      '<meta property="og:image" content="javascript:alert(1)"><link rel=canonical href="data:text/html,x"><link rel=icon href="file:///x"><title>t</title>'
    )
    expect(page).toMatchObject({
      image: null,
      canonicalUrl: null,
      favicon: "https://example.org/favicon.ico"
    })
  })

  it("reads a response without a type as what it looks like", function* () {
    expect((yield* scraping("<!doctype html><title>t</title>", null)).title).toBe("t")
    const afterComments = `${"<!---->\n".repeat(2_000)}<html><title>t</title>`
    expect((yield* scraping(afterComments, null)).title).toBe("t")
    expect((yield* scraping("plain", null)).text).toBe("plain")
    expect((yield* scraping('{"name":"a"}', null)).title).toBe("a")
    for (const body of ["", " \n", "\0\x01\x02binary"])
      expect((yield* Effect.flip(scraping(body, null))).reason).toBe("unreadable")
  })

  for (const [what, html, more, expected] of [
    ["a bot wall", "<title>Just a moment...</title>", {}, { reason: "bot-wall", kind: "blocked" }],
    [
      "a challenge with an error status",
      "",
      { status: 403, headers: { "cf-mitigated": "challenge" } },
      { reason: "bot-wall", kind: "blocked", sentence: "The site asks visitors to prove that they are human" }
    ],
    [
      "a log-in",
      '<title>Log in</title><form><input type="password"></form>',
      {},
      { reason: "login", kind: "blocked" }
    ],
    [
      "a page that does not exist",
      "<title>Page not found</title><h1>Page not found</h1>",
      {},
      { reason: "not-found", kind: "lasting" }
    ],
    [
      "an error status without a wall",
      "<title>An article</title><p>Words.</p>",
      { status: 403 },
      { reason: "status", kind: "passing", sentence: "403 Forbidden" }
    ],
    [
      "an error status without HTML",
      "{}",
      { status: 401, type: null },
      { reason: "status", kind: "lasting", sentence: "401 Unauthorized" }
    ]
  ] as const)
    it(`gives no page for ${what}`, function* () {
      const { type = "text/html", ...answer }: Answer & { readonly type?: string | null } = more
      expect(yield* Effect.flip(scraping(html, type, undefined, answer))).toMatchObject(expected)
    })

  it("takes the requested address into account", function* () {
    const page = '<title>Sign in</title><form><input type="password"></form>'
    expect((yield* scraping(page, "text/html", "https://example.org/login")).title).toBe("Sign in")
  })

  it("returns the reason why a fetch failed", function* () {
    const layer = Scraper.layer.pipe(
      Layer.provide(
        Layer.succeed(Fetcher, { fetch: () => new FetchError({ reason: "status", status: 404 }) })
      )
    )
    const scrape = Effect.flatMap(Scraper, (scraper) => scraper.scrape(new URL("https://example.org")))
    expect(yield* Effect.flip(Effect.provide(scrape, layer))).toMatchObject({
      reason: "status",
      lasting: true
    })
  })
})

describeData("pages", "Scraper on real pages", () => {
  const index = json<ReadonlyArray<{ readonly dir: string }>>("pages/index.json")
  const htmlOf = (dir: string) => decodePage(bytes(`pages/${dir}/page.html`), "text/html")
  const metadataOf = (dir: string) => readMetadata(htmlOf(dir), new URL("https://example.org/a/b"))

  it("reads the same metadata and text in the sandbox", function* () {
    for (const { dir } of sampleOf(index, 3)) {
      const page = yield* scraping(bytes(`pages/${dir}/page.html`))
      const { oembed: _, ...stated } = metadataOf(dir)
      const { article, author, description, language, text } = readContent(
        htmlOf(dir),
        new URL("https://example.org/a/b")
      )
      expect(page).toEqual({
        url: page.url,
        ...stated,
        description: stated.description || description,
        author: stated.author ?? author,
        language: stated.language ?? language,
        text,
        article: withoutTitle(article, stated.title)
      })
    }
  })
})

describeData("hostile", "the page reader on hostile strings", () => {
  const files = ["blns", "xss/payloadsallthethings", "malformed-html5lib"]
  const strings = sampleOf(
    files.flatMap((file) => json<ReadonlyArray<string>>(`hostile/${file}.json`)).map(String),
    200
  )

  test(`returns clean titles and descriptions for ${strings.length} strings`, () => {
    for (const hostile of strings) {
      expect(readContent(hostile, new URL("https://example.org/a")).text.isWellFormed()).toBe(true)
      for (const html of [
        hostile,
        `<title>${hostile}</title>`,
        `<html><head><meta property="og:title" content="${hostile}">`
      ]) {
        const { description, title } = readMetadata(html, new URL("https://example.org/a"))
        for (const text of [title ?? "", description])
          expect(text).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
        expect(title?.isWellFormed() ?? true).toBe(true)
      }
    }
  })
})
