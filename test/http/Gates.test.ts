import { afterAll, describe, expect, test } from "bun:test"
import { shellAssets } from "../../dist/app/assets.ts"
import { accessToken, makeApp, settings } from "../support/app.ts"

const app = makeApp()
afterAll(() => app.dispose())

const secret = { "x-telegram-bot-api-secret-token": settings.WEBHOOK_SECRET }
const update = { update_id: 1, message: { message_id: 1, chat: { id: 4242 }, text: "https://example.org/" } }
const W = settings.WEBHOOK_SECRET
const E = settings.EXTENSION_TOKEN

describe("gate 1, the webhook's secret", () => {
  for (const [why, headers] of Object.entries({
    "no header": {},
    "another last character": { "x-telegram-bot-api-secret-token": `${W.slice(0, -1)}0` },
    "one character more": { "x-telegram-bot-api-secret-token": `${W}x` },
    "one character less": { "x-telegram-bot-api-secret-token": W.slice(0, -1) },
    capitals: { "x-telegram-bot-api-secret-token": W.toUpperCase() },
    "an empty header": { "x-telegram-bot-api-secret-token": "" },
    "the header twice": { "x-telegram-bot-api-secret-token": `${W}, ${W}` },
    "the secret as a bearer": { authorization: `Bearer ${W}` },
    "another header's name": { "x-chat-bot-api-secret-token": W },
    "the extension's token": { "x-telegram-bot-api-secret-token": E }
  }))
    test(`answers ${why} with the same 403, whatever the body is`, async () => {
      for (const body of [update, "not json", undefined]) {
        const response = await app.request("POST", "/webhook", body, headers)
        expect(response.status).toBe(403)
        expect(await response.json()).toEqual({ error: "forbidden", message: expect.any(String) })
      }
    })
  test("stays closed while the secret is unset or empty", async () => {
    for (const WEBHOOK_SECRET of [undefined, ""]) {
      const closed = makeApp({ WEBHOOK_SECRET })
      for (const given of [undefined, "", "undefined"]) {
        const headers = given === undefined ? {} : { "x-telegram-bot-api-secret-token": given }
        expect((await closed.request("POST", "/webhook", update, headers)).status).toBe(403)
      }
      await closed.dispose()
    }
  })
  test("lets the right secret in, to a body that must be JSON", async () => {
    expect((await app.request("POST", "/webhook", `{"update_id":`, secret)).status).toBe(400)
    for (const odd of ["null", "[]", "5", '"x"', "{}", '{"update_id":9}', '{"update_id":"9","message":{}}'])
      expect((await app.request("POST", "/webhook", odd, secret)).status).toBe(200)
    expect((await app.request("POST", "/webhook", "x".repeat(1_100_000), secret)).status).toBe(413)
  })
  test("never answers GET with a file", async () => {
    for (const [path, status] of [
      ["/webhook", 405],
      ["/webhook/", 405],
      ["/webhook/x", 404],
      ["//webhook", 400],
      ["/webhook%2f", 400]
    ] as const)
      expect([path, (await app.request("GET", path)).status]).toEqual([path, status])
    expect((await app.request("GET", "/webhook")).headers.get("allow")).toBe("POST")
  })
})

describe("gate 2, the chat", () => {
  for (const id of [4243, "4242", 4242.5, null, {}, [4242]])
    test(`acknowledges and forgets an update of chat ${JSON.stringify(id)}`, async () => {
      const foreign = makeApp()
      const response = await foreign.webhook({ ...update, message: { ...update.message, chat: { id } } })
      expect(response.status).toBe(200)
      await foreign.settled()
      expect((await (await foreign.owner("GET", "/api/links")).json()).total).toBe(0)
      expect(foreign.sent).toEqual([])
      await foreign.dispose()
    })
  for (const ALLOWED_CHAT_ID of [undefined, "", "abc", "0x1092", "4242,4243", "NaN"])
    test(`serves nobody while the setting is ${JSON.stringify(ALLOWED_CHAT_ID)}`, async () => {
      const closed = makeApp({ ALLOWED_CHAT_ID })
      expect((await closed.webhook(update)).status).toBe(200)
      await closed.settled()
      expect((await (await closed.owner("GET", "/api/links")).json()).total).toBe(0)
      await closed.dispose()
    })
})

