import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { signInProblems } from "../../src/domain/SignIn.ts"
import { type App, makeApp } from "../support/app.ts"
import { type Browser, makeBrowser } from "../support/browser.ts"
import { type FakeIssuer, fakeIssuer } from "../support/fakeIssuer.ts"

let addresses = 0
/** A browser at an address that no other test uses, because requests are limited by address. */
const browserOf = (app: App, origin?: string) =>
  makeBrowser(app, { address: `198.51.100.${addresses++}`, ...(origin === undefined ? {} : { origin }) })

/** What a browser sends with a navigation from another site, such as the provider's redirect. */
const fromProvider = {
  "sec-fetch-site": "cross-site",
  "sec-fetch-mode": "navigate",
  "sec-fetch-dest": "document"
}

const locationOf = async (browser: Browser, path: string, headers: Record<string, string> = {}) => {
  const response = await browser.request("GET", path, undefined, headers)
  expect([path, response.status]).toEqual([path, 303])
  return response.headers.get("location") ?? ""
}

const settingsFor = (issuer: string) => ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: "linkbower",
  OIDC_CLIENT_SECRET: "a client secret",
  OIDC_ALLOW: "ann@example.org"
})

/** An app that uses a provider of its own. */
const makeWorld = async (settings: Partial<Record<string, string>> = {}) => {
  const issuer = await fakeIssuer()
  const app = makeApp({ ...settingsFor(issuer.url), ...settings })
  return {
    app,
    issuer,
    stop: async () => {
      await app.dispose()
      await issuer.stop()
    }
  }
}

/** Begins a sign-in, and returns what the provider receives. */
const leave = async (browser: Browser, issuer: FakeIssuer, to?: string) => {
  const query = to === undefined ? "" : `?${new URLSearchParams({ to })}`
  const { origin, pathname, searchParams } = new URL(await locationOf(browser, `/signin/oidc${query}`))
  expect(`${origin}${pathname}`).toBe(`${issuer.url}/authorize`)
  issuer.nonce = searchParams.get("nonce") ?? ""
  return searchParams
}

/** Comes back from the provider; returns the address that the service leads to. */
const comeBack = (browser: Browser, answer: Record<string, string>) =>
  locationOf(browser, `/signin/oidc/callback?${new URLSearchParams(answer)}`, fromProvider)

/** The problem that an address of the page for signing in names; undefined for any other address. */
const problemIn = (location: string) => {
  const { pathname, searchParams } = new URL(location, "http://localhost")
  return pathname === "/signin" ? searchParams.get("problem") : undefined
}

describe("signing in with a provider", () => {
  let world: Awaited<ReturnType<typeof makeWorld>>
  beforeAll(async () => {
    world = await makeWorld()
  })
  afterAll(() => world.stop())

  test("begins a session and leads to the page that was asked for", async () => {
    const { app, issuer } = world
    const browser = browserOf(app)
    const request = await leave(browser, issuer, "/dashboard?q=tag%3Arust#list")
    expect(Object.fromEntries(request)).toEqual({
      client_id: "linkbower",
      response_type: "code",
      redirect_uri: "http://localhost:8787/signin/oidc/callback",
      scope: "openid email",
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256"
    })
    expect(await browser.dashboard()).toBe(403)
    const state = request.get("state") ?? ""
    expect(await comeBack(browser, { code: "good", state })).toBe("/dashboard?q=tag%3Arust#list")
    expect(await browser.dashboard()).toBe(200)
    const { sessions } = await (await browser.request("GET", "/dashboard/api/sessions")).json()
    expect(sessions).toEqual([
      expect.objectContaining({ way: "oidc", device: "Firefox on Linux", current: true })
    ])
    const form = issuer.forms.at(-1)
    expect(form?.get("code_verifier")).toMatch(/^[\w-]{43}$/)
    expect(form?.get("redirect_uri")).toBe("http://localhost:8787/signin/oidc/callback")
    expect(issuer.authorizations.at(-1)).toBe(`Basic ${btoa("linkbower:a+client+secret")}`)
  })

  test("is offered on the sign-in page, and counts as set up", async () => {
    const { ways, isSetUp } = await (await browserOf(world.app).request("GET", "/signin/api/ways")).json()
    expect([ways.oidc, isSetUp]).toEqual([new URL(world.issuer.url).host, true])
  })

  test("leads an owner who is signed in straight to the page", async () => {
    const browser = browserOf(world.app)
    const request = await leave(browser, world.issuer)
    await comeBack(browser, { code: "good", state: request.get("state") ?? "" })
    expect(await locationOf(browser, "/signin/oidc?to=/dashboard/settings")).toBe("/dashboard/settings")
  })

  test("limits how often a client begins", async () => {
    const browser = browserOf(world.app)
    for (let round = 0; round < 20; round++) await leave(browser, world.issuer)
    expect(problemIn(await locationOf(browser, "/signin/oidc"))).toBe("busy")
    await leave(browserOf(world.app), world.issuer)
  })
})

