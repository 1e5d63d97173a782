import { afterAll, describe, expect, test } from "bun:test"
import { HttpApi, HttpLayerRouter } from "@effect/platform"
import { FastCheck as fc } from "effect"
import { files as appFiles } from "../../dist/app/assets.ts"
import { pages } from "../../dist/docs/assets.ts"
import { Api } from "../../src/http/api/Api.ts"
import { isCanonical } from "../../src/http/FrontDoor.ts"
import { groupOf, groups, loggedPath, pathOf } from "../../src/http/RouteGroups.ts"
import { routerConfig } from "../../src/http/Routes.ts"
import { type App, makeApp } from "../support/app.ts"
import { cpuTime } from "../support/cpuTime.ts"
import { always, alwaysAsync, strangeText } from "../support/strange.ts"
import { long } from "../support/tier.ts"

const patterns: Array<`/${string}`> = ["/dashboard/*", "/*", "/app"]
HttpApi.reflect(Api, { onGroup: () => {}, onEndpoint: ({ endpoint }) => void patterns.push(endpoint.path) })
for (const { path } of [...appFiles, ...pages]) if (path.startsWith("/")) patterns.push(`/${path.slice(1)}`)

/** The patterns of the service, in a router with the service's configuration. */
const router = HttpLayerRouter.FindMyWay.make<string>(routerConfig)
for (const pattern of new Set(patterns)) router.on("GET", pattern, pattern)

const known = fc.constantFrom(...patterns.map((pattern) => pattern.replace(/:\w+|\*/g, "1")))
const piece = fc.oneof(
  fc.constantFrom(
    "/",
    "//",
    "/.",
    "/..",
    "%2f",
    "%5C",
    "%00",
    "%61",
    "%C3%BC",
    "%ff",
    "%",
    ";",
    "#",
    "\\",
    "?",
    "A",
    "a",
    ".",
    "~"
  ),
  strangeText(2),
  fc.constantFrom("dashboard", "api", "links", "list", "webhook", "app")
)
/** A path of the service with a piece inserted anywhere, or a path of such pieces alone. */
const mutated = fc.oneof(
  fc.tuple(known, piece, fc.nat({ max: 40 }), fc.nat({ max: 3 })).map(([path, text, at, less]) => {
    const place = at % (path.length + 1)
    return `/${(path.slice(0, place) + text + path.slice(place + less)).replace(/^\//, "")}`
  }),
  fc.array(piece, { maxLength: 6 }).map((all) => `/${all.join("")}`)
)

describe("a canonical path", () => {
  test("includes every path of the service", () => {
    for (const pattern of patterns)
      expect([pattern, isCanonical(pattern.replace(/:\w+|\*/g, "1"))]).toEqual([pattern, true])
  })

  always(
    "is spelled as in a URL, and has one meaning",
    mutated,
    (path) => {
      if (!isCanonical(path)) return
      expect(URL.parse(`http://localhost${path}`)?.pathname).toBe(path)
      const segments = path.slice(1).split("/")
      for (const [at, segment] of segments.entries()) {
        const text = decodeURIComponent(segment)
        expect(text).not.toMatch(/[/\\\p{Cc}]/u)
        // An empty one is the slash at the end.
        if (text === "") expect(at).toBe(segments.length - 1)
        expect([".", ".."]).not.toContain(text)
      }
    },
    3_000
  )

  always(
    "is routed within its own group",
    mutated,
    (path) => {
      if (!isCanonical(path)) return
      const found = router.find("GET", path)?.handler
      if (found === undefined) throw new Error(`no route for ${path}`)
      // A path without a route belongs to its group too: the fallback answers it.
      const own = [groups.api, groups.dashboard].some((group) => group === groupOf(path))
      expect([path, found.startsWith("/dashboard")]).toEqual([path, own])
      if (!found.endsWith("*")) expect([path, groupOf(path).place]).toEqual([path, groupOf(found).place])
    },
    3_000
  )

  long(test)("is checked quickly, however long it is", () => {
    const start = cpuTime()
    for (const text of ["/a", "a", ".", "%20", "/.", "./", "%", ";"]) isCanonical(`/${text.repeat(100_000)};`)
    expect(cpuTime() - start).toBeLessThan(1_000)
  })
})

describe("a path that is not canonical", () => {
  const app = makeApp()
  afterAll(() => app.dispose())

  alwaysAsync(
    "is answered with 400",
    mutated.filter((path) => {
      const seen = pathOf(URL.parse(`http://localhost${path}`)?.href.slice("http://localhost".length) ?? "/")
      return !isCanonical(seen)
    }),
    async (path) => {
      const answer = await app.request("GET", path)
      expect([answer.status, answer.headers.get("cache-control")]).toEqual([400, "no-store"])
      expect(await answer.json()).toMatchObject({ error: "bad_request" })
    },
    200
  )
})

describe("Strict-Transport-Security", () => {
  const apps = new Map<string | undefined, App>()
  afterAll(() => Promise.all([...apps.values()].map((app) => app.dispose())))
  const appAt = (url: string | undefined) => {
    const app = apps.get(url) ?? makeApp({ PUBLIC_URL: url })
    apps.set(url, app)
    return app
  }
  const https = "https://links.example.org"
  for (const [why, url, headers, secure] of [
    ["for the public address", https, { host: "links.example.org" }, true],
    ["for the dashboard's own domain", https, { host: "library.example.com:443" }, true],
    [
      "behind a proxy that says HTTPS",
      https,
      { host: "links.example.org", "x-forwarded-proto": "https" },
      true
    ],
    ["in capitals", "HTTPS://links.example.org", { host: "links.example.org" }, true],
    [
      "not where the proxy says HTTP",
      https,
      { host: "links.example.org", "x-forwarded-proto": "http" },
      false
    ],
    ["not on this machine", https, { host: "localhost:8787" }, false],
    ["not by address", https, { host: "192.0.2.7:8787" }, false],
    ["not without a host", https, {}, false],
    ["not with a public address over HTTP", "http://links.example.org", { host: "links.example.org" }, false],
    ["not without a public address", undefined, { host: "links.example.org" }, false]
  ] as const)
    test(`is sent ${why}`, async () => {
      const { headers: sent } = await appAt(url).request("GET", "/list", undefined, headers)
      expect(sent.get("strict-transport-security")).toBe(secure ? "max-age=31536000" : null)
    })
})

test("a path is logged without the secret of a feed's address", () => {
  for (const path of ["/opds", "/opds/secret", "/opds/secret/books/1.epub"])
    expect(loggedPath(path)).toBe("/opds/…")
  for (const path of ["/feeds/secret", "/feeds/secret/", "/feeds/a/secret"])
    expect(loggedPath(path)).toBe("/feeds/…")
  for (const path of ["/feed/x", "/list/feeds/x", "/dashboard/feeds"]) expect(loggedPath(path)).toBe(path)
})
