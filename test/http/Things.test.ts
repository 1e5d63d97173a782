import { describe, expect } from "bun:test"
import { type App, appTests } from "../support/app.ts"

const appTest = appTests()

/** Saves a link with these tags; returns its number. */
const save = async (app: App, path: string, tags: ReadonlyArray<string>): Promise<number> => {
  await app.owner("POST", "/api/links", { url: `https://example.org/${path}` })
  await app.settled()
  const id = (await app.links()).at(-1)?.id ?? 0
  await app.owner("POST", "/api/mutate", { op: "tags", ids: [id], set: tags })
  return id
}

const answer = async (app: App, method: string, path: string, body?: unknown) => {
  const response = await app.owner(method, `/api/${path}`, body)
  return { status: response.status, body: await response.json() }
}

const undo = (app: App, token: string) => answer(app, "POST", "mutate", { op: "undo", token })

describe("tags", () => {
  appTest("are listed with other names and near twins, renamed, merged and deleted", async (app) => {
    const id = await save(app, "a", ["self-hosted", "京都", "c#"])
    await save(app, "b", ["selfhosted"])
    const { body: listed } = await answer(app, "GET", "tags")
    expect(listed.tags).toContainEqual({ name: "京都", count: 1, lastUsed: expect.any(String) })
    expect(listed.twins).toEqual([
      { names: ["self-hosted", "selfhosted"], reason: "spelling", similarity: 1 }
    ])
    const merged = await answer(app, "PATCH", "tags/selfhosted", { into: "self-hosted" })
    expect(merged.body).toMatchObject({
      tag: { name: "self-hosted", count: 2, aliases: ["selfhosted"] },
      changed: 1
    })
    const renamed = await answer(app, "PATCH", `tags/${encodeURIComponent("京都")}`, { name: "Kyōto" })
    expect(renamed.body.tag.name).toBe("kyōto")
    await undo(app, renamed.body.undo)
    expect((await answer(app, "GET", `tags/${encodeURIComponent("京都")}`)).body.tag.count).toBe(1)
    const removed = await answer(app, "DELETE", "tags/csharp")
    expect(removed).toEqual({ status: 200, body: { changed: 1, undo: expect.any(String) } })
    expect((await app.links()).find((link) => link.id === id)?.tags).toEqual(["self-hosted", "京都"])
    const after = (await answer(app, "GET", "tags")).body
    expect([after.aliases, after.twins]).toEqual([[{ name: "selfhosted", target: "self-hosted" }], []])
  })

  appTest("are refused with a sentence", async (app) => {
    await save(app, "a", ["a"])
    const of = async (method: string, path: string, body?: unknown) => {
      const { body: failure, status } = await answer(app, method, path, body)
      return [status, failure.message]
    }
    expect(await of("GET", "tags/nothing")).toEqual([404, "There is no tag “nothing”."])
    expect(await of("PATCH", "tags/nothing", { name: "a" })).toEqual([404, "There is no tag “nothing”."])
    expect(await of("DELETE", "categories/nothing")).toEqual([404, "There is no category “nothing”."])
    expect(await of("PATCH", "tags/a", { into: "nothing" })).toEqual([404, "There is no tag “nothing”."])
    for (const body of [{}, { name: "" }, { name: "b", into: "c" }, { name: "x".repeat(101) }])
      expect((await of("PATCH", "tags/a", body))[0]).toBe(400)
  })
})

