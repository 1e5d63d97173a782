import { describe, expect } from "bun:test"
import { type Duration, Effect, Layer } from "effect"
import type { PageWords } from "../../src/domain/Resemblance.ts"
import { Fetcher, make } from "../../src/enrich/fetch/Fetcher.ts"
import { PageCheck } from "../../src/enrich/PageCheck.ts"
import { Scraper } from "../../src/enrich/page/Scraper.ts"
import { effectTest, sharedTest } from "../support/effect.ts"
import { limits, page, pages, resolver } from "../support/fetching.ts"
import { withSettings } from "../support/loopback.ts"
import { sandbox } from "../support/sandbox.ts"

const within = (timeout: Duration.DurationInput) =>
  PageCheck.layer.pipe(
    Layer.provide(Scraper.layer),
    Layer.provide([sandbox, Layer.provide(Layer.effect(Fetcher, make({ ...limits, timeout })), resolver)])
  )
const it = sharedTest(within(limits.timeout))

const bread =
  `How to bake a loaf of rye bread. Mix the sourdough starter with rye flour, water and salt, let the dough rise
  for twelve hours in a warm kitchen, shape it, and bake it in a hot oven until its crust is dark. `.repeat(4)
const casino =
  `Play slots and roulette at our online casino. Deposit now, claim your welcome bonus and free spins,
  and win the jackpot with live dealers. Gambling can be addictive. `.repeat(6)
const kept: PageWords = { title: "How to bake rye bread", text: bread }
const nothing: PageWords = { title: "site.test", text: "" }

const html = (title: string, text: string) =>
  `<!doctype html><html><head><title>${title}</title></head><body><article><h1>${title}</h1><p>${text}</p></article></body></html>`
const article = () => page(html("How to bake rye bread", bread))
const redirect = (location: string, status = 301) => new Response(null, { status, headers: { location } })

/** Looks at `path` of a server that answers in this way; returns what was found and what was asked. */
const looking = Effect.fnUntraced(function* (
  answer: (request: Request) => Response | Promise<Response>,
  path = "/recipes/rye",
  known = kept
) {
  const asked: Array<string> = []
  const server = yield* pages((request) => {
    asked.push(`${request.method} ${new URL(request.url).pathname}`)
    return answer(request)
  })
  const base = `http://site.test:${server.port}`
  const checks = yield* PageCheck
  const look = yield* checks
    .look(new URL(`${base}${path}`), known)
    .pipe(withSettings({ FETCH_ALLOW: `site.test:${server.port}` }))
  return { asked, base, look }
})

const only = (path: string, answer: () => Response) => (request: Request) =>
  new URL(request.url).pathname === path ? answer() : article()

