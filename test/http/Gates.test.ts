import { afterAll, describe, expect, test } from "bun:test"
import { shellAssets } from "../../dist/app/assets.ts"
import { accessToken, makeApp, settings } from "../support/app.ts"

const app = makeApp()
afterAll(() => app.dispose())

const secret = { "x-telegram-bot-api-secret-token": settings.WEBHOOK_SECRET }
const update = { update_id: 1, message: { message_id: 1, chat: { id: 4242 }, text: "https://example.org/" } }
const W = settings.WEBHOOK_SECRET
const E = settings.EXTENSION_TOKEN

describe("the webhook's secret", () => {
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
    test(`answers 403 to ${why}, whatever the body is`, async () => {
      for (const body of [update, "not json", undefined]) {
        const response = await app.request("POST", "/webhook", body, headers)
        expect(response.status).toBe(403)
        expect(await response.json()).toEqual({ error: "forbidden", message: expect.any(String) })
      }
    })
  test("admits the right secret, with a JSON body", async () => {
    expect((await app.request("POST", "/webhook", `{"update_id":`, secret)).status).toBe(400)
    for (const odd of ["null", "[]", "5", '"x"', "{}", '{"update_id":9}', '{"update_id":"9","message":{}}'])
      expect((await app.request("POST", "/webhook", odd, secret)).status).toBe(200)
    expect((await app.request("POST", "/webhook", "x".repeat(1_100_000), secret)).status).toBe(413)
  })
  test("never serves a file to GET", async () => {
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

for (const unset of [undefined, ""])
  test(`every gate is closed while its setting is ${JSON.stringify(unset)}`, async () => {
    const closed = makeApp({
      WEBHOOK_SECRET: unset,
      EXTENSION_TOKEN: unset,
      ACCESS_AUD: unset,
      ACCESS_TEAM_DOMAIN: unset
    })
    for (const given of ["", "undefined", W])
      expect(
        (await closed.request("POST", "/webhook", update, { "x-telegram-bot-api-secret-token": given }))
          .status
      ).toBe(403)
    expect((await closed.request("POST", "/webhook", update)).status).toBe(403)
    for (const authorization of ["Bearer ", "Bearer undefined", `Bearer ${E}`])
      expect((await closed.capture({ url: "https://example.org" }, { authorization })).status).toBe(401)
    expect((await closed.owner("GET", "/api/meta")).status).toBe(403)
    await closed.dispose()
  })

describe("the allowed chat", () => {
  for (const id of [4243, "4242", 4242.5, null, {}, [4242]])
    test(`is not ${JSON.stringify(id)}: its updates are acknowledged and dropped`, async () => {
      const response = await app.webhook({ ...update, message: { ...update.message, chat: { id } } })
      expect(response.status).toBe(200)
      await app.settled()
      expect([await app.links(), app.sent]).toEqual([[], []])
    })
  for (const ALLOWED_CHAT_ID of [undefined, "abc"])
    test(`is no chat while the setting is ${JSON.stringify(ALLOWED_CHAT_ID)}`, async () => {
      const closed = makeApp({ ALLOWED_CHAT_ID })
      expect((await closed.webhook(update)).status).toBe(200)
      await closed.settled()
      expect(await closed.links()).toEqual([])
      await closed.dispose()
    })
})

describe("the extension's token", () => {
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
    test(`answers the same 401 to ${why}, before the body is read`, async () => {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
      const response = await app.request("POST", "/capture/api/link", "not json", headers)
      expect(response.status).toBe(401)
      expect(response.headers.get("www-authenticate")).toBe("Bearer")
      bodies.add(await response.text())
      expect(bodies.size).toBe(1)
    })
  test("may have its scheme in any case", async () => {
    const response = await app.request("POST", "/capture/api/link", {}, { authorization: `bearer ${E}` })
    expect(response.status).toBe(400)
  })
  test("does not open the dashboard", async () => {
    for (const path of ["/dashboard", "/dashboard/api/links", "/dashboard/api/meta"])
      expect((await app.request("GET", path, undefined, { authorization: `Bearer ${E}` })).status).toBe(403)
  })
  test.each(["chrome-extension://abcdefghijklmnop", "moz-extension://2c127fa4-62c7-7e4f-90e5-472b45eecfdc"])(
    "is allowed in requests of the extension only: %s",
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

describe("the access gateway", () => {
  const closed = [
    ["GET", "/dashboard"],
    ["GET", "/dashboard/"],
    ["GET", "/dashboard/anything"],
    ["GET", "/dashboard/api/links"],
    ["GET", "/dashboard/api/meta"],
    ["GET", "/dashboard/api/sites"],
    ["GET", "/dashboard/api/nope"],
    ["GET", "/dashboard/api/mutate"],
    ["POST", "/dashboard/api/mutate"],
    ["POST", "/dashboard/api/action"],
    ["GET", "/dashboard/api/jobs/1"]
  ] as const
  test("answers the same 403 to everything below /dashboard", async () => {
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
  test("answers people at every private address with the same page for signing in", async () => {
    const seen = new Set<string>()
    for (const [, path] of [
      ...closed,
      ["GET", "/setup"],
      ["GET", "/setup/x"],
      ["GET", "/connect"]
    ] as const) {
      const response = await app.request("GET", path, undefined, { accept: "text/html,*/*;q=0.8" })
      expect([path, response.status]).toEqual([path, 403])
      expect(response.headers.get("cache-control")).toBe("no-store")
      seen.add(`${await response.text()} ${JSON.stringify([...response.headers].toSorted())}`)
    }
    expect(seen.size).toBe(1)
    const [page = ""] = seen
    expect(page).toContain("<h1")
    expect(page).not.toContain("settings")
  })
  test("admits the gateway's header and its cookie", async () => {
    const token = await accessToken()
    const status = async (headers: Record<string, string>) =>
      (await app.request("GET", "/dashboard/api/meta", undefined, headers)).status
    expect(await status({ "cf-access-jwt-assertion": token })).toBe(200)
    expect(await status({ cookie: `a=b; CF_Authorization=${token}` })).toBe(200)
    expect(await status({ authorization: `Bearer ${token}` })).toBe(403)
    expect(await status({ "cf-access-authenticated-user-email": "owner@example.com" })).toBe(403)
    expect(await status({ "x-forwarded-for": "127.0.0.1" })).toBe(403)
  })
  test("is bypassed with DEV_NO_AUTH=1 only", async () => {
    for (const [DEV_NO_AUTH, status] of [
      ["1", 200],
      ["true", 403]
    ] as const) {
      const dev = makeApp({ DEV_NO_AUTH })
      const host = { host: "localhost:8787" }
      const answer = await dev.request("GET", "/dashboard/api/meta", undefined, host)
      expect([DEV_NO_AUTH, answer.status]).toEqual([DEV_NO_AUTH, status])
      await dev.dispose()
    }
  })
  test("covers every spelling of its path", async () => {
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

describe("a change of the library", () => {
  const change = async (headers: Record<string, string>, body: unknown = { op: "delete", ids: [12345] }) =>
    (
      await app.request("POST", "/dashboard/api/mutate", body, {
        "cf-access-jwt-assertion": await accessToken(),
        ...headers
      })
    ).status
  // The link does not exist, so an admitted change is a 404.
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
    test(`is ${status === 404 ? "admitted" : "rejected"} as ${why}`, async () =>
      expect(await change(headers)).toBe(status))
  test("is rejected as GET, whatever header overrides the method", async () => {
    const response = await app.request("GET", "/dashboard/api/mutate?op=delete&ids=1", undefined, {
      "cf-access-jwt-assertion": await accessToken(),
      "x-http-method-override": "POST"
    })
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"])
  })
})

describe("every response", () => {
  test("has security headers and a policy without inline code", async () => {
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
  test("is a 404 with a JSON error for an unknown path", async () => {
    for (const path of "/nope /app/%2e%2e/%2e%2e/etc/passwd /.env /library.db /capture/api/nope /list/api/nope /app/unknown.js".split(
      " "
    )) {
      const response = await app.request("GET", path)
      expect([path, response.status]).toEqual([path, 404])
      expect(await response.json()).toEqual({ error: "not_found", message: expect.any(String) })
    }
  })
})
