import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { accessToken, makeApp } from "../support/app.ts"

const app = makeApp()
beforeAll(async () => {
  for (const t of ["One", "Two", "Three"]) await app.capture({ url: `https://example.org/${t}?t=${t}` })
})
afterAll(() => app.dispose())

const request = (ids: string) => app.owner("GET", `/api/links/some${ids}`)

describe("GET /dashboard/api/links/keys", () => {
  test("lists pages' keys for the owner, and nothing if the list is the one that the sender has", async () => {
    const answer = await app.owner("GET", "/api/links/keys")
    const keys = ["One", "Two", "Three"].map((t) => `example.org/${t}?t=${t}`)
    expect(await answer.json()).toEqual({ ids: [1, 2, 3], keys, next: null })
    const etag = answer.headers.get("etag") ?? ""
    const again = await app.request("GET", "/dashboard/api/links/keys?after=0", undefined, {
      "cf-access-jwt-assertion": await accessToken(),
      "if-none-match": etag
    })
    expect(again.status).toBe(304)
    expect((await app.request("GET", "/dashboard/api/links/keys")).status).toBe(403)
    for (const after of ["1", "-5000", "x"]) {
      const refused = await app.owner("GET", `/api/links/keys?after=${after}`)
      expect([refused.status, (await refused.json()).message]).toEqual([
        400,
        expect.stringContaining('"after"')
      ])
    }
  })
})

describe("GET /dashboard/api/links/some", () => {
  test("returns the links of these ids in this order, without unknown ones", async () => {
    const { links } = await (await request("?ids=3,9,1,3")).json()
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
    test(`rejects ${JSON.stringify(ids.slice(0, 20))} and names the parameter`, async () => {
      const response = await request(ids)
      expect([response.status, (await response.json()).message]).toEqual([
        400,
        expect.stringContaining('"ids"')
      ])
    })

  test("accepts 500 ids", async () => {
    expect((await request(`?ids=${Array(500).fill(2).join(",")}`)).status).toBe(200)
  })

  test("rejects requests without a token", async () => {
    expect((await app.request("GET", "/dashboard/api/links/some?ids=1")).status).toBe(403)
  })
})
