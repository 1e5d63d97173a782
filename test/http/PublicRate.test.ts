import { afterAll, describe, expect, test } from "bun:test"
import { makeApp } from "../support/app.ts"
import { long } from "../support/tier.ts"

describe("the public rate limit", () => {
  const app = makeApp()
  afterAll(app.dispose)
  const request = (address: string, path: string) =>
    app.request("GET", path, undefined, { "x-forwarded-for": address })

  long(test)("rejects a client after 600 requests, and nobody else", async () => {
    const statuses = new Map<number, number>()
    let rejected: Response | undefined
    for (let n = 0; n < 1_200 && rejected === undefined; n++) {
      // Any of them counts; most requests go to the cheapest.
      const path = ["/list", "/list/api/links?q=word", "/list/feed.xml"][n] ?? "/list/api/meta"
      const answer = await request("198.51.100.1", path)
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      if (answer.status === 429) rejected = answer
    }
    expect(statuses.get(200)).toBeGreaterThanOrEqual(600)
    expect(rejected?.headers.get("retry-after")).toBe("1")
    expect(await rejected?.json()).toEqual({
      error: "too_many_requests",
      message: "Too many requests. Try again in a moment."
    })
    expect((await request("198.51.100.2", "/list")).status).toBe(200)
    expect((await app.owner("GET", "/api/links?q=word")).status).toBe(200)
    // Pictures have their own limit; paths outside the list have none.
    expect((await request("198.51.100.1", "/list/image?url=https://example.org/a.png")).status).toBe(404)
    expect((await request("198.51.100.1", "/healthz")).status).toBe(200)
    while ((await request("198.51.100.1", "/list")).status !== 200) await Bun.sleep(100)
  })
})
