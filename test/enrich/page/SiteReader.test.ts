import { describe, expect } from "bun:test"
import { Effect, Either, Fiber, Layer, Option, TestClock } from "effect"
import type { Page } from "../../../src/domain/Link.ts"
import { blankPage } from "../../../src/domain/Link.ts"
import { FetchError, Fetcher } from "../../../src/enrich/fetch/Fetcher.ts"
import { Sandbox } from "../../../src/enrich/page/Sandbox.ts"
import { Scraper } from "../../../src/enrich/page/Scraper.ts"
import { makeSiteReader } from "../../../src/enrich/page/SiteReader.ts"
import { clockTest, sharedTest } from "../../support/effect.ts"
import { withSettings } from "../../support/loopback.ts"
import { countOf } from "../../support/metrics.ts"
import { sandbox } from "../../support/sandbox.ts"

const it = sharedTest(sandbox)

/** What the fake web serves at an address: a page or an answer, a status, a redirect, or nothing for a minute. */
type Served =
  | string
  | number
  | { readonly to: string; readonly body: string }
  | Effect.Effect<never, FetchError>

/** A fake web, and the addresses that it was asked for. */
const fakeWeb = (web: Readonly<Record<string, Served>>) => {
  const asked: Array<string> = []
  const fetcher = Layer.succeed(Fetcher, {
    fetch: (url) => {
      asked.push(url.href)
      const served = web[url.href] ?? 404
      if (Effect.isEffect(served)) return served
      if (typeof served === "number") return new FetchError({ reason: "status", status: served })
      const { body, to } = typeof served === "string" ? { body: served, to: url.href } : served
      return Effect.succeed({
        url: new URL(to),
        redirects: [],
        isPermanent: true,
        status: 200,
        headers: new Headers(),
        contentType: body.startsWith("{") ? "application/json" : "text/html",
        body: new TextEncoder().encode(body),
        cut: false,
        follow: () => Effect.die("nothing is followed")
      })
    }
  })
  return { asked, fetcher }
}

/** Scrapes an address of a fake web; returns the page or the failure, and the addresses that were asked for. */
const scraping = Effect.fnUntraced(function* (address: string, web: Readonly<Record<string, Served>>) {
  const { asked, fetcher } = fakeWeb(web)
  const page = yield* Effect.flatMap(Scraper, (scraper) => scraper.scrape(new URL(address))).pipe(
    Effect.provide(Scraper.layer.pipe(Layer.provide(fetcher))),
    Effect.either
  )
  return { page, asked }
})

const video = "https://www.youtube.com/watch?v=dQw4w9WgXcQ"
const answerAddress =
  "https://www.youtube.com/oembed?format=json&url=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3DdQw4w9WgXcQ"
const answer = JSON.stringify({
  type: "video",
  title: "A talk",
  author_name: "The channel",
  provider_name: "YouTube",
  thumbnail_url: "https://i.ytimg.com/vi/dQw4w9WgXcQ/hqdefault.jpg"
})
const videoPage = `<title>A talk - YouTube</title><meta name="description" content="What it is about">
  <body><p>${"Words of the page. ".repeat(20)}</p>`

const gone = Either.left(expect.objectContaining({ reason: "status", status: 404 }))
const pageWith = (fields: Record<string, unknown>) => Either.right(expect.objectContaining(fields))

