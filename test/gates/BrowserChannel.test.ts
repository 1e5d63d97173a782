import { describe, expect, test } from "bun:test"
import { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { type BrowserChannel, browserChannel } from "../../src/gates/BrowserChannel.ts"
import { withSettings } from "../support/loopback.ts"

const channelOf = (headers: Record<string, string>, PUBLIC_URL?: string) =>
  Effect.runPromise(
    browserChannel(HttpServerRequest.fromWeb(new Request("http://localhost/", { headers }))).pipe(
      withSettings(PUBLIC_URL === undefined ? {} : { PUBLIC_URL })
    )
  )

describe("browserChannel", () => {
  const byHost: Record<Exclude<BrowserChannel, "https">, ReadonlyArray<string>> = {
    private: [
      "localhost:8787",
      "LOCALHOST",
      "links.localhost",
      "127.0.0.1:8787",
      "[::1]:8787",
      "192.168.1.20:8787",
      "10.0.0.1",
      "172.16.0.9",
      "100.100.1.1",
      "169.254.3.4",
      "[fd00::1]:8787",
      "[fe80::1]",
      "nas",
      "nas.local:8787",
      "nas.lan",
      "links.home.arpa",
      "links.internal."
    ],
    exposed: [
      "links.example.org",
      "example.com:8787",
      "198.51.100.7:8787",
      "[2001:db8::1]",
      "local.example.org",
      "nas.local.example.org",
      "192.168.1.20.nip.io",
      "172.32.0.1",
      "xlocal.dev",
      "a host",
      ""
    ]
  }
  for (const [channel, hosts] of Object.entries(byHost))
    for (const host of hosts)
      test(`is ${channel} over plain HTTP at ${JSON.stringify(host)}`, async () => {
        for (const headers of [{ host }, { host, "x-forwarded-proto": "http" }])
          expect(await channelOf(headers)).toBe(channel === "private" ? "private" : "exposed")
      })

  for (const proto of ["https", "HTTPS", "https, http", " https "])
    test(`is https at any host if the proxy says ${JSON.stringify(proto)}`, async () => {
      for (const host of ["links.example.org", "127.0.0.1:8787", "nas.local"])
        expect(await channelOf({ host, "x-forwarded-proto": proto })).toBe("https")
    })

  test("is https at the host of an https PUBLIC_URL, unless the proxy says otherwise", async () => {
    const url = "https://links.example.org/"
    expect(await channelOf({ host: "links.example.org" }, url)).toBe("https")
    expect(await channelOf({ host: "Links.Example.org:443" }, url)).toBe("https")
    expect(await channelOf({ host: "links.example.org", "x-forwarded-proto": "http" }, url)).toBe("exposed")
    expect(await channelOf({ host: "other.example.org" }, url)).toBe("exposed")
    expect(await channelOf({ host: "nas.local" }, url)).toBe("private")
    for (const other of ["http://links.example.org", "links.example.org", "no address"])
      expect([other, await channelOf({ host: "links.example.org" }, other)]).toEqual([other, "exposed"])
  })
})
