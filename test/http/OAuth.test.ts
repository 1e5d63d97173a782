import { expect } from "bun:test"
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError
} from "@modelcontextprotocol/client"
import { type App, appTests } from "../support/app.ts"
import { published } from "../support/noOutside.ts"
import {
  allowed,
  consent,
  ISSUER,
  queryOf,
  REDIRECT,
  redeem,
  register,
  renew,
  statusWith
} from "../support/oauth.ts"
import { rowsOf } from "../support/rows.ts"

const appTest = appTests()

/** A program with the official client, whose browser is the owner's; it may publish a description at this address. */
const officialClient = (app: App, clientMetadataUrl?: string) => {
  const kept: {
    client?: Awaited<ReturnType<OAuthClientProvider["clientInformation"]>>
    tokens?: Awaited<ReturnType<OAuthClientProvider["tokens"]>>
    verifier: string
    asked?: URL
  } = { verifier: "" }
  const provider: OAuthClientProvider = {
    redirectUrl: REDIRECT,
    ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
    clientMetadata: { client_name: "Official client", redirect_uris: [REDIRECT] },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => {
      kept.client = client
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens
    },
    redirectToAuthorization: (url) => {
      kept.asked = url
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier
  }
  const seen: Array<string> = []
  const connect = async () => {
    const transport = new StreamableHTTPClientTransport(new URL(`${ISSUER}/mcp`), {
      authProvider: provider,
      fetch: async (url, init) => {
        const { pathname, search } = new URL(url)
        seen.push(`${init?.method ?? "GET"} ${pathname}`)
        const body = init?.body == null ? undefined : String(init.body)
        return app.request(
          init?.method ?? "GET",
          pathname + search,
          body,
          Object.fromEntries(new Headers(init?.headers))
        )
      }
    })
    const client = new Client({ name: "test", version: "1" })
    return { client, transport, connected: client.connect(transport) }
  }
  return { connect, kept, seen }
}

appTest(
  "the official client registers, is allowed, calls, renews, and is refused once revoked",
  async (app) => {
    const { connect, kept, seen } = officialClient(app)
    const first = await connect()
    expect(await first.connected.catch((error: unknown) => error)).toBeInstanceOf(UnauthorizedError)
    expect(seen).toContain("GET /.well-known/oauth-protected-resource/mcp")
    expect(seen).toContain("GET /.well-known/oauth-authorization-server")
    expect(kept.asked?.pathname).toBe("/dashboard/authorize")
    expect(kept.asked?.searchParams.get("resource")).toBe(`${ISSUER}/mcp`)
    expect(kept.asked?.searchParams.get("scope")).toBe("read save change")

    const page = await app.owner("GET", `/authorize${kept.asked?.search}`)
    expect(page.status).toBe(200)
    expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
    expect(page.headers.get("cache-control")).toBe("no-store")
    const text = await page.text()
    for (const said of ["Official client", "agent.example", "Read your library", "Change links"])
      expect(text).toContain(said)

    // The owner takes one of the scopes away.
    const { answered, location } = await consent(app, kept.asked?.search.slice(1) ?? "", ["read", "save"])
    expect(location?.href).toStartWith(`${REDIRECT}?`)
    await first.transport.finishAuth(answered)
    expect(kept.tokens).toMatchObject({ token_type: "Bearer", scope: "read save", expires_in: 3_600 })

    const second = await connect()
    await second.connected
    const saved = await second.client.callTool({
      name: "save",
      arguments: { url: "https://example.org/kept" }
    })
    expect(saved.isError).not.toBe(true)
    // The client asks the owner for the scope that a tool lacks, beside those that it has.
    const edit = { name: "edit", arguments: { id: 1, title: "Other" } }
    expect(await second.client.callTool(edit).catch((error: unknown) => error)).toBeInstanceOf(
      UnauthorizedError
    )
    expect(kept.asked?.searchParams.get("scope")?.split(" ").sort()).toEqual(["change", "read", "save"])
    const more = await consent(app, kept.asked?.search.slice(1) ?? "", ["read", "save", "change"])
    await second.transport.finishAuth(more.answered)
    expect((await second.client.callTool(edit)).isError).not.toBe(true)

    const { tokens } = await (await app.owner("GET", "/api/tokens")).json()
    expect(tokens).toEqual([
      expect.objectContaining({
        name: "Official client",
        scopes: ["read", "save", "change"],
        client: { returnsTo: "agent.example" },
        lastUsedAt: expect.any(String)
      })
    ])

    // An access token that is over: the client renews it by itself.
    const before = kept.tokens
    kept.tokens = { ...before, access_token: "lb_over", token_type: "Bearer" }
    const third = await connect()
    await third.connected
    expect(kept.tokens.refresh_token).not.toBe(before?.refresh_token)
    expect((await third.client.listTools()).tools.length).toBeGreaterThan(5)

    expect((await app.owner("DELETE", `/api/tokens/${tokens[0].id}`)).status).toBe(204)
    expect(await third.client.listTools().catch((error: unknown) => error)).toBeInstanceOf(Error)
    expect(await statusWith(app, kept.tokens.access_token)).toBe(401)
  }
)

/** Publishes a program's description for a while; returns its address. */
const publish = (address: string, changed: object = {}, maxAge?: number) => {
  const json = { client_id: address, client_name: "Published", redirect_uris: [REDIRECT], ...changed }
  published.set(address, { json, maxAge, reads: 0 })
  return address
}

appTest("the official client names itself by the address of its description", async (app) => {
  const address = publish("https://agent.example/official.json")
  const { connect, kept, seen } = officialClient(app, address)
  const first = await connect()
  expect(await first.connected.catch((error: unknown) => error)).toBeInstanceOf(UnauthorizedError)
  expect(seen).not.toContain("POST /oauth/register")
  expect(kept.asked?.searchParams.get("client_id")).toBe(address)
  const page = await app.owner("GET", `/authorize${kept.asked?.search}`)
  const text = await page.text()
  for (const said of ["Published", "Described by", "agent.example"]) expect(text).toContain(said)
  const { answered } = await consent(app, kept.asked?.search.slice(1) ?? "")
  await first.transport.finishAuth(answered)
  const second = await connect()
  await second.connected
  expect((await second.client.listTools()).tools.length).toBeGreaterThan(5)
  // Read once for the page, the consent and the tokens; a token that is over is renewed without it.
  expect(published.get(address)?.reads).toBe(1)
  published.delete(address)
  kept.tokens = { ...kept.tokens, access_token: "lb_over", token_type: "Bearer" }
  await (await connect()).connected
  const { tokens } = await (await app.owner("GET", "/api/tokens")).json()
  expect(tokens).toMatchObject([{ name: "Published", client: { returnsTo: "agent.example" } }])
})

appTest("a description holds for the time of a consent, whatever its server says", async (app) => {
  const address = publish("https://agent.example/changed.json", {}, 0)
  await consent(app, queryOf(address))
  const moved = "https://new.example/callback"
  publish(address, { redirect_uris: [moved] })
  // What the owner has just seen still holds.
  expect((await consent(app, queryOf(address))).location?.host).toBe("agent.example")
  expect(published.get(address)?.reads).toBe(0)
})

for (const [name, address, changed] of rowsOf<
  readonly [string, string, Readonly<Record<string, string | ReadonlyArray<string>>>]
>(import.meta, "OAuth"))
  appTest(`${name} is refused, and nothing is allowed`, async (app) => {
    publish(address, changed)
    const query = queryOf(address)
    const page = await app.owner("GET", `/authorize?${query}`)
    expect([page.status, page.headers.get("location")]).toEqual([400, null])
    expect((await consent(app, query)).body.error).toBe("bad_request")
  })

appTest("a stranger makes the service read no description, and an owner's browser few", async (app) => {
  const address = publish("https://agent.example/stranger.json")
  await app.request("GET", `/dashboard/authorize?${queryOf(address)}`)
  expect((await redeem(app, address, "lbc_x")).body.error).toBe("invalid_client")
  expect((await renew(app, address, "lbr_x")).body.error).toBe("invalid_client")
  expect(published.get(address)?.reads).toBe(0)
  const statuses: Array<number> = []
  for (let at = 0; at < 30; at++)
    statuses.push((await app.owner("GET", `/authorize?${queryOf(publish(`${address}${at}`))}`)).status)
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(21)
})

appTest("who declines sends the program back without a code", async (app) => {
  const { body } = await register(app)
  const { answered } = await consent(app, queryOf(body.client_id), [])
  expect(Object.fromEntries(answered)).toEqual({
    error: "access_denied",
    error_description: expect.any(String),
    state: "s1",
    iss: ISSUER
  })
})

appTest("a program that is allowed again keeps its row, its name and its history", async (app) => {
  const { client, tokens } = await allowed(app)
  const { answered } = await consent(app, queryOf(client, { scope: "read" }), ["read"])
  const { body } = await redeem(app, client, answered.get("code"))
  expect(await statusWith(app, tokens.access_token)).toBe(401)
  expect(await statusWith(app, body.access_token)).toBe(200)
  const other = await allowed(app)
  const { tokens: listed } = await (await app.owner("GET", "/api/tokens")).json()
  expect(listed.map(({ name, scopes }: { name: string; scopes: unknown }) => [name, scopes])).toEqual([
    ["Agent 2", ["read", "save"]],
    ["Agent", ["read"]]
  ])
  expect(other.client).not.toBe(client)
})

appTest("a renewing token is replaced, and an earlier one ends the access", async (app) => {
  const { client, tokens } = await allowed(app)
  const { body } = await renew(app, client, tokens.refresh_token)
  expect(await statusWith(app, tokens.access_token)).toBe(401)
  expect(await statusWith(app, body.access_token)).toBe(200)
  expect((await renew(app, client, tokens.refresh_token)).body.error).toBe("invalid_grant")
  expect(await statusWith(app, body.access_token)).toBe(401)
  expect((await renew(app, client, body.refresh_token)).body.error).toBe("invalid_grant")
})

for (const [name, settings] of [
  ["with DEV_NO_AUTH", { DEV_NO_AUTH: "1" }],
  ["at an address that anyone may have chosen", {}]
] as const)
  appTest(
    `${name}, nothing is described and no program registers`,
    async (app) => {
      const host: Record<string, string> = "DEV_NO_AUTH" in settings ? {} : { host: "links.example.com" }
      for (const path of [
        "oauth-protected-resource/mcp",
        "oauth-protected-resource",
        "oauth-authorization-server"
      ])
        expect((await app.request("GET", `/.well-known/${path}`, undefined, host)).status).toBe(404)
      const metadata = { redirect_uris: [REDIRECT] }
      expect((await app.request("POST", "/oauth/register", metadata, host)).status).toBe(403)
      const refused = await app.request("POST", "/mcp", {}, host)
      expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
        401,
        'Bearer scope="read save change"'
      ])
      if (!("DEV_NO_AUTH" in settings)) return
      const asked = await app.request("POST", "/dashboard/api/authorize", {
        request: queryOf("x"),
        scopes: ["read"]
      })
      expect(asked.status).toBe(403)
      expect((await redeem(app, "x", "y")).status).toBe(403)
    },
    settings
  )