describe("a page of a site with rules of its own", () => {
  it("has the site's statements in place of its own, and keeps the rest", function* () {
    const { asked, page } = yield* scraping(video, { [video]: videoPage, [answerAddress]: answer })
    expect(asked.toSorted()).toEqual([answerAddress, video])
    expect(page).toEqual(
      pageWith({
        url: video,
        title: "A talk",
        author: "The channel",
        siteName: "YouTube",
        description: "What it is about",
        image: "https://i.ytimg.com/vi/dQw4w9WgXcQ/hqdefault.jpg",
        type: "video",
        text: expect.stringContaining("Words of the page.")
      })
    )
  })

  it("has no author if the site says that it has none", function* () {
    const article = "https://en.wikipedia.org/wiki/Bower"
    const { page } = yield* scraping(article, {
      [article]: '<title>Bower - Wikipedia</title><meta name="author" content="Contributors">',
      "https://en.wikipedia.org/api/rest_v1/page/summary/Bower": JSON.stringify({
        type: "standard",
        namespace: { id: 0 },
        titles: { normalized: "Bower" },
        extract: "A bower is a shelter."
      })
    })
    expect(page).toEqual(
      pageWith({ title: "Bower", description: "A bower is a shelter.", author: null, siteName: "Wikipedia" })
    )
  })

  it("keeps its whole text if the site knows the abstract only", function* () {
    const paper = "https://arxiv.org/html/1706.03762"
    const { page } = yield* scraping(paper, {
      [paper]: `<title>A paper</title><body><p>${"The whole paper. ".repeat(30)}</p>`,
      "https://export.arxiv.org/api/query?id_list=1706.03762":
        "<feed><entry><id>http://arxiv.org/abs/1706.03762v7</id><title>A Paper</title><summary>Short.</summary></entry></feed>"
    })
    expect(page).toEqual(
      pageWith({
        title: "A Paper",
        description: "Short.",
        type: "paper",
        text: expect.stringContaining("The whole paper.")
      })
    )
  })

  it("is read from the site's answer alone if it cannot be read", function* () {
    for (const served of [429, "<title>Just a moment...</title>"]) {
      const { page } = yield* scraping(video, { [video]: served, [answerAddress]: answer })
      expect(page).toEqual(
        pageWith({
          url: video,
          title: "A talk",
          author: "The channel",
          favicon: "https://www.youtube.com/favicon.ico",
          text: ""
        })
      )
    }
  })

  for (const [what, served] of [
    ["a status", 500],
    ["HTML", "<!doctype html><title>Sorry</title>"],
    ["nothing", ""],
    ["a list", "[]"],
    ["other types", '{"title": 7, "author_name": {"a": 1}}'],
    ["a megabyte without an end", `{"title": "${"x".repeat(1024 * 1024)}`]
  ] as const)
    it(`keeps its own fields if the site answers ${what}`, function* () {
      const { page } = yield* scraping(video, { [video]: videoPage, [answerAddress]: served })
      expect(page).toEqual(pageWith({ title: "A talk", author: null }))
    })

  it("fails as its request does if the site does not answer either", function* () {
    expect((yield* scraping(video, {})).page).toEqual(gone)
  })

  it("is asked about once, by the address that a short link redirects to", function* () {
    const short = "https://short.example/1"
    const { asked, page } = yield* scraping(short, {
      [short]: { to: `${video}&utm_source=x`, body: videoPage },
      [answerAddress]: answer
    })
    expect(asked).toEqual([short, answerAddress])
    expect(page).toEqual(pageWith({ url: `${video}&utm_source=x`, title: "A talk", author: "The channel" }))
  })
})

describe("the metric of sites' answers", () => {
  for (const [outcome, served] of [
    ["ok", answer],
    ["none", "<!doctype html>"],
    ["failed", 500]
  ] as const)
    it(`counts one that is ${outcome}`, function* () {
      const count = () => countOf("linkbower_site_answers_total", { site: "youtube", outcome })
      const before = count()
      yield* scraping(video, { [video]: videoPage, [answerAddress]: served })
      expect(count()).toBe(before + 1)
    })
})

const blank: Page = {
  ...blankPage("https://blog.example/a"),
  title: "A story",
  text: "The text.",
  article: "<p>The text.</p>"
}
const named = "https://blog.example/oembed?url=a"
const story = JSON.stringify({
  type: "rich",
  title: "Another title",
  author_name: "Ann &amp; Bob",
  provider_name: "The blog",
  thumbnail_url: "https://blog.example/a.png"
})

/** Joins a page that was read from `asked` with what the fake web answers about it. */
const joining = Effect.fnUntraced(function* (
  asked: string,
  page: Partial<Page>,
  oembed: string | null,
  web: Readonly<Record<string, Served>>
) {
  const { asked: addresses, fetcher } = fakeWeb(web)
  const joined = yield* Effect.flatMap(makeSiteReader, ({ join }) =>
    join(new URL(asked), Effect.succeed({ page: { ...blank, ...page }, oembed }))
  ).pipe(Effect.provide(fetcher))
  return { joined, addresses }
})

