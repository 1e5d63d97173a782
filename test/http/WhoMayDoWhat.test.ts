import { describe, expect, spyOn, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Router from "find-my-way-ts"
import { type App, accessToken, appTests } from "../support/app.ts"
import { foreignClient, secretOf } from "../support/foreignClient.ts"
import { rowsOf } from "../support/rows.ts"

/*
 * Who may do what, route by route: a new route without a row fails. Programs.test.ts has the same for the scopes of each
 * endpoint of the dashboard's API, which programs reach below `/api/v1`.
 */

const router: Pick<Router.Router<unknown>, "on"> = Object.getPrototypeOf(Router.make())
const added = spyOn(router, "on")
const appTest = appTests()

const SCOPES = ["read", "save", "change", "delete", "share"]
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
const each = (methods: ReadonlyArray<string>, ...paths: ReadonlyArray<string>) =>
  paths.flatMap((path) => methods.map((method) => `${method} ${path}`))

/** For the owner alone: a stranger and a program with every scope get 403. */
const owners = [
  ...each(METHODS, "/dashboard", "/dashboard/*", "/setup", "/setup/*", "/connect", "/connect/*"),
  "GET /dashboard/authorize",
  "GET /dashboard/read/:id/document",
  "GET /dashboard/read/:id/snapshot",
  "GET /dashboard/service-worker.js",
  "GET /setup/extension/chrome.zip",
  "GET /setup/extension/firefox.zip",
  "GET /signin/api/passkeys",
  "POST /signin/api/passkeys",
  "PATCH /signin/api/passkeys/:id",
  "DELETE /signin/api/passkeys/:id",
  "PUT /signin/api/password",
  "DELETE /signin/api/password"
]

/** For programs: a stranger gets 401, and so does the owner's browser. */
const programs = [
  ...each(["GET", "POST", "PATCH", "DELETE"], "/readeck/*"),
  ...each(["GET", "POST", "PUT", "PATCH", "DELETE"], "/api/*"),
  ...each(["POST", "PUT", "PATCH", "DELETE"], "/api"),
  "POST /api/v1/links",
  "POST /mcp"
]

/** For whoever comes, with the same answer. */
const anyone = [
  ...each(METHODS, "/*"),
  "GET /",
  "GET /.well-known/oauth-authorization-server",
  "GET /.well-known/oauth-protected-resource",
  "GET /.well-known/oauth-protected-resource/mcp",
  "GET /api",
  "GET /api/v1/openapi.json",
  "GET /app",
  "GET /bookmarks",
  "GET /bookmarks/new",
  "GET /docs",
  "GET /downloads/linkbower-chrome.zip",
  "GET /downloads/linkbower-firefox.zip",
  "GET /health",
  "GET /healthz",
  "GET /list",
  "GET /list/api/links",
  "GET /list/api/meta",
  "GET /list/favicon",
  "GET /list/feed.xml",
  "GET /list/image",
  "GET /openapi.json",
  "GET /opensearch.xml",
  "GET /signin",
  "GET /signin/api/bot",
  "GET /signin/api/ways",
  "GET /signin/oidc",
  "GET /signin/oidc/callback",
  "DELETE /signin/api/session",
  "OPTIONS /capture/api/link",
  "POST /oauth/register",
  "POST /signin/api/bot"
]

/** For who brings its own secret, which neither a session nor a token is; with the answer to those who bring another. */
const secrets: Readonly<Record<string, number>> = {
  "GET /feeds/:token": 404,
  "GET /opds": 401,
  "GET /opds/*": 404,
  "GET /s": 404,
  "GET /s/*": 404,
  "POST /capture/api/link": 401,
  "POST /oauth/revoke": 415,
  "POST /oauth/token": 415,
  "POST /signin/api/code": 403,
  "POST /signin/api/passkey": 403,
  "POST /signin/api/passkey/options": 403,
  "POST /signin/api/passkeys/options": 403,
  "POST /signin/api/password": 403,
  "POST /webhook": 403
}

const wantedOf = (
  route: string
): readonly [stranger: unknown, program: unknown, owner: unknown] | undefined => {
  if (route in secrets) return [secrets[route], secrets[route], secrets[route]]
  if (owners.includes(route) || route.includes(" /dashboard/api/")) return [403, 403, "admitted"]
  if (programs.includes(route)) return [401, "admitted", 401]
  return anyone.includes(route) ? ["admitted", "admitted", "admitted"] : undefined
}

/** Files of the app and of the documentation. */
const isFile = (route: string) => /^GET \/(docs|app)\/./.test(route)

describe("every route", () => {
  appTest("is open to whom its row says, and to no others", async (app) => {
    await app.request("GET", "/healthz")
    const routes = new Set(added.mock.calls.map(([method, path]) => `${method} ${path}`))
    expect(routes.size).toBeGreaterThan(150)
    const authorization = `Bearer ${await secretOf(app, SCOPES)}`
    const gateway = { "cf-access-jwt-assertion": await accessToken() }
    for (const route of [...routes, "POST /mcp"].filter((one) => !isFile(one))) {
      const [method = "", path = ""] = route.split(" ")
      const wanted = wantedOf(route)
      // An address in place of parameters and wildcards that does not exist: the gate comes first.
      const place = path.replaceAll(/:\w+/g, "999999").replaceAll("*", "nothing")
      const seen: Array<unknown> = []
      for (const [at, headers] of [{}, { authorization }, gateway].entries()) {
        if (wanted?.[at] === "admitted" && path === "/dashboard/api/events") {
          seen.push("admitted")
          continue
        }
        const body = ["GET", "DELETE", "OPTIONS"].includes(method) ? undefined : {}
        const { status } = await app.request(method, place, body, headers)
        seen.push(wanted?.[at] === "admitted" && status !== 401 && status !== 403 ? "admitted" : status)
      }
      expect([route, ...seen]).toEqual([route, ...(wanted ?? [])])
    }
    for (const route of [...owners, ...programs, ...anyone, ...Object.keys(secrets)])
      expect([route, route === "POST /mcp" || routes.has(route)]).toEqual([route, true])
  })
})

type Scopes = Readonly<Record<string, string>>

const B = "/bookmarks"
/** The scope that each route of linkding's API needs. */
const linkding: Scopes = Object.fromEntries(
  rowsOf<readonly [string, string]>(import.meta, "WhoMayDoWhat.linkding")
)
/** The scope that each route of Readeck's API needs, below `/readeck/api`. */
const readeck: Scopes = {
  "GET /info": "anyone",
  "POST /auth": "anyone",
  "GET /profile": "read",
  [`GET ${B}`]: "read",
  [`POST ${B}`]: "save",
  [`GET ${B}/sync`]: "read",
  [`GET ${B}/labels`]: "read",
  [`GET ${B}/collections`]: "read",
  [`GET ${B}/annotations`]: "read",
  [`GET ${B}/:n`]: "read",
  [`PATCH ${B}/:n`]: "change",
  [`DELETE ${B}/:n`]: "delete",
  [`GET ${B}/:n/article`]: "read",
  [`GET ${B}/:n/article.epub`]: "read",
  [`GET ${B}/:n/article.md`]: "read",
  [`GET ${B}/:n/annotations`]: "read",
  [`POST ${B}/:n/annotations`]: "change",
  [`PATCH ${B}/:n/annotations/:n`]: "change",
  [`DELETE ${B}/:n/annotations/:n`]: "change"
}

/** Routes that refuse everybody: they are there to say why. */
const REFUSED = [
  "POST /api/bookmarks/:n/assets/upload",
  "DELETE /api/bookmarks/:n/assets/:n",
  `POST ${B}/:n/annotations`
]

/** Without a token, this one answers from the public list. */
const OPEN = ["GET /api/bookmarks/shared"]
/** It takes a token in its body. */
const OWN_REFUSALS: Readonly<Record<string, number>> = { "POST /auth": 403 }

for (const [name, table, below] of [
  ["Linkding", linkding, ""],
  ["Readeck", readeck, "/readeck/api"]
] as const)
  describe(`the API of ${name}`, () => {
    test("has a row for each route", () => {
      const source = readFileSync(join(import.meta.dir, `../../src/http/${name}.ts`), "utf8")
      const found = [...source.matchAll(/\[\s*"([A-Z]+ \/[^"]*)",\s*"(\w+)",/g)]
      expect(Object.fromEntries(found.map(([, route, scope]) => [route, scope]))).toEqual(table)
    })

    appTest("admits each scope where its row says so", async (app: App) => {
      await app.owner("POST", "/api/links", { url: "https://example.org/one", tags: ["one"] })
      const clients = new Map([["none", await foreignClient(app)]])
      for (const scope of SCOPES) clients.set(scope, await foreignClient(app, scope))
      for (const [route, scope] of Object.entries(table)) {
        const [method = "", path = ""] = route.split(" ")
        for (const [who, ask] of clients) {
          const place = below + path.replaceAll(":n", "999")
          const { status } = await ask(method, place, method === "GET" ? undefined : {})
          const isOpen = scope === "anyone" || (who === "none" && OPEN.includes(route))
          const wanted = isOpen || (who === scope && !REFUSED.includes(route))
          const isAdmitted = (status !== 401 && status !== 403) || status === OWN_REFUSALS[route]
          expect([route, who, status, isAdmitted]).toEqual([route, who, status, wanted])
        }
      }
    })
  })
