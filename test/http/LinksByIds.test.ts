import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { makeApp } from "../support/app.ts"

const app = makeApp()
beforeAll(async () => {
  for (const t of ["One", "Two", "Three"]) await app.capture({ url: `https://example.org/${t}?t=${t}` })
})
afterAll(() => app.dispose())

const some = (ids: string) => app.owner("GET", `/api/links/some${ids}`)

describe("GET /dashboard/api/links/some", () => {
  test("answers links by their numbers, in the order asked for, without those that are not there", async () => {
    const { links } = await (await some("?ids=3,9,1,3")).json()
    expect(links).toMatchObject([
      { id: 3, title: "Three", note: "" },
      { id: 1, title: "One" }
    ])
  })

  for (const ids of [
    "",
    "?ids=",
    "?ids=x",
    "?ids=0",
    "?ids=1,,2",
    "?ids=-1",
    `?ids=${Array(501).fill(1).join(",")}`
  ])
    test(`refuses ${ids.slice(0, 20)}, naming the parameter`, async () => {
      const response = await some(ids)
      expect([response.status, (await response.json()).message]).toEqual([
        400,
        expect.stringContaining('"ids"')
      ])
    })

  test("takes 500 at once", async () => {
    expect((await some(`?ids=${Array(500).fill(2).join(",")}`)).status).toBe(200)
  })

  test("is closed to whoever the gateway has not let in", async () => {
    expect((await app.request("GET", "/dashboard/api/links/some?ids=1")).status).toBe(403)
  })
})
