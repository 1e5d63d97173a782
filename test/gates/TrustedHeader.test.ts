import { describe, expect, test } from "bun:test"
import { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { headerVerifier } from "../../src/gates/TrustedHeader.ts"
import { withSettings } from "../support/loopback.ts"
import { rowsOf } from "../support/rows.ts"

const USER = "Tailscale-User-Login: ann@example.org"
const named = { "tailscale-user-login": "ann@example.org" }

interface Case {
  readonly proxy?: string | null
  readonly header?: string | null
  readonly publicUrl?: string
  /** The address of the connection. */
  readonly peer?: string | null
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
    peer === null ? {} : { remoteAddress: peer }
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

const cases = rowsOf<readonly [why: string, admitted: boolean, request: Case]>(import.meta, "TrustedHeader")

describe("headerVerifier", () => {
  for (const [why, admitted, request] of cases)
    test(`${admitted ? "admits" : "rejects"} ${why}`, async () =>
      expect(await admits(request)).toBe(admitted))
})
