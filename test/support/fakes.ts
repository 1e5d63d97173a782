import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose"

export { fakeTelegram } from "./fakeTelegram.ts"
export type { BotCall } from "./telegramLimits.ts"

/** A server on a free loopback port that a test may ask what it was asked. */
const listen = (fetch: (request: Request) => Response | Promise<Response>) => {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", idleTimeout: 120, fetch })
  return { url: `http://127.0.0.1:${server.port}`, port: server.port ?? 0, stop: () => server.stop(true) }
}

/** The Messages API: answers every request with `reply`, after `delay` milliseconds. */
export const fakeModel = () => {
  const fake = {
    requests: 0,
    delay: 0,
    status: 200,
    reply: JSON.stringify({ summary: "What the page says.", tags: ["Some Tag"], category: "Reading" })
  }
  const server = listen(async () => {
    fake.requests++
    if (fake.delay > 0) await Bun.sleep(fake.delay)
    if (fake.status !== 200)
      return Response.json({ type: "error", error: { type: "api_error" } }, { status: fake.status })
    return Response.json({
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "m",
      content: [{ type: "text", text: fake.reply }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 }
    })
  })
  return Object.assign(fake, server)
}

/** Made once: its making costs more than most tests. */
const gatewayKeys = generateKeyPair("RS256", { extractable: true })

/** The access gateway: publishes its keys and signs what tokens a test wants. */
export const fakeGateway = async () => {
  const { privateKey, publicKey } = await gatewayKeys
  const key = { ...(await exportJWK(publicKey)), kid: "k1", alg: "RS256", use: "sig" }
  const server = listen(() => Response.json({ keys: [key] }))
  const audience = "a".repeat(64)
  const token = (claims: JWTPayload = {}) =>
    new SignJWT({ email: "owner@example.com", ...claims })
      .setProtectedHeader({ alg: "RS256", kid: "k1" })
      .setIssuer(server.url)
      .setAudience(audience)
      .setIssuedAt()
      // A tab may stay open for a whole file, on a slow machine.
      .setExpirationTime("2h")
      .sign(privateKey)
  return { ...server, audience, token }
}

/** A picture of one pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)

const LOGIN =
  '<!doctype html><title>Log in</title><h1>Log in</h1><form><input name="user"><input type="password" name="password"></form>'

/**
 * Web pages: `/plain?t=Title`, `/slow?ms=N`, and `/held`, which is not answered before `release` (after `hold`, not
 * before the next one), each with `text=words` in its article, `image=path` as its picture and `canonical=URL`; the
 * site's icon, pictures below `/picture/`, `/members` behind a login, a program at `/program`, and a 404 for everything else.
 */
export const fakePages = () => {
  let held = Promise.withResolvers<void>()
  const fake = {
    hits: new Map<string, number>(),
    hold: () => {
      held = Promise.withResolvers()
    },
    release: () => held.resolve()
  }
  const server = listen(async (request) => {
    const { pathname, searchParams } = new URL(request.url)
    fake.hits.set(pathname, (fake.hits.get(pathname) ?? 0) + 1)
    if (pathname === "/slow") await Bun.sleep(Number(searchParams.get("ms") ?? 1_000))
    if (pathname === "/held") await held.promise
    if (pathname === "/favicon.ico" || pathname.startsWith("/picture/"))
      return new Response(PIXEL, { headers: { "content-type": "image/png" } })
    if (pathname === "/program")
      return new Response(new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0]))
    if (pathname === "/members")
      return new Response(null, { status: 302, headers: { location: "/login?next=/members" } })
    if (pathname === "/login") return new Response(LOGIN, { headers: { "content-type": "text/html" } })
    if (!["/plain", "/slow", "/held"].includes(pathname)) return new Response("not found", { status: 404 })
    const title = Bun.escapeHTML(searchParams.get("t") ?? "A plain page")
    const text = Bun.escapeHTML(searchParams.get("text") ?? "")
    const image = searchParams.get("image")
    const picture = image === null ? "" : `<meta property="og:image" content="${Bun.escapeHTML(image)}">`
    const canonical = searchParams.get("canonical")
    const link = canonical === null ? "" : `<link rel="canonical" href="${Bun.escapeHTML(canonical)}">`
    const page = `<!doctype html><html lang="en"><head><title>${title}</title><meta name="description" content="About it.">
      ${picture}${link}</head><body><article><p>Some words about the page that a reader would find worth reading. ${text}</p></article></body></html>`
    return new Response(page, { headers: { "content-type": "text/html; charset=utf-8" } })
  })
  return Object.assign(fake, server)
}

/** GitHub's REST API, for the repository acme/rocket. */
export const fakeGitHub = () =>
  listen((request) =>
    new URL(request.url).pathname === "/repos/acme/rocket"
      ? Response.json({
          name: "rocket",
          full_name: "acme/rocket",
          description: "A rocket",
          language: "TypeScript",
          stargazers_count: 4321,
          topics: ["space"],
          license: { spdx_id: "MIT" },
          archived: false
        })
      : Response.json({ message: "Not Found" }, { status: 404 })
  )
