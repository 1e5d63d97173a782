import { describe, expect, test } from "bun:test"
import { retryAfter, send } from "../../../web/extension/send.ts"
import { capture } from "./fakeBrowser.ts"
import { fakeFetch, json, page, settings } from "./fakeService.ts"

const NOW = Date.parse("2026-11-20T12:00:00Z")

const sendTo = async (response: Response | null) => {
  const { asked, fetch } = fakeFetch(() => response)
  const outcome = await send(capture({ id: "an-id", note: "why" }), settings, fetch, () => NOW)
  return { asked, outcome }
}

describe("sending a capture", () => {
  test("sends the token and the capture's key, and no cookies", async () => {
    const more = { ...settings, headers: "CF-Access-Client-Id: abc\nAuthorization-Extra: x" }
    const { asked, fetch } = fakeFetch(() => json(200, { status: "saved", url: "", title: "" }))
    const page = capture({ id: "an-id", url: "https://example.org/", note: "why", title: "T" })
    expect(await send(page, more, fetch, () => NOW)).toEqual({ kind: "delivered" })
    const [{ address, init } = { address: "", init: {} }] = asked
    expect(address).toBe("https://links.example.org/capture/api/link")
    expect(init.headers).toEqual({
      "CF-Access-Client-Id": "abc",
      "Authorization-Extra": "x",
      authorization: "Bearer secret",
      "content-type": "application/json",
      "idempotency-key": "an-id"
    })
    expect(JSON.parse(String(init.body))).toEqual({ url: "https://example.org/", note: "why", title: "T" })
    expect([init.method, init.credentials, init.redirect]).toEqual(["POST", "omit", "manual"])
  })

  test.each([
    ["202", json(202, { status: "accepted", url: "" }), { kind: "delivered" }],
    ["204", new Response(null, { status: 204 }), { kind: "delivered" }],
    ["400", json(400, { error: "bad_request", message: "No." }), { kind: "refused", message: "No." }],
    ["422 without words", new Response("", { status: 422 }), { kind: "refused", message: "422" }],
    ["401", json(401, { error: "unauthorized", message: "" }), { kind: "token" }],
    ["no network", null, { kind: "later", trouble: "unreachable", after: undefined }],
    ["500", json(500, {}), { kind: "later", trouble: "failing", after: undefined }],
    [
      "a busy service",
      json(429, {}, { "retry-after": "90" }),
      { kind: "later", trouble: "busy", after: 90_000 }
    ],
    [
      "a full disk",
      json(503, {}, { "retry-after": "5" }),
      { kind: "later", trouble: "failing", after: 5_000 }
    ],
    [
      "a redirect",
      new Response(null, { status: 302 }),
      { kind: "later", trouble: "redirected", after: undefined }
    ],
    ["a gateway", page(403), { kind: "later", trouble: "gateway", after: undefined }],
    ["a hotel's page", page(200), { kind: "later", trouble: "foreign", after: undefined }],
    ["another site", page(404), { kind: "later", trouble: "foreign", after: undefined }]
  ] as const)("classifies %s", async (_, response, expected) => {
    const { asked, outcome } = await sendTo(response)
    expect(outcome).toEqual(expected)
    expect(asked.length).toBe(1)
  })
})

test("reads Retry-After as seconds or a date, up to a day", () => {
  expect(retryAfter(null, NOW)).toBeUndefined()
  expect(retryAfter("soon", NOW)).toBeUndefined()
  expect(retryAfter("120", NOW)).toBe(120_000)
  expect(retryAfter("Fri, 20 Nov 2026 12:05:00 GMT", NOW)).toBe(300_000)
  expect(retryAfter("Fri, 20 Nov 2026 11:00:00 GMT", NOW)).toBe(0)
  expect(retryAfter("99999999", NOW)).toBe(24 * 3_600_000)
})
