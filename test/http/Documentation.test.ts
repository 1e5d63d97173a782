import { describe, expect, test } from "bun:test"
import { brotliDecompressSync } from "node:zlib"
import { files, pages } from "../../dist/docs/assets.ts"
import { type App, makeApp } from "../support/app.ts"

const withApp = (name: string, body: (app: App) => Promise<void>) =>
  test(name, async () => {
    const app = makeApp()
    try {
      await body(app)
    } finally {
      await app.dispose()
    }
  })

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer())
const asBrowser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }

/** Every page a reader of the documentation must find. */
const SLUGS = [
  "start",
  "install",
  "bot",
  "extension",
  "dashboard",
  "search",
  "organise",
  "sharing",
  "import-export",
  "settings",
  "command-line",
  "operate",
  "backup",
  "troubleshooting",
  "http",
  "security",
  "architecture",
  "comparison"
]

describe("the documentation", () => {
  withApp("is there, page by page, as it was built, and asked about again each time", async (app) => {
    const paths: ReadonlyArray<string> = pages.map(({ path }) => path)
    expect(paths).toEqual(expect.arrayContaining(["/", "/docs", ...SLUGS.map((slug) => `/docs/${slug}`)]))
    for (const { etag, identity, path, type } of pages) {
      const response = await app.request("GET", path)
      expect([path, response.status, response.headers.get("content-type")]).toEqual([path, 200, type])
      expect([response.headers.get("etag"), response.headers.get("cache-control")]).toEqual([
        etag,
        "no-cache"
      ])
      expect(await bytesOf(response)).toEqual(await Bun.file(identity).bytes())
    }
  })

  withApp("comes under the policy of every page", async (app) => {
    const policy = (await app.request("GET", "/docs/start")).headers.get("content-security-policy")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
  })

  withApp("is not sent again to who has it", async (app) => {
    const etag = (await app.request("GET", "/docs/start")).headers.get("etag") ?? ""
    for (const tags of [etag, `"other", ${etag}`, etag.replace("W/", ""), "*"]) {
      const response = await app.request("GET", "/docs/start", undefined, { "if-none-match": tags })
      expect([response.status, response.headers.get("etag"), await response.text()]).toEqual([304, etag, ""])
    }
    const other = await app.request("GET", "/docs/start", undefined, { "if-none-match": '"other"' })
    expect(other.status).toBe(200)
  })

  for (const [encoding, unpack] of [
    ["gzip", Bun.gunzipSync],
    ["br", brotliDecompressSync]
  ] as const)
    withApp(`comes packed once as ${encoding} to who takes that`, async (app) => {
      for (const path of ["/", "/docs/http", "/docs/files/linkbower.service"]) {
        const plain = await app.request("GET", path)
        const packed = await app.request("GET", path, undefined, { "accept-encoding": encoding })
        expect(packed.headers.get("content-encoding")).toBe(encoding)
        expect(packed.headers.get("vary")).toContain("accept-encoding")
        expect(new TextDecoder().decode(unpack(await bytesOf(packed)))).toBe(await plain.text())
      }
    })

  withApp("is found with a slash at the end, and with a query", async (app) => {
    for (const path of ["/docs/", "/docs/start/", "/docs?q=backup", "/?x=1"])
      expect([path, (await app.request("GET", path)).status]).toEqual([path, 200])
  })

  withApp("answers HEAD", async (app) => {
    const response = await app.request("HEAD", "/docs/start")
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
  })

  withApp("keeps what its pages load for ever, and loads nothing from elsewhere", async (app) => {
    for (const { identity, path, type } of files) {
      const response = await app.request("GET", path)
      expect([path, response.status, response.headers.get("content-type")]).toEqual([path, 200, type])
      expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
      expect(await bytesOf(response)).toEqual(await Bun.file(identity).bytes())
    }
    const known: ReadonlyArray<string> = files.map(({ path }) => path)
    for (const { path } of pages) {
      const html = await (await app.request("GET", path)).text()
      if (!html.startsWith("<!doctype")) continue
      const loaded = [...html.matchAll(/<(?:script|img|link)[^>]* (?:src|href)="([^"]+)"/g)].map(
        ([, one = ""]) => one
      )
      expect(loaded.filter((one) => !one.startsWith("/app/") && !known.includes(one))).toEqual([])
      expect(html).not.toMatch(/<style|<script(?![^>]* src=)|\son\w+=|\sstyle=/)
    }
  })

  withApp("offers its files of configuration as plain text", async (app) => {
    const response = await app.request("GET", "/docs/files/Caddyfile")
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
    withApp(`is no way to ${path}`, async (app) => {
      expect((await app.request("GET", path)).status).toBe(404)
    })

  test("takes less than 60 kB for a page with all it needs, compressed, before its pictures", () => {
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

describe("where there is nothing", () => {
  withApp("a person gets a page with a search, and the 404", async (app) => {
    for (const path of ["/docs/nowhere", "/nowhere", "/docs/files/nowhere", "/doc"]) {
      const response = await app.request("GET", path, undefined, asBrowser)
      expect([path, response.status, response.headers.get("content-type")]).toEqual([
        path,
        404,
        "text/html; charset=utf-8"
      ])
      expect(response.headers.get("vary")).toContain("accept")
      const html = await response.text()
      expect(html).toContain("Page not found")
      expect(html).toContain('<input type="search"')
    }
  })

  withApp("a program gets the contract's body", async (app) => {
    for (const headers of [{}, { accept: "*/*" }, { accept: "application/json" }]) {
      const response = await app.request("GET", "/docs/nowhere", undefined, headers)
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ error: "not_found" })
    }
  })

  for (const path of [
    "/list/nowhere",
    "/capture/nowhere",
    "/webhook/nowhere",
    "/app/nowhere.js",
    "/healthz/x"
  ])
    withApp(`below ${path.split("/")[1]} everybody does`, async (app) => {
      const response = await app.request("GET", path, undefined, asBrowser)
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ error: "not_found" })
    })

  withApp("the dashboard's gate still comes first, and other methods are refused as before", async (app) => {
    expect((await app.request("GET", "/dashboard/nowhere", undefined, asBrowser)).status).toBe(403)
    const post = await app.request("POST", "/docs/nowhere", {}, asBrowser)
    expect([post.status, await post.json()]).toMatchObject([404, { error: "not_found" }])
    const known = await app.request("GET", "/webhook", undefined, asBrowser)
    expect([known.status, await known.json()]).toMatchObject([405, { error: "method_not_allowed" }])
  })
})
