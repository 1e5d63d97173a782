import { afterAll, beforeEach, describe, expect, test } from "bun:test"
import { accessToken, settings } from "../support/app.ts"
import { makeSignInApp, PASSWORD } from "../support/signIn.ts"

const app = makeSignInApp()
const gated = makeSignInApp({
  ACCESS_AUD: settings.ACCESS_AUD,
  ACCESS_TEAM_DOMAIN: settings.ACCESS_TEAM_DOMAIN
})
afterAll(() => Promise.all([app.app.dispose(), gated.app.dispose()]))
beforeEach(() => app.startOver("nothing"))

type Browser = ReturnType<typeof app.browser>
const waysOf = async (browser: Browser) => (await browser.request("GET", "/signin/api/ways")).json()
const none = { password: false, passkey: false, bot: false, oidc: null }

describe("the first sign-in", () => {
  test("has a code as soon as its page is opened", async () => {
    await app.browser().request("GET", "/signin")
    expect(await app.sql("SELECT origin FROM signin_code")).toEqual([{ origin: "log" }])
  })

  test("goes from the code to a password, and says where it is", async () => {
    const owner = app.browser()
    expect(await waysOf(owner)).toEqual({
      ways: none,
      isSetUp: false,
      isSignedIn: false,
      isSettingUp: false
    })
    // Asking has made a code, which the service has logged.
    expect(await app.sql("SELECT origin FROM signin_code")).toEqual([{ origin: "log" }])
    expect((await owner.post("/code", { code: await app.makeCode("log") })).status).toBe(204)
    expect(await waysOf(owner)).toMatchObject({ isSettingUp: true, isSignedIn: false })
    expect((await owner.put("/password", { password: PASSWORD })).status).toBe(204)
    expect(await waysOf(owner)).toEqual({
      ways: { ...none, password: true },
      isSetUp: true,
      isSignedIn: true,
      isSettingUp: false
    })
    expect(await owner.dashboard()).toBe(200)
  })

  test("goes from the code to a passkey, which signs in elsewhere", async () => {
    const owner = await app.settingUp()
    const key = await app.addPasskey(owner)
    expect(await owner.dashboard()).toBe(200)
    const other = app.browser()
    expect(await waysOf(other)).toMatchObject({ ways: { ...none, passkey: true }, isSignedIn: false })
    const options = await (await other.post("/passkey/options")).json()
    expect(options).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rpId: "localhost",
      userVerification: "preferred",
      timeout: 300_000
    })
    expect((await other.post("/passkey", { response: await key.sign(options) })).status).toBe(204)
    expect(await other.dashboard()).toBe(200)
  })

  test("over HTTPS gets a cookie that only this host can set", async () => {
    const owner = app.browser({ origin: "https://links.example.org" })
    const answer = await owner.post("/code", { code: await app.makeCode() })
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-linkbower_session=[\w-]{43}; Max-Age=3600; Path=\/; HttpOnly; Secure; SameSite=Lax$/
      )
    ])
    expect((await owner.put("/password", { password: PASSWORD })).status).toBe(204)
    expect(await owner.dashboard()).toBe(200)
  })
})

