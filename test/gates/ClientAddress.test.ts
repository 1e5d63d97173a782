import { describe, expect, test } from "bun:test"
import { clientKey } from "../../src/gates/ClientAddress.ts"

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
