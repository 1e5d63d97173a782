import { afterAll, beforeAll, expect, test } from "bun:test"
import { request as httpRequest } from "node:http"
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import { fakeTelegram } from "../support/fakes.ts"
import { identityProvider } from "../support/identityProvider.ts"
import { ask } from "../support/raw.ts"
import { type Running, startService, until, WEBHOOK_SECRET } from "../support/service.ts"

/** Gate 4 of the whole service, over real connections: each test sets up one way in, while the service runs. */

const CHAT = 4242
const telegram = fakeTelegram()
let service: Running

beforeAll(async () => {
  service = await startService({
    TELEGRAM_API_URL: telegram.url,
    WEBHOOK_SECRET,
    ALLOWED_CHAT_ID: String(CHAT)
  })
})
afterAll(async () => {
  await service.stop()
  service.clean()
  await telegram.stop()
})

/** Requests the dashboard's API over a connection from a local address. */
const statusFrom = (localAddress: string, headers: Record<string, string | ReadonlyArray<string>>) =>
  new Promise<number>((resolve, reject) => {
    const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat()]))
    httpRequest(
      `${service.base}/dashboard/api/meta`,
      { localAddress, headers: given, agent: false },
      (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      }
    )
      .on("error", reject)
      .end()
  })

test("a trusted proxy's header opens the dashboard from that proxy's address alone", async () => {
  const named = { "Remote-User": "ann" }
  expect(await statusFrom("127.0.0.1", named)).toBe(403)
  service.writeEnv({ TRUSTED_PROXY: "127.0.0.2", TRUSTED_HEADER: "Remote-User: ann" })
  expect(await statusFrom("127.0.0.2", named)).toBe(200)
  expect(await statusFrom("127.0.0.1", named)).toBe(403)
  for (const claim of [
    { "X-Forwarded-For": "127.0.0.2" },
    { "X-Real-IP": "127.0.0.2" },
    { Forwarded: "for=127.0.0.2" }
  ])
    expect(await statusFrom("127.0.0.1", { ...named, ...claim })).toBe(403)
  expect(await statusFrom("127.0.0.2", { ...named, "X-Forwarded-For": "192.0.2.1" })).toBe(200)
  for (const headers of [
    {},
    { "Remote-User": "bob" },
    { "Remote-User": ["bob", "ann"] },
    { "Remote-User": ["ann", "ann"] }
  ])
    expect(await statusFrom("127.0.0.2", headers)).toBe(403)
  service.writeEnv({ TRUSTED_PROXY: "127.0.0.3", TRUSTED_HEADER: "Remote-User: ann" })
  expect(await statusFrom("127.0.0.2", named)).toBe(403)
  service.writeEnv({ TRUSTED_PROXY: "::ffff:127.0.0.0/104", TRUSTED_HEADER: "Remote-User: ann" })
  expect(await statusFrom("127.0.0.3", named)).toBe(200)
})

test("a header is one value or none, however its bytes are sent", async () => {
  service.writeEnv({ TRUSTED_PROXY: "127.0.0.1", TRUSTED_HEADER: "Remote-User: ann" })
  const host = "Host: localhost"
  for (const [admitted, lines] of [
    [true, ["Remote-User: ann"]],
    [true, ["REMOTE-USER:ann"]],
    [true, ["Remote-User:  ann  "]],
    [false, ["Remote-User: ann", "Remote-User: "]],
    [false, ["Remote-User: ", "Remote-User: ann"]],
    [false, ["Remote-User: bob", "remote-user: ann"]],
    [false, ["Remote-User: ann,bob"]],
    [false, ["Remote-User: ann\u0000"]],
    [false, ["Remote-User : ann"]],
    [false, ["Remote-User:", " ann"]],
    [false, ["X-Other: x\nRemote-User: ann"]],
    [false, ["Remote_User: ann"]]
  ] as const) {
    const { status } = await ask(service.base, { target: "/dashboard/api/meta", lines: [host, ...lines] })
    expect([lines, status === 200]).toEqual([lines, admitted])
  }
})

