import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { FetchError, Fetcher } from "../../../src/enrich/fetch/Fetcher.ts"
import { Scraper } from "../../../src/enrich/page/Scraper.ts"
import { bytes, describeData, json } from "../../support/data.ts"
import { effectTest } from "../../support/effect.ts"
import { sandbox } from "../../support/sandbox.ts"

const it = effectTest(sandbox)

/** Scrapes a page that is fetched as these bytes. */
const scraping = (
  body: string | Uint8Array,
  contentType: string | null = "text/html",
  url = "https://example.org/a/b"
) => {
  const fetched = {
    url: new URL(url),
    redirects: [],
    contentType,
    body: typeof body === "string" ? new TextEncoder().encode(body) : body,
    cut: false
  }
  return Effect.flatMap(Scraper, (scraper) => scraper.scrape(new URL(url))).pipe(
    Effect.provide(
      Scraper.layer.pipe(Layer.provide(Layer.succeed(Fetcher, { fetch: () => Effect.succeed(fetched) })))
    )
  )
}

describe("Scraper", () => {
  it(
    "reads what a page states",
    Effect.gen(function* () {
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
  )

  it(
    "takes markup in a title for text, once decoded and never twice",
    Effect.gen(function* () {
      expect((yield* scraping("<title>&lt;img src=x onerror=alert(1)&gt;</title>")).title).toBe(
        "<img src=x onerror=alert(1)>"
      )
      expect((yield* scraping("<title>&amp;lt;b&amp;gt;</title>")).title).toBe("&lt;b&gt;")
      expect(
        (yield* scraping('<meta property="og:title" content="A &quot;quoted&quot; &#128512;">')).title
      ).toBe('A "quoted" 😀')
    })
  )

  it(
    "cleans what a reader would not see out of a title, and cuts it",
    Effect.gen(function* () {
      const { title } = yield* scraping(`<title>\u202eevil\u200b\u0000 ${"x".repeat(1_000_000)}</title>`)
      expect(title?.startsWith("evil x")).toBe(true)
      expect(title?.length).toBeLessThanOrEqual(300)
      expect(JSON.stringify(title)).not.toMatch(/\\u(202e|200b|0000|d8)/)
    })
  )

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
    ["a heading alone", "<body><h1>Only this</h1></body>", "Only this"],
    ["nothing", "<body><p>x</p></body>", null],
    ["an image's title", "<body><svg><title>icon</title></svg><h1>Real</h1></body>", "Real"]
  ] as const)
    it(
      `reads the title of a page with ${what}`,
      Effect.gen(function* () {
        expect((yield* scraping(html)).title).toBe(title)
      })
    )

  it(
    "keeps no address that is not of the web",
    Effect.gen(function* () {
      const page = yield* scraping(
        '<meta property="og:image" content="javascript:alert(1)"><link rel=canonical href="data:text/html,x"><link rel=icon href="file:///x"><title>t</title>'
      )
      expect(page).toMatchObject({
        image: null,
        canonicalUrl: null,
        favicon: "https://example.org/favicon.ico"
      })
    })
  )

  it(
    "reads a page sent without a type where it looks like one, and nothing else",
    Effect.gen(function* () {
      expect((yield* scraping("<!doctype html><title>t</title>", null)).title).toBe("t")
      const afterComments = `${"<!---->\n".repeat(2_000)}<html><title>t</title>`
      expect((yield* scraping(afterComments, null)).title).toBe("t")
      for (const body of ["", "plain", '{"a":1}', "%PDF-1.4", "<!-- a", `${"<!---->".repeat(5_000)}x`])
        expect((yield* Effect.flip(scraping(body, null))).reason).toBe("not-html")
    })
  )

  it(
    "takes a bot wall for no page, which may let us in another day",
    Effect.gen(function* () {
      expect(yield* Effect.flip(scraping("<title>Just a moment...</title>"))).toMatchObject({
        reason: "bot-wall",
        lasting: false
      })
    })
  )

  it(
    "passes on why a page was not fetched",
    Effect.gen(function* () {
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
  )
})

describeData("pages", "Scraper on real pages", () => {
  type Text = string | null | undefined
  interface Expected {
    readonly title: Text
    readonly tags: Readonly<
      Record<
        | "ogTitle"
        | "twitterTitle"
        | "title"
        | "dcTitle"
        | "ogDescription"
        | "twitterDescription"
        | "metaDescription"
        | "ogImage"
        | "twitterImage",
        Text
      >
    >
  }
  const words = (text: Text) =>
    (text ?? "")
      .toLowerCase()
      .normalize("NFKC")
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim()
  const alike = (seen: Text, wanted: ReadonlyArray<Text>) => {
    const one = words(seen)
    return (
      one !== "" &&
      wanted.map(words).some((other) => other !== "" && (one.includes(other) || other.includes(one)))
    )
  }
  const index = json<ReadonlyArray<{ readonly dir: string }>>("pages/index.json")

  it(
    `finds the title of 98%, the description of 95% and the image of 90% of ${index.length} pages that state one`,
    Effect.gen(function* () {
      const tally = { title: [0, 0], description: [0, 0], image: [0, 0] }
      const times: Array<number> = []
      for (const { dir } of index) {
        const { tags, title } = json<Expected>(`pages/${dir}/expected.json`)
        const start = performance.now()
        const page = yield* scraping(bytes(`pages/${dir}/page.html`))
        times.push(performance.now() - start)
        const score = (what: keyof typeof tally, wanted: ReadonlyArray<Text>, right: boolean) => {
          if (wanted.length === 0) return
          const [found = 0, all = 0] = tally[what]
          tally[what] = [found + (right ? 1 : 0), all + 1]
          if (!right) console.log(`${what} of ${dir}: ${wanted.join(" | ")}`)
        }
        const titles = [tags.ogTitle, tags.twitterTitle, tags.title, title, tags.dcTitle].filter(Boolean)
        const descriptions = [tags.ogDescription, tags.twitterDescription, tags.metaDescription].filter(
          Boolean
        )
        const images = [tags.ogImage, tags.twitterImage]
          .flat()
          .filter((image) => /^https?:/.test(String(image)))
        score("title", titles, alike(page.title, titles))
        score("description", descriptions, alike(page.description, descriptions))
        score("image", images, images.includes(page.image))
      }
      const sorted = times.sort((a, b) => a - b)
      console.log(
        tally,
        `median ${sorted[sorted.length >> 1]?.toFixed(1)} ms, longest ${sorted.at(-1)?.toFixed(0)} ms`
      )
      const share = ([found = 0, all = 0]: ReadonlyArray<number>) => found / all
      expect(share(tally.title)).toBeGreaterThanOrEqual(0.98)
      expect(share(tally.description)).toBeGreaterThanOrEqual(0.95)
      expect(share(tally.image)).toBeGreaterThanOrEqual(0.9)
    }),
    60_000
  )
})

describeData("hostile", "Scraper on hostile pages", () => {
  const strings = [
    ...json<ReadonlyArray<string>>("hostile/blns.json"),
    ...json<ReadonlyArray<string>>("hostile/xss/payloadsallthethings.json"),
    ...json<ReadonlyArray<string>>("hostile/malformed-html5lib.json")
  ].map(String)

  it(
    `reads ${strings.length} strings, alone and as a title, without failing or keeping a control`,
    Effect.gen(function* () {
      for (const hostile of strings)
        for (const html of [
          hostile,
          `<title>${hostile}</title>`,
          `<html><head><meta property="og:title" content="${hostile}">`
        ]) {
          const page = yield* scraping(html)
          for (const text of [page.title ?? "", page.description])
            expect(text).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
          expect(page.title?.isWellFormed() ?? true).toBe(true)
        }
    }),
    60_000
  )

  for (const name of ["deep-div-100k", "unclosed-title-5MB", "meta-50k", "nul-bytes", "page-50MB"])
    it(
      `reads ${name} in bounded time`,
      Effect.gen(function* () {
        const html = Bun.gunzipSync(Buffer.from(bytes(`hostile/generated/${name}.html.gz`))).subarray(
          0,
          5 * 1024 * 1024
        )
        const start = performance.now()
        const page = yield* scraping(html)
        const took = performance.now() - start
        console.log(`${name}: ${took.toFixed(0)} ms, ${page.text.length} characters of text`)
        expect(page.title?.length ?? 0).toBeLessThanOrEqual(300)
        expect(took).toBeLessThan(3_000)
      }),
      30_000
    )
})
