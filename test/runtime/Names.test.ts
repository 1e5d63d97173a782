import { afterAll, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type DnsResult, makeDnsResolver } from "../../src/runtime/Names.ts"
import { makeNameServer } from "../support/nameServer.ts"
import { long } from "../support/tier.ts"

const folder = mkdtempSync(join(tmpdir(), "linkbower-names-"))
const hostsFile = join(folder, "hosts")
writeFileSync(
  hostsFile,
  "# 10.0.0.9 commented.test\n10.0.0.7\tNas.test nas # 10.0.0.8 other.test\n::7 nas.test\n"
)

const server = await makeNameServer(
  {
    "both.test": ["192.0.2.1", "192.0.2.2", "192.0.2.3", "2001:db8::1"],
    "six.test": ["2001:db8::6"],
    "half.test": ["192.0.2.4"],
    "late.test": ["192.0.2.5"],
    "bare.test": []
  },
  (name, type) => name.startsWith("hang") || (name === "half.test" && type === "AAAA")
)
const names = makeDnsResolver({ servers: server.servers, hostsFile })
const alone = makeDnsResolver({ servers: ["127.0.0.1:9"], hostsFile })
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

const page = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("here") })
afterAll(() => page.stop(true))

describe("makeDnsResolver", () => {
  const cases: ReadonlyArray<readonly [name: string, result: DnsResult]> = [
    ["both.test", { state: "found", addresses: ["192.0.2.1", "2001:db8::1", "192.0.2.2", "192.0.2.3"] }],
    ["six.test", { state: "found", addresses: ["2001:db8::6"] }],
    ["bare.test", { state: "unknown" }],
    ["nowhere.test", { state: "unknown" }],
    ["other.test", { state: "unknown" }],
    ["commented.test", { state: "unknown" }],
    ["NAS.test.", { state: "found", addresses: ["10.0.0.7", "::7"] }],
    ["nas", { state: "found", addresses: ["10.0.0.7"] }],
    ["localhost", { state: "found", addresses: ["127.0.0.1", "::1"] }],
    ["a.localhost", { state: "found", addresses: ["127.0.0.1", "::1"] }]
  ]
  for (const [name, result] of cases)
    test(`resolves ${name} by the hosts file and the DNS`, async () => {
      expect(await names.lookUp(name)).toEqual(result)
    })

  test("returns the addresses of one family if the query for the other gets no answer", async () => {
    expect(await names.lookUp("half.test")).toEqual({ state: "found", addresses: ["192.0.2.4"] })
  })

  test("reports an unreachable name server", async () => {
    expect(await alone.lookUp("both.test")).toEqual({ state: "unreachable" })
  })

  long(test)("ends a look-up when its signal is aborted", async () => {
    let ended = 0
    const others = names.lookUp("hang.test").then(() => ended++)
    expect(await names.lookUp("hang.test", AbortSignal.timeout(50))).toEqual({ state: "silent" })
    expect(await names.lookUp("both.test", AbortSignal.abort())).toEqual({ state: "silent" })
    expect(ended).toBe(0)
    await others
  })

  test("fetches from addresses and known names", async () => {
    for (const host of ["127.0.0.1", "localhost"]) {
      const response = await names.fetch(`http://${host}:${page.port}/`)
      expect(await response.text()).toBe("here")
    }
  })
})

// Each look-up ends after 4 seconds, so the tests wait side by side.
describe.concurrent("makeDnsResolver with a silent name server", () => {
  const rejection = "TypeError: No name server answers."

  long(test)("ends a look-up as silent", async () => {
    expect(await names.lookUp("hang.test")).toEqual({ state: "silent" })
  })

  long(test)("blocks no thread that file and crypto operations need", async () => {
    let ended = 0
    const hanging = Array.from({ length: 200 }, (_, i) =>
      names.lookUp(`hang${i}.test`).then(() => {
        ended++
      })
    )
    const key = await crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, false, ["sign"])
    await Promise.all([stat(folder), crypto.subtle.sign("HMAC", key, new Uint8Array(1))])
    expect((await names.lookUp("late.test")).state).toBe("found")
    expect(ended).toBe(0)
    await Promise.all(hanging)
  })

  long(test)("rejects a fetch", async () => {
    const hanging = Array.from({ length: 50 }, (_, i) => names.fetch(`http://hang${i}.test/`).catch(String))
    expect((await stat(folder)).isDirectory()).toBe(true)
    expect(new Set(await Promise.all(hanging))).toEqual(new Set([rejection]))
  })

  long(test)("leaves names to a proxy unless the request disables it", async () => {
    const proxied = makeDnsResolver({ servers: server.servers, hostsFile, proxied: true })
    const proxy = `http://127.0.0.1:${page.port}`
    expect(await (await proxied.fetch("http://hang.test/", { proxy })).text()).toBe("here")
    expect(await proxied.fetch("http://hang.test/", { proxy: false }).catch(String)).toBe(rejection)
  })
})
