import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Effect, Layer } from "effect"
import { Images } from "../../src/enrich/page/Images.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { PagePictureStore } from "../../src/store/pages/PagePictureStore.ts"
import { accessToken, makeApp } from "../support/app.ts"
import { keepArticle, withImages } from "../support/keptPages.ts"
import { newLink } from "../support/links.ts"

const kept = "https://pictures.example/kept.png"
const waits = "https://pictures.example/waits.png?a=1&b=2"
const bytes = new Uint8Array([1, 2, 3])
const html = `<h2>Title</h2>${withImages("A &amp; b", [kept, waits.replace("&", "&amp;")])}`

/** Fetches pictures for ever. */
const fetching = Layer.succeed(Images, {
  find: () => Effect.never,
  ofArticle: () => Effect.never,
  mayTake: () => Effect.succeed(true)
})
const app = makeApp({}, fetching)
/** The address of the picture that is kept, which the page of #1 has. */
let path = ""
beforeAll(() =>
  app.run(
    Effect.gen(function* () {
      const store = yield* PagePictureStore
      const { link } = yield* (yield* LinkStore).upsert(newLink("a"))
      yield* keepArticle(link.id, html)
      yield* (yield* LinkStore).upsert(newLink("b"))
      const [first] = yield* store.ofPage(link.id)
      const number = first?.id ?? 0
      yield* store.keep(number, { type: "image/webp", width: 40, height: 30, bytes }, 1_000)
      path = `/api/links/${link.id}/page/pictures/${number}`
    })
  )
)
afterAll(() => app.dispose())

describe("GET /dashboard/api/links/{id}/page/pictures/{n}", () => {
  test("returns a picture that only the owner's browser may keep, and that cannot be a page", async () => {
    const response = await app.owner("GET", path)
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/webp"])
    expect(response.headers.get("cache-control")).toBe("private, max-age=86400")
    expect(response.headers.get("x-content-type-options")).toBe("nosniff")
    expect(response.headers.get("content-security-policy")).toBe(
      "default-src 'none'; frame-ancestors 'none'; sandbox"
    )
    expect(response.headers.get("cross-origin-resource-policy")).toBe("same-origin")
    expect(await response.bytes()).toEqual(bytes)
  })

  test("is not sent again to a browser that has it", async () => {
    const owner = { "cf-access-jwt-assertion": await accessToken() }
    const etag = (await app.owner("GET", path)).headers.get("etag") ?? ""
    const again = await app.request("GET", `/dashboard${path}`, undefined, {
      ...owner,
      "if-none-match": etag
    })
    expect([again.status, await again.text()]).toEqual([304, ""])
    expect(again.headers.get("cache-control")).toBe("private, max-age=86400")
    const asPage = await app.request("GET", `/dashboard${path}`, undefined, {
      ...owner,
      "sec-fetch-dest": "document",
      "sec-fetch-mode": "navigate"
    })
    expect(asPage.status).toBe(403)
  })

  test("answers the same to a picture that waits, another link's, and one that does not exist", async () => {
    const number = Number(path.split("/").at(-1))
    const answers = new Set<string>()
    for (const other of [
      `1/page/pictures/${number + 1}`,
      `2/page/pictures/${number}`,
      "99/page/pictures/1"
    ]) {
      const response = await app.owner("GET", `/api/links/${other}`)
      answers.add(`${response.status} ${response.headers.get("cache-control")} ${await response.text()}`)
    }
    expect([...answers]).toEqual([
      expect.stringMatching(/^404 no-store \{"error":"not_found","message":"[^"]+"\}$/)
    ])
    expect((await app.request("GET", `/dashboard${path}`)).status).toBe(403)
    expect((await app.owner("GET", "/api/links/1/page/pictures/0")).status).toBe(400)
  })
})

test("GET /dashboard/api/links/{id}/page has the addresses of kept pictures, and no others", async () => {
  const response = await app.owner("GET", "/api/links/1/page")
  expect(response.headers.get("cache-control")).toBe("no-store")
  expect(await response.json()).toMatchObject({
    page: {
      html: `<h2>Title</h2><p>A &amp; b<img src="/dashboard${path}" alt="" width="40" height="30"><img alt="" data-missing="waiting"></p>`
    }
  })
})
