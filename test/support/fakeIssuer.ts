import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, SignJWT } from "jose"

const pair = await generateKeyPair("RS256", { extractable: true })
const stranger = await generateKeyPair("RS256", { extractable: true })

/** How an identity provider's answer differs from a good one. */
export interface Deviation {
  /** Claims of the ID token that replace the good ones. */
  readonly claims?: Record<string, unknown>
  /** Fields of its header. */
  readonly header?: Record<string, unknown>
  /** Signs with another key: a stranger's, or the public key as a shared secret (RFC 8725, 2.1). */
  readonly key?: "stranger" | "public as secret" | "none"
  /** The claims that the user info endpoint answers; without them, there is no such endpoint. */
  readonly userInfo?: Record<string, unknown>
  /** Replaces fields of the metadata. */
  readonly metadata?: Record<string, unknown>
  /** Replaces the response of the token endpoint. */
  readonly tokenResponse?: (token: string) => Response
}

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")

const sign = async (claims: Record<string, unknown>, { header, key }: Deviation) => {
  const fields = { alg: "RS256", kid: "k1", ...header }
  if (key === "none") return `${base64url({ ...fields, alg: "none" })}.${base64url(claims)}.`
  if (key === "public as secret") {
    const secret = new TextEncoder().encode(await exportSPKI(pair.publicKey))
    return new SignJWT(claims).setProtectedHeader({ ...fields, alg: "HS256" }).sign(secret)
  }
  const signer: CryptoKey = key === "stranger" ? stranger.privateKey : pair.privateKey
  return new SignJWT(claims).setProtectedHeader(fields).sign(signer)
}

/**
 * An OpenID Connect provider on loopback whose answers a test can make wrong. It signs the user in without asking: the
 * test goes back to the redirect address with the `code` "good".
 */
export const fakeIssuer = async () => {
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: "k1", alg: "RS256", use: "sig" }
  const fake = {
    /** The requests to it, as `METHOD /path`. */
    requests: [] as Array<string>,
    /** The forms that the token endpoint received. */
    forms: [] as Array<URLSearchParams>,
    /** The client's credentials as the token endpoint received them. */
    authorizations: [] as Array<string | null>,
    deviation: {} as Deviation,
    /** The nonce of the sign-in under way. */
    nonce: "",
    /** Codes that were used. */
    used: new Set<string>(),
    /** Replaces every answer. */
    answer: (_request: Request): Response | Promise<Response> | undefined => undefined
  }
  const tokenEndpoint = async (request: Request, url: string) => {
    const form = new URLSearchParams(await request.text())
    fake.forms.push(form)
    fake.authorizations.push(request.headers.get("authorization"))
    const code = form.get("code") ?? ""
    if (code !== "good" || fake.used.has(fake.nonce))
      return Response.json({ error: "invalid_grant", error_description: "<b>sekrit</b>" }, { status: 400 })
    fake.used.add(fake.nonce)
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      iss: url,
      aud: "linkbower",
      sub: "ann-1",
      iat: now,
      exp: now + 300,
      nonce: fake.nonce,
      email: "ann@example.org",
      email_verified: true,
      ...fake.deviation.claims
    }
    const token = await sign(claims, fake.deviation)
    return (
      fake.deviation.tokenResponse?.(token) ??
      Response.json({ access_token: "an-access-token", token_type: "Bearer", id_token: token })
    )
  }
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request): Promise<Response> => {
      const { origin: url, pathname } = new URL(request.url)
      fake.requests.push(`${request.method} ${pathname}`)
      const replaced = await fake.answer(request)
      if (replaced !== undefined) return replaced
      if (pathname === "/.well-known/openid-configuration")
        return Response.json({
          issuer: url,
          authorization_endpoint: `${url}/authorize`,
          token_endpoint: `${url}/token`,
          jwks_uri: `${url}/jwks`,
          response_types_supported: ["code"],
          subject_types_supported: ["public"],
          id_token_signing_alg_values_supported: ["RS256"],
          ...(fake.deviation.userInfo === undefined ? {} : { userinfo_endpoint: `${url}/userinfo` }),
          ...fake.deviation.metadata
        })
      if (pathname === "/jwks") return Response.json({ keys: [jwk] })
      if (pathname === "/userinfo") return Response.json(fake.deviation.userInfo)
      return pathname === "/token" ? tokenEndpoint(request, url) : new Response("nothing", { status: 404 })
    }
  })
  return Object.assign(fake, { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) })
}
export type FakeIssuer = Awaited<ReturnType<typeof fakeIssuer>>
