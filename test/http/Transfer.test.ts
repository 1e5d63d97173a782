import { afterAll, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type App, accessToken, makeApp } from "../support/app.ts"

const folder = mkdtempSync(join(tmpdir(), "linkbower-test-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const withApp = (name: string, body: (app: App) => Promise<void>) =>
  test(name, async () => {
    const app = makeApp({ DATA_DIR: folder })
    try {
      await body(app)
    } finally {
      await app.dispose()
    }
  })

const send = async (app: App, query: string, text: string, headers: Record<string, string> = {}) =>
  app.request("POST", `/dashboard/api/import${query}`, text, {
    "content-type": "application/octet-stream",
    "cf-access-jwt-assertion": await accessToken(),
    ...headers
  })

interface SeenJob {
  readonly id: number
  readonly state: string
  readonly error: string | null
  readonly result: unknown
}

const ended = async (app: App, response: Response): Promise<SeenJob> => {
  expect(response.status).toBe(202)
  const first: { readonly job: SeenJob } = await response.json()
  for (;;) {
    const { job }: { readonly job: SeenJob } = await (
      await app.owner("GET", `/api/jobs/${first.job.id}`)
    ).json()
    if (job.state !== "running") return job
    await Bun.sleep(5)
  }
}

const links = async (app: App): Promise<{ readonly links: ReadonlyArray<Record<string, unknown>> }> =>
  (await app.owner("GET", "/api/links?sort=oldest")).json()

const list = "https://example.org/a\nnothing\nhttps://example.org/b?t=Second\n"

describe("POST /dashboard/api/import", () => {
  withApp("takes a file in, tells what came of it, and has the pages read", async (app) => {
    const job = await ended(app, await send(app, "?name=list.txt", list))
    expect(job).toMatchObject({ state: "done", error: null })
    expect(job.result).toMatchObject({ found: 2, created: 2, merged: 0, rejected: 0, counts: "line" })
    for (let left = 1; left > 0; await Bun.sleep(5))
      ({ unread: left } = await (await app.owner("GET", "/api/meta")).json())
    expect((await links(app)).links).toMatchObject([
      { url: "https://example.org/a", enrichment: "complete" },
      { url: "https://example.org/b?t=Second", summary: "In short." }
    ])
  })

  withApp("puts the pages off where that is asked for, until they are", async (app) => {
    await ended(app, await send(app, "?name=list.txt&pages=later", list))
    expect(await (await app.owner("GET", "/api/meta")).json()).toMatchObject({ total: 2, unread: 2 })
    const job = await ended(app, await app.owner("POST", "/api/action", { action: "read" }))
    expect(job).toMatchObject({ state: "done", result: { read: 2 } })
    expect(await (await app.owner("GET", "/api/meta")).json()).toMatchObject({ unread: 0 })
  })

  withApp("shares what an export of ours marks as shared only where that is asked for", async (app) => {
    await ended(app, await send(app, "?pages=later", list))
    const ids = (await links(app)).links.map(({ id }) => id)
    await app.owner("POST", "/api/mutate", { op: "shareable", ids, shareable: true })
    const json = await (await app.owner("GET", "/api/export?format=json")).text()
    const again = async (query: string) => {
      await app.owner("POST", "/api/mutate", { op: "shareable", ids, shareable: false })
      const job = await ended(app, await send(app, `?pages=later${query}`, json))
      expect(job.result).toMatchObject({ shared: 2 })
      const { shareable }: { shareable: number } = await (await app.owner("GET", "/api/meta")).json()
      return shareable
    }
    expect(await again("")).toBe(0)
    expect(await again("&shared=drop")).toBe(0)
    expect(await again("&shared=keep")).toBe(2)
  })

  withApp("says why a file cannot be read, and changes nothing", async (app) => {
    const job = await ended(app, await send(app, "?name=a.json", '{"an": "object"'))
    expect(job.state).toBe("failed")
    expect(job.error).toMatch(/^[A-Z].*\.$/)
    expect((await links(app)).links).toEqual([])
  })

  withApp("is the owner's alone, and no other site's", async (app) => {
    const stranger = await app.request("POST", "/dashboard/api/import", list)
    expect(stranger.status).toBe(403)
    const crossing = await send(app, "", list, { "sec-fetch-site": "cross-site" })
    expect(crossing.status).toBe(403)
    expect((await links(app)).links).toEqual([])
  })

  withApp("refuses what it says of itself to be too large, and parameters that say nothing", async (app) => {
    const large = await send(app, "", list, { "content-length": String(1024 ** 3) })
    expect(large.status).toBe(413)
    expect(await large.json()).toMatchObject({ message: expect.stringContaining("command line") })
    expect((await send(app, "?pages=never", list)).status).toBe(400)
    for (const shared of ["1", "true", "KEEP", "keep%20"])
      expect((await send(app, `?shared=${shared}`, list)).status).toBe(400)
  })
})

describe("GET /dashboard/api/export", () => {
  withApp("gives the whole library as a file", async (app) => {
    await ended(app, await send(app, "?pages=later", list))
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

  for (const count of [0, 1, 200, 201, 400])
    withApp(`gives a library of ${count} links whole, in every format`, async (app) => {
      const list = Array.from({ length: count }, (_, n) => `https://example.org/${n}\n`).join("")
      if (count > 0) await ended(app, await send(app, "?pages=later", list))
      for (const format of ["json", "html", "csv"]) {
        const response = await app.owner("GET", `/api/export?format=${format}`)
        expect((await response.text()).split("https://example.org/").length - 1).toBe(count)
      }
    })

  withApp("is the owner's alone, and has three forms", async (app) => {
    expect((await app.request("GET", "/dashboard/api/export?format=json")).status).toBe(403)
    expect((await app.owner("GET", "/api/export?format=xml")).status).toBe(400)
  })
})
