import { describe, expect, test } from "bun:test"
import { localUrlOf } from "../../src/cli/doctor/ServiceChecks.ts"
import { VERSION } from "../../src/version.ts"
import { answering, closedPort, runHere } from "./support/doctor.ts"

/** Runs `linkbower health` where the service is said to be. */
const health = (port: number, host = "127.0.0.1") =>
  runHere("health", { HOST: host, PORT: String(port), ENV_FILE: "/nowhere/.env" })

/** What it says of a service that answers so. */
const whereIt = async (reply: () => Response | Promise<Response>) => {
  const server = answering(reply)
  try {
    return await health(server.port)
  } finally {
    await server.stop()
  }
}

describe("linkbower health", () => {
  test("is content with a service that answers, whichever addresses that listens at", async () => {
    const server = answering(() => Response.json({ status: "ok", version: VERSION }))
    for (const host of ["127.0.0.1", "0.0.0.0"])
      expect(await health(server.port, host)).toMatchObject({
        code: 0,
        said: `Linkbower ${VERSION} runs at ${server.url}.\n`
      })
    expect(server.asked).toEqual(["GET /healthz", "GET /healthz"])
    await server.stop()
  })

  test("says in a sentence what is wrong", async () => {
    for (const [ran, complaint] of [
      [await health(await closedPort()), /^linkbower: No service responds at http:\/\/127\.0\.0\.1:\d+\.\n$/],
      [await whereIt(() => new Response("", { status: 503 })), /responds with 503 at \/healthz\.\n$/],
      [await whereIt(() => new Response("hello")), /responds with an unexpected response/],
      [await whereIt(() => Response.redirect("http://127.0.0.1:1/healthz")), /responds with 302/],
      [await health(0), /PORT=0 means any free port/],
      [await health(70_000), /Expected a port/]
    ] as const) {
      expect([ran.code, ran.said]).toEqual([1, ""])
      expect(ran.complaint).toMatch(complaint)
    }
  })

  test("fails while the service cannot save, and names what else is wrong", async () => {
    const report = { status: "failing", version: VERSION, problems: ["storage-gone"] }
    const failing = await whereIt(() => Response.json(report, { status: 503 }))
    expect([failing.code, failing.complaint]).toEqual([
      1,
      expect.stringContaining("the library file was moved, deleted or replaced")
    ])
    const degraded = await whereIt(() =>
      Response.json({ status: "degraded", version: VERSION, problems: ["search"] })
    )
    expect([degraded.code, degraded.said]).toEqual([
      0,
      expect.stringContaining("the search thread is not running")
    ])
  })

  test("waits for three seconds at the most", async () => {
    const begun = performance.now()
    const { code, complaint } = await whereIt(() => new Promise(() => {}))
    expect([code, complaint]).toEqual([1, expect.stringContaining("does not respond within 3 seconds")])
    expect(performance.now() - begun).toBeLessThan(4_500)
  })

  test("reaches a service that takes every address by loopback", () => {
    expect(
      ["0.0.0.0", "::", "[::]", "::1", "10.0.0.7", "localhost"].map((host) => localUrlOf(host, 1))
    ).toEqual([
      "http://127.0.0.1:1",
      "http://[::1]:1",
      "http://[::1]:1",
      "http://[::1]:1",
      "http://10.0.0.7:1",
      "http://localhost:1"
    ])
  })
})
