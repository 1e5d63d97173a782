import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { type App, appTests } from "../support/app.ts"

const appTest = appTests()

const save = async (app: App, name: string): Promise<number> => {
  const answer = await app.owner("POST", "/api/links", { url: `https://example.org/${name}` })
  return (await answer.json()).link.id
}
const report = (app: App, id: number, body: object) => app.owner("PUT", `/api/links/${id}/position`, body)
const positionOf = async (app: App, id: number) =>
  (await (await app.owner("GET", `/api/links/${id}/position`)).json()).position
const found = async (app: App, q: string): Promise<ReadonlyArray<number>> => {
  const { links } = await (await app.owner("GET", `/api/links?${new URLSearchParams({ q })}`)).json()
  return links.map(({ id }: { readonly id: number }) => id)
}

describe("the position in an article", () => {
  appTest("is kept, and the newest report counts", async (app) => {
    const id = await save(app, "a")
    expect(await positionOf(app, id)).toBeNull()
    const first = await report(app, id, { at: 0.42, offset: 1_234 })
    expect(first.status).toBe(200)
    expect(await first.json()).toMatchObject({ position: { at: 0.42, offset: 1_234 } })
    // Read before on another device, which was offline.
    const late = await report(app, id, { at: 0.1, offset: 10, age: 3_600 })
    expect(await late.json()).toMatchObject({ position: { at: 0.42, offset: 1_234 } })
    await report(app, id, { at: 0.2, offset: 500 })
    expect(await positionOf(app, id)).toMatchObject({ at: 0.2, offset: 500 })
  })

  appTest("is refused outside its limits, and for a link that does not exist", async (app) => {
    const id = await save(app, "a")
    for (const body of [
      { at: 1.1, offset: 0 },
      { at: -0.1, offset: 0 },
      { at: 0.5, offset: -1 },
      { at: 0.5, offset: 0.5 },
      { at: 0.5, offset: 1e9 },
      { at: 0.5, offset: 0, age: -1 },
      { at: "half", offset: 0 },
      { at: 0.5 }
    ])
      expect([(await report(app, id, body)).status, body]).toEqual([400, body])
    expect((await report(app, 999, { at: 0.5, offset: 0 })).status).toBe(404)
    expect(await positionOf(app, id)).toBeNull()
  })

  appTest("survives the trash, and goes with the link for good", async (app) => {
    const id = await save(app, "a")
    await report(app, id, { at: 0.5, offset: 10 })
    await app.owner("POST", "/api/mutate", { op: "delete", ids: [id] })
    expect(await positionOf(app, id)).toMatchObject({ at: 0.5 })
    await app.owner("POST", "/api/mutate", { op: "restore", ids: [id] })
    expect(await positionOf(app, id)).toMatchObject({ at: 0.5 })
    await app.owner("POST", "/api/mutate", { op: "delete", ids: [id], forever: true })
    expect(await positionOf(app, id)).toBeNull()
    const other = await save(app, "b")
    await report(app, other, { at: 0.5, offset: 10 })
    await app.owner("POST", "/api/mutate", { op: "delete", ids: [other] })
    await app.owner("POST", "/api/mutate", { op: "delete", ids: [other], forever: true })
    expect(
      await app.run(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT * FROM reading_positions`))
    ).toEqual([])
  })

  appTest("makes a link one that is begun, until its end", async (app) => {
    const [opened, begun, ended] = [await save(app, "a"), await save(app, "b"), await save(app, "c")]
    await report(app, opened, { at: 0.01, offset: 0 })
    await report(app, begun, { at: 0.5, offset: 10 })
    await report(app, ended, { at: 0.99, offset: 100 })
    expect(await found(app, "is:started")).toEqual([begun])
    expect([...(await found(app, "-is:started"))].sort()).toEqual([opened, ended])
  })
})
