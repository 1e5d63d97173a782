import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer, Option } from "effect"
import { type PictureKind, pictureOf } from "../../src/domain/Picture.ts"
import { Images, PictureError } from "../../src/enrich/page/Images.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { accessToken, makeApp } from "../support/app.ts"
import { found, newLink } from "../support/links.ts"
import { png, svg } from "../support/pictures.ts"

const folder = mkdtempSync(join(tmpdir(), "linkbower-images-"))

const preview = "https://pictures.example/a.png"
const icon = "https://pictures.example/a.svg?size=1&theme=dark"
const missing = "https://pictures.example/missing.png"

/** The pictures that can be fetched. */
const world = new Map<string, Uint8Array>([
  [preview, png(8, 8)],
  [icon, Buffer.from(svg)]
])
const images = Layer.succeed(Images, {
  mayTake: () => Effect.succeed(true),
  ofArticle: () => Effect.fail(new PictureError({ reason: "no-picture" })),
  find: (kind: PictureKind, address: string) =>
    Effect.succeed(Option.flatMap(Option.fromNullable(world.get(address)), (bytes) => pictureOf(kind, bytes)))
})

const app = makeApp({ DATA_DIR: folder }, images)
beforeAll(() =>
  app.run(
    Effect.gen(function* () {
      const links = yield* LinkStore
      for (const [index, page] of [{ image: preview, favicon: icon }, { image: missing }, {}].entries()) {
        const { link } = yield* links.upsert(newLink(String(index)))
        yield* links.finish(link.id, found(page))
      }
    })
  )
)
afterAll(async () => {
  await app.dispose()
  rmSync(folder, { recursive: true, force: true })
})

const share = (shareable: boolean) =>
  app.owner("POST", "/api/mutate", { op: "shareable", ids: [1, 2, 3], shareable })

const publicly = (kind: PictureKind, url: string, headers: Record<string, string> = {}) =>
  app.request("GET", `/list/${kind}?url=${encodeURIComponent(url)}`, undefined, headers)

const isolated = "default-src 'none'; frame-ancestors 'none'; sandbox"

describe("GET /dashboard/api/links/{id}/image and /favicon", () => {
  test("return the link's pictures, uncached and only as images", async () => {
    const image = await app.owner("GET", "/api/links/1/image")
    expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/png"])
    expect(image.headers.get("cache-control")).toBe("no-store")
    expect(image.headers.get("x-content-type-options")).toBe("nosniff")
    expect(image.headers.get("content-security-policy")).toBe(isolated)
    expect(image.headers.get("cross-origin-resource-policy")).toBe("same-origin")
    expect(image.headers.get("content-disposition")).toBeNull()
    expect(Buffer.compare(await image.bytes(), png(8, 8))).toBe(0)

    const favicon = await app.owner("GET", "/api/links/1/favicon")
    expect([favicon.status, favicon.headers.get("content-type")]).toEqual([200, "image/svg+xml"])
    expect(favicon.headers.get("content-disposition")).toBe("attachment")
    expect(favicon.headers.get("content-security-policy")).toBe(isolated)
    expect(await favicon.text()).toBe(svg)
  })

  test("reject requests without a token", async () => {
    for (const path of ["/dashboard/api/links/1/image", "/dashboard/api/links/99/favicon"]) {
      const response = await app.request("GET", path)
      expect([response.status, await response.json()]).toEqual([
        403,
        { error: "forbidden", message: expect.any(String) }
      ])
    }
  })

  test("return the same 404 for everything missing", async () => {
    const answers = new Set<string>()
    for (const path of ["2/image", "2/favicon", "3/image", "99/image", "99/favicon"]) {
      const response = await app.owner("GET", `/api/links/${path}`)
      answers.add(`${response.status} ${await response.text()}`)
    }
    expect([...answers]).toEqual([expect.stringMatching(/^404 \{"error":"not_found","message":"[^"]+"\}$/)])
  })

  for (const id of ["0", "-1", "1.5", "a", "01", "%20", "9999999999999999"])
    test(`answer 400 to the id ${id}`, async () => {
      const response = await app.owner("GET", `/api/links/${id}/image`)
      expect([response.status, await response.json()]).toEqual([
        400,
        { error: "bad_request", message: expect.any(String) }
      ])
    })

  test("reject other methods", async () => {
    const response = await app.owner("POST", "/api/links/1/image", {})
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"])
  })
})

test("pictures are served to pages that embed them, not to navigations", async () => {
  await share(true)
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
    expect([destination, await statusOf("/dashboard/api/links/1/favicon", { ...headers, ...owner })]).toEqual(
      [destination, status]
    )
  }
})

describe("GET /list/image and /list/favicon", () => {
  beforeEach(() => share(true))

  test("return a shared link's pictures, for an escaped or plain URL", async () => {
    const image = await publicly("image", preview)
    expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/png"])
    expect(image.headers.get("cache-control")).toBe("no-cache")
    expect(image.headers.get("content-security-policy")).toBe(isolated)
    expect(image.headers.get("cross-origin-resource-policy")).toBe("same-origin")
    const favicon = await publicly("favicon", icon)
    expect([favicon.status, favicon.headers.get("content-disposition")]).toEqual([200, "attachment"])
    expect((await app.request("GET", `/list/image?url=${preview}`)).status).toBe(200)
  })

  test("return the same 404 for a private, missing or wrong picture", async () => {
    await share(false)
    const answers = new Set<string>()
    const request = async (kind: PictureKind, url: string) => {
      const response = await publicly(kind, url)
      const { headers, status } = response
      headers.delete("date")
      answers.add(JSON.stringify([status, [...headers], await response.text()]))
    }
    await request("image", preview)
    await request("favicon", icon)
    await share(true)
    await request("favicon", preview)
    await request("image", missing)
    await request("image", "https://pictures.example/b.png")
    await request("image", "x")
    expect(answers.size).toBe(1)
    expect([...answers][0]).toContain("not_found")
  })

  test("answer 400 without a URL", async () => {
    for (const path of ["/list/image", "/list/favicon?url=", "/list/image?address=a"]) {
      const response = await app.request("GET", path)
      expect([response.status, await response.json()]).toEqual([
        400,
        { error: "bad_request", message: expect.stringContaining('"url"') }
      ])
    }
  })

  test("answer 304 to clients that have the picture", async () => {
    const etag = (await publicly("image", preview)).headers.get("etag") ?? ""
    expect(etag).toMatch(/^"[\w-]{20,}"$/)
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const response = await publicly("image", preview, { "if-none-match": known })
      expect([response.status, await response.text(), response.headers.get("etag")]).toEqual([304, "", etag])
      expect(response.headers.get("cache-control")).toBe("no-cache")
    }
    for (const other of [`"other"`, "", etag.slice(1)])
      expect((await publicly("image", preview, { "if-none-match": other })).status).toBe(200)
    expect((await publicly("favicon", icon)).headers.get("etag")).not.toBe(etag)
  })

  test("answer 404 at once when a link is made private or deleted", async () => {
    const etag = (await publicly("image", preview)).headers.get("etag") ?? ""
    await share(false)
    expect((await publicly("image", preview)).status).toBe(404)
    expect((await publicly("image", preview, { "if-none-match": etag })).status).toBe(404)
    await share(true)
    expect((await publicly("image", preview)).status).toBe(200)
    await app.owner("POST", "/api/mutate", { op: "delete", ids: [1] })
    expect((await publicly("image", preview, { "if-none-match": etag })).status).toBe(404)
  })
})