describe("collections", () => {
  appTest("are created, changed, merged and deleted, and every undo works", async (app) => {
    const id = await save(app, "a", [])
    const created = await answer(app, "POST", "collections", {
      name: "Effect",
      description: "About it.",
      color: "teal",
      icon: "🌳"
    })
    const { collection } = created.body
    expect(collection).toEqual({
      id: 1,
      name: "Effect",
      parent: null,
      description: "About it.",
      color: "teal",
      icon: "🌳",
      order: 0,
      shareable: false,
      shared: false,
      count: 0,
      lastUsed: null
    })
    await app.owner("POST", "/api/mutate", { op: "collection", ids: [id], collection: "Effect" })
    const moved = await answer(app, "PATCH", "collections/1", {
      name: "Programming / Effect",
      shareable: true
    })
    expect(moved.body).toMatchObject({
      collection: { name: "Programming / Effect", parent: 2, shareable: true, shared: true, count: 1 },
      changed: 1
    })
    const shared = async () => (await (await app.request("GET", "/list/api/links")).json()).total
    expect(await shared()).toBe(1)
    const inside = await app.request("GET", "/list/api/links?collection=Effect")
    expect((await inside.json()).total).toBe(1)
    await answer(app, "PATCH", "collections/1", { shareable: false })
    expect(await shared()).toBe(0)
    const { body: meta } = await answer(app, "GET", "meta")
    expect(meta.collections).toEqual([
      {
        id: 2,
        name: "Programming",
        count: 0,
        parent: null,
        color: null,
        description: "",
        icon: null,
        order: 0,
        shareable: false
      },
      {
        id: 1,
        name: "Programming / Effect",
        count: 1,
        parent: 2,
        color: "teal",
        description: "About it.",
        icon: "🌳",
        order: 0,
        shareable: false
      }
    ])
    const merged = await answer(app, "PATCH", "collections/1", { into: 2 })
    expect(merged.body).toMatchObject({ collection: { id: 2, count: 1 }, changed: 1 })
    const { body: listed } = await answer(app, "GET", "collections")
    expect(listed.collections.map(({ name }: { name: string }) => name)).toEqual(["Programming"])
    expect(listed.aliases).toContainEqual({ name: "Programming / Effect", target: "Programming" })
    expect((await undo(app, merged.body.undo)).status).toBe(200)
    const removed = await answer(app, "DELETE", "collections/2")
    expect(removed.body).toEqual({ changed: 0, undo: expect.any(String) })
    expect((await answer(app, "GET", "collections/1")).body.collection.name).toBe("Effect")
    await undo(app, removed.body.undo)
    expect((await answer(app, "GET", "collections/1")).body.collection.name).toBe("Programming / Effect")
  })

  appTest("are refused with a status that says why", async (app) => {
    const status = async (method: string, path: string, body?: unknown) =>
      (await answer(app, method, path, body)).status
    await answer(app, "POST", "collections", { name: "A / B" })
    expect(await status("POST", "collections", { name: "a" })).toBe(409)
    expect(await status("PATCH", "collections/1", { parent: 2 })).toBe(400)
    expect(await status("PATCH", "collections/1", { into: 2 })).toBe(400)
    expect(await status("PATCH", "collections/1", { into: 1 })).toBe(400)
    expect(await status("PATCH", "collections/2", { into: 9 })).toBe(404)
    expect(await status("PATCH", "collections/2", { parent: 9 })).toBe(404)
    expect(await status("GET", "collections/9")).toBe(404)
    expect(await status("DELETE", "collections/9")).toBe(404)
    expect(await status("GET", "collections/x")).toBe(400)
    const invalid = [
      {},
      { name: " " },
      { name: "/".repeat(401) },
      { name: "x".repeat(101) },
      { color: "mauve" },
      { color: "#fff" },
      { icon: "ab" },
      { icon: "" },
      { icon: " " },
      { description: "x".repeat(2_001) },
      { order: -1 },
      { order: 1.5 },
      { into: 2, name: "C" },
      { name: "X / Y", parent: null }
    ]
    for (const body of invalid)
      expect([body, await status("PATCH", "collections/1", body)]).toEqual([body, 400])
    for (const body of [
      { icon: "👩🏽‍🚀" },
      { icon: "汉" },
      { icon: null },
      { color: "#A0b1c2" },
      { color: null }
    ])
      expect([body, await status("PATCH", "collections/1", body)]).toEqual([body, 200])
  })
})
