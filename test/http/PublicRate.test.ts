import { afterAll, describe, expect, test } from "bun:test"
import { clientKey } from "../../src/http/PublicRate.ts"
import { makeApp } from "../support/app.ts"

describe("who asks for the public list", () => {
  const cases: ReadonlyArray<readonly [peer: string, forwarded: string | undefined, client: string]> = [
    ["203.0.113.7", undefined, "203.0.113.7"],
    // A stranger who reaches the service directly names whom they like.
    ["203.0.113.7", "198.51.100.1", "203.0.113.7"],
    ["127.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["::1", "198.51.100.1", "198.51.100.1"],
    ["::ffff:127.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["172.17.0.1", "198.51.100.1", "198.51.100.1"],
    // The proxy writes the last one, and the client those before it.
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
    test(`a peer at "${peer}" that forwards for "${forwarded}" is ${client}`, () => {
      expect(clientKey(peer, forwarded)).toBe(client)
    })
})

describe("a fair rate", () => {
  const app = makeApp()
  afterAll(app.dispose)
  const from = (address: string, path: string) =>
    app.request("GET", path, undefined, { "x-forwarded-for": address })

  test("goes on for one who reads, ends for one who hammers, and holds nobody else up", async () => {
    const statuses = new Map<number, number>()
    let refused: Response | undefined
    for (let n = 0; n < 1_200 && refused === undefined; n++) {
      const path = ["/list", "/list/api/links?q=word", "/list/feed.xml", "/list/api/meta"][n % 4] ?? ""
      const answer = await from("198.51.100.1", path)
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      if (answer.status === 429) refused = answer
    }
    expect(statuses.get(200)).toBeGreaterThanOrEqual(600)
    expect(refused?.headers.get("retry-after")).toBe("1")
    expect(await refused?.json()).toEqual({
      error: "too_many_requests",
      message: "Too many requests. Try again in a moment."
    })
    expect((await from("198.51.100.2", "/list")).status).toBe(200)
    expect((await app.owner("GET", "/api/links?q=word")).status).toBe(200)
    // Pictures have a rate of their own, and what is no part of the list has none.
    expect((await from("198.51.100.1", "/list/image?url=https://example.org/a.png")).status).toBe(404)
    expect((await from("198.51.100.1", "/healthz")).status).toBe(200)
    await Bun.sleep(1_100)
    expect((await from("198.51.100.1", "/list")).status).toBe(200)
  }, 60_000)
})
