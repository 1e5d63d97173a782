import { expect } from "bun:test"
import { type App, accessToken, appTests } from "../support/app.ts"
import {
  allowed,
  challengeOf,
  consent,
  type Fields,
  ISSUER,
  post,
  queryOf,
  REDIRECT,
  redeem,
  register,
  renew,
  statusWith,
  VERIFIER
} from "../support/oauth.ts"

const appTest = appTests()

/** The error of an answer; undefined if the attack has succeeded. */
type Attack = (app: App) => Promise<unknown>

/** Registers with this redirect address. */
const redirecting =
  (address: string): Attack =>
  async (app) =>
    (await register(app, { redirect_uris: [address] })).body.error

/** Registers with other metadata than a program needs. */
const registering =
  (metadata: object): Attack =>
  async (app) =>
    (await register(app, metadata)).body.error

/** Opens the consent page and answers it with these parameters; the program has registered `addresses`. */
const asking =
  (fields: Fields, addresses: ReadonlyArray<string> = [REDIRECT], more = ""): Attack =>
  async (app) => {
    const client = (await register(app, { redirect_uris: addresses })).body.client_id
    const query = `${queryOf(client, fields)}${more}`
    const page = await app.owner("GET", `/authorize?${query}`)
    // Nothing leads away without the owner.
    expect([page.status, page.headers.get("location")]).toEqual([400, null])
    return (await consent(app, query)).body.error
  }

/** Redeems a good code with these fields. */
const redeeming =
  (fields: Fields): Attack =>
  async (app) => {
    const client = (await register(app)).body.client_id
    const { answered } = await consent(app, queryOf(client))
    return (await redeem(app, client, answered.get("code"), fields)).body.error
  }

/** Sends the consent as another site, or as somebody else, can make a browser or a program send it. */
const consenting =
  (headers: Record<string, string>, isOwner = true): Attack =>
  async (app) => {
    const client = (await register(app)).body.client_id
    const body = { request: queryOf(client), scopes: ["read"] }
    const gate = isOwner ? { "cf-access-jwt-assertion": await accessToken() } : {}
    const answer = await app.request("POST", "/dashboard/api/authorize", body, { ...gate, ...headers })
    return (await answer.json()).error
  }