test("a signed token opens the dashboard", async () => {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true })
  const keys = [{ ...(await exportJWK(publicKey)), kid: "k1", alg: "ES256" }]
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => Response.json({ keys }) })
  const issuer = "https://pomerium.example.org"
  const sign = (audience: string) =>
    new SignJWT({ sub: "ann" })
      .setProtectedHeader({ alg: "ES256", kid: "k1" })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime("1m")
      .sign(privateKey)
  const settings = {
    JWT_ISSUER: issuer,
    JWT_KEYS_URL: `http://127.0.0.1:${server.port}/jwks`,
    JWT_AUDIENCE: "links.example.org",
    JWT_HEADER: "X-Pomerium-Jwt-Assertion",
    JWT_ALLOW: "ann"
  }
  const given = { "x-pomerium-jwt-assertion": await sign("links.example.org") }
  expect(await statusFrom("127.0.0.1", given)).toBe(403)
  service.writeEnv(settings)
  expect(await statusFrom("127.0.0.1", given)).toBe(200)
  expect(await statusFrom("127.0.0.1", { "x-pomerium-jwt-assertion": await sign("wiki.example.org") })).toBe(
    403
  )
  expect(
    await statusFrom("127.0.0.1", { "cf-access-jwt-assertion": given["x-pomerium-jwt-assertion"] })
  ).toBe(403)
  service.writeEnv({ ...settings, JWT_ALLOW: "bob" })
  expect(await statusFrom("127.0.0.1", given)).toBe(403)
  await server.stop(true)
})

const cookieFrom = (response: Response, name: string) =>
  response.headers
    .getSetCookie()
    .find((line) => line.startsWith(`${name}=`))
    ?.split(";", 1)[0] ?? ""

test("the button in the owner's chat signs a browser in", async () => {
  service.writeEnv({ TELEGRAM_BOT_TOKEN: "123456:a-bot-token" })
  const asked = await fetch(`${service.base}/signin/api/bot`, { method: "POST" })
  expect(asked.status).toBe(202)
  const cookie = cookieFrom(asked, "linkbower_question")
  const look = async () => {
    const response = await fetch(`${service.base}/signin/api/bot`, { headers: { cookie } })
    return { state: (await response.json()).state, session: cookieFrom(response, "linkbower_session") }
  }
  expect((await look()).state).toBe("waiting")
  const question = await until(() => telegram.calls.find(({ method }) => method === "sendMessage"))
  const [, data = ""] = /"callback_data":"([^"]+:1)"/.exec(JSON.stringify(question.body)) ?? []
  const update = {
    update_id: 77,
    callback_query: {
      id: "7",
      from: { id: CHAT, is_bot: false },
      data,
      message: { message_id: 500_001, date: 1, chat: { id: CHAT, type: "private" } }
    }
  }
  const headers = { "content-type": "application/json", "x-telegram-bot-api-secret-token": WEBHOOK_SECRET }
  await fetch(`${service.base}/webhook`, { method: "POST", headers, body: JSON.stringify(update) })
  const { session } = await until(async () => {
    const looked = await look()
    return looked.state === "allowed" ? looked : undefined
  })
  expect((await fetch(`${service.base}/dashboard/api/meta`, { headers: { cookie: session } })).status).toBe(
    200
  )
  const edit = await until(() => telegram.calls.find(({ method }) => method === "editMessageText"))
  expect(String(edit.body["text"])).toBe("Allowed. Signed in from Unknown device, 127.0.0.1.")
  expect(telegram.problems).toEqual([])
})

test("a certified provider signs a browser in", async () => {
  const provider = await identityProvider(`${service.base}/signin/oidc/callback`)
  provider.signsIn({ sub: "ann-1", email: "ann@example.org", email_verified: true })
  service.writeEnv({
    OIDC_ISSUER: provider.url,
    OIDC_CLIENT_ID: "linkbower",
    OIDC_CLIENT_SECRET: "a secret: with 100% of it",
    OIDC_ALLOW: "ann@example.org"
  })
  const cookies = new Map<string, string>()
  let location = `${service.base}/signin/oidc?to=/dashboard/settings`
  for (let steps = 0; steps < 12 && location !== `${service.base}/dashboard/settings`; steps++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const response = await fetch(location, { redirect: "manual", headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";", 1)[0] ?? "").split("=", 2)
      cookies.set(name, value)
    }
    location = new URL(response.headers.get("location") ?? "", location).href
  }
  expect(location).toBe(`${service.base}/dashboard/settings`)
  const cookie = `linkbower_session=${cookies.get("linkbower_session")}`
  expect((await fetch(`${service.base}/dashboard/api/meta`, { headers: { cookie } })).status).toBe(200)
  await provider.stop()
})
