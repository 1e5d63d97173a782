import { afterAll, describe, expect, test } from "bun:test"
import { brotliDecompressSync } from "node:zlib"
import { downloads, files, shellAssets } from "../../dist/app/assets.ts"
import { accessToken, makeApp } from "../support/app.ts"

const app = makeApp()
afterAll(() => app.dispose())

const get = (path: string, headers: Record<string, string> = {}) =>
  app.request("GET", path, undefined, headers)
const unpack = { br: brotliDecompressSync, gzip: Bun.gunzipSync }

describe("the app's files", () => {
  test("are all served with their types, cacheable forever", async () => {
    for (const { identity, path, type } of files) {
      const response = await get(path)
      expect([path, response.status, response.headers.get("content-type")]).toEqual([path, 200, type])
      expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
      expect(await response.bytes()).toEqual(await Bun.file(identity).bytes())
    }
  })

  for (const [accepted, encoding] of [
    ["gzip, deflate, br, zstd", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip;q=0.5", "gzip"],
    ["identity", null],
    ["", null],
    ["brotli", null]
  ] as const)
    test(`have the encoding ${encoding} for "${accepted}"`, async () => {
      const response = await get(shellAssets.dashboard.entry, { "accept-encoding": accepted })
      expect(response.headers.get("content-encoding")).toBe(encoding)
      expect(response.headers.get("vary")).toContain("accept-encoding")
      const sent = await response.bytes()
      const plain = await (await get(shellAssets.dashboard.entry)).bytes()
      expect(Buffer.compare(encoding === null ? sent : unpack[encoding](sent), plain)).toBe(0)
    })

  for (const [path, status] of [
    ["/app/main.js", 404],
    ["/app/../package.json", 404],
    ["/app/%2e%2e/package.json", 404],
    ["/app/..%2fpackage.json", 400]
  ] as const)
    test(`do not include ${path}`, async () => expect((await get(path)).status).toBe(status))

  test("take less than 60 kB compressed for a first load", () => {
    for (const { entry, imports, style } of [shellAssets.dashboard, shellAssets.list]) {
      const first: ReadonlyArray<string> = [entry, ...imports, shellAssets.theme, style]
      const sizes = files.filter(({ path }) => first.includes(path)).map(({ br }) => Bun.file(br ?? "").size)
      expect(sizes).toHaveLength(first.length)
      // The page itself, with its first links, takes the rest; test/browser/Screens measures all of it.
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(45_000)
    }
  })
})

test("the documentation's front page links to both browser extensions", async () => {
  const front = await (await get("/docs")).text()
  expect(downloads.map(({ path }) => path)).toEqual([
    "/downloads/linkbower-chrome.zip",
    "/downloads/linkbower-firefox.zip"
  ])
  for (const { file, path } of downloads) {
    expect(front).toContain(`href="${path}"`)
    const response = await get(path)
    expect(response.headers.get("content-type")).toBe("application/zip")
    expect(response.headers.get("content-disposition")).toContain("attachment")
    expect(await response.bytes()).toEqual(await Bun.file(file).bytes())
  }
})

test("the service worker is private, scoped to the dashboard and never cached", async () => {
  expect((await get("/dashboard/service-worker.js")).status).toBe(403)
  const response = await app.owner("GET", "/service-worker.js")
  expect(response.status).toBe(200)
  expect(response.headers.get("content-type")).toStartWith("text/javascript")
  expect(response.headers.get("service-worker-allowed")).toBe("/dashboard")
  expect(response.headers.get("cache-control")).toBe("no-store")
  expect(response.headers.get("content-security-policy")).toContain("connect-src 'self'")
  expect(await response.text()).toContain(shellAssets.page)
})

describe("GET /app", () => {
  test("shows strangers the public list", async () => {
    await app.capture({ url: "https://example.org/shared?t=A+shared+page" })
    await app.owner("POST", "/api/mutate", { op: "shareable", ids: [1], shareable: true })
    for (const path of ["/app", "/app/", "/app/?q=shared"]) {
      const response = await get(path)
      expect([path, response.status, response.headers.get("vary")]).toEqual([
        path,
        200,
        "accept-encoding, cookie, cf-access-jwt-assertion"
      ])
      const text = await response.text()
      expect(text).toContain("A shared page")
      expect(text).toBe(await (await get(path.replace(/^\/app\/?/, "/list"))).text())
    }
    const etag = (await get("/app/")).headers.get("etag") ?? ""
    expect((await get("/app/", { "if-none-match": etag })).status).toBe(304)
  })

  test("redirects the owner to the dashboard", async () => {
    const token = await accessToken()
    for (const headers of [{ "cf-access-jwt-assertion": token }, { cookie: `CF_Authorization=${token}` }]) {
      const response = await get("/app/", headers)
      expect([response.status, response.headers.get("location")]).toEqual([303, "/dashboard"])
      expect(response.headers.get("cache-control")).toBe("no-store")
      expect(response.headers.get("vary")).toContain("cookie")
    }
    const wrong = await accessToken({ aud: "another" })
    expect((await get("/app/", { "cf-access-jwt-assertion": `${wrong}x` })).status).toBe(200)
  })

  test("does not tell other sites who is signed in", async () => {
    const response = await get("/app/", {
      cookie: `CF_Authorization=${await accessToken()}`,
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "no-cors",
      "sec-fetch-dest": "image"
    })
    expect(response.status).toBe(200)
  })
})

test("the offline page holds no data", async () => {
  const response = await get(shellAssets.page)
  expect(response.headers.get("cache-control")).toContain("immutable")
  expect(await response.text()).toContain('id="data">null</script>')
})

for (const encoding of ["gzip", "br"] as const)
  test(`pages have the same text when compressed with ${encoding}`, async () => {
    const plain = await get("/list")
    const packed = await get("/list", { "accept-encoding": encoding })
    expect([plain.headers.get("content-encoding"), packed.headers.get("content-encoding")]).toEqual([
      null,
      encoding
    ])
    expect(new TextDecoder().decode(unpack[encoding](await packed.bytes()))).toBe(await plain.text())
  })
