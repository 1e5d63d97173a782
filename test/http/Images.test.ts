import { afterAll, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer, Option } from "effect"
import type { LinkId } from "../../src/domain/Link.ts"
import { type PictureKind, pictureOf } from "../../src/domain/Picture.ts"
import { Images } from "../../src/enrich/page/Images.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { type App, accessToken, makeApp } from "../support/app.ts"
import { found, newLink } from "../support/links.ts"
import { png, svg } from "../support/pictures.ts"

const folder = mkdtempSync(join(tmpdir(), "linkbower-images-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const preview = "https://pictures.example/a.png"
const icon = "https://pictures.example/a.svg?size=1&theme=dark"
const missing = "https://pictures.example/missing.png"

/** The pictures there are, as if they were fetched. */
const world = new Map<string, Uint8Array>([
  [preview, png(8, 8)],
  [icon, Buffer.from(svg)]
])
const images = Layer.succeed(Images, {
  mayTake: () => Effect.succeed(true),
  find: (kind: PictureKind, address: string) =>
    Effect.succeed(Option.flatMap(Option.fromNullable(world.get(address)), (bytes) => pictureOf(kind, bytes)))
})

const withApp = (name: string, body: (app: App, ids: ReadonlyArray<LinkId>) => Promise<void>) =>
  test(name, async () => {
    const app = makeApp({ DATA_DIR: join(folder, crypto.randomUUID()) }, images)
    const ids = await app.run(
      Effect.gen(function* () {
        const links = yield* LinkStore
        return yield* Effect.forEach(
          [{ image: preview, favicon: icon }, { image: missing }, {}],
          Effect.fnUntraced(function* (page, index) {
            const { link } = yield* links.claim(newLink(String(index)))
            yield* links.finish(link.id, found(page))
            return link.id
          })
        )
      })
    )
    await body(app, ids).finally(app.dispose)
  })

const share = (app: App, shareable: boolean) =>
  app.owner("POST", "/api/mutate", { op: "shareable", ids: [1, 2, 3], shareable })

const publicly = (app: App, kind: PictureKind, url: string, headers: Record<string, string> = {}) =>
  app.request("GET", `/list/${kind}?url=${encodeURIComponent(url)}`, undefined, headers)

const alone = "default-src 'none'; frame-ancestors 'none'; sandbox"

describe("GET /dashboard/api/links/{id}/image and /favicon", () => {
  withApp("answer with the link's pictures, which no cache keeps and no browser opens", async (app) => {
    const image = await app.owner("GET", "/api/links/1/image")
    expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/png"])
    expect(image.headers.get("cache-control")).toBe("no-store")
    expect(image.headers.get("x-content-type-options")).toBe("nosniff")
    expect(image.headers.get("content-security-policy")).toBe(alone)
    expect(image.headers.get("cross-origin-resource-policy")).toBe("same-origin")
    expect(image.headers.get("content-disposition")).toBeNull()
    expect(Buffer.compare(await image.bytes(), png(8, 8))).toBe(0)

    const favicon = await app.owner("GET", "/api/links/1/favicon")
    expect([favicon.status, favicon.headers.get("content-type")]).toEqual([200, "image/svg+xml"])
    expect(favicon.headers.get("content-disposition")).toBe("attachment")
    expect(favicon.headers.get("content-security-policy")).toBe(alone)
    expect(await favicon.text()).toBe(svg)
  })

  withApp("stand behind the gate", async (app) => {
    for (const path of ["/dashboard/api/links/1/image", "/dashboard/api/links/99/favicon"]) {
      const response = await app.request("GET", path)
      expect([response.status, await response.json()]).toEqual([
        403,
        { error: "forbidden", message: expect.any(String) }
      ])
    }
  })

  withApp("answer 404 alike whatever is missing", async (app) => {
    const answers = new Set<string>()
    for (const path of ["2/image", "2/favicon", "3/image", "99/image", "99/favicon"]) {
      const response = await app.owner("GET", `/api/links/${path}`)
      answers.add(`${response.status} ${await response.text()}`)
    }
    expect([...answers]).toEqual([expect.stringMatching(/^404 \{"error":"not_found","message":"[^"]+"\}$/)])
  })

  for (const id of ["0", "-1", "1.5", "a", "01", "%20", "9999999999999999"])
    withApp(`answer 400 to the number ${id}`, async (app) => {
      const response = await app.owner("GET", `/api/links/${id}/image`)
      expect([response.status, await response.json()]).toEqual([
        400,
        { error: "bad_request", message: expect.any(String) }
      ])
    })

  withApp("take no other method", async (app) => {
    const response = await app.owner("POST", "/api/links/1/image", {})
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"])
  })
})

describe("GET /list/image and /list/favicon", () => {
  withApp("answer what a shared link names, its address escaped or not", async (app) => {
    await share(app, true)
    const image = await publicly(app, "image", preview)
    expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/png"])
    expect(image.headers.get("cache-control")).toBe("no-cache")
    expect(image.headers.get("content-security-policy")).toBe(alone)
    expect(image.headers.get("cross-origin-resource-policy")).toBe("same-origin")
    const favicon = await publicly(app, "favicon", icon)
    expect([favicon.status, favicon.headers.get("content-disposition")]).toEqual([200, "attachment"])
    expect((await app.request("GET", `/list/image?url=${preview}`)).status).toBe(200)
  })

  withApp("answer 404 alike for what is hidden, missing or of the other kind", async (app) => {
    const answers = new Set<string>()
    const ask = async (kind: PictureKind, url: string) => {
      const response = await publicly(app, kind, url)
      const { headers, status } = response
      headers.delete("date")
      answers.add(JSON.stringify([status, [...headers], await response.text()]))
    }
    await ask("image", preview)
    await ask("favicon", icon)
    await share(app, true)
    await ask("favicon", preview)
    await ask("image", missing)
    await ask("image", "https://pictures.example/b.png")
    await ask("image", "x")
    expect(answers.size).toBe(1)
    expect([...answers][0]).toContain("not_found")
  })

  withApp("answer 400 without an address", async (app) => {
    for (const path of ["/list/image", "/list/favicon?url=", "/list/image?address=a"]) {
      const response = await app.request("GET", path)
      expect([response.status, await response.json()]).toEqual([
        400,
        { error: "bad_request", message: expect.stringContaining('"url"') }
      ])
    }
  })

  withApp("answer 304 to who has the picture, and the picture to who has another", async (app) => {
    await share(app, true)
    const etag = (await publicly(app, "image", preview)).headers.get("etag") ?? ""
    expect(etag).toMatch(/^"[\w-]{20,}"$/)
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const response = await publicly(app, "image", preview, { "if-none-match": known })
      expect([response.status, await response.text(), response.headers.get("etag")]).toEqual([304, "", etag])
      expect(response.headers.get("cache-control")).toBe("no-cache")
    }
    for (const other of [`"other"`, "", etag.slice(1)])
      expect((await publicly(app, "image", preview, { "if-none-match": other })).status).toBe(200)
    expect((await publicly(app, "favicon", icon)).headers.get("etag")).not.toBe(etag)
  })

  withApp("answer 404 from the next request on when a link is made private or deleted", async (app) => {
    await share(app, true)
    const etag = (await publicly(app, "image", preview)).headers.get("etag") ?? ""
    await share(app, false)
    expect((await publicly(app, "image", preview)).status).toBe(404)
    expect((await publicly(app, "image", preview, { "if-none-match": etag })).status).toBe(404)
    await share(app, true)
    expect((await publicly(app, "image", preview)).status).toBe(200)
    await app.owner("POST", "/api/mutate", { op: "delete", ids: [1] })
    expect((await publicly(app, "image", preview, { "if-none-match": etag })).status).toBe(404)
  })
})

describe("A picture's address", () => {
  withApp("is answered to a page that shows it, and not to a browser that goes there", async (app) => {
    await share(app, true)
    const statusOf = async (path: string, headers: Record<string, string>) =>
      (await app.request("GET", path, undefined, headers)).status
    const owner = { "cf-access-jwt-assertion": await accessToken() }
    const address = `/list/favicon?url=${encodeURIComponent(icon)}`
    for (const [destination, status] of [
      ["image", 200],
      ["empty", 200],
      ["document", 403],
      ["iframe", 403],
      ["embed", 403],
      ["object", 403],
      ["script", 403],
      ["style", 403],
      ["", 403]
    ] as const) {
      const headers = { "sec-fetch-dest": destination }
      expect([destination, await statusOf(address, headers)]).toEqual([destination, status])
      expect([
        destination,
        await statusOf("/dashboard/api/links/1/favicon", { ...headers, ...owner })
      ]).toEqual([destination, status])
    }
  })
})
