import { afterAll, describe, expect, test } from "bun:test"
import { snapshot } from "../../src/telemetry/MetricFormat.ts"
import { makeApp } from "../support/app.ts"
import { countOf, seriesOf } from "../support/metrics.ts"

const app = makeApp()
afterAll(() => app.dispose())

/** Number of requests with this method, route and status. */
const counted = (method: string, route: string, status: string) =>
  countOf("linkbower_http_requests_total", { method, route, status })

describe("the request counter", () => {
  for (const [what, request, route, status] of [
    ["the route", () => app.request("GET", "/healthz"), "/healthz", "200"],
    [
      "the route without the query",
      () => app.owner("GET", "/api/links?q=zebrafish"),
      "/dashboard/api/links",
      "200"
    ],
    [
      "the route without the id",
      () => app.owner("GET", "/api/jobs/987654"),
      "/dashboard/api/jobs/:id",
      "404"
    ],
    ["a feed without its secret", () => app.request("GET", "/feeds/zebrafish"), "/feeds/:token", "404"],
    ["rejected requests", () => app.request("GET", "/dashboard/api/links"), "/dashboard/api/links", "403"],
    ["unknown paths together", () => app.request("GET", "/zebrafish"), "/*", "404"],
    ["unknown files of the app with them", () => app.request("GET", "/app/zebrafish.js"), "/*", "404"]
  ] as const)
    test(`counts ${what}`, async () => {
      const before = counted("GET", route, status)
      await request()
      expect(counted("GET", route, status)).toBe(before + 1)
    })

  test("counts unknown methods together", async () => {
    const before = counted("other", "none", "501")
    await app.request("PROPFIND", "/healthz")
    await app.request("MKCOL", "/healthz")
    expect(counted("other", "none", "501")).toBe(before + 2)
  })

  test("has no part of a request in its labels, and a histogram of durations", async () => {
    await app.request("GET", "/list/zebrafish?q=zebrafish")
    const all = snapshot()
    expect(JSON.stringify(all)).not.toMatch(/zebrafish/i)
    const durations = seriesOf("linkbower_http_request_duration_seconds")
    expect(durations.length).toBeGreaterThan(3)
    for (const { value } of durations)
      if (typeof value !== "object" || value.count === 0) throw new Error("a series without a duration")
  })
})

describe("the rejection counter", () => {
  const rejected = (gate: string) => countOf("linkbower_gate_refusals_total", { gate })
  const foreign = { update_id: 1, message: { message_id: 1, chat: { id: 999 }, text: "https://example.org" } }

  for (const [gate, request] of Object.entries({
    webhook: () => app.request("POST", "/webhook", {}),
    chat: () => app.webhook(foreign),
    extension: () => app.capture({ url: "https://example.org" }, { authorization: "Bearer wrong" }),
    dashboard: () => app.request("GET", "/dashboard/api/meta")
  }))
    test(`counts rejections by the gate ${gate}`, async () => {
      const before = rejected(gate)
      await request()
      expect(rejected(gate)).toBe(before + 1)
    })
})

test("saves are counted by source, captures by outcome", async () => {
  const added = () => countOf("linkbower_links_saved_total", { source: "capture" })
  const saved = () => countOf("linkbower_captures_total", { outcome: "saved" })
  const before = [added(), saved()]
  expect((await app.capture({ url: "https://example.org/counted" })).status).toBe(200)
  expect((await app.capture({ url: "https://example.org/counted" })).status).toBe(200)
  // The second capture adds no link.
  expect([added() - (before[0] ?? 0), saved() - (before[1] ?? 0)]).toEqual([1, 2])
})
