import { describe, expect, test } from "bun:test"
import { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { headerVerifier } from "../../src/gates/TrustedHeader.ts"
import { withSettings } from "../support/loopback.ts"

const USER = "Tailscale-User-Login: ann@example.org"
const named = { "tailscale-user-login": "ann@example.org" }

interface Case {
  readonly proxy?: string | undefined
  readonly header?: string | undefined
  readonly publicUrl?: string
  /** The address of the connection. */
  readonly peer?: string | undefined
  readonly host?: string
  readonly headers?: ReadonlyArray<readonly [string, string]> | Record<string, string>
}

/** Whether a request is admitted; by default, it is one that the proxy sends. */
const admits = (one: Case) => {
  const settings = {
    TRUSTED_PROXY: "proxy" in one ? one.proxy : "127.0.0.1",
    TRUSTED_HEADER: "header" in one ? one.header : USER,
    PUBLIC_URL: one.publicUrl
  }
  const headers = new Headers([["host", one.host ?? "localhost:8787"]])
  const given = one.headers ?? named
  for (const [name, value] of Array.isArray(given) ? given : Object.entries(given))
    headers.append(name, value)
  const peer = "peer" in one ? one.peer : "127.0.0.1"
  const request = HttpServerRequest.fromWeb(new Request("http://localhost/dashboard", { headers })).modify(
    peer === undefined ? {} : { remoteAddress: peer }
  )
  return Effect.runPromise(
    headerVerifier
      .verify(request)
      .pipe(
        Effect.isSuccess,
        withSettings(
          Object.fromEntries(
            Object.entries(settings).flatMap(([name, value]) => (value ? [[name, value]] : []))
          )
        )
      )
  )
}

const cases: ReadonlyArray<readonly [why: string, admitted: boolean, request: Case]> = [
  ["the proxy naming the user", true, {}],
  ["the header in capitals", true, { headers: { "TAILSCALE-USER-LOGIN": "ann@example.org" } }],
  ["the proxy by its IPv4-mapped address", true, { peer: "::ffff:127.0.0.1" }],
  ["a proxy in a range", true, { proxy: "10.0.0.0/8, 172.16.0.0/12", peer: "172.17.0.2" }],
  ["a user with spaces", true, { header: "Remote-User: Ann Lee", headers: { "remote-user": "Ann Lee" } }],
  ["no proxy set up", false, { proxy: undefined }],
  ["no header set up", false, { header: undefined }],
  ["a header set up without a user", false, { header: "Tailscale-User-Login" }],
  [
    "a header set up with an empty user",
    false,
    { header: "Tailscale-User-Login:", headers: { "tailscale-user-login": "" } }
  ],
  [
    "a user with a comma set up",
    false,
    { header: "Remote-User: ann, ann", headers: { "remote-user": "ann, ann" } }
  ],
  ["an invalid name set up", false, { header: "Remote User: ann" }],
  ["every address as the proxy", false, { proxy: "0.0.0.0/0" }],
  ["one invalid address beside the proxy's", false, { proxy: "127.0.0.1, proxy.example.org" }],
  ["another peer", false, { peer: "127.0.0.2" }],
  [
    "another peer that names the proxy in X-Forwarded-For",
    false,
    { peer: "192.0.2.7", headers: { ...named, "x-forwarded-for": "127.0.0.1" } }
  ],
  [
    "another peer that names the proxy in Forwarded",
    false,
    { peer: "192.0.2.7", headers: { ...named, forwarded: "for=127.0.0.1", "x-real-ip": "127.0.0.1" } }
  ],
  ["a peer that the server does not know", false, { peer: undefined }],
  ["no header", false, { headers: {} }],
  ["an empty header", false, { headers: { "tailscale-user-login": "" } }],
  ["another user", false, { headers: { "tailscale-user-login": "bob@example.org" } }],
  ["the user in other letters", false, { headers: { "tailscale-user-login": "Ann@example.org" } }],
  ["the user and more", false, { headers: { "tailscale-user-login": "ann@example.org.evil.example" } }],
  ["the user between others", false, { headers: { "tailscale-user-login": "bob, ann@example.org" } }],
  [
    "a header sent twice, the user first",
    false,
    {
      headers: [
        ["tailscale-user-login", "ann@example.org"],
        ["tailscale-user-login", "bob@example.org"]
      ]
    }
  ],
  [
    "a header sent twice, the user last",
    false,
    {
      headers: [
        ["tailscale-user-login", "bob@example.org"],
        ["tailscale-user-login", "ann@example.org"]
      ]
    }
  ],
  [
    "a header sent twice with the user",
    false,
    {
      headers: [
        ["tailscale-user-login", "ann@example.org"],
        ["tailscale-user-login", "ann@example.org"]
      ]
    }
  ],
  ["the header with an underscore", false, { headers: { tailscale_user_login: "ann@example.org" } }],
  ["the user in another header", false, { headers: { "remote-user": "ann@example.org" } }],
  ["the user in a cookie", false, { headers: { cookie: "tailscale-user-login=ann@example.org" } }],
  ["a name of another site on the proxy's machine", false, { host: "evil.example:8787" }],
  [
    "that name, beside a public address",
    false,
    { host: "evil.example:8787", publicUrl: "https://links.example.org" }
  ],
  [
    "that name with forged forwarding",
    false,
    {
      host: "evil.example:8787",
      headers: { ...named, "x-forwarded-host": "links.example.org", "x-forwarded-proto": "https" },
      publicUrl: "https://links.example.org"
    }
  ],
  ["no host", false, { host: "" }],
  ["the public address's host", true, { host: "links.example.org", publicUrl: "https://links.example.org/" }],
  [
    "a browser over https, by any name",
    true,
    { host: "box.tail1234.ts.net", headers: { ...named, "sec-fetch-site": "none" } }
  ],
  ["an address as the host", true, { host: "100.101.102.103:8787" }],
  ["a name of the private network", true, { host: "nas.home.arpa" }],
  ["a container's name", true, { host: "linkbower:8787" }]
]

describe("headerVerifier", () => {
  for (const [why, admitted, request] of cases)
    test(`${admitted ? "admits" : "rejects"} ${why}`, async () =>
      expect(await admits(request)).toBe(admitted))
})
