import { describe, expect } from "bun:test"
import { appTests } from "../support/app.ts"

const it = appTests()

describe("the test of a connection", () => {
  it("says how a part answers, that it is not set up, and that there were too many", async (app) => {
    const test = async (part: string) => {
      const response = await app.owner("POST", "/api/setup/test", { part })
      return [response.status, await response.json()]
    }
    expect(await test("embedder")).toEqual([
      200,
      { state: "works", says: expect.stringMatching(/^It makes vectors of \d+ dimensions\.$/) }
    ])
    for (const part of ["bot", "model", "pages", "openid", "address"])
      expect([part, ...(await test(part))]).toEqual([part, 200, { state: "off", says: "Not connected." }])
    expect((await test("elsewhere"))[0]).toBe(400)
    for (let asked = 6; asked < 20; asked++) await test("bot")
    const refused = await app.owner("POST", "/api/setup/test", { part: "bot" })
    expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true])
    expect((await app.request("POST", "/dashboard/api/setup/test", { part: "bot" })).status).toBe(403)
  })

  it(
    "is without an answer from an address at which nothing listens",
    async (app) => {
      const response = await app.owner("POST", "/api/setup/test", { part: "address" })
      expect(await response.json()).toEqual({
        state: "fails",
        says: "The address cannot be reached when the service asks itself."
      })
    },
    { PUBLIC_URL: "http://127.0.0.1:9" }
  )
})
