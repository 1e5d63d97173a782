import { describe, expect, test } from "bun:test"
import { brotliDecompressSync } from "node:zlib"
import { downloads, files, shellAssets } from "../../dist/app/assets.ts"
import { type App, accessToken, makeApp } from "../support/app.ts"

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

describe("the app's files", () => {
  withApp("are there with their types, for ever, and all of them", async (app) => {
    for (const { identity, path, type } of files) {
      const response = await app.request("GET", path)
      expect([path, response.status, response.headers.get("content-type")]).toEqual([path, 200, type])
      expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
      expect(await bytesOf(response)).toEqual(await Bun.file(identity).bytes())
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
    withApp(`come as ${encoding ?? "they are"} to who takes "${accepted}"`, async (app) => {
      const response = await app.request("GET", shellAssets.dashboard.entry, undefined, {
        "accept-encoding": accepted
      })
      expect(response.headers.get("content-encoding")).toBe(encoding)
      expect(response.headers.get("vary")).toContain("accept-encoding")
      const packed = await bytesOf(response)
      const whole =
        encoding === "br"
          ? brotliDecompressSync(packed)
          : encoding === "gzip"
            ? Bun.gunzipSync(packed)
            : packed
      const asIs = await bytesOf(await app.request("GET", shellAssets.dashboard.entry))
      expect(Buffer.compare(whole, asIs)).toBe(0)
    })

  for (const [path, status] of [
    ["/app/main.js", 404],
    ["/app/../package.json", 404],
    ["/app/%2e%2e/package.json", 404],
    ["/app/..%2fpackage.json", 400]
  ] as const)
    withApp(`are no way to ${path}`, async (app) => {
      expect((await app.request("GET", path)).status).toBe(status)
    })

  test("take less than 60 kB in all for a first load, compressed", () => {
    for (const { entry, imports } of [shellAssets.dashboard, shellAssets.list]) {
      const first: ReadonlyArray<string> = [entry, ...imports, shellAssets.theme, shellAssets.style]
      const sizes = files.filter(({ path }) => first.includes(path)).map(({ br }) => Bun.file(br ?? "").size)
      expect(sizes).toHaveLength(first.length)
      // The page itself, with its first links, takes up to 13.5 kB; test/browser/Screens measures all of it.
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(46_500)
    }
  })
})

withApp(
  "the browser extension can be downloaded, for both kinds of browser, from where the front page says",
  async (app) => {
    const front = await (await app.request("GET", "/")).text()
    expect(downloads.map(({ path }) => path)).toEqual([
      "/downloads/linkbower-chrome.zip",
      "/downloads/linkbower-firefox.zip"
    ])
    for (const { file, path } of downloads) {
      expect(front).toContain(`href="${path}"`)
      const response = await app.request("GET", path)
      expect(response.headers.get("content-type")).toBe("application/zip")
      expect(response.headers.get("content-disposition")).toContain("attachment")
      expect(await bytesOf(response)).toEqual(await Bun.file(file).bytes())
    }
  }
)

describe("the service worker", () => {
  withApp("is the owner's alone, for the dashboard's scope, and never kept", async (app) => {
    expect((await app.request("GET", "/dashboard/service-worker.js")).status).toBe(403)
    const response = await app.owner("GET", "/service-worker.js")
    expect(response.status).toBe(200)
    expect(response.headers.get("content-type")).toStartWith("text/javascript")
    expect(response.headers.get("service-worker-allowed")).toBe("/dashboard")
    expect(response.headers.get("cache-control")).toBe("no-store")
    expect(response.headers.get("content-security-policy")).toContain("connect-src 'self'")
    expect(await response.text()).toContain(shellAssets.page)
  })
})

describe("the app's own address", () => {
  withApp("shows strangers the public list, as it is at its own", async (app) => {
    await app.capture({ url: "https://example.org/shared?t=A+shared+page" })
    await app.owner("POST", "/api/mutate", { op: "shareable", ids: [1], shareable: true })
    for (const path of ["/app", "/app/", "/app/?q=shared"]) {
      const response = await app.request("GET", path)
      const list = await app.request("GET", path.replace(/^\/app\/?/, "/list"))
      expect([path, response.status, response.headers.get("vary")]).toEqual([
        path,
        200,
        "accept-encoding, cookie, cf-access-jwt-assertion"
      ])
      const text = await response.text()
      expect(text).toContain("A shared page")
      expect(text).toBe(await list.text())
    }
    const etag = (await app.request("GET", "/app/")).headers.get("etag") ?? ""
    expect((await app.request("GET", "/app/", undefined, { "if-none-match": etag })).status).toBe(304)
  })

  withApp("sends the owner on to the dashboard", async (app) => {
    const token = await accessToken()
    for (const headers of [{ "cf-access-jwt-assertion": token }, { cookie: `CF_Authorization=${token}` }]) {
      const response = await app.request("GET", "/app/", undefined, headers)
      expect([response.status, response.headers.get("location")]).toEqual([303, "/dashboard"])
      expect(response.headers.get("cache-control")).toBe("no-store")
      expect(response.headers.get("vary")).toContain("cookie")
    }
    const wrong = await accessToken({ aud: "another" })
    const stranger = await app.request("GET", "/app/", undefined, { "cf-access-jwt-assertion": `${wrong}x` })
    expect(stranger.status).toBe(200)
  })

  withApp("tells other sites nothing about who is signed in", async (app) => {
    const response = await app.request("GET", "/app/", undefined, {
      cookie: `CF_Authorization=${await accessToken()}`,
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "no-cors",
      "sec-fetch-dest": "image"
    })
    expect(response.status).toBe(200)
  })
})

describe("the shell that is kept for when there is no network", () => {
  withApp("holds no data", async (app) => {
    const response = await app.request("GET", shellAssets.page)
    expect(response.headers.get("cache-control")).toContain("immutable")
    expect(await response.text()).toContain('id="data">null</script>')
  })
})

describe("pages", () => {
  for (const [encoding, unpack] of [
    ["gzip", Bun.gunzipSync],
    ["br", brotliDecompressSync]
  ] as const)
    withApp(`are packed as ${encoding} for who takes that, and the same without`, async (app) => {
      const plain = await app.request("GET", "/list")
      const packed = await app.request("GET", "/list", undefined, { "accept-encoding": encoding })
      expect([plain.headers.get("content-encoding"), packed.headers.get("content-encoding")]).toEqual([
        null,
        encoding
      ])
      expect(new TextDecoder().decode(unpack(await bytesOf(packed)))).toBe(await plain.text())
    })
})
