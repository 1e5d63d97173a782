import { afterAll, describe, expect, test } from "bun:test"
import { clientKey } from "../../src/gates/ClientAddress.ts"
import { makeApp } from "../support/app.ts"

describe("clientKey", () => {
  const cases: ReadonlyArray<readonly [peer: string, forwarded: string | undefined, client: string]> = [
    ["203.0.113.7", undefined, "203.0.113.7"],
    // A client that connects directly can forge the header.
    ["203.0.113.7", "198.51.100.1", "203.0.113.7"],
    ["127.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["::1", "198.51.100.1", "198.51.100.1"],
    ["::ffff:127.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["172.17.0.1", "198.51.100.1", "198.51.100.1"],
    // The proxy adds the last address; the client can forge those before it.
    ["127.0.0.1", "10.0.0.1, 1.2.3.4, 198.51.100.1", "198.51.100.1"],
    ["127.0.0.1", "nonsense", "127.0.0.1"],
    ["127.0.0.1", "", "127.0.0.1"],
    ["127.0.0.1", undefined, "127.0.0.1"],
    ["127.0.0.1", "[2001:db8:1:2:3:4:5:6]:443", "32.1.13.184.0.1.0.2"],
    ["2001:db8:1:2:ffff::1", undefined, "32.1.13.184.0.1.0.2"],
    ["", undefined, "unknown"],
    ["", "198.51.100.1", "198.51.100.1"]
  ]
  for (const [peer, forwarded, client] of cases)
    test(`is ${client} for the peer "${peer}" and X-Forwarded-For "${forwarded}"`, () => {
      expect(clientKey(peer, forwarded)).toBe(client)
    })
})

describe("the public rate limit", () => {
  const app = makeApp()
  afterAll(app.dispose)
  const request = (address: string, path: string) =>
    app.request("GET", path, undefined, { "x-forwarded-for": address })

  test("rejects a client after 600 requests, and nobody else", async () => {
    const statuses = new Map<number, number>()
    let rejected: Response | undefined
    for (let n = 0; n < 1_200 && rejected === undefined; n++) {
      const path = ["/list", "/list/api/links?q=word", "/list/feed.xml", "/list/api/meta"][n % 4] ?? ""
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
    await Bun.sleep(1_100)
    expect((await request("198.51.100.1", "/list")).status).toBe(200)
  }, 60_000)
})
