import { afterAll, describe, expect, test } from "bun:test"
import { snapshot } from "../../src/telemetry/MetricFormat.ts"
import { makeApp } from "../support/app.ts"
import { countOf, seriesOf } from "../support/metrics.ts"

const app = makeApp()
afterAll(() => app.dispose())

/** How many requests of this method, route and status have been answered. */
const answered = (method: string, route: string, status: string) =>
  countOf("linkbower_http_requests_total", { method, route, status })

describe("a request is counted", () => {
  for (const [what, ask, route, status] of [
    ["by its route", () => app.request("GET", "/healthz"), "/healthz", "200"],
    ["without its query", () => app.owner("GET", "/api/links?q=zebrafish"), "/dashboard/api/links", "200"],
    ["without its number", () => app.owner("GET", "/api/jobs/987654"), "/dashboard/api/jobs/:id", "404"],
    ["where it is refused", () => app.request("GET", "/dashboard/api/links"), "/dashboard/api/links", "403"],
    ["where there is nothing", () => app.request("GET", "/zebrafish"), "/*", "404"],
    ["together with the app's other files", () => app.request("GET", "/app/zebrafish.js"), "/*", "404"]
  ] as const)
    test(`${what}, once`, async () => {
      const before = answered("GET", route, status)
      await ask()
      expect(answered("GET", route, status)).toBe(before + 1)
    })

  test("by no more methods than there are", async () => {
    const before = answered("other", "none", "501")
    await app.request("PROPFIND", "/healthz")
    await app.request("MKCOL", "/healthz")
    expect(answered("other", "none", "501")).toBe(before + 2)
  })

  test("with nothing of what was asked for in any label, and with its duration", async () => {
    await app.request("GET", "/list/zebrafish?q=zebrafish")
    const all = snapshot()
    expect(JSON.stringify(all)).not.toMatch(/zebrafish/i)
    const durations = seriesOf("linkbower_http_request_duration_seconds")
    expect(durations.length).toBeGreaterThan(3)
    for (const { value } of durations)
      if (typeof value !== "object" || value.count === 0) throw new Error("a series without a duration")
  })
})

describe("a refusal is counted by its gate", () => {
  const refused = (gate: string) => countOf("linkbower_gate_refusals_total", { gate })
  const foreign = { update_id: 1, message: { message_id: 1, chat: { id: 999 }, text: "https://example.org" } }

  for (const [gate, ask] of Object.entries({
    webhook: () => app.request("POST", "/webhook", {}),
    chat: () => app.webhook(foreign),
    extension: () => app.capture({ url: "https://example.org" }, { authorization: "Bearer wrong" }),
    dashboard: () => app.request("GET", "/dashboard/api/meta")
  }))
    test(gate, async () => {
      const before = refused(gate)
      await ask()
      expect(refused(gate)).toBe(before + 1)
    })
})

test("saves and captures are counted by where they came from and what became of them", async () => {
  const added = () => countOf("linkbower_links_saved_total", { source: "capture" })
  const saved = () => countOf("linkbower_captures_total", { outcome: "saved" })
  const before = [added(), saved()]
  expect((await app.capture({ url: "https://example.org/counted" })).status).toBe(200)
  expect((await app.capture({ url: "https://example.org/counted" })).status).toBe(200)
  // The second of them has added nothing.
  expect([added() - (before[0] ?? 0), saved() - (before[1] ?? 0)]).toEqual([1, 2])
})
