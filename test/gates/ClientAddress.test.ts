import { describe, expect, test } from "bun:test"
import { clientBehind } from "../../src/gates/ClientAddress.ts"
import { parseRange } from "../../src/runtime/AddressRanges.ts"

/** Proxies on this machine, in a container's network and on the internet. */
const named = ["127.0.0.1", "::1", "172.17.0.0/16", "192.0.2.10"].flatMap((text) => parseRange(text) ?? [])

describe("the client of a request", () => {
  const cases: ReadonlyArray<readonly [peer: string, forwarded: string | undefined, key: string]> = [
    ["203.0.113.7", undefined, "203.0.113.7"],
    // Who connects directly can forge the header.
    ["203.0.113.7", "198.51.100.1", "203.0.113.7"],
    ["127.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["::1", "198.51.100.1", "198.51.100.1"],
    ["::ffff:127.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["172.17.0.1", "198.51.100.1", "198.51.100.1"],
    ["192.0.2.10", "198.51.100.1", "198.51.100.1"],
    // A proxy adds the last address; the client can forge those before it.
    ["127.0.0.1", "10.0.0.1, 1.2.3.4, 198.51.100.1", "198.51.100.1"],
    // A named proxy behind another one passes its address on.
    ["127.0.0.1", "1.2.3.4, 198.51.100.1, 192.0.2.10", "198.51.100.1"],
    ["127.0.0.1", "192.0.2.10", "192.0.2.10"],
    ["127.0.0.1", "192.168.1.5", "192.168.1.5"],
    ["127.0.0.1", "nonsense", "127.0.0.1"],
    ["127.0.0.1", "", "127.0.0.1"],
    ["127.0.0.1", undefined, "127.0.0.1"],
    ["127.0.0.1", "[2001:db8:1:2:3:4:5:6]:443", "32.1.13.184.0.1.0.2"],
    ["2001:db8:1:2:ffff::1", undefined, "32.1.13.184.0.1.0.2"],
    // A connection that is closed has no peer, and could forge the header too.
    ["", undefined, "unknown"],
    ["", "198.51.100.1", "unknown"]
  ]
  for (const [peer, forwarded, key] of cases)
    test(`is ${key} for the peer "${peer}" and X-Forwarded-For "${forwarded}"`, () => {
      expect(clientBehind(peer, forwarded, named)).toMatchObject({
        key,
        visitorKey: key,
        isUnnamedProxy: false
      })
    })

  test("is one for everybody behind a proxy of the local network that is not named, but not on the public list", () => {
    for (const forwarded of ["198.51.100.1", "203.0.113.7, 198.51.100.2"])
      expect(clientBehind("192.168.1.1", forwarded, named)).toEqual({
        key: "192.168.1.1",
        address: "192.168.1.1",
        isUnnamedProxy: true,
        visitorKey: forwarded.slice(-12).trim()
      })
  })
})
