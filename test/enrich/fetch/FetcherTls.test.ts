import { describe, expect } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer } from "effect"
import { makeAuthority } from "../../support/certificate.ts"
import { effectTest } from "../../support/effect.ts"
import { page } from "../../support/fetching.ts"

const it = effectTest(Layer.empty)

const authority = makeAuthority()

/** A server at 127.0.0.2 with a certificate for each of `hosts`, chosen by the name the client sends (SNI). */
const secure = (...hosts: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const tls = hosts.map((host) => ({ ...authority.issue(host), serverName: host }))
      const fetch = ({ headers }: Request) => page(`asked as ${headers.get("host")}`)
      return Bun.serve({ port: 0, hostname: "127.0.0.2", tls, fetch })
    }),
    (server) => Effect.promise(() => server.stop(true))
  )

/** The result for each URL in a process that trusts the authority if `trusted`. */
const fetchEach = (urls: ReadonlyArray<string>, trusted: boolean) =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "linkbower-tls-"))),
    (folder) =>
      Effect.promise(async () => {
        const file = join(folder, "authority.pem")
        writeFileSync(file, authority.cert)
        const child = Bun.spawn(
          [process.execPath, join(import.meta.dir, "../../support/fetchEach.ts"), ...urls],
          {
            env: {
              FETCH_ALLOW: urls.map((url) => new URL(url).host).join(","),
              ...(trusted ? { NODE_EXTRA_CA_CERTS: file } : {})
            },
            stdout: "pipe"
          }
        )
        return await new Response(child.stdout).json()
      }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
  )

describe("Fetcher over TLS", () => {
  it("connects to the checked address and verifies the certificate of the host", function* () {
    const { port } = yield* secure("other.test", "site.test")
    const urls = [`https://site.test:${port}/`, `https://other.test:${port}/`]
    expect(yield* fetchEach(urls, true)).toEqual([
      `asked as site.test:${port}`,
      `asked as other.test:${port}`
    ])
  })

  it("rejects the certificate of another host, even on an open connection", function* () {
    const { port } = yield* secure("site.test")
    const urls = ["site.test", "third.test", "127.0.0.2", "site.test"].map(
      (host) => `https://${host}:${port}/`
    )
    expect(yield* fetchEach(urls, true)).toEqual([
      `asked as site.test:${port}`,
      "unreachable",
      "unreachable",
      `asked as site.test:${port}`
    ])
  })

  it("rejects a certificate of an untrusted authority", function* () {
    const { port } = yield* secure("site.test")
    expect(yield* fetchEach([`https://site.test:${port}/`], false)).toEqual(["unreachable"])
  })
})