describe("gate 3, the extension's token", () => {
  const bodies = new Set<string>()
  for (const [why, authorization] of Object.entries({
    "no header": undefined,
    "a wrong token": "Bearer wrong",
    "no token": "Bearer ",
    "two tokens": `Bearer ${E} ${E}`,
    "two headers": `Bearer ${E}, Bearer ${E}`,
    "another scheme": `Basic ${E}`,
    "a bare token": E,
    "the webhook's secret": `Bearer ${W}`
  }))
    test(`answers ${why} with the same 401 before the body is read`, async () => {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
      const response = await app.request("POST", "/capture/api/link", "not json", headers)
      expect(response.status).toBe(401)
      expect(response.headers.get("www-authenticate")).toBe("Bearer")
      bodies.add(await response.text())
      expect(bodies.size).toBe(1)
    })
  test("takes the scheme in any case", async () => {
    const response = await app.request("POST", "/capture/api/link", {}, { authorization: `bearer ${E}` })
    expect(response.status).toBe(400)
  })
  test("opens no dashboard", async () => {
    for (const path of ["/dashboard", "/dashboard/api/links", "/dashboard/api/meta"])
      expect((await app.request("GET", path, undefined, { authorization: `Bearer ${E}` })).status).toBe(403)
  })
  test.each(["chrome-extension://abcdefghijklmnop", "moz-extension://2c127fa4-62c7-7e4f-90e5-472b45eecfdc"])(
    "answers a preflight of an extension alone: %s",
    async (origin) => {
      const response = await app.request("OPTIONS", "/capture/api/link", undefined, { origin })
      expect(response.status).toBe(204)
      expect(response.headers.get("access-control-allow-origin")).toBe(origin)
      expect(response.headers.get("access-control-allow-methods")).toContain("POST")
      expect(response.headers.get("access-control-allow-headers")?.split(", ")).toEqual([
        "authorization",
        "content-type",
        "idempotency-key"
      ])
      expect(response.headers.get("access-control-allow-credentials")).toBeNull()
      expect(response.headers.get("vary")).toBe("Origin")
      const refused = await app.request("POST", "/capture/api/link", {}, { origin })
      expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([401, origin])
      expect(refused.headers.get("access-control-expose-headers")).toBe("retry-after")
      const foreign = await app.request("OPTIONS", "/capture/api/link", undefined, {
        origin: "https://evil.example"
      })
      expect(foreign.headers.get("access-control-allow-origin")).toBeNull()
    }
  )
})

describe("gate 4, the access gateway", () => {
  const closed = [
    ["GET", "/dashboard"],
    ["GET", "/dashboard/"],
    ["GET", "/dashboard/anything"],
    ["GET", "/dashboard/api/links"],
    ["GET", "/dashboard/api/meta"],
    ["GET", "/dashboard/api/nope"],
    ["GET", "/dashboard/api/mutate"],
    ["POST", "/dashboard/api/mutate"],
    ["POST", "/dashboard/api/action"],
    ["GET", "/dashboard/api/jobs/1"]
  ] as const
  test("answers everything below /dashboard with one and the same 403", async () => {
    const seen = new Set<string>()
    for (const [method, path] of closed) {
      const response = await app.request(
        method,
        path,
        method === "POST" ? { op: "delete", ids: [1] } : undefined
      )
      expect([path, response.status]).toEqual([path, 403])
      expect(response.headers.get("cache-control")).toBe("no-store")
      seen.add(await response.text())
    }
    expect(seen.size).toBe(1)
  })
  test("opens to the gateway's header, and to its cookie", async () => {
    const token = await accessToken()
    const status = async (headers: Record<string, string>) =>
      (await app.request("GET", "/dashboard/api/meta", undefined, headers)).status
    expect(await status({ "cf-access-jwt-assertion": token })).toBe(200)
    expect(await status({ cookie: `a=b; CF_Authorization=${token}` })).toBe(200)
    expect(await status({ authorization: `Bearer ${token}` })).toBe(403)
    expect(await status({ "cf-access-authenticated-user-email": "owner@example.com" })).toBe(403)
    expect(await status({ "x-forwarded-for": "127.0.0.1" })).toBe(403)
  })
  test("stays closed while it is not set up", async () => {
    for (const missing of [
      { ACCESS_AUD: undefined },
      { ACCESS_TEAM_DOMAIN: undefined },
      { ACCESS_AUD: "", ACCESS_TEAM_DOMAIN: "" }
    ]) {
      const unset = makeApp(missing)
      expect((await unset.owner("GET", "/api/meta")).status).toBe(403)
      await unset.dispose()
    }
  })
  test("is open with DEV_NO_AUTH=1 and with nothing but 1", async () => {
    for (const [DEV_NO_AUTH, status] of [
      ["1", 200],
      ["true", 403],
      ["0", 403],
      ["", 403],
      [" 1", 403]
    ] as const) {
      const dev = makeApp({ DEV_NO_AUTH })
      const host = { host: "localhost:8787" }
      const answer = await dev.request("GET", "/dashboard/api/meta", undefined, host)
      expect([DEV_NO_AUTH, answer.status]).toEqual([DEV_NO_AUTH, status])
      await dev.dispose()
    }
  })
  test("has no second spelling of its path", async () => {
    for (const [path, status] of [
      ["/Dashboard", 404],
      ["/dashboard%2fapi/links", 400],
      ["/dashboard;x/api/links", 400],
      ["/app/../dashboard/api/links", 403],
      ["/%64ashboard/api/links", 400],
      ["//dashboard/api/links", 400]
    ] as const)
      expect([path, (await app.request("GET", path)).status]).toEqual([path, status])
  })
})

