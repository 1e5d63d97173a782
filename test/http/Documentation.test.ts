import { afterAll, describe, expect, test } from "bun:test"
import { brotliDecompressSync } from "node:zlib"
import { files, pages } from "../../dist/docs/assets.ts"
import { makeApp } from "../support/app.ts"

const app = makeApp()
afterAll(() => app.dispose())

const get = (path: string, headers: Record<string, string> = {}) =>
  app.request("GET", path, undefined, headers)
const asBrowser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }

/** Every page a reader of the documentation must find. */
const SLUGS =
  "start install bot extension dashboard search organise sharing import-export settings command-line operate backup troubleshooting http security architecture comparison".split(
    " "
  )

describe("the documentation", () => {
  test("serves every page as built, revalidated each time", async () => {
    const paths: ReadonlyArray<string> = pages.map(({ path }) => path)
    expect(paths).toEqual(expect.arrayContaining(["/docs", ...SLUGS.map((slug) => `/docs/${slug}`)]))
    for (const { etag, identity, path, type } of pages) {
      const response = await get(path)
      expect([path, response.status, response.headers.get("content-type")]).toEqual([path, 200, type])
      expect([response.headers.get("etag"), response.headers.get("cache-control")]).toEqual([
        etag,
        "no-cache"
      ])
      expect(await response.bytes()).toEqual(await Bun.file(identity).bytes())
    }
  })

  test("has the content security policy of every page", async () => {
    const policy = (await get("/docs/start")).headers.get("content-security-policy")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
  })

  test("answers 304 to clients that have the page", async () => {
    const etag = (await get("/docs/start")).headers.get("etag") ?? ""
    for (const tags of [etag, `"other", ${etag}`, etag.replace("W/", ""), "*"]) {
      const response = await get("/docs/start", { "if-none-match": tags })
      expect([response.status, response.headers.get("etag"), await response.text()]).toEqual([304, etag, ""])
    }
    expect((await get("/docs/start", { "if-none-match": '"other"' })).status).toBe(200)
  })

  for (const [encoding, unpack] of [
    ["gzip", Bun.gunzipSync],
    ["br", brotliDecompressSync]
  ] as const)
    test(`compresses its pages with ${encoding}`, async () => {
      for (const path of ["/docs", "/docs/http", "/docs/files/linkbower.service"]) {
        const packed = await get(path, { "accept-encoding": encoding })
        expect(packed.headers.get("content-encoding")).toBe(encoding)
        expect(packed.headers.get("vary")).toContain("accept-encoding")
        const plain = await (await get(path)).text()
        expect(new TextDecoder().decode(unpack(await packed.bytes()))).toBe(plain)
      }
    })

  test("accepts a trailing slash and a query", async () => {
    for (const path of ["/docs/", "/docs/start/", "/docs?q=backup"])
      expect([path, (await get(path)).status]).toEqual([path, 200])
  })

  test("answers HEAD", async () => {
    const response = await app.request("HEAD", "/docs/start")
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
  })

  test("serves its files cacheable forever, and loads nothing from elsewhere", async () => {
    for (const { identity, path, type } of files) {
      const response = await get(path)
      expect([path, response.status, response.headers.get("content-type")]).toEqual([path, 200, type])
      expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
      expect(await response.bytes()).toEqual(await Bun.file(identity).bytes())
    }
    const known: ReadonlyArray<string> = files.map(({ path }) => path)
    for (const { path } of pages) {
      const html = await (await get(path)).text()
      if (!html.startsWith("<!doctype")) continue
      const loaded = [...html.matchAll(/<(?:script|img|link)[^>]* (?:src|href)="([^"]+)"/g)].map(
        ([, one = ""]) => one
      )
      expect(loaded.filter((one) => !one.startsWith("/app/") && !known.includes(one))).toEqual([])
      expect(html).not.toMatch(/<style|<script(?![^>]* src=)|\son\w+=|\sstyle=/)
    }
  })

  test("serves configuration files as plain text", async () => {
    const response = await get("/docs/files/Caddyfile")
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8")
    expect(await response.text()).toBe(await Bun.file("web/docs/deploy/Caddyfile").text())
  })

  for (const path of [
    "/docs/../package.json",
    "/docs/%2e%2e/package.json",
    "/docs/files/",
    "/docs/assets/",
    "/docs/start.md"
  ])
    test(`does not serve ${path}`, async () => expect((await get(path)).status).toBe(404))

  test("takes less than 60 kB compressed for a page without its pictures", () => {
    const sizeOf = (br: string | undefined) => Bun.file(br ?? "").size
    const needed = files.filter(({ path }) => /\.(js|css)$/.test(path))
    expect(needed).toHaveLength(2)
    const shared = needed.reduce((sum, { br }) => sum + sizeOf(br), 0)
    for (const { br, path } of pages) {
      expect([path, sizeOf(br) > 0]).toEqual([path, true])
      expect(shared + sizeOf(br)).toBeLessThan(60_000)
    }
  })
})

describe("an unknown path", () => {
  for (const path of ["/docs/nowhere", "/nowhere", "/docs/files/nowhere", "/doc"])
    test(`is a page with a search field in a browser: ${path}`, async () => {
      const response = await get(path, asBrowser)
      expect([response.status, response.headers.get("content-type")]).toEqual([
        404,
        "text/html; charset=utf-8"
      ])
      expect(response.headers.get("vary")).toContain("accept")
      const html = await response.text()
      expect(html).toContain("Page not found")
      expect(html).toContain('<input type="search"')
    })

  for (const [path, headers] of [
    ...[{}, { accept: "*/*" }, { accept: "application/json" }].map((one) => ["/docs/nowhere", one] as const),
    ...["/list/nowhere", "/capture/nowhere", "/webhook/nowhere", "/app/nowhere.js", "/healthz/x"].map(
      (one) => [one, asBrowser] as const
    )
  ])
    test(`is a JSON error: ${path} ${JSON.stringify(headers)}`, async () => {
      const response = await get(path, headers)
      expect([response.status, await response.json()]).toMatchObject([404, { error: "not_found" }])
    })

  test("is checked by the dashboard's gate and by method first", async () => {
    expect((await get("/dashboard/nowhere", asBrowser)).status).toBe(403)
    const post = await app.request("POST", "/docs/nowhere", {}, asBrowser)
    expect([post.status, await post.json()]).toMatchObject([404, { error: "not_found" }])
    const known = await get("/webhook", asBrowser)
    expect([known.status, await known.json()]).toMatchObject([405, { error: "method_not_allowed" }])
  })
})
