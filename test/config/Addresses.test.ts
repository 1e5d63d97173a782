import { describe, expect, test } from "bun:test"
import { Effect } from "effect"
import { browserUrlOf, localUrlOf, ownersAddress } from "../../src/config/Addresses.ts"
import { withSettings } from "../support/loopback.ts"

describe("a service's address", () => {
  for (const [host, local, browser] of [
    ["127.0.0.1", "http://127.0.0.1:1", "http://localhost:1"],
    ["127.0.0.2", "http://127.0.0.2:1", "http://localhost:1"],
    ["0.0.0.0", "http://127.0.0.1:1", "http://localhost:1"],
    ["::", "http://[::1]:1", "http://localhost:1"],
    ["[::]", "http://[::1]:1", "http://localhost:1"],
    ["::1", "http://[::1]:1", "http://localhost:1"],
    ["localhost", "http://localhost:1", "http://localhost:1"],
    ["10.0.0.7", "http://10.0.0.7:1", "http://10.0.0.7:1"],
    ["links", "http://links:1", "http://links:1"]
  ] as const)
    test(`that listens on ${host} is ${local} on this machine, and ${browser} in its browser`, () => {
      expect([localUrlOf(host, 1), browserUrlOf(host, 1)]).toEqual([local, browser])
    })

  for (const [publicUrl, address] of [
    ["https://links.example/", "https://links.example"],
    ["", "http://localhost:1"],
    ["links.example", "http://localhost:1"]
  ] as const)
    test(`is ${address} for the owner with PUBLIC_URL=${publicUrl}`, async () => {
      const owners = ownersAddress("http://localhost:1").pipe(withSettings({ PUBLIC_URL: publicUrl }))
      expect(await Effect.runPromise(owners)).toBe(address)
    })
})
