import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type App, makeApp } from "../support/app.ts"
import { makeBrowser } from "../support/browser.ts"
import { identityProvider, type User } from "../support/identityProvider.ts"
import { long } from "../support/tier.ts"

/** Signing in with a certified provider: every request and check is made by libraries that others wrote. */

const ann: User = { sub: "ann-1", email: "ann@example.org", email_verified: true }

let provider: Awaited<ReturnType<typeof identityProvider>>
beforeAll(async () => {
  provider = await identityProvider("http://localhost:8787/signin/oidc/callback")
})
afterAll(() => provider.stop())

const settings = () => ({
  OIDC_ISSUER: provider.url,
  OIDC_CLIENT_ID: "linkbower",
  OIDC_CLIENT_SECRET: "a secret: with 100% of it",
  OIDC_ALLOW: ann.email
})

/** Follows a sign-in through the provider with its cookies; returns the address of the service that it sends back to. */
const throughProvider = async (address: string) => {
  const cookies = new Map<string, string>()
  let location = address
  for (let steps = 0; steps < 10; steps++) {
    const response = await fetch(location, {
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") }
    })
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";", 1)[0] ?? "").split("=", 2)
      cookies.set(name, value)
    }
    const next = response.headers.get("location")
    if (next === null) throw new Error(`the provider answered ${response.status}: ${await response.text()}`)
    location = new URL(next, location).href
    if (!location.startsWith(provider.url)) return location
  }
  throw new Error("the provider does not send the browser back")
}

/** Signs in from beginning to end; returns the browser, and the address that it ends at. */
const signIn = async (app: App) => {
  const browser = makeBrowser(app)
  const begun = await browser.request("GET", "/signin/oidc?to=/dashboard/links")
  const { pathname, search } = new URL(await throughProvider(begun.headers.get("location") ?? ""))
  const ended = await browser.request("GET", `${pathname}${search}`, undefined, {
    "sec-fetch-site": "cross-site",
    "sec-fetch-mode": "navigate",
    "sec-fetch-dest": "document"
  })
  return { browser, path: `${pathname}${search}`, location: ended.headers.get("location") ?? "" }
}

describe("a certified provider", () => {
  for (const [index, [why, user, changed, ends]] of (
    [
      ["signs the owner in by address", ann, {}, "/dashboard/links"],
      [
        "signs the owner in by subject",
        { ...ann, email: "new@example.org" },
        { OIDC_ALLOW: ann.sub },
        "/dashboard/links"
      ],
      [
        "signs the owner in to a public client",
        ann,
        { OIDC_CLIENT_ID: "public", OIDC_CLIENT_SECRET: undefined },
        "/dashboard/links"
      ],
      [
        "does not sign in another user",
        { ...ann, sub: "bob", email: "bob@example.org" },
        {},
        "oidc_other_user"
      ],
      ["does not sign in by an unverified address", { ...ann, email_verified: false }, {}, "oidc_other_user"],
      ["does not sign in who denies", null, {}, "oidc_refused"],
      [
        "does not sign in with another client's secret",
        ann,
        { OIDC_CLIENT_SECRET: "another secret" },
        "oidc_failed"
      ]
    ] as ReadonlyArray<readonly [string, User | null, Partial<Record<string, string>>, string]>
  ).entries())
    (index === 0 ? test : long(test))(why, async () => {
      const app = makeApp({ ...settings(), ...changed })
      provider.signsIn(user)
      const { browser, location } = await signIn(app)
      const isIn = ends.startsWith("/")
      expect(location).toBe(
        isIn ? ends : `/signin?${new URLSearchParams({ problem: ends, to: "/dashboard/links" })}`
      )
      expect(await browser.dashboard()).toBe(isIn ? 200 : 403)
      await app.dispose()
    })
})
