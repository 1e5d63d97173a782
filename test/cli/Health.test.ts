import { describe, expect, test } from "bun:test"
import { VERSION } from "../../src/version.ts"
import { closedPort, fakeServer, runHere, runWithoutWaiting } from "./support/doctor.ts"

const settings = (port: number, host = "127.0.0.1") => ({
  HOST: host,
  PORT: String(port),
  ENV_FILE: "/nowhere/.env"
})

/** Runs `linkbower health` for a service at this port and host. */
const health = (port: number, host?: string) => runHere("health", settings(port, host))

/** Runs it for a service that responds like this. */
const healthOf = async (reply: () => Response) => {
  const server = fakeServer(reply)
  return await health(server.port).finally(server.stop)
}

describe("linkbower health", () => {
  test("succeeds when the service responds", async () => {
    const server = fakeServer(() => Response.json({ status: "ok", version: VERSION }))
    for (const host of ["127.0.0.1", "0.0.0.0"])
      expect(await health(server.port, host)).toMatchObject({
        code: 0,
        out: `Linkbower ${VERSION} runs at ${server.url}.\n`
      })
    expect(server.requests).toEqual(["GET /healthz", "GET /healthz"])
    await server.stop()
  })

  test("explains a failure in a sentence", async () => {
    for (const [ran, error] of [
      [await health(await closedPort()), /^linkbower: No service responds at http:\/\/127\.0\.0\.1:\d+\.\n$/],
      [await healthOf(() => new Response("", { status: 503 })), /responds with 503 at \/healthz\.\n$/],
      [await healthOf(() => new Response("hello")), /responds with an unexpected response/],
      [await healthOf(() => Response.redirect("http://127.0.0.1:1/healthz")), /responds with 302/],
      [await health(0), /PORT=0 means any free port/],
      [await health(70_000), /Expected a port/]
    ] as const) {
      expect([ran.code, ran.out]).toEqual([1, ""])
      expect(ran.error).toMatch(error)
    }
  })

  test("fails while the service is starting", async () => {
    const report = { status: "starting", version: VERSION }
    const { code, error } = await healthOf(() => Response.json(report, { status: 503 }))
    expect([code, error]).toEqual([1, expect.stringMatching(/is starting\.\n$/)])
  })

  test("fails while the service cannot save, and lists other problems", async () => {
    const report = { status: "failing", version: VERSION, problems: ["storage-gone"] }
    const failing = await healthOf(() => Response.json(report, { status: 503 }))
    expect([failing.code, failing.error]).toEqual([
      1,
      expect.stringContaining("the library file was moved, deleted or replaced")
    ])
    const degraded = await healthOf(() =>
      Response.json({ status: "degraded", version: VERSION, problems: ["search"] })
    )
    expect([degraded.code, degraded.out]).toEqual([
      0,
      expect.stringContaining("the search thread is not running")
    ])
  })

  test("times out after three seconds", async () => {
    const server = fakeServer(() => new Promise(() => {}))
    const { code, error } = await runWithoutWaiting("health", settings(server.port), {
      isWaiting: () => server.requests.length > 0,
      skip: "3 seconds"
    })
    expect([code, error]).toEqual([1, expect.stringContaining("does not respond within 3 seconds")])
    await server.stop()
  })
})
