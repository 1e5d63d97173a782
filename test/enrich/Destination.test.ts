import { describe, expect, test } from "bun:test"
import { isAllowed, isFetchable, isPublic } from "../../src/enrich/Destination.ts"
import { describeData, json } from "../support/data.ts"

describe("isPublic", () => {
  for (const address of ["1.1.1.1", "8.8.8.8", "93.184.216.34", "2606:4700:4700::1111", "2001:470:8:66::1"])
    test(`takes ${address}`, () => expect(isPublic(address)).toBe(true))
  for (const address of [
    "0.0.0.0",
    "10.0.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::1.1.1.1",
    "::ffff:1.1.1.1",
    "::ffff:127.0.0.1",
    "64:ff9b::7f00:1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2620:4f:8000::1",
    "3fff::1",
    "4000::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "ff02::1",
    "nope",
    "",
    "1.2.3",
    "2001:470:8:66::1%z"
  ])
    test(`refuses ${JSON.stringify(address)}`, () => expect(isPublic(address)).toBe(false))
})

describeData("ssrf", "isPublic on a table of ranges", () => {
  // A zone names an interface of this machine, whatever the address is.
  for (const { ip, range } of json<ReadonlyArray<{ readonly ip: string; readonly range: string }>>(
    "ssrf/ip-ranges.json"
  ))
    test(`${ip} is ${range}`, () => expect(isPublic(ip)).toBe(range === "unicast" && !ip.includes("%")))
})

describe("isAllowed", () => {
  for (const [address, allow, allowed] of [
    ["http://127.0.0.1:8080/", "127.0.0.1:8080", true],
    ["http://127.0.0.1:8080/", "other, 127.0.0.1:8080 ", true],
    ["http://127.0.0.1:8081/", "127.0.0.1:8080", false],
    ["http://nas.local/", "nas.local", true],
    ["https://nas.local/", "nas.local", true],
    ["http://nas.local:8080/", "nas.local", false],
    ["http://nas.local/", "nas.local:80", true],
    ["https://nas.local/", "nas.local:80", false],
    ["http://[::1]:8080/", "[::1]:8080", true],
    ["http://2130706433:8080/", "127.0.0.1:8080", true],
    ["http://evil.nas.local/", "nas.local", false],
    ["http://127.0.0.1/", "", false],
    ["http://127.0.0.1/", ",,", false],
    ["http://127.0.0.1/", "*", false],
    ["http://127.0.0.1/", "127.0.0.1/path", false],
    ["http://127.0.0.1/", "user@127.0.0.1", false],
    ["http://127.0.0.1/", ":password@127.0.0.1", false],
    ["http://127.0.0.1/", "127.0.0.1?", false],
    ["http://127.0.0.1/", "127.0.0.1#", false],
    ["http://127.0.0.1/", "127.0.0.1:", false],
    ["http://127.0.0.1/", "127.0.0.1:99999", false],
    ["http://127.0.0.1/", "127.0.0.1 127.0.0.2", false],
    ["http://127.0.0.1/", "[127.0.0.1]", false],
    ["http://127.0.0.1/", "http://127.0.0.1", false]
  ] as const)
    test(`${allowed ? "opens" : "does not open"} ${address} with ${JSON.stringify(allow)}`, () =>
      expect(isAllowed(new URL(address), allow)).toBe(allowed))
})

describe("isFetchable", () => {
  for (const address of [
    "ftp://example.org/",
    "file:///etc/passwd",
    "http://u@example.org/",
    "http://:p@example.org/",
    "http://example.org:22/",
    "http://example.org:6379/"
  ])
    test(`refuses ${address}`, () => expect(isFetchable(new URL(address), false)).toBe(false))
  test("takes another port where it was allowed, but no credentials", () => {
    expect(isFetchable(new URL("http://example.org:8080/"), true)).toBe(true)
    expect(isFetchable(new URL("http://u:p@example.org:8080/"), true)).toBe(false)
  })
})