describe("an attack on a sign-in with a provider", () => {
  let world: Awaited<ReturnType<typeof makeWorld>>
  beforeAll(async () => {
    world = await makeWorld()
  })
  afterAll(() => world.stop())

  for (const [name, ends, answer] of [
    ["a state that was changed", "oidc_expired", ({ code }) => ({ code, state: "A".repeat(43) })],
    ["no state", "oidc_expired", ({ code }) => ({ code })],
    ["an empty state", "oidc_expired", ({ code }) => ({ code, state: "" })],
    [
      "a denial of another sign-in",
      "oidc_expired",
      () => ({ state: "B".repeat(43), error: "access_denied" })
    ],
    ["a code of another sign-in", "oidc_failed", ({ state }) => ({ code: "stolen", state })],
    ["another issuer (mix-up)", "oidc_failed", (good) => ({ ...good, iss: "https://evil.example" })],
    [
      "a denial with markup",
      "oidc_refused",
      ({ state }) => ({ state, error: "access_denied", error_description: "<script>alert(1)</script>" })
    ]
  ] as ReadonlyArray<
    readonly [
      string,
      string,
      (good: { readonly code: string; readonly state: string }) => Record<string, string>
    ]
  >)
    test(`held: ${name}`, async () => {
      const { app, issuer } = world
      const browser = browserOf(app)
      const good = {
        code: "good",
        state: (await leave(browser, issuer, "/dashboard/links")).get("state") ?? ""
      }
      const led = await comeBack(browser, answer(good))
      expect(problemIn(led)).toBe(ends)
      expect(led).not.toContain("script")
      expect(await browser.dashboard()).toBe(403)
      // A sign-in that failed counts as used; one that others tried to answer does not.
      const again = problemIn(await comeBack(browser, good))
      expect(again).toBe(ends === "oidc_expired" ? undefined : "oidc_expired")
    })

  test("held: an answer in another browser (login CSRF)", async () => {
    const { app, issuer } = world
    const [attacker, victim, bystander] = [browserOf(app), browserOf(app), browserOf(app)]
    const state = (await leave(attacker, issuer)).get("state") ?? ""
    await leave(victim, issuer)
    for (const browser of [victim, bystander]) {
      expect(problemIn(await comeBack(browser, { code: "good", state }))).toBe("oidc_expired")
      expect(await browser.dashboard()).toBe(403)
    }
    // An answer that others made does not end the victim's own sign-in.
    expect(victim.cookies.has("linkbower_oidc")).toBe(true)
  })

  test("held: a code used twice, in two browsers", async () => {
    const { app, issuer } = world
    const [first, second] = [browserOf(app), browserOf(app)]
    const state = (await leave(first, issuer)).get("state") ?? ""
    for (const [name, value] of first.cookies) second.cookies.set(name, value)
    expect(await comeBack(first, { code: "good", state })).toBe("/dashboard")
    expect(problemIn(await comeBack(second, { code: "good", state }))).toBe("oidc_expired")
    expect(await second.dashboard()).toBe(403)
  })

  test("held: a sign-in that began with another client", async () => {
    const one = await makeWorld()
    const browser = browserOf(one.app)
    const state = (await leave(browser, one.issuer)).get("state") ?? ""
    const other = makeApp({ ...settingsFor(one.issuer.url), OIDC_CLIENT_ID: "another" })
    const moved = browserOf(other)
    for (const [name, value] of browser.cookies) moved.cookies.set(name, value)
    expect(problemIn(await comeBack(moved, { code: "good", state }))).toBe("oidc_expired")
    await other.dispose()
    await one.stop()
  })

  test("held: signing in over plain HTTP at a public host", async () => {
    const { app, issuer } = world
    const before = [...issuer.requests]
    const browser = browserOf(app, "http://links.example.org")
    expect(problemIn(await locationOf(browser, "/signin/oidc"))).toBe("exposed")
    expect(issuer.requests).toEqual(before)
  })

  test("held: another site's request that is not a navigation", async () => {
    const { app } = world
    for (const path of ["/signin/oidc", "/signin/oidc/callback?state=x"])
      for (const headers of [
        { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" },
        { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" }
      ])
        expect((await browserOf(app).request("GET", path, undefined, headers)).status).toBe(403)
  })

  test("tells why it failed in its own sentence, at the page for signing in alone", async () => {
    const { app, issuer } = world
    const browser = browserOf(app)
    const html = { accept: "text/html", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" }
    const pageAt = async (path: string) => (await browser.request("GET", path, undefined, html)).text()
    const state = (await leave(browser, issuer, "/dashboard/links")).get("state") ?? ""
    const led = await comeBack(browser, { state, error: "access_denied", error_description: "sekrit" })
    expect(led).toBe("/signin?problem=oidc_refused&to=%2Fdashboard%2Flinks")
    const page = await pageAt(led)
    expect(page).toContain(signInProblems.oidc_refused)
    expect(page).not.toContain("sekrit")
    for (const other of ["<script>alert(1)</script>", "toString", "__proto__", "oidc"]) {
      const without = await pageAt(`/signin?${new URLSearchParams({ problem: other })}`)
      expect(without).toBe(await pageAt("/signin"))
    }
    expect(await pageAt("/dashboard?problem=oidc_refused")).toBe(await pageAt("/dashboard"))
  })

  test("held: other methods", async () => {
    for (const path of ["/signin/oidc", "/signin/oidc/callback"]) {
      const response = await browserOf(world.app).request("POST", path, {})
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"])
    }
  })
})

describe("the redirect address", () => {
  test("is that of a private host, also behind a proxy that ends TLS; a public one must be set", async () => {
    const { app, issuer, stop } = await makeWorld()
    for (const origin of ["http://nas.home.arpa:8787", "https://nas.home.arpa"]) {
      const request = await leave(browserOf(app, origin), issuer)
      expect(request.get("redirect_uri")).toBe(`${origin}/signin/oidc/callback`)
    }
    const elsewhere = await locationOf(browserOf(app, "https://links.example.org"), "/signin/oidc")
    expect(problemIn(elsewhere)).toBe("oidc_address")
    expect(issuer.requests).toEqual(["GET /.well-known/openid-configuration"])
    await stop()
  })

  test("is the public one, where the browser is sent first, once", async () => {
    const { app, issuer, stop } = await makeWorld({ PUBLIC_URL: "https://links.example.org" })
    const browser = browserOf(app, "http://192.168.1.5:8787")
    const sentOn = await locationOf(browser, "/signin/oidc?to=/dashboard/links")
    expect(sentOn).toBe("https://links.example.org/signin/oidc?to=%2Fdashboard%2Flinks&here=1")
    // A proxy may change the host, so that the request seems to come to the same one again.
    const { pathname, search } = new URL(sentOn)
    const { searchParams } = new URL(await locationOf(browser, `${pathname}${search}`))
    expect(searchParams.get("redirect_uri")).toBe("https://links.example.org/signin/oidc/callback")
    const there = await leave(browserOf(app, "https://links.example.org"), issuer)
    expect(there.get("redirect_uri")).toBe("https://links.example.org/signin/oidc/callback")
    expect(issuer.requests).toHaveLength(1)
    await stop()
  })
})

test("an unreachable provider is asked again after ten seconds, not at every request", async () => {
  const { app, issuer, stop } = await makeWorld()
  issuer.answer = () => new Response("down", { status: 500 })
  for (let round = 0; round < 5; round++)
    expect(problemIn(await locationOf(browserOf(app), "/signin/oidc"))).toBe("oidc_unavailable")
  expect(issuer.requests).toHaveLength(1)
  await stop()
})
