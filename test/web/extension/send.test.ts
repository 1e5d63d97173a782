import { describe, expect, test } from "bun:test"
import { retryAfter, send } from "../../../web/extension/send.ts"
import { capture } from "./fakeBrowser.ts"
import { fakeFetch, json, page, settings } from "./fakeService.ts"

const NOW = Date.parse("2026-11-20T12:00:00Z")

const article = { html: "<p>What I saw</p>", title: "T", byline: "", lang: "en" }

const sendTo = async (response: Response | null) => {
  const { asked, fetch } = fakeFetch(() => response)
  const outcome = await send(capture({ id: "an-id", note: "why" }), {}, settings, fetch, () => NOW)
  return { asked, outcome }
}

describe("sending a capture", () => {
  test("sends the token and the capture's key, and no cookies", async () => {
    const more = { ...settings, headers: "CF-Access-Client-Id: abc\nAuthorization-Extra: x" }
    const { asked, fetch } = fakeFetch(() => json(200, { status: "saved", url: "", title: "" }))
    const page = capture({ id: "an-id", url: "https://example.org/", note: "why", title: "T" })
    expect(await send(page, {}, more, fetch, () => NOW)).toEqual({ kind: "delivered" })
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

  test("sends the passage to highlight", async () => {
    const { asked, fetch } = fakeFetch(() => json(202, { status: "accepted", url: "" }))
    const highlight = { quote: "a passage", prefix: "before ", suffix: " after" }
    await send({ ...capture({ id: "an-id", note: "" }), highlight }, {}, settings, fetch, () => NOW)
    expect(JSON.parse(String(asked[0]?.init.body))).toMatchObject({ highlight })
  })

  test.each([
    ["202", json(202, { status: "accepted", url: "" }), { kind: "delivered" }],
    [
      "200 with words for the user",
      json(200, { status: "saved", url: "", title: "", notice: "Private now." }),
      { kind: "delivered", notice: "Private now." }
    ],
    ["204", new Response(null, { status: 204 }), { kind: "delivered" }],
    ["400", json(400, { error: "bad_request", message: "No." }), { kind: "refused", message: "No." }],
    ["422 without words", new Response("", { status: 422 }), { kind: "refused", message: "422" }],
    [
      "409 for a key of an earlier attempt",
      json(409, { error: "idempotency_key_reused", message: "" }),
      { kind: "delivered" }
    ],
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

describe("a capture with the page's text", () => {
  const bodies = (asked: ReturnType<typeof fakeFetch>["asked"]) =>
    asked.map(({ init }) => JSON.parse(String(init.body)))
  /** Answers with each response in turn; null is a connection that ends. */
  const sendThrough = async (responses: Array<Response | null>, attempts = 0) => {
    const { asked, fetch } = fakeFetch(() => responses.shift() ?? null)
    const page = { ...capture({ tags: ["rust"], collection: "Reading / Rust" }), attempts }
    return { outcome: await send(page, { article }, settings, fetch, () => NOW), bodies: bodies(asked) }
  }

  test("has it in one request, with tags and collection", async () => {
    const { bodies, outcome } = await sendThrough([json(202, {})])
    expect(outcome).toEqual({ kind: "delivered" })
    expect(bodies).toMatchObject([{ article, tags: ["rust"], collection: "Reading / Rust" }])
  })

  test("goes without it at once if the way is too narrow, and is never refused for it", async () => {
    const { bodies, outcome } = await sendThrough([page(413), json(200, {})])
    expect(outcome).toEqual({ kind: "delivered" })
    expect(bodies.map((body) => "article" in body)).toEqual([true, false])
  })

  test("goes without it if the connection ends again, but not if the service is just away", async () => {
    expect((await sendThrough([null])).bodies.length).toBe(1)
    const again = await sendThrough([null, json(200, {})], 1)
    expect([again.outcome, again.bodies.length]).toEqual([{ kind: "delivered" }, 2])
    const away = await sendThrough([null, null], 1)
    expect(away.outcome).toEqual({ kind: "later", trouble: "unreachable", after: undefined })
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
