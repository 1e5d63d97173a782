import { afterAll, describe, expect } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { unzipSync } from "fflate"
import { type App, accessToken, appTests } from "../support/app.ts"
import { writeLinks } from "../support/randomLibrary.ts"
import { byTier } from "../support/tier.ts"

const appTest = appTests()

const folder = mkdtempSync(join(tmpdir(), "linkbower-test-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const withApp = (name: string, body: (app: App) => Promise<void>) => appTest(name, body, { DATA_DIR: folder })

const send = async (
  app: App,
  query: string,
  text: string | Uint8Array,
  headers: Record<string, string> = {}
) =>
  app.request("POST", `/dashboard/api/import${query}`, text, {
    "content-type": "application/octet-stream",
    "cf-access-jwt-assertion": await accessToken(),
    ...headers
  })

/** Sends a file and waits until it is imported. */
const importFile = async (app: App, query: string, text: string | Uint8Array) => {
  const response = await send(app, query, text)
  expect(response.status).toBe(202)
  return app.ended((await response.json()).job)
}

const metaOf = async (app: App) => (await app.owner("GET", "/api/meta")).json()

const bare = {
  collection: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  shareable: false,
  category: "reading",
  tags: []
}

const list = "https://example.org/a\nnothing\nhttps://example.org/b?t=Second\n"

describe("POST /dashboard/api/import", () => {
  withApp("imports a file, reports the result and reads the pages", async (app) => {
    const job = await importFile(app, "?name=list.txt", list)
    expect(job).toMatchObject({ state: "done", error: null })
    expect(job.result).toMatchObject({ found: 2, created: 2, merged: 0, rejected: 0, counts: "line" })
    while ((await metaOf(app)).unread > 0) await Bun.sleep(5)
    expect(await app.links()).toMatchObject([
      { url: "https://example.org/a", enrichment: "complete" },
      { url: "https://example.org/b?t=Second", summary: "In short." }
    ])
  })

  withApp("takes from the file's name what only that says", async (app) => {
    const playlist = "Video-ID,Zeitstempel\ndQw4w9WgXcQ,2024-03-01T10:00:00+00:00\n"
    await importFile(app, "?name=Kochen-Videos.csv&pages=later", playlist)
    expect((await app.links()).map(({ collection }) => collection?.name)).toEqual(["Kochen"])
  })

  withApp("leaves pages unread with pages=later, until the action read", async (app) => {
    await importFile(app, "?name=list.txt&pages=later", list)
    expect(await metaOf(app)).toMatchObject({ total: 2, unread: 2 })
    const job = await app.ended(await app.start({ action: "read" }))
    expect(job).toMatchObject({ state: "done", result: { read: 2 } })
    expect(await metaOf(app)).toMatchObject({ unread: 0 })
  })

  withApp("restores shared links of an export only with shared=keep", async (app) => {
    await importFile(app, "?pages=later", list)
    const ids = (await app.links()).map(({ id }) => id)
    await app.owner("POST", "/api/mutate", { op: "shareable", ids, shareable: true })
    const json = await (await app.owner("GET", "/api/export?format=json")).text()
    const again = async (query: string) => {
      await app.owner("POST", "/api/mutate", { op: "shareable", ids, shareable: false })
      const job = await importFile(app, `?pages=later${query}`, json)
      const { shareable } = await metaOf(app)
      expect(job.result).toMatchObject({ shared: shareable })
      return shareable
    }
    expect(await again("")).toBe(0)
    expect(await again("&shared=drop")).toBe(0)
    expect(await again("&shared=keep")).toBe(2)
  })

  withApp("reports why a file cannot be read, and changes nothing", async (app) => {
    const job = await importFile(app, "?name=a.json", '{"an": "object"')
    expect(job.state).toBe("failed")
    expect(job.error).toMatch(/^[A-Z].*\.$/)
    expect(await app.links()).toEqual([])
  })

  withApp("rejects requests without a token or from another site", async (app) => {
    const stranger = await app.request("POST", "/dashboard/api/import", list)
    expect(stranger.status).toBe(403)
    const crossing = await send(app, "", list, { "sec-fetch-site": "cross-site" })
    expect(crossing.status).toBe(403)
    expect(await app.links()).toEqual([])
  })

  withApp("rejects a declared size that is too large, and invalid parameters", async (app) => {
    const large = await send(app, "", list, { "content-length": String(1024 ** 3) })
    expect(large.status).toBe(413)
    expect(await large.json()).toMatchObject({ message: expect.stringContaining("command line") })
    expect((await send(app, "?pages=never", list)).status).toBe(400)
    for (const shared of ["1", "true", "KEEP", "keep%20"])
      expect((await send(app, `?shared=${shared}`, list)).status).toBe(400)
  })
})

describe("GET /dashboard/api/export", () => {
  withApp("returns everything as a zip, which an import reads", async (app) => {
    await importFile(app, "?pages=later", list)
    const [first] = await app.links()
    await app.owner("POST", "/api/mutate", { op: "delete", ids: [first?.id] })
    const response = await app.owner("GET", "/api/export?format=full")
    expect(response.headers.get("content-type")).toBe("application/zip")
    expect(response.headers.get("content-disposition")).toMatch(
      /^attachment; filename="linkbower-[\d-]{10}\.zip"$/
    )
    const zip = new Uint8Array(await response.arrayBuffer())
    expect(Object.keys(unzipSync(zip))).toEqual(["linkbower.json"])
    const job = await importFile(app, "", zip)
    expect(job.result).toMatchObject({ format: "Linkbower export (full)", found: 2, created: 0 })
    expect(await app.links()).toHaveLength(1)
  })

  withApp("returns the whole library as a file", async (app) => {
    await importFile(app, "?pages=later", list)
    for (const [format, type, word] of [
      ["json", "application/json", '"format":"linkbower"'],
      ["html", "text/html; charset=utf-8", "NETSCAPE-Bookmark-file-1"],
      ["csv", "text/csv; charset=utf-8", "url,title,note"]
    ] as const) {
      const response = await app.owner("GET", `/api/export?format=${format}`)
      expect(response.status).toBe(200)
      expect(response.headers.get("content-type")).toBe(type)
      expect(response.headers.get("content-disposition")).toMatch(
        new RegExp(`^attachment; filename="linkbower-\\d{4}-\\d\\d-\\d\\d\\.${format}"$`)
      )
      expect(response.headers.get("cache-control")).toBe("no-store")
      const text = await response.text()
      expect(text).toContain(word)
      expect(text).toContain("https://example.org/a")
    }
  })

  withApp("returns all links of a library of any size", async (app) => {
    // Links are read in batches of 200.
    let written = 0
    for (const count of byTier([0, 201], [0, 1, 200, 201, 400])) {
      const titles = Array.from({ length: count - written }, (_, n) => `${written + n}`)
      await app.run(
        writeLinks(titles.map((title) => ({ ...bare, title, url: `https://example.org/${title}` })))
      )
      written = count
      for (const format of ["json", "html", "csv"]) {
        const text = await (await app.owner("GET", `/api/export?format=${format}`)).text()
        expect([format, text.split("https://example.org/").length - 1]).toEqual([format, count])
      }
    }
    expect((await app.request("GET", "/dashboard/api/export?format=json")).status).toBe(403)
    expect((await app.owner("GET", "/api/export?format=xml")).status).toBe(400)
  })
})
