import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { type App, appTests } from "../support/app.ts"

const appTest = appTests()

const url = "https://example.org/?t=A+page"
const snapshot = { html: "<!doctype html><p>What I saw</p>" }

const send = async (app: App, body: object, key: string) => {
  const response = await app.capture({ url, ...body }, { "idempotency-key": key })
  await app.settled()
  return `${response.status} ${await response.text()}`
}

const shown = async (app: App, query = "") => {
  const response = await app.owner("GET", `/read/1/snapshot${query}`)
  return response.status === 200 ? response.text() : response.status
}

const stored = (app: App, table = "snapshots") =>
  app.run(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.map(sql<{ n: number }>`SELECT count(*) AS n FROM ${sql(table)}`, ([row]) => row?.n)
    )
  )

describe("the snapshot of a capture", () => {
  appTest(
    "is shown to the owner with the earlier ones, is none without content, and the response tells nothing",
    async (app) => {
      const plain = await send(app, {}, "1")
      expect(await shown(app)).toBe(404)
      expect(await send(app, { snapshot }, "2")).toBe(plain)
      expect(await shown(app)).toBe(snapshot.html)
      const article = { html: `<article><p>${"What I read. ".repeat(60)}</p></article>` }
      await send(app, { article, snapshot: { html: "<p>Newer</p>" } }, "3")
      expect(await shown(app)).toBe("<p>Newer</p>")
      expect(await shown(app, "?version=1")).toBe(snapshot.html)
      // The same again is no other version, and one that shows nothing is ignored.
      const nothing =
        "<!doctype html><html><head><title>T</title><style>p{}</style></head><body><p>&nbsp;</p></body>"
      for (const [at, html] of ["<p>Newer</p>", "", " ", nothing, "<!--", "<script>x"].entries())
        expect(await send(app, { snapshot: { html } }, `again ${at}`)).toBe(plain)
      expect([await shown(app), await shown(app, "?version=1")]).toEqual(["<p>Newer</p>", snapshot.html])
      expect(await shown(app, "?version=2")).toBe(404)
      expect(await stored(app)).toBe(1)
      const { earlierSnapshots, snapshotAt } = await (await app.owner("GET", "/api/links/1")).json()
      expect(snapshotAt).toMatch(/^\d{4}-\d\d-\d\dT/)
      expect(earlierSnapshots).toMatchObject([{ version: 1 }])
      expect((await app.request("GET", "/dashboard/read/1/snapshot")).status).toBe(403)
      expect((await app.owner("GET", "/read/0/snapshot")).status).toBe(404)
      expect((await app.owner("POST", "/read/1/snapshot", {})).status).toBe(405)
    }
  )

  appTest("counts once for a repeated request, and a different one under its key is refused", async (app) => {
    const first = await send(app, { snapshot }, "1")
    expect(await send(app, { snapshot }, "1")).toBe(first)
    expect(await send(app, { snapshot: { html: "<p>Other</p>" } }, "1")).toStartWith("409")
    expect(await shown(app)).toBe(snapshot.html)
  })

  appTest("stays in the trash, and goes with its link and the earlier ones", async (app) => {
    await send(app, { snapshot: { html: "<img src=data:,>" } }, "0")
    await send(app, { snapshot }, "1")
    await app.owner("POST", "/api/mutate", { op: "delete", ids: [1] })
    expect(await stored(app)).toBe(1)
    await app.owner("POST", "/api/mutate", { op: "restore", ids: [1] })
    expect(await shown(app)).toBe(snapshot.html)
    await app.owner("POST", "/api/mutate", { op: "delete", ids: [1], forever: true })
    expect([await stored(app), await stored(app, "snapshot_versions")]).toEqual([0, 0])
  })

  appTest(
    "is not kept beyond KEEP_PICTURES",
    async (app) => {
      expect(await send(app, { snapshot }, "1")).toStartWith("200")
      expect(await stored(app)).toBe(0)
    },
    { KEEP_PICTURES: "10" }
  )

  appTest("may have several MiB, and not more than the whole request", async (app) => {
    const html = (size: number) => ({ snapshot: { html: "x".repeat(size) } })
    expect(await send(app, html(5_000_000), "1")).toStartWith("200")
    expect(await send(app, html(9_000_000), "2")).toStartWith("413")
    expect(await send(app, { snapshot: {} }, "3")).toStartWith("400")
  })
})