describe("a look at a page", () => {
  it("asks for its headers, then reads it", function* () {
    const { asked, look } = yield* looking(article)
    expect(look).toEqual({ _tag: "Present" })
    expect(asked).toEqual(["HEAD /recipes/rye", "GET /recipes/rye"])
  })

  it("leaves it at the headers of a file", function* () {
    const { asked, look } = yield* looking(
      () => new Response("%PDF", { headers: { "content-type": "application/pdf" } })
    )
    expect(look).toEqual({ _tag: "Present" })
    expect(asked).toEqual(["HEAD /recipes/rye"])
  })

  it("finds it at its new address", function* () {
    const { base, look } = yield* looking(only("/recipes/rye", () => redirect("/bread/rye", 308)))
    expect(look).toEqual({ _tag: "Moved", to: `${base}/bread/rye` })
  })

  it("does not take a temporary redirect for a move, nor one of several", function* () {
    expect((yield* looking(only("/recipes/rye", () => redirect("/bread/rye", 302)))).look).toEqual({
      _tag: "Present"
    })
    const { look } = yield* looking(({ url }) => {
      const { pathname } = new URL(url)
      return pathname === "/recipes/rye"
        ? redirect("/b")
        : pathname === "/b"
          ? redirect("/c", 307)
          : article()
    })
    expect(look).toEqual({ _tag: "Present" })
  })

  it("does not offer a log-in as the new address", function* () {
    const login = () =>
      page(
        '<title>Log in</title><h1>Log in</h1><p>Log in to continue.</p><form><input name="user"><input type="password" name="p"></form>'
      )
    const { look } = yield* looking(({ url }) =>
      new URL(url).pathname === "/login" ? login() : redirect("/login?next=%2Frecipes%2Frye")
    )
    expect(look).toEqual({ _tag: "Refused" })
  })

  it("takes a redirect to the front page for the end of a page", function* () {
    const front = (request: Request) =>
      new URL(request.url).pathname === "/" ? page(html("Our bakery", bread)) : redirect("/")
    for (const known of [kept, nothing])
      expect((yield* looking(front, "/recipes/rye", known)).look).toEqual({
        _tag: "Changed",
        reason: "The site redirects to its front page"
      })
    const { base, look } = yield* looking(front, "/index.html", nothing)
    expect(look).toEqual({ _tag: "Moved", to: `${base}/` })
  })

  it("recognizes another page, a placeholder and a missing page that is answered with 200", function* () {
    expect((yield* looking(() => page(html("Win the jackpot", casino)))).look).toEqual({
      _tag: "Changed",
      reason: "Another page is at this address"
    })
    const parked = `<title>site.test is for sale</title><h1>site.test is for sale</h1><p>Buy this domain. This domain may be for sale.</p>`
    const missing = `<title>Page not found</title><h1>404</h1><p>The page you are looking for does not exist.</p>`
    for (const body of [parked, missing]) expect((yield* looking(() => page(body))).look._tag).toBe("Changed")
  })

  it("keeps a page that was retitled, or rewritten under its title", function* () {
    expect((yield* looking(() => page(html("A loaf for the winter", bread)))).look).toEqual({
      _tag: "Present"
    })
    expect((yield* looking(() => page(html(kept.title, casino)))).look).toEqual({ _tag: "Present" })
  })

  it("believes GET, not HEAD", function* () {
    for (const status of [404, 405, 500, 501]) {
      const { look } = yield* looking(({ method }) =>
        method === "HEAD" ? new Response(null, { status }) : article()
      )
      expect(look).toEqual({ _tag: "Present" })
    }
    const { look } = yield* looking(({ method }) =>
      method === "HEAD" ? page("") : new Response("", { status: 404 })
    )
    expect(look).toMatchObject({ _tag: "Failed", reason: "404 Not Found" })
  })

  it("fails with the status", function* () {
    for (const [status, reason] of [
      [404, "404 Not Found"],
      [410, "410 Gone"],
      [500, "500 Internal Server Error"]
    ] as const)
      expect((yield* looking(() => new Response("", { status }))).look).toEqual({
        _tag: "Failed",
        reason,
        isSilent: false
      })
  })

  it("says nothing about a page whose site refuses programs, and asks it no second time", function* () {
    for (const status of [401, 403, 451])
      expect((yield* looking(() => new Response("", { status }))).look).toEqual({ _tag: "Refused" })
    const { asked, look } = yield* looking(
      () => new Response("", { status: 429, headers: { "retry-after": "7200" } })
    )
    expect(look).toMatchObject({ _tag: "Refused", notBefore: expect.any(Number) })
    expect(asked).toEqual(["HEAD /recipes/rye"])
  })

  it("heeds when a site under repair wants to be asked again", function* () {
    const before = Date.now()
    const { asked, look } = yield* looking(
      () => new Response("", { status: 503, headers: { "retry-after": "86400" } })
    )
    expect(look).toMatchObject({ _tag: "Failed", reason: "503 Service Unavailable" })
    expect("notBefore" in look ? (look.notBefore ?? 0) - before : 0).toBeGreaterThanOrEqual(86_400_000)
    expect(asked).toEqual(["HEAD /recipes/rye"])
  })

  effectTest(within("500 millis"))("ends at a tarpit", function* () {
    expect((yield* looking(() => new Promise<Response>(() => {}))).look).toMatchObject({
      _tag: "Failed",
      isSilent: true
    })
  })

  it("ends at a redirect loop and a server that is down", function* () {
    expect((yield* looking(() => redirect("/recipes/rye"))).look).toMatchObject({
      _tag: "Failed",
      reason: "The page redirects too many times"
    })
    const checks = yield* PageCheck
    const gone = new URL("http://site.test:9/")
    const look = yield* checks.look(gone, kept).pipe(withSettings({ FETCH_ALLOW: "site.test:9" }))
    expect(look).toMatchObject({ _tag: "Failed", reason: "The site cannot be reached", isSilent: true })
    expect(yield* checks.answers(gone).pipe(withSettings({ FETCH_ALLOW: "site.test:9" }))).toBe(false)
  })

  it("knows nothing of a page in a private network", function* () {
    const checks = yield* PageCheck
    expect(yield* checks.look(new URL("http://private.test/"), kept)).toEqual({ _tag: "Refused" })
  })

  it("reads no more of a huge page than of any", function* () {
    const { look } = yield* looking(({ method }) =>
      method === "HEAD"
        ? page("")
        : page(
            new ReadableStream({
              pull: (controller) => controller.enqueue(new TextEncoder().encode(`<p>${bread}</p>`))
            })
          )
    )
    expect(["Present", "Failed"]).toContain(look._tag)
  })
})
