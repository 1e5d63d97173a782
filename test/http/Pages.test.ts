import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { LinkId } from "../../src/domain/Link.ts"
import { PageStore } from "../../src/store/pages/PageStore.ts"
import { type App, appTests } from "../support/app.ts"
import { pageToKeep } from "../support/pages.ts"

const appTest = appTests()

/** Saves a link and keeps these pages of it, one after another. */
const saveWith = async (app: App, ...texts: ReadonlyArray<string>): Promise<number> => {
  const answer = await app.owner("POST", "/api/links", { url: "https://example.org/a" })
  const { id } = (await answer.json()).link
  for (const text of texts)
    await app.run(Effect.flatMap(PageStore, (pages) => pages.keep(LinkId.make(id), pageToKeep(text))))
  return id
}

const failure = async (response: Response) => [response.status, (await response.json()).error]

describe("the pages API", () => {
  appTest("returns the kept page, its versions, how far it was read, and its highlights", async (app) => {
    const id = await saveWith(app, "first words", "other words")
    await app.owner("PUT", `/api/links/${id}/position`, { at: 0.5, offset: 3 })
    await app.owner("POST", `/api/links/${id}/highlights`, { quote: "words", prefix: "other ", suffix: "" })
    const now = await app.owner("GET", `/api/links/${id}/page`)
    expect(now.status).toBe(200)
    expect(await now.json()).toMatchObject({
      page: { linkId: id, version: 2, html: "<p>other words</p>", words: 2, readingTime: 1, source: "site" },
      position: { at: 0.5, offset: 3 },
      highlights: [{ linkId: id, quote: "words", start: 6, end: 11, isLost: false }],
      snapshotAt: null
    })
    const before = await app.owner("GET", `/api/links/${id}/page?version=1`)
    expect(await before.json()).toMatchObject({ page: { version: 1, html: "<p>first words</p>" } })
    const { versions } = await (await app.owner("GET", `/api/links/${id}/page/versions`)).json()
    expect(versions).toMatchObject([
      { version: 2, words: 2, title: "A page" },
      { version: 1, words: 2, title: "A page" }
    ])
    await app.owner("POST", "/api/links", { url: "https://example.org/b" })
    const found = async (q: string) => (await (await app.owner("GET", `/api/links?q=${q}`)).json()).links
    expect(await found("has:page")).toMatchObject([{ id, kept: true }])
    expect(await found("-has:page")).toMatchObject([{ kept: false }])
  })

  appTest("says that no such page is kept", async (app) => {
    const id = await saveWith(app)
    for (const path of ["page", "page/versions"])
      expect(await failure(await app.owner("GET", `/api/links/${id}/${path}`))).toEqual([404, "not_kept"])
    expect(await failure(await app.owner("DELETE", `/api/links/${id}/page`))).toEqual([404, "not_kept"])
    const kept = await saveWith(app, "words")
    expect(await failure(await app.owner("GET", `/api/links/${kept}/page?version=2`))).toEqual([
      404,
      "not_kept"
    ])
    expect(await failure(await app.owner("GET", `/api/links/${kept}/page?version=x`))).toEqual([
      400,
      "bad_request"
    ])
  })

  appTest("counts the kept pages, and forgets all of them", async (app) => {
    const id = await saveWith(app, "first words", "other words")
    await app.owner("POST", "/api/links", { url: "https://example.org/b" })
    await app.settled()
    const counted = async () => (await app.owner("GET", "/api/statistics")).json()
    const { pages, size } = await counted()
    expect(pages).toEqual({ kept: 1, versions: 1, missing: 1 })
    expect(size.pages).toBeGreaterThan(20)
    await app.owner("POST", "/api/mutate", { op: "delete", ids: [id] })
    const forgotten = await app.owner("DELETE", "/api/pages")
    expect([forgotten.status, await forgotten.json()]).toEqual([200, { forgotten: 1 }])
    expect(await counted()).toMatchObject({ pages: { kept: 0, versions: 0 }, size: { pages: 0 } })
  })

  appTest("forgets the kept page for good, and leaves the link", async (app) => {
    const id = await saveWith(app, "words")
    const forgotten = await app.owner("DELETE", `/api/links/${id}/page`)
    expect([forgotten.status, await forgotten.json()]).toEqual([200, { kept: false }])
    expect(await failure(await app.owner("GET", `/api/links/${id}/page`))).toEqual([404, "not_kept"])
    const { link } = await (await app.owner("GET", `/api/links/${id}`)).json()
    expect(link).toMatchObject({ id, kept: false })
  })
})
