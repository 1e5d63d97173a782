import { createHash } from "node:crypto"
import type { Scope } from "../../src/domain/Token.ts"
import type { App } from "./app.ts"

export const REDIRECT = "https://agent.example/callback"
export const ISSUER = "http://localhost"
export const VERIFIER = "v".repeat(43)

export const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url")

export type Fields = Readonly<Record<string, string | undefined>>

/** Writes fields as a form; those that are undefined are left out. */
export const formOf = (fields: Fields) => {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, value)
  return form.toString()
}

const asForm = { "content-type": "application/x-www-form-urlencoded" }

/** Sends a form as a program does. */
export const post = async (
  app: App,
  path: string,
  fields: Fields | string,
  headers: Record<string, string> = {}
) => {
  const body = typeof fields === "string" ? fields : formOf(fields)
  const answer = await app.request("POST", path, body, { ...asForm, ...headers })
  const text = await answer.text()
  return { status: answer.status, body: text === "" ? {} : JSON.parse(text), headers: answer.headers }
}

export const register = async (app: App, metadata: object = {}) => {
  const answer = await app.request("POST", "/oauth/register", {
    client_name: "Agent",
    redirect_uris: [REDIRECT],
    ...metadata
  })
  return { status: answer.status, body: await answer.json(), headers: answer.headers }
}

/** The query with which a program opens the consent page. */
export const queryOf = (client: string, fields: Fields = {}) =>
  formOf({
    response_type: "code",
    client_id: client,
    redirect_uri: REDIRECT,
    scope: "read save",
    state: "s1",
    code_challenge: challengeOf(VERIFIER),
    code_challenge_method: "S256",
    resource: `${ISSUER}/mcp`,
    ...fields
  })

/** Answers the consent page as the owner; returns the parameters with which the program gets the browser back. */
export const consent = async (app: App, request: string, scopes: ReadonlyArray<Scope> = ["read", "save"]) => {
  const answer = await app.owner("POST", "/api/authorize", { request, scopes })
  const body = await answer.json()
  const location = URL.parse(body.location ?? "")
  return { status: answer.status, body, location, answered: location?.searchParams ?? new URLSearchParams() }
}

export const redeem = (app: App, client: string, code: string | null, fields: Fields = {}) =>
  post(app, "/oauth/token", {
    grant_type: "authorization_code",
    client_id: client,
    code: code ?? undefined,
    code_verifier: VERIFIER,
    redirect_uri: REDIRECT,
    resource: `${ISSUER}/mcp`,
    ...fields
  })

export const renew = (app: App, client: string, token: string, fields: Fields = {}) =>
  post(app, "/oauth/token", {
    grant_type: "refresh_token",
    client_id: client,
    refresh_token: token,
    ...fields
  })

/** A program that the owner has allowed. */
export const allowed = async (
  app: App,
  scopes: ReadonlyArray<Scope> = ["read", "save"],
  metadata: object = {}
) => {
  const client: string = (await register(app, metadata)).body.client_id
  const { answered } = await consent(app, queryOf(client, { scope: scopes.join(" ") }), scopes)
  const code = answered.get("code")
  const { body } = await redeem(app, client, code)
  const tokens: { access_token: string; refresh_token: string; scope: string } = body
  return { client, code, tokens }
}

/** The status of a request to the programs' API with this token. */
export const statusWith = async (app: App, token: string, path = "/api/v1/meta") =>
  (await app.request("GET", path, undefined, { authorization: `Bearer ${token}` })).status