describe("passkeys", () => {
  test("are several, with names, on the hosts where they were made", async () => {
    const owner = await app.settingUp()
    await app.addPasskey(owner)
    const second = await app.addPasskey(owner)
    const elsewhere = app.browser({ origin: "https://links.example.org" })
    await elsewhere.post("/code", { code: await app.makeCode() })
    await app.addPasskey(elsewhere)

    const renamed = await owner.request("PATCH", second.path, { name: "Key ring" })
    expect([renamed.status, (await renamed.json()).name]).toEqual([200, "Key ring"])
    const { passkeys } = await (await owner.request("GET", "/signin/api/passkeys")).json()
    expect(passkeys.map(({ host, name }: { host: string; name: string }) => [name, host])).toEqual([
      ["Firefox on Linux", "localhost"],
      ["Key ring", "localhost"],
      ["Firefox on Linux", "links.example.org"]
    ])
    expect(await waysOf(app.browser({ origin: "http://nas.local" }))).toMatchObject({
      ways: { passkey: false },
      isSetUp: true
    })
    // The browser is told which ones of this host it has.
    const options = await (await owner.post("/passkeys/options")).json()
    expect(options.excludeCredentials).toHaveLength(2)
    expect(options.authenticatorSelection).toMatchObject({ residentKey: "required" })
    const missing = await owner.request("PATCH", "/signin/api/passkeys/9999", { name: "x" })
    expect(missing.status).toBe(404)
    for (const name of ["", " ", " padded ", "x".repeat(101)])
      expect((await owner.request("PATCH", second.path, { name })).status).toBe(400)
  })

  test("share one user handle, which a reset keeps, so that a device replaces its old one", async () => {
    const owner = await app.settingUp()
    const handle = async () => (await (await owner.post("/passkeys/options")).json()).user.id
    const first = await handle()
    await app.startOver("nothing")
    await owner.post("/code", { code: await app.makeCode() })
    expect([await handle(), Buffer.from(first, "base64url").length]).toEqual([first, 32])
  })

  test("that do not count stay usable", async () => {
    const key = await app.addPasskey(await app.settingUp())
    await app.sql("UPDATE signin_passkeys SET counter = 0")
    for (const _ of [1, 2]) {
      const browser = app.browser()
      const options = await (await browser.post("/passkey/options")).json()
      const response = await key.sign(options, { counter: 0 })
      expect((await browser.post("/passkey", { response })).status).toBe(204)
    }
  })
})

describe("the removal of a credential", () => {
  test("ends the other sessions that began with its kind, and no others", async () => {
    await app.startOver("password")
    const [owner, other] = [await app.signedIn(), await app.signedIn()]
    const byKey = await app.signedIn()
    await app.addPasskey(byKey)
    expect((await owner.request("DELETE", "/signin/api/password")).status).toBe(204)
    expect([await owner.dashboard(), await other.dashboard(), await byKey.dashboard()]).toEqual([
      200, 403, 200
    ])
    expect((await owner.request("DELETE", "/signin/api/password")).status).toBe(404)
  })

  test("may remove the last one while the access gateway lets the owner in", async () => {
    await gated.startOver("password")
    const owner = gated.browser()
    const headers = { "cf-access-jwt-assertion": await accessToken() }
    const removed = await owner.request("DELETE", "/signin/api/password", undefined, headers)
    expect(removed.status).toBe(204)
    expect(await waysOf(owner)).toMatchObject({ isSetUp: true, ways: none })
  })
})

describe("the owner behind the access gateway", () => {
  test("can add a password and a passkey without a code", async () => {
    await gated.startOver("nothing")
    const owner = gated.browser()
    const headers = { "cf-access-jwt-assertion": await accessToken() }
    const set = await owner.request("PUT", "/signin/api/password", { password: PASSWORD }, headers)
    expect(set.status).toBe(204)
    expect(await owner.dashboard()).toBe(200)
    await gated.addPasskey(owner)
    const { sessions } = await (await owner.request("GET", "/dashboard/api/sessions")).json()
    expect(sessions).toMatchObject([{ way: "passkey", device: "Firefox on Linux", current: true }])
  })
})

describe("a session's cookie", () => {
  test("is renewed with its session, once a day", async () => {
    await app.startOver("password")
    const owner = await app.signedIn()
    const renewed = async () => (await owner.request("GET", "/dashboard/api/meta")).headers.getSetCookie()
    expect(await renewed()).toEqual([])
    const secret = owner.cookies.get("linkbower_session")
    const before = new Date(Date.now() - 25 * 3_600_000).toISOString()
    await app.sql(`UPDATE signin_sessions SET used_at = '${before}'`)
    expect(await renewed()).toEqual([
      `linkbower_session=${secret}; Max-Age=7776000; Path=/; HttpOnly; SameSite=Lax`
    ])
    expect(await renewed()).toEqual([])
  })
})
