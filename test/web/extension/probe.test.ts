import { describe, expect, test } from "bun:test"
import { probe } from "../../../web/extension/probe.ts"
import { CAPTURE_PATH } from "../../../web/extension/request.ts"
import { fakeFetch, json, page, settings } from "./fakeService.ts"

const NOW = Date.parse("2026-11-20T12:00:00Z")
const missing = () => json(400, { error: "bad_request", message: 'The field "url" is missing or invalid.' })
const up = () => json(200, { status: "ok", version: "0.1.0" })

const test1 = async (
  capture: Response | null,
  health: Response | null = null,
  more: { readonly online?: boolean; readonly permitted?: boolean; readonly token?: string } = {}
) => {
  const { asked, fetch } = fakeFetch((path) => (path === CAPTURE_PATH ? capture : health))
  const verdict = await probe(
    { ...settings, token: more.token ?? "secret" },
    {
      fetch,
      now: () => NOW,
      online: () => more.online ?? true,
      permitted: async () => more.permitted ?? true
    }
  )
  return { verdict, asked }
}

describe("testing the settings", () => {
  test("proves the token without saving anything", async () => {
    const { asked, verdict } = await test1(missing())
    expect(verdict).toEqual({ finding: "works" })
    expect(asked.map(({ address, init }) => [address, init.body])).toEqual([
      [`${settings.address}${CAPTURE_PATH}`, '{"ping":true}']
    ])
  })

  test.each([
    ["token", json(401, { error: "unauthorized", message: "" }), null],
    ["gateway", page(401), null],
    ["gateway", page(403), null],
    ["redirected", new Response(null, { status: 302 }), null],
    ["busy", json(429, {}), null],
    ["failing", json(503, {}), null],
    ["unreachable", null, null],
    ["foreign", null, page(200)],
    ["foreign", page(404), page(404)],
    ["foreign", page(200), json(200, { status: "ok" })],
    ["gateway", page(404), up()],
    ["gateway", page(404), page(403)],
    ["redirected", page(405), new Response(null, { status: 302 })]
  ] as const)("reports %s", async (finding, capture, health) => {
    expect((await test1(capture, health)).verdict).toEqual({ finding })
  })

  test("reports that this computer is offline instead of the service", async () => {
    expect((await test1(null, null, { online: false })).verdict).toEqual({ finding: "offline" })
  })

  test("sends no request without a permission or a token", async () => {
    const forbidden = await test1(missing(), up(), { permitted: false })
    expect([forbidden.verdict.finding, forbidden.asked.length]).toEqual(["permission", 0])
    const bare = await test1(missing(), up(), { token: "" })
    expect([bare.verdict.finding, bare.asked.length]).toEqual(["noToken", 0])
  })

  test("reports a clock that is wrong by more than five minutes", async () => {
    const dated = (date: string) => json(400, { message: 'The field "url"' }, { date })
    expect((await test1(dated("Fri, 20 Nov 2026 11:58:00 GMT"))).verdict).toEqual({ finding: "works" })
    expect((await test1(dated("Fri, 20 Nov 2026 13:00:00 GMT"))).verdict).toEqual({
      finding: "works",
      clock: -60
    })
  })
})
