import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Provider } from "oidc-provider"

/** A user of the provider: the subject, and the claims of the address. */
export interface User {
  readonly sub: string
  readonly email: string
  readonly email_verified: boolean
}

/**
 * A certified OpenID Connect provider on loopback. `user` signs in without being asked; with `null`, it denies. It
 * returns the address only at its user info endpoint, as the standard says (OpenID Connect Core 1.0, 5.4).
 */
export const identityProvider = async (redirectUri: string) => {
  const state: { user: User | null } = { user: null }
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))
  const address = server.address()
  const port = address !== null && typeof address === "object" ? address.port : 0
  const url = `http://127.0.0.1:${port}`
  const client = { redirect_uris: [redirectUri] }
  const provider = new Provider(url, {
    clients: [
      { ...client, client_id: "linkbower", client_secret: "a secret: with 100% of it" },
      { ...client, client_id: "another", client_secret: "another secret" },
      { ...client, client_id: "public", token_endpoint_auth_method: "none" }
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    cookies: { keys: ["a key for tests"] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...state.user, sub }) }),
    loadExistingGrant: async ({ oidc }) => {
      const { client: asking, session } = oidc
      const grant = new oidc.provider.Grant({
        ...(asking === undefined ? {} : { clientId: asking.clientId }),
        ...(session?.accountId === undefined ? {} : { accountId: session.accountId })
      })
      grant.addOIDCScope("openid email")
      await grant.save()
      return grant
    }
  })
  const handle = provider.callback()
  const interact = (request: IncomingMessage, response: ServerResponse) =>
    provider.interactionFinished(
      request,
      response,
      state.user === null
        ? { error: "access_denied", error_description: "<script>alert(1)</script>" }
        : { login: { accountId: state.user.sub } },
      { mergeWithLastSubmission: false }
    )
  server.on("request", (request, response) => {
    if (request.url?.startsWith("/interaction/")) void interact(request, response)
    else void handle(request, response)
  })
  return {
    url,
    /** Chooses who signs in from now on, or that the user denies. */
    signsIn: (user: User | null) => {
      state.user = user
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve()))
  }
}