const attacks: ReadonlyArray<readonly [name: string, attack: Attack, error: unknown]> = [
  // Addresses to return to.
  ["http to another host", redirecting("http://evil.example/cb"), "invalid_redirect_uri"],
  ["a script", redirecting("javascript:alert(1)"), "invalid_redirect_uri"],
  ["data", redirecting("data:text/html,x"), "invalid_redirect_uri"],
  ["a file", redirecting("file:///etc/passwd"), "invalid_redirect_uri"],
  ["a scheme without a dot", redirecting("evil://callback"), "invalid_redirect_uri"],
  ["user and password", redirecting("https://agent.example@evil.example/cb"), "invalid_redirect_uri"],
  ["a fragment", redirecting("https://agent.example/cb#x"), "invalid_redirect_uri"],
  ["a backslash", redirecting("https://agent.example\\@evil.example/"), "invalid_redirect_uri"],
  ["letters that look alike", redirecting("https://аgent.example/cb"), "invalid_redirect_uri"],
  ["a line break", redirecting("https://agent.example/cb\nx"), "invalid_redirect_uri"],
  ["a missing slash", redirecting("https:agent.example/cb"), "invalid_redirect_uri"],
  [
    "a host that begins as this machine",
    redirecting("http://localhost.evil.example/"),
    "invalid_redirect_uri"
  ],
  ["this machine by another number", redirecting("http://127.0.0.1.nip.io/"), "invalid_redirect_uri"],
  ["an address with an answer in it", redirecting("https://agent.example/cb?code=x"), "invalid_redirect_uri"],
  ["an endless address", redirecting(`https://agent.example/${"x".repeat(600)}`), "invalid_redirect_uri"],
  ["no address", registering({ redirect_uris: [] }), "invalid_client_metadata"],
  [
    "too many addresses",
    registering({ redirect_uris: Array.from({ length: 11 }, (_, at) => `${REDIRECT}/${at}`) }),
    "invalid_client_metadata"
  ],
  [
    "metadata that is no object",
    registering({ redirect_uris: "https://agent.example" }),
    "invalid_client_metadata"
  ],
  ["the password grant alone", registering({ grant_types: ["password"] }), "invalid_client_metadata"],
  ["the implicit response alone", registering({ response_types: ["token"] }), "invalid_client_metadata"],
  // The consent page.
  ["an address of another host", asking({ redirect_uri: "https://evil.example/callback" }), "bad_request"],
  ["a deeper path", asking({ redirect_uri: `${REDIRECT}/deeper` }), "bad_request"],
  ["a climbing path", asking({ redirect_uri: `${REDIRECT}/../evil` }), "bad_request"],
  ["an added query", asking({ redirect_uri: `${REDIRECT}?to=evil` }), "bad_request"],
  ["another case", asking({ redirect_uri: REDIRECT.replace("callback", "Callback") }), "bad_request"],
  ["another port of https", asking({ redirect_uri: "https://agent.example:8443/callback" }), "bad_request"],
  ["http in place of https", asking({ redirect_uri: "http://agent.example/callback" }), "bad_request"],
  [
    "another path of this machine",
    asking({ redirect_uri: "http://127.0.0.1:9/evil" }, ["http://127.0.0.1/cb"]),
    "bad_request"
  ],
  [
    "another name of this machine",
    asking({ redirect_uri: "http://localhost/cb" }, ["http://127.0.0.1/cb"]),
    "bad_request"
  ],
  ["no address to return to", asking({ redirect_uri: undefined }), "bad_request"],
  ["an unknown program", asking({ client_id: "unknown" }), "bad_request"],
  ["two addresses", asking({}, [REDIRECT], "&redirect_uri=https%3A%2F%2Fevil.example"), "bad_request"],
  ["two programs", asking({}, [REDIRECT], "&client_id=other"), "bad_request"],
  ["no PKCE", asking({ code_challenge: undefined, code_challenge_method: undefined }), "bad_request"],
  ["plain PKCE", asking({ code_challenge: VERIFIER, code_challenge_method: "plain" }), "bad_request"],
  ["PKCE without a method, which means plain", asking({ code_challenge_method: undefined }), "bad_request"],
  ["a short challenge", asking({ code_challenge: "x" }), "bad_request"],
  ["a token in the address", asking({ response_type: "token" }), "bad_request"],
  ["a request by reference", asking({ request_uri: "https://evil.example/request" }), "bad_request"],
  ["unknown scopes alone", asking({ scope: "admin root" }), "bad_request"],
  ["another resource", asking({ resource: "https://evil.example/mcp" }), "bad_request"],
  ["a resource of another path", asking({ resource: `${ISSUER}/other` }), "bad_request"],
  ["a second resource", asking({}, [REDIRECT], "&resource=https%3A%2F%2Fevil.example"), "bad_request"],
  ["an endless state", asking({ state: "x".repeat(1_001) }), "bad_request"],
  // Consent by others than the owner.
  [
    "consent by another site's script",
    consenting({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" }),
    "forbidden"
  ],
  ["consent by a neighbour's site", consenting({ "sec-fetch-site": "same-site" }), "forbidden"],
  ["consent by a site without fetch metadata", consenting({ origin: "https://evil.example" }), "forbidden"],
  ["consent by a form, whose origin is hidden", consenting({ origin: "null" }), "forbidden"],
  [
    "consent by a form without a preflight",
    consenting({ "content-type": "text/plain" }),
    "unsupported_media_type"
  ],
  ["consent by nobody", consenting({}, false), "forbidden"],
  [
    "consent by a program with every scope",
    async (app) => {
      const { tokens } = await allowed(app, ["read", "save", "change", "delete", "share"])
      const body = { request: queryOf("x"), scopes: ["read"] }
      const answer = await app.request("POST", "/api/v1/authorize", body, {
        authorization: `Bearer ${tokens.access_token}`
      })
      return (await answer.json()).error
    },
    "forbidden"
  ],
  [
    "the consent page in a frame of another site",
    async (app) => {
      const answer = await app.request("GET", "/dashboard/authorize", undefined, {
        "cf-access-jwt-assertion": await accessToken(),
        "sec-fetch-site": "cross-site",
        "sec-fetch-mode": "navigate",
        "sec-fetch-dest": "iframe"
      })
      return answer.status
    },
    403
  ],
  [
    "more scopes than were asked for",
    async (app) => {
      const client = (await register(app)).body.client_id
      const { answered } = await consent(app, queryOf(client, { scope: "read" }), ["read", "delete", "share"])
      return (await redeem(app, client, answered.get("code"))).body.scope
    },
    "read"
  ],
  [
    "a scope that the owner took away",
    async (app) => {
      const { tokens } = await allowed(app, ["read"])
      const body = { op: "delete", ids: [1] }
      const answer = await app.request("POST", "/api/v1/mutate", body, {
        authorization: `Bearer ${tokens.access_token}`
      })
      return (await answer.json()).error
    },
    "insufficient_scope"
  ],
  // Codes.
  ["another verifier", redeeming({ code_verifier: "w".repeat(43) }), "invalid_grant"],
  ["no verifier", redeeming({ code_verifier: undefined }), "invalid_request"],
  ["the challenge as the verifier", redeeming({ code_verifier: challengeOf(VERIFIER) }), "invalid_grant"],
  [
    "another address at the token",
    redeeming({ redirect_uri: "https://evil.example/callback" }),
    "invalid_grant"
  ],
  ["a token for another resource", redeeming({ resource: "https://evil.example/mcp" }), "invalid_target"],
  ["another kind of grant", redeeming({ grant_type: "password" }), "unsupported_grant_type"],
  ["a made-up code", redeeming({ code: `lbc_${"a".repeat(43)}` }), "invalid_grant"],
  [
    "a code of another program",
    async (app) => {
      const [victim, thief] = [(await register(app)).body.client_id, (await register(app)).body.client_id]
      const { answered } = await consent(app, queryOf(victim))
      return (await redeem(app, thief, answered.get("code"))).body.error
    },
    "invalid_grant"
  ],
  [
    "a code twice, which ends what the first use got",
    async (app) => {
      const { client, code, tokens } = await allowed(app)
      const again = await redeem(app, client, code)
      return [again.body.error, await statusWith(app, tokens.access_token)]
    },
    ["invalid_grant", 401]
  ],
  [
    "a code twice at once",
    async (app) => {
      const client = (await register(app)).body.client_id
      const { answered } = await consent(app, queryOf(client))
      const both = await Promise.all([1, 2].map(() => redeem(app, client, answered.get("code"))))
      return both.filter(({ status }) => status === 200).length < 2
    },
    true
  ],
  [
    "a parameter twice at the token",
    async (app) =>
      (await post(app, "/oauth/token", "grant_type=authorization_code&grant_type=refresh_token")).body.error,
    "invalid_request"
  ],
  [
    "JSON at the token, which a script of another site may send after a preflight only",
    async (app) => (await post(app, "/oauth/token", "{}", { "content-type": "application/json" })).status,
    415
  ],
  // Tokens in the place of others.
  ["a code as an access token", async (app) => statusWith(app, (await allowed(app)).code ?? ""), 401],
  [
    "a renewing token as an access token",
    async (app) => statusWith(app, (await allowed(app)).tokens.refresh_token),
    401
  ],
  [
    "an access token as a renewing one",
    async (app) => {
      const { client, tokens } = await allowed(app)
      return (await renew(app, client, tokens.access_token)).body.error
    },
    "invalid_grant"
  ],
  [
    "a renewing token of another program",
    async (app) => {
      const [{ tokens }, thief] = [await allowed(app), (await register(app)).body.client_id]
      const stolen = await renew(app, thief, tokens.refresh_token)
      return [stolen.body.error, await statusWith(app, tokens.access_token)]
    },
    ["invalid_grant", 200]
  ],
  [
    "another program's revocation",
    async (app) => {
      const [{ tokens }, thief] = [await allowed(app), (await register(app)).body.client_id]
      const { status } = await post(app, "/oauth/revoke", { token: tokens.access_token, client_id: thief })
      return [status, await statusWith(app, tokens.access_token)]
    },
    [200, 200]
  ],
  [
    "a revoked program that renews",
    async (app) => {
      const { client, tokens } = await allowed(app)
      const { status } = await post(app, "/oauth/revoke", { token: tokens.refresh_token, client_id: client })
      const renewed = await renew(app, client, tokens.refresh_token)
      return [status, renewed.body.error, await statusWith(app, tokens.access_token)]
    },
    [200, "invalid_grant", 401]
  ],
  [
    "a token that the owner made by hand, revoked by a program",
    async (app) => {
      const { secret } = await (
        await app.owner("POST", "/api/tokens", { name: "Mine", scopes: ["read"] })
      ).json()
      await post(app, "/oauth/revoke", { token: secret, client_id: (await register(app)).body.client_id })
      return statusWith(app, secret)
    },
    200
  ],
  [
    "a token in the address",
    async (app) =>
      statusWith(app, "", `/api/v1/meta?access_token=${(await allowed(app)).tokens.access_token}`),
    401
  ],
  // Mix-up, hosts and names.
  [
    "an answer that could be another server's",
    async (app) => (await consent(app, queryOf((await register(app)).body.client_id))).answered.get("iss"),
    ISSUER
  ],
  [
    "a host that the program chose",
    async (app) =>
      (
        await app.request("GET", "/.well-known/oauth-authorization-server", undefined, {
          host: "evil.example"
        })
      ).status,
    404
  ],
  [
    "a host in the challenge",
    async (app) =>
      (await app.request("POST", "/mcp", {}, { host: "evil.example" })).headers.get("www-authenticate"),
    'Bearer scope="read save change"'
  ],
  [
    "a name that is not what it looks like",
    async (app) =>
      (await register(app, { client_name: "Cl\u202eaude\u0000\u200b <b>x</b>" })).body.client_name,
    "Cl aude <b>x</b>"
  ],
  [
    "markup in the name",
    async (app) => {
      const client = (await register(app, { client_name: "<script>alert(1)</script>" })).body.client_id
      return (await (await app.owner("GET", `/authorize?${queryOf(client)}`)).text()).includes(
        "<script>alert"
      )
    },
    false
  ],
  [
    "a name without letters",
    async (app) => (await register(app, { client_name: "\u200b" })).body.client_name,
    "agent.example"
  ],
  // Floods.
  [
    "a large registration",
    async (app) =>
      (
        await app.request("POST", "/oauth/register", {
          client_name: "x".repeat(20_000),
          redirect_uris: [REDIRECT]
        })
      ).status,
    413
  ]
]

// One client's registrations are limited, so each attack comes from an address of its own.
let address = 0
const elsewhere = (app: App): App => ({
  ...app,
  request: (method, path, body, headers = {}) =>
    app.request(method, path, body, { "x-forwarded-for": `198.51.100.${address}`, ...headers })
})

appTest(`${attacks.length} attacks on the authorization server`, async (app) => {
  for (const [name, attack, error] of attacks) {
    address += 1
    expect([name, await attack(elsewhere(app))]).toEqual([name, error])
  }
})

appTest("a flood of registrations is refused, and keeps none in", async (app) => {
  const from = (address: string) =>
    app.request("POST", "/oauth/register", { redirect_uris: [REDIRECT] }, { "x-forwarded-for": address })
  const statuses: Array<number> = []
  for (let at = 0; at < 25; at++) statuses.push((await from("203.0.113.1")).status)
  expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(21)
  const refused = await from("203.0.113.1")
  expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true])
})

appTest("no secret of a program is in the library's file", async (app) => {
  const { code, tokens } = await allowed(app)
  const listed = await (await app.owner("GET", "/api/tokens")).text()
  for (const secret of [code, tokens.access_token, tokens.refresh_token])
    expect(listed).not.toContain(String(secret).slice(12))
})
