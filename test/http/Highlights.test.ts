import { describe, expect } from "bun:test"
import { type App, appTests } from "../support/app.ts"

const saved = appTests((app) => app.capture({ url: "https://example.org/one?t=One" }))

const add = async (app: App, highlight: unknown, link = 1) => {
  const response = await app.owner("POST", `/api/links/${link}/highlights`, highlight)
  return { status: response.status, ...(await response.json()) }
}

describe("/dashboard/api/links/{id}/highlights", () => {
  saved("adds, lists, changes and deletes highlights, and undoes each", async (app) => {
    const added = await add(app, { quote: "a passage", note: "mine", colour: "green" })
    expect(added).toMatchObject({ status: 201, highlight: { id: 1, linkId: 1, start: null, isLost: false } })
    const { links } = await (await app.owner("GET", "/api/links")).json()
    expect(links[0]).toMatchObject({ id: 1, highlights: 1 })
    const changed = await app.owner("PATCH", "/api/links/1/highlights/1", { colour: "blue" })
    expect((await changed.json()).highlight).toMatchObject({ colour: "blue", note: "mine" })
    const named = await app.owner("PATCH", "/api/links/1/highlights", { id: 1, note: "" })
    expect((await named.json()).highlight).toMatchObject({ colour: "blue", note: "" })
    const { undo } = await (await app.owner("DELETE", "/api/links/1/highlights/1")).json()
    expect(await (await app.owner("GET", "/api/links/1/highlights")).json()).toEqual({ highlights: [] })
    await app.owner("POST", "/api/mutate", { op: "undo", token: undo })
    const removed = await app.owner("DELETE", "/api/links/1/highlights", { id: 1 })
    expect(removed.status).toBe(200)
    expect((await app.owner("DELETE", "/api/links/1/highlights/1")).status).toBe(404)
  })

  saved("refuses what is invalid, too long, or of another link", async (app) => {
    for (const body of [
      {},
      { quote: " " },
      { quote: "a".repeat(10_001) },
      { quote: "a", colour: "red" },
      { quote: "a", prefix: "b".repeat(65) },
      { quote: "a", start: -1 },
      { quote: "a", createdAt: "yesterday" },
      { quote: "a", note: "n".repeat(20_001) }
    ])
      expect((await add(app, body)).status).toBe(400)
    expect((await add(app, { quote: "a" }, 99)).status).toBe(404)
    expect((await app.owner("GET", "/api/links/99/highlights")).status).toBe(404)
    await app.capture({ url: "https://example.org/two?t=Two" })
    await add(app, { quote: "a" })
    expect((await app.owner("PATCH", "/api/links/2/highlights/1", { note: "b" })).status).toBe(404)
  })
})

describe("/dashboard/api/highlights", () => {
  saved("pages through all highlights, and exports them", async (app) => {
    for (const quote of ["first", "second", "third"]) await add(app, { quote })
    const page = async (query: string) => (await app.owner("GET", `/api/highlights?${query}`)).json()
    const start = await page("limit=2")
    expect(start).toMatchObject({
      total: 3,
      highlights: [{ quote: "third", link: { id: 1 } }, { quote: "second" }]
    })
    const rest = await page(`limit=2&cursor=${encodeURIComponent(start.nextCursor)}`)
    expect(rest).toMatchObject({ nextCursor: null, highlights: [{ quote: "first" }] })
    expect(await page("q=sec")).toMatchObject({ total: 1 })
    expect((await app.owner("GET", "/api/highlights?colour=red")).status).toBe(400)
    expect((await app.owner("GET", "/api/highlights?cursor=x")).status).toBe(400)
    const markdown = await app.owner("GET", "/api/highlights.md?link=1")
    expect(markdown.headers.get("content-type")).toBe("text/markdown; charset=utf-8")
    expect(await markdown.text()).toContain("> second")
    const annotations = await app.owner("GET", "/api/highlights.json?q=third")
    expect((await annotations.json()).items).toMatchObject([{ target: { selector: { exact: "third" } } }])
  })
})
