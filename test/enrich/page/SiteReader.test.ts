import { describe, expect } from "bun:test"
import { Effect, Either, Layer } from "effect"
import { FetchError, Fetcher } from "../../../src/enrich/fetch/Fetcher.ts"
import { Scraper } from "../../../src/enrich/page/Scraper.ts"
import { sharedTest } from "../../support/effect.ts"
import { sandbox } from "../../support/sandbox.ts"

const it = sharedTest(sandbox)

/** What the fake web serves at an address: a page or an answer, a status, a redirect, or nothing for a minute. */
type Served =
  | string
  | number
  | { readonly to: string; readonly body: string }
  | Effect.Effect<never, FetchError>

/** Scrapes an address of a fake web; returns the page or the failure, and the addresses that were asked for. */
const scraping = Effect.fnUntraced(function* (address: string, web: Readonly<Record<string, Served>>) {
  const asked: Array<string> = []
  const fetcher = Layer.succeed(Fetcher, {
    fetch: (url) => {
      asked.push(url.href)
      const served = web[url.href] ?? 404
      if (Effect.isEffect(served)) return served
      if (typeof served === "number") return new FetchError({ reason: "status", status: served })
      const { body, to } = typeof served === "string" ? { body: served, to: url.href } : served
      const isJson = body.startsWith("{")
      return Effect.succeed({
        url: new URL(to),
        redirects: [],
        contentType: isJson ? "application/json" : "text/html",
        body: new TextEncoder().encode(body),
        cut: false
      })
    }
  })
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
      expect(page).toEqual(pageWith({ title: "A talk - YouTube", author: null }))
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
