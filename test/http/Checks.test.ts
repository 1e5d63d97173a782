import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { type App, appTests } from "../support/app.ts"

const appTest = appTests()

const save = async (app: App, name: string): Promise<number> => {
  const answer = await app.owner("POST", "/api/links", { url: `https://example.org/${name}` })
  return (await answer.json()).link.id
}

interface Known {
  readonly state: "ok" | "broken" | "moved" | "changed"
  readonly reason?: string
  readonly to?: string
  readonly capture?: string
}

/** Stores what a look has found, as of the first second of 2026. */
const know = (app: App, id: number, { capture, reason, state, to }: Known) =>
  app.run(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) =>
        sql`UPDATE link_checks SET state = ${state}, reason = ${reason ?? null}, moved_to = ${to ?? null},
          since = 1767225600000, looked_at = 1767225601000, capture_url = ${capture ?? null},
          capture_at = ${capture === undefined ? null : "2020-01-02T03:04:05.000Z"} WHERE link_id = ${id}`
    )
  )

const linkOf = async (app: App, id: number) =>
  (await (await app.owner("GET", `/api/links/${id}`)).json()).link
const found = async (app: App, q: string): Promise<ReadonlyArray<number>> => {
  const { links } = await (await app.owner("GET", `/api/links?${new URLSearchParams({ q })}`)).json()
  return links.map(({ id }: { readonly id: number }) => id)
}
const keep = (app: App, id: number, body: unknown = { keepAddress: true }) =>
  app.owner("PUT", `/api/links/${id}/check`, body)

describe("what is known about a link's page", () => {
  appTest("is in the link, in searches and in the counts", async (app) => {
    const [broken, moved, changed, ok] = [
      await save(app, "a"),
      await save(app, "b"),
      await save(app, "c"),
      await save(app, "d")
    ]
    const counted = async () => (await (await app.owner("GET", "/api/meta")).json()).troubled
    expect(await counted()).toBe(0)
    await know(app, broken, {
      state: "broken",
      reason: "404 Not Found",
      capture: "https://web.archive.org/a"
    })
    await know(app, moved, {
      state: "moved",
      to: "https://new.example/b",
      capture: "https://web.archive.org/b"
    })
    await know(app, changed, { state: "changed", reason: "The domain is for sale" })
    await know(app, ok, { state: "ok" })
    const looked = { since: "2026-01-01T00:00:00.000Z", lookedAt: "2026-01-01T00:00:01.000Z" }
    expect((await linkOf(app, broken)).check).toEqual({
      ...looked,
      state: "broken",
      reason: "404 Not Found",
      to: null,
      archived: { url: "https://web.archive.org/a", at: "2020-01-02T03:04:05.000Z" }
    })
    // A copy is offered only where the page itself is gone.
    expect((await linkOf(app, moved)).check).toEqual({
      ...looked,
      state: "moved",
      reason: null,
      to: "https://new.example/b",
      archived: null
    })
    expect(await found(app, "is:broken")).toEqual([broken])
    expect(await found(app, "is:moved")).toEqual([moved])
    expect(await found(app, "is:changed")).toEqual([changed])
    expect(await found(app, "-is:broken -is:moved -is:changed")).toEqual([ok])
    const troubled = await found(app, "is:broken or is:moved or is:changed")
    expect(troubled.toSorted()).toEqual([broken, moved, changed])
    expect(await counted()).toBe(3)
    await app.owner("POST", "/api/mutate", { op: "delete", ids: [broken] })
    expect(await counted()).toBe(2)
  })

  appTest("stays that of the link into which others are merged", async (app) => {
    const [into, other] = [await save(app, "a"), await save(app, "b")]
    await know(app, into, { state: "moved", to: "https://new.example/a" })
    await know(app, other, { state: "broken", reason: "404 Not Found" })
    await app.owner("POST", "/api/mutate", { op: "merge", ids: [other], into })
    expect((await linkOf(app, into)).check).toMatchObject({ state: "moved", to: "https://new.example/a" })
    expect(await found(app, "is:broken")).toEqual([])
  })
})

describe("PUT /dashboard/api/links/{id}/check", () => {
  appTest("declines the new address of a page that has moved", async (app) => {
    const id = await save(app, "a")
    await know(app, id, { state: "moved", to: "https://new.example/a" })
    const answer = await keep(app, id)
    expect(answer.status).toBe(200)
    expect((await answer.json()).link).toMatchObject({ id, check: { state: "ok", to: null } })
    expect(await found(app, "is:moved")).toEqual([])
  })

  appTest("leaves a page that is gone as it is, and refuses anything else", async (app) => {
    const id = await save(app, "a")
    await know(app, id, { state: "broken", reason: "404 Not Found" })
    expect((await (await keep(app, id)).json()).link.check.state).toBe("broken")
    expect((await keep(app, 999)).status).toBe(404)
    for (const body of [{}, { keepAddress: false }, []]) expect((await keep(app, id, body)).status).toBe(400)
  })
})

describe('POST /dashboard/api/action {"action":"check"}', () => {
  appTest("looks at one link and returns it", async (app) => {
    const id = await save(app, "a")
    const job = await app.ended(await app.start({ action: "check", id }))
    expect(job).toMatchObject({ action: "check", state: "done", result: { link: { id } } })
    expect(job).toMatchObject({ result: { link: { check: (await linkOf(app, id)).check } } })
  })

  appTest("refuses links that do not exist", async (app) => {
    expect((await app.owner("POST", "/api/action", { action: "check", id: 999 })).status).toBe(404)
    expect((await app.owner("POST", "/api/action", { action: "check" })).status).toBe(400)
  })
})