describe("a page that names an oEmbed answer", () => {
  it("has from it what it does not state itself", function* () {
    const { addresses, joined } = yield* joining(blank.url, {}, named, { [named]: story })
    expect(addresses).toEqual([named])
    expect(joined).toEqual({
      ...blank,
      author: "Ann & Bob",
      siteName: "The blog",
      image: "https://blog.example/a.png"
    })
  })

  it("is not asked about if it states everything", function* () {
    const whole = { author: "A", siteName: "S", image: "https://blog.example/b.png" }
    const { addresses, joined } = yield* joining(blank.url, whole, named, { [named]: story })
    expect(addresses).toEqual([])
    expect(joined).toEqual({ ...blank, ...whole })
  })

  it("stays as it is if the answer fails or says nothing", function* () {
    for (const served of [500, "", "<!doctype html>", "{}"])
      expect((yield* joining(blank.url, {}, named, { [named]: served })).joined).toEqual(blank)
    expect((yield* joining(blank.url, {}, "not an address", {})).addresses).toEqual([])
  })

  for (const [what, asked, read, oembed, isAsked] of [
    ["a stranger's page", "https://blog.example/a", "https://blog.example/a", "http://nas.lan/o", false],
    ["the owner's page", "http://nas.lan/a", "http://nas.lan/a", "http://nas.lan/o", true],
    [
      "the owner's page about another host",
      "http://nas.lan/a",
      "http://nas.lan/a",
      "http://wiki.lan/o",
      true
    ],
    [
      "a page that the owner's redirects to",
      "http://nas.lan/a",
      "https://blog.example/a",
      "http://nas.lan/o",
      false
    ],
    [
      "a stranger's page that redirects",
      "https://blog.example/a",
      "http://nas.lan/a",
      "http://nas.lan/o",
      false
    ],
    ["the owner's page about a public host", "http://nas.lan/a", "http://nas.lan/a", named, true]
  ] as const)
    it(`${isAsked ? "may" : "may not"} lead into FETCH_ALLOW: ${what}`, function* () {
      const { addresses } = yield* joining(asked, { url: read }, oembed, { [oembed]: story }).pipe(
        withSettings({ FETCH_ALLOW: "nas.lan,wiki.lan" })
      )
      expect(addresses).toEqual(isAsked ? [oembed] : [])
    })
})

describe("a page of a listed oEmbed provider", () => {
  const address = "https://vimeo.com/76979871"
  const provider = "https://vimeo.com/api/oembed.json?format=json&url=https%3A%2F%2Fvimeo.com%2F76979871"
  const clip = '{"type":"video","title":"A clip","author_name":"Ann","duration":62}'

  it("is read from the provider's answer if it cannot be read", function* () {
    const { asked, page } = yield* scraping(address, { [address]: 403, [provider]: clip })
    expect(asked).toEqual([address, provider])
    expect(page).toEqual(
      pageWith({ title: "A clip", author: "Ann", type: "video", facts: { duration: 62 }, text: "" })
    )
  })

  it("has the length of a video from it", function* () {
    const stated = {
      author: "Ann",
      siteName: "Vimeo",
      image: "https://i.vimeocdn.com/a.png",
      type: "video"
    } as const
    const { joined } = yield* joining(address, { ...stated, url: address }, null, { [provider]: clip })
    expect(joined).toEqual({ ...blank, ...stated, url: address, facts: { duration: 62 } })
  })
})

describe("a site that does not answer", () => {
  const idle = Layer.succeed(Sandbox, {
    readPage: () => Effect.never,
    readBrowserPage: () => Effect.succeedNone,
    readSite: () => Effect.succeed(Option.none()),
    shrink: () => Effect.never
  })

  clockTest(idle)("holds its page up for 15 seconds at most", function* () {
    const { fetcher } = fakeWeb({ [answerAddress]: Effect.never })
    const page = { ...blank, url: video }
    const joined = yield* Effect.flatMap(makeSiteReader, ({ join }) =>
      join(new URL(video), Effect.succeed({ page, oembed: null }))
    ).pipe(Effect.provide(fetcher), Effect.fork)
    yield* TestClock.adjust("14 seconds")
    expect(Option.isNone(yield* Fiber.poll(joined))).toBe(true)
    yield* TestClock.adjust("1 second")
    expect(yield* joined).toEqual(page)
  })
})