describe("changes from other sites", () => {
  const change = async (headers: Record<string, string>, body: unknown = { op: "delete", ids: [12345] }) =>
    (
      await app.request("POST", "/dashboard/api/mutate", body, {
        "cf-access-jwt-assertion": await accessToken(),
        ...headers
      })
    ).status
  // A link that does not exist: what gets through the gate is a 404.
  for (const [why, headers, status] of [
    ["a cross-site request", { "sec-fetch-site": "cross-site" }, 403],
    ["a same-site request", { "sec-fetch-site": "same-site" }, 403],
    ["a foreign origin", { origin: "https://evil.example" }, 403],
    ["a null origin", { origin: "null" }, 403],
    ["the service's own page", { "sec-fetch-site": "same-origin" }, 404],
    ["its own origin", { origin: "http://localhost", host: "localhost" }, 404],
    ["a program", {}, 404],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }, 415],
    ["plain text", { "content-type": "text/plain" }, 415]
  ] as const)
    test(`${status === 404 ? "may" : "may not"} come as ${why}`, async () =>
      expect(await change(headers)).toBe(status))
  test("nor by GET, whatever header asks for it", async () => {
    const response = await app.request("GET", "/dashboard/api/mutate?op=delete&ids=1", undefined, {
      "cf-access-jwt-assertion": await accessToken(),
      "x-http-method-override": "POST"
    })
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"])
  })
})

describe("every answer", () => {
  test("carries its security headers, and pages a policy without inline code", async () => {
    for (const path of [
      "/",
      "/list",
      "/list/api/links",
      "/nope",
      "/dashboard",
      "/healthz",
      shellAssets.style,
      "/list/feed.xml"
    ]) {
      const { headers } = await app.request("GET", path)
      expect([path, headers.get("x-content-type-options")]).toEqual([path, "nosniff"])
      expect(headers.get("referrer-policy")).toBe("no-referrer")
      expect(headers.get("content-security-policy")).toContain("default-src 'none'")
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
      expect(headers.get("content-security-policy")).not.toContain("unsafe")
    }
  })
  test("is a 404 with the contract's body where nothing is", async () => {
    for (const path of [
      "/nope",
      "/app/%2e%2e/%2e%2e/etc/passwd",
      "/.env",
      "/library.db",
      "/capture/api/nope",
      "/list/api/nope",
      "/app/unknown.js"
    ]) {
      const response = await app.request("GET", path)
      expect([path, response.status]).toEqual([path, 404])
      expect(await response.json()).toEqual({ error: "not_found", message: expect.any(String) })
    }
    expect((await app.request("DELETE", "/list/api/links")).status).toBe(405)
  })
})
