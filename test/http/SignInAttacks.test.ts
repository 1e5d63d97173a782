import { afterAll, describe, expect, test } from "bun:test"
import { accessToken, settings } from "../support/app.ts"
import { makeAuthenticator } from "../support/authenticator.ts"
import type { Browser } from "../support/browser.ts"
import { makeSignInApp, PASSWORD, type SignInApp } from "../support/signIn.ts"

/** A table of attacks on the owner's own sign-in, each of which must fail. */

const WRONG = "not the password"
const cookieOf = (browser: Browser) =>
  [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ")

/** A body that is sent only after this, which begins once the service reads it. */
const bodyAfter = (first: () => Promise<void>, body: unknown) =>
  new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        await first()
        controller.enqueue(new TextEncoder().encode(JSON.stringify(body)))
        controller.close()
      }
    },
    { highWaterMark: 0 }
  )

interface Attack {
  readonly attack: string
  /** What the owner has set up; a password if nothing is said. */
  readonly on?: "nothing" | "password"
  /** Settings of an app of its own; without them it shares one. */
  readonly settings?: Partial<Record<string, string>>
  readonly run: (app: SignInApp) => Promise<void>
}

/** Sends a request to the dashboard with these headers alone. */
const dashboard = async ({ app }: SignInApp, headers: Record<string, string>) =>
  (await app.request("GET", "/dashboard/api/meta", undefined, { host: "localhost:8787", ...headers })).status

/** The statuses of several attempts, one after another. */
const attempts = async (number: number, attempt: (index: number) => Promise<Response>) => {
  const statuses: Array<number> = []
  for (let index = 0; index < number; index++) statuses.push((await attempt(index)).status)
  return statuses
}

const guess = (app: SignInApp, address: string, more: Record<string, string> = {}) =>
  app.browser({ address }).request("POST", "/signin/api/password", { password: WRONG }, more)

const sessions: ReadonlyArray<Attack> = [
  {
    attack: "a session planted before the sign-in (fixation)",
    run: async (app) => {
      const victim = app.browser()
      victim.cookies.set("linkbower_session", "A".repeat(43))
      await victim.post("/password", { password: PASSWORD })
      expect(victim.cookies.get("linkbower_session")).not.toBe("A".repeat(43))
      expect(await dashboard(app, { cookie: `linkbower_session=${"A".repeat(43)}` })).toBe(403)
    }
  },
  {
    attack: "the set-up session reused after it has become the owner's",
    on: "nothing",
    run: async (app) => {
      const owner = await app.settingUp()
      const before = cookieOf(owner)
      expect((await owner.put("/password", { password: PASSWORD })).status).toBe(204)
      expect(cookieOf(owner)).not.toBe(before)
      expect(await owner.dashboard()).toBe(200)
      expect(await dashboard(app, { cookie: before })).toBe(403)
    }
  },
  {
    attack: "a cookie replayed after the sign-out",
    run: async (app) => {
      const owner = await app.signedIn()
      const stolen = cookieOf(owner)
      expect(await dashboard(app, { cookie: stolen })).toBe(200)
      const signedOut = await owner.request("DELETE", "/signin/api/session")
      expect([signedOut.status, signedOut.headers.get("clear-site-data")]).toEqual([204, '"cache"'])
      // What is left opens nothing.
      expect([...owner.cookies.keys()]).toEqual(["linkbower_browser"])
      expect(await dashboard(app, { cookie: stolen })).toBe(403)
    }
  },
  {
    attack: "a cookie replayed after the owner has ended its session",
    run: async (app) => {
      const thief = await app.signedIn()
      const owner = await app.signedIn()
      const { sessions } = await (await owner.request("GET", "/dashboard/api/sessions")).json()
      const other = sessions.find(({ current }: { current: boolean }) => !current)
      expect((await owner.request("DELETE", `/dashboard/api/sessions/${other.id}`)).status).toBe(204)
      expect([await thief.dashboard(), await owner.dashboard()]).toEqual([403, 200])
    }
  },
  {
    attack: "a cookie replayed after the owner has ended all other sessions",
    run: async (app) => {
      const thief = await app.signedIn()
      const owner = await app.signedIn()
      expect((await owner.request("DELETE", "/dashboard/api/sessions")).status).toBe(204)
      expect([await thief.dashboard(), await owner.dashboard()]).toEqual([403, 200])
    }
  },
  {
    attack: "a page that listens to events after its session has ended: it gets no link that changes then",
    run: async (app) => {
      const owner = await app.signedIn()
      const heard = (await owner.request("GET", "/dashboard/api/events")).body?.getReader()
      expect(new TextDecoder().decode((await heard?.read())?.value)).toContain("event: revision")
      expect((await owner.request("DELETE", "/signin/api/session")).status).toBe(204)
      expect((await app.app.capture({ url: "https://example.org/private" })).ok).toBe(true)
      expect(await heard?.read()).toMatchObject({ done: true })
    }
  },
  {
    attack: "a cookie replayed after a new password",
    run: async (app) => {
      const thief = await app.signedIn()
      const owner = await app.signedIn()
      const changed = await owner.put("/password", { password: "another long password", current: PASSWORD })
      expect(changed.status).toBe(204)
      expect([await thief.dashboard(), await owner.dashboard()]).toEqual([403, 200])
    }
  },
  {
    attack: "a sign-in with the old password that is under way while it changes",
    run: async (app) => {
      const owner = await app.signedIn()
      const thieves = Array.from({ length: 3 }, () => app.browser())
      const changing = owner.put("/password", { password: "another long password", current: PASSWORD })
      await Promise.all(thieves.map((thief) => thief.post("/password", { password: PASSWORD })))
      expect((await changing).status).toBe(204)
      for (const thief of thieves) expect(await thief.dashboard()).toBe(403)
      expect(await owner.dashboard()).toBe(200)
    }
  },
  {
    attack: "a new password whose request arrives before a reset, and its body after it",
    run: async (app) => {
      const thief = await app.signedIn()
      const body = bodyAfter(() => app.startOver("nothing"), { password: "the thief's password" })
      expect((await thief.put("/password", body)).status).toBe(403)
      expect(await app.sql("SELECT password FROM signin_owner WHERE password IS NOT NULL")).toEqual([])
    }
  },
  {
    attack: "a passkey whose request arrives before a reset, and its body after it",
    on: "nothing",
    run: async (app) => {
      const thief = await app.settingUp()
      const authenticator = await makeAuthenticator(thief.origin)
      const options = await (await thief.post("/passkeys/options")).json()
      const body = bodyAfter(() => app.startOver("nothing"), { response: authenticator.create(options) })
      expect((await thief.post("/passkeys", body)).status).toBe(403)
      expect(await app.sql("SELECT id FROM signin_passkeys")).toEqual([])
    }
  },
  {
    attack: "a session that was used after its end",
    run: async (app) => {
      const owner = await app.signedIn()
      await app.sql("UPDATE signin_sessions SET expires_at = '2020-01-01T00:00:00.000Z'")
      expect(await owner.dashboard()).toBe(403)
      expect(await app.sql("SELECT id FROM signin_sessions")).toEqual([])
    }
  },
  {
    attack: "a session whose end a wrong clock has moved into the future",
    run: async (app) => {
      const owner = await app.signedIn()
      await app.sql("UPDATE signin_sessions SET expires_at = '2999-01-01T00:00:00.000Z'")
      expect(await owner.dashboard()).toBe(403)
    }
  },
  {
    attack: "the set-up session on the dashboard",
    on: "nothing",
    run: async (app) => {
      const stranger = await app.settingUp()
      for (const path of ["/dashboard", "/dashboard/api/meta", "/dashboard/api/sessions", "/dashboard/x"])
        expect([path, (await stranger.request("GET", path)).status]).toEqual([path, 403])
      const change = await stranger.request("POST", "/dashboard/api/mutate", { op: "delete", ids: [1] })
      expect(change.status).toBe(403)
    }
  },
  {
    attack: "the set-up session on the owner's credentials",
    run: async (app) => {
      const stranger = await app.settingUp()
      for (const [method, path] of [
        ["GET", "/passkeys"],
        ["PATCH", "/passkeys/1"],
        ["DELETE", "/passkeys/1"],
        ["DELETE", "/password"]
      ] as const) {
        const body = method === "PATCH" ? { name: "x" } : undefined
        const response = await stranger.request(method, `/signin/api${path}`, body)
        expect([method, path, response.status]).toEqual([method, path, 403])
      }
    }
  },
  {
    attack: "the set-up session kept for more than an hour",
    on: "nothing",
    run: async (app) => {
      const stranger = await app.settingUp()
      const [row] = await app.sql("SELECT expires_at, created_at FROM signin_sessions")
      const length = Date.parse(String(row?.["expiresAt"])) - Date.parse(String(row?.["createdAt"]))
      expect(length).toBe(3_600_000)
      await app.sql("UPDATE signin_sessions SET expires_at = '2020-01-01T00:00:00.000Z'")
      expect((await stranger.put("/password", { password: PASSWORD })).status).toBe(403)
    }
  },
  {
    attack: "another set-up session after the owner has set up a passkey",
    on: "nothing",
    run: async (app) => {
      const [stranger, owner] = [await app.settingUp(), await app.settingUp()]
      await app.addPasskey(owner)
      expect((await stranger.put("/password", { password: PASSWORD })).status).toBe(403)
    }
  },
  {
    attack: "the cookie under the gateway's name, in a header, or as a bearer",
    run: async (app) => {
      const secret = (await app.signedIn()).cookies.get("linkbower_session") ?? ""
      for (const headers of [
        { cookie: `CF_Authorization=${secret}` },
        { "cf-access-jwt-assertion": secret },
        { authorization: `Bearer ${secret}` },
        { cookie: `linkbower_passkey=${secret}` }
      ])
        expect(await dashboard(app, headers)).toBe(403)
    }
  },
  {
    attack: "a challenge's cookie as a session",
    run: async (app) => {
      const stranger = app.browser()
      await stranger.post("/passkey/options")
      const secret = stranger.cookies.get("linkbower_passkey") ?? ""
      expect(secret).toHaveLength(43)
      expect(await dashboard(app, { cookie: `linkbower_session=${secret}` })).toBe(403)
    }
  },
  {
    attack: "the gateway's token and the extension's token in the session's cookie",
    run: async (app) => {
      for (const secret of [await accessToken(), settings.EXTENSION_TOKEN])
        expect(await dashboard(app, { cookie: `linkbower_session=${secret}` })).toBe(403)
    }
  },
  {
    attack: "a cookie without the prefix over HTTPS, which a plain connection may have set",
    run: async (app) => {
      const owner = await app.signedIn({ origin: "https://links.example.org" })
      const secret = owner.cookies.get("__Host-linkbower_session") ?? ""
      const over = { host: "links.example.org", "x-forwarded-proto": "https" }
      expect(await dashboard(app, { ...over, cookie: `__Host-linkbower_session=${secret}` })).toBe(200)
      for (const name of ["linkbower_session", "__Secure-linkbower_session", "__host-linkbower_session"])
        expect([name, await dashboard(app, { ...over, cookie: `${name}=${secret}` })]).toEqual([name, 403])
    }
  },
  {
    attack: "a cookie with the prefix over plain HTTP",
    run: async (app) => {
      const secret = (await app.signedIn()).cookies.get("linkbower_session") ?? ""
      expect(await dashboard(app, { cookie: `__Host-linkbower_session=${secret}` })).toBe(403)
    }
  },
  {
    attack: "a cookie over plain HTTP at a public host",
    run: async (app) => {
      const owner = await app.signedIn({ origin: "https://links.example.org" })
      const secret = owner.cookies.get("__Host-linkbower_session") ?? ""
      for (const host of ["links.example.org", "198.51.100.7:8787", "example.com", ""])
        for (const name of ["__Host-linkbower_session", "linkbower_session"])
          expect(await dashboard(app, { host, cookie: `${name}=${secret}` })).toBe(host === "" ? 400 : 403)
    }
  },
  {
    attack: "two cookies of the name",
    run: async (app) => {
      const cookie = cookieOf(await app.signedIn())
      const planted = `linkbower_session=${"B".repeat(43)}`
      for (const both of [`${cookie}; ${planted}`, `${planted}; ${cookie}`, `${cookie};${cookie}`])
        expect(await dashboard(app, { cookie: both })).toBe(403)
    }
  },
  {
    attack: "odd values of the cookie",
    run: async (app) => {
      const secret = (await app.signedIn()).cookies.get("linkbower_session") ?? ""
      for (const value of [
        "",
        `"${secret}"`,
        `${secret}=`,
        `${secret} `.repeat(2),
        secret.slice(1),
        secret.toLowerCase(),
        `%${secret.charCodeAt(0).toString(16)}${secret.slice(1)}`,
        "' OR 1=1 --",
        "x".repeat(15_000)
      ])
        expect([value, await dashboard(app, { cookie: `linkbower_session=${value}` })]).toEqual([value, 403])
    }
  },
  {
    attack: "the stored hash as the cookie",
    run: async (app) => {
      await app.signedIn()
      const [row] = await app.sql("SELECT secret FROM signin_sessions")
      const hash = String(row?.["secret"])
      expect(hash).toHaveLength(43)
      expect(await dashboard(app, { cookie: `linkbower_session=${hash}` })).toBe(403)
    }
  }
]

const passwords: ReadonlyArray<Attack> = [
  {
    attack: "brute force from one address: the right password too is refused after five tries",
    run: async (app) => {
      expect(await attempts(7, () => guess(app, app.address(1)))).toEqual([403, 403, 403, 403, 403, 429, 429])
      const late = await app.browser({ address: app.address(1) }).post("/password", { password: PASSWORD })
      expect(late.status).toBe(429)
      const wait = Number(late.headers.get("retry-after"))
      expect(wait).toBeGreaterThan(0)
      expect(wait).toBeLessThanOrEqual(60)
      expect(
        (await app.browser({ address: app.address(2) }).post("/password", { password: PASSWORD })).status
      ).toBe(204)
    }
  },
  {
    attack:
      "brute force from many addresses: refused after 100 tries, while the code, a session and a browser that had one still work",
    settings: {},
    run: async (app) => {
      const owner = await app.signedIn()
      const known = await app.signedIn()
      expect((await known.request("DELETE", "/signin/api/session")).status).toBe(204)
      const statuses = await attempts(101, (index) => guess(app, `198.51.${index}.1`))
      expect([statuses.filter((status) => status === 403).length, statuses.at(-1)]).toEqual([100, 429])
      expect(await owner.dashboard()).toBe(200)
      // Its own attempts run out by themselves.
      expect(await attempts(5, () => known.post("/password", { password: WRONG }))).not.toContain(429)
      expect((await known.post("/password", { password: WRONG })).status).toBe(429)
      expect(await (await app.signedIn({ cookies: owner.cookies })).dashboard()).toBe(200)
      expect(
        await (await app.settingUp()).put("/password", { password: "a new long password" })
      ).toMatchObject({
        status: 204
      })
    }
  },
  {
    attack: "forged X-Forwarded-For through a proxy, which adds the true address",
    run: async (app) => {
      const statuses = await attempts(6, (index) =>
        guess(app, "", { "x-forwarded-for": `10.0.0.${index}, 192.0.2.${index}, ${app.address(9)}` })
      )
      expect(statuses.at(-1)).toBe(429)
    }
  },
  {
    attack: "X-Forwarded-For from a machine of the local network that is not named: it is one caller",
    settings: { TRUSTED_FORWARDERS: undefined },
    run: async (app) => {
      const known = await app.signedIn()
      const statuses = await attempts(6, (index) => guess(app, app.address(index)))
      expect(statuses).toEqual([403, 403, 403, 403, 403, 429])
      expect((await known.post("/password", { password: PASSWORD })).status).toBe(204)
      for (let index = 0; index < 3; index++)
        expect((await app.browser().request("GET", "/list/api/meta")).status).toBe(200)
      // The owner learns which line is missing; nobody else does.
      const health = async (headers: Record<string, string>) =>
        (await (await app.app.request("GET", "/healthz", undefined, headers)).json()).unnamedProxies
      expect(await health({ host: "127.0.0.1:8787" })).toEqual(["127.0.0.1"])
      expect(await health({ host: "127.0.0.1:8787", "x-forwarded-for": "192.0.2.1" })).toBeUndefined()
      expect(await health({ host: "links.example.org" })).toBeUndefined()
    }
  },
  {
    attack: "other addresses of one IPv6 network",
    run: async (app) => {
      const statuses = await attempts(6, (index) => guess(app, `2001:db8:1:2:${index}::${index}`))
      expect(statuses.at(-1)).toBe(429)
      expect((await guess(app, "2001:db8:1:3::1")).status).toBe(403)
    }
  },
  {
    attack: "IPv4 written as IPv6",
    run: async (app) => {
      await attempts(5, () => guess(app, app.address(4)))
      expect((await guess(app, `::ffff:${app.address(4)}`)).status).toBe(429)
    }
  },
  {
    attack: "many attempts whose bodies do not end: they are not waited for beyond the limit",
    run: async (app) => {
      const bodies: Array<ReadableStreamDefaultController<Uint8Array>> = []
      const endless = () =>
        new ReadableStream<Uint8Array>({
          start: (controller) => {
            bodies.push(controller)
          }
        })
      const browser = app.browser()
      const waiting = Array.from({ length: 5 }, () => browser.post("/password", endless()))
      const refused = await browser.post("/password", endless())
      expect([refused.status, refused.headers.get("connection")]).toEqual([429, "close"])
      for (const body of bodies) body.close()
      expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([400, 400, 400, 400, 400])
    }
  },
  {
    attack: "large bodies to where only small ones are expected",
    run: async (app) => {
      for (const [method, path] of [
        ["POST", "/signin/api/password"],
        ["PUT", "/signin/api/password"],
        ["POST", "/signin/api/bot"],
        ["GET", "/list"],
        ["POST", "/nowhere"]
      ] as const) {
        // Of the body, nothing ever comes.
        const answer = await app.browser().request(method, path, undefined, { "content-length": "16385" })
        expect([path, answer.status, answer.headers.get("connection")]).toEqual([path, 413, "close"])
      }
    }
  },
  {
    attack: "many attempts at once",
    run: async (app) => {
      const all = await Promise.all(Array.from({ length: 30 }, () => guess(app, app.address(5))))
      const statuses = all.map(({ status }) => status)
      expect([statuses.filter((status) => status === 403).length, new Set(statuses)]).toEqual([
        5,
        new Set([403, 429])
      ])
    }
  },
  {
    attack: "enumeration by the body: no password set, a wrong one and a long one get the same answer",
    run: async (app) => {
      const nothing = makeSignInApp()
      try {
        const answers = await Promise.all([
          app.browser().post("/password", { password: WRONG }),
          app.browser().post("/password", { password: "x".repeat(2_000) }),
          nothing.browser().post("/password", { password: WRONG }),
          nothing.browser().post("/password", { password: "" })
        ])
        const seen = await Promise.all(
          answers.map(async (answer) => `${answer.status} ${await answer.text()}`)
        )
        expect(new Set(seen).size).toBe(1)
        expect(seen[0]).toStartWith("403 ")
      } finally {
        await nothing.app.dispose()
      }
    }
  },
  {
    attack: "a password from another site, as a form or as a script",
    run: async ({ app }) => {
      const body = { password: PASSWORD }
      const from = async (headers: Record<string, string>) =>
        (await app.request("POST", "/signin/api/password", body, { host: "localhost:8787", ...headers }))
          .status
      expect(await from({ origin: "https://evil.example" })).toBe(403)
      expect(await from({ origin: "null" })).toBe(403)
      expect(await from({ "sec-fetch-site": "cross-site" })).toBe(403)
      expect(await from({ "sec-fetch-site": "same-site" })).toBe(403)
      expect(
        await from({
          "sec-fetch-site": "cross-site",
          "sec-fetch-mode": "navigate",
          "sec-fetch-dest": "document"
        })
      ).toBe(403)
      expect(await from({ "content-type": "text/plain" })).toBe(415)
      expect(await from({ "content-type": "application/x-www-form-urlencoded" })).toBe(415)
    }
  },
  {
    attack: "oversized, deep and odd bodies",
    run: async (app) => {
      let sent = 0
      const from = async (body: unknown) =>
        (await app.browser({ address: app.address(++sent) }).post("/password", body)).status
      expect(await from({ password: "x".repeat(1_200_000) })).toBe(413)
      expect(await from({ password: "x".repeat(5_000) })).toBe(400)
      expect(await from({ password: "x".repeat(16_384) })).toBe(413)
      expect(await from(`${"[".repeat(8_000)}${"]".repeat(8_000)}`)).toBe(400)
      for (const password of [null, 5, ["x"], { $ne: "" }, true]) expect(await from({ password })).toBe(400)
      expect(await from("null")).toBe(400)
    }
  },
  {
    attack: "a new password without a session",
    run: async (app) => {
      expect((await app.browser().put("/password", { password: "a new long password" })).status).toBe(403)
      expect(
        (await app.browser().put("/password", { password: "a new long password", current: PASSWORD })).status
      ).toBe(403)
    }
  },
  {
    attack: "a new password in a stolen session, without the current one",
    run: async (app) => {
      const thief = await app.signedIn({ address: app.address(8) })
      const change = (current?: string) =>
        thief.put("/password", { password: "the thief's password", current })
      expect((await change()).status).toBe(403)
      expect(await attempts(6, () => change(WRONG))).toEqual([403, 403, 403, 403, 403, 429])
      expect(await thief.dashboard()).toBe(200)
    }
  },
  {
    attack: "weak passwords",
    on: "nothing",
    run: async (app) => {
      const owner = await app.settingUp()
      for (const password of [
        "",
        "short",
        "123456789",
        "aaaaaaaaaaaaaaaa",
        "localhost:8787",
        "http://localhost:8787",
        "HTTP://LOCALHOST:8787/dashboard",
        "ü".repeat(11),
        `${"🔑".repeat(300)}x`
      ])
        expect([password, (await owner.put("/password", { password })).status]).toEqual([password, 400])
      expect(await app.sql("SELECT 1 FROM signin_owner WHERE password IS NOT NULL")).toEqual([])
    }
  },
  {
    attack: "a sign-in over plain HTTP at a public host",
    run: async (app) => {
      for (const origin of ["http://links.example.org", "http://198.51.100.7:8787"]) {
        const response = await app.browser({ origin }).post("/password", { password: PASSWORD })
        expect([response.status, response.headers.getSetCookie()]).toEqual([403, []])
        expect((await response.json()).message).toContain("HTTPS")
      }
      const downgraded = app.browser({ origin: "http://links.example.org" })
      const proxied = await downgraded.request(
        "POST",
        "/signin/api/password",
        { password: PASSWORD },
        {
          "x-forwarded-proto": "http, https"
        }
      )
      expect(proxied.status).toBe(403)
    }
  },
  {
    attack: "the removal of the last way to sign in",
    run: async (app) => {
      const owner = await app.signedIn()
      const refused = await owner.request("DELETE", "/signin/api/password")
      expect([refused.status, (await refused.json()).error]).toEqual([409, "last_way"])
      const key = await app.addPasskey(owner)
      const both = await Promise.all([
        owner.request("DELETE", "/signin/api/password"),
        owner.request("DELETE", key.path)
      ])
      expect(both.map(({ status }) => status).sort()).toEqual([204, 409])
    }
  }
]

const codes: ReadonlyArray<Attack> = [
  {
    attack: "guesses at the code",
    on: "nothing",
    run: async (app) => {
      const code = await app.makeCode("log")
      const stranger = app.browser()
      expect(
        await attempts(5, (index) => stranger.post("/code", { code: `ACDEF-GHJK${"MNPQR"[index]}` }))
      ).toEqual([403, 403, 403, 403, 403])
      expect((await stranger.post("/code", { code })).status).toBe(429)
    }
  },
  {
    attack: "guesses at the second half of the code, from many addresses: it is void after five",
    on: "nothing",
    run: async (app) => {
      const code = await app.makeCode("log")
      const guesses = [..."ACDEF"].map((letter) => `${code.slice(0, 6)}${letter.repeat(5)}`)
      const statuses = await attempts(5, (index) =>
        app.browser({ address: app.address(index) }).post("/code", { code: guesses[index] })
      )
      expect(statuses).toEqual([403, 403, 403, 403, 403])
      expect((await app.browser().post("/code", { code })).status).toBe(403)
    }
  },
  {
    attack: "using up the tries of a code that the stranger has not seen",
    on: "nothing",
    run: async (app) => {
      const code = await app.makeCode("log")
      await attempts(40, (index) =>
        app.browser({ address: app.address(index) }).post("/code", { code: "ACDEF-GHJKM" })
      )
      expect((await app.browser().post("/code", { code })).status).toBe(204)
    }
  },
  {
    attack: "a code used twice, also at once",
    on: "nothing",
    run: async (app) => {
      const code = await app.makeCode()
      const both = await Promise.all([
        app.browser({ address: app.address(1) }).post("/code", { code }),
        app.browser({ address: app.address(2) }).post("/code", { code })
      ])
      expect(both.map(({ status }) => status).sort()).toEqual([204, 403])
      expect((await app.browser().post("/code", { code })).status).toBe(403)
    }
  },
  {
    attack: "a code after 15 minutes, and one whose end a wrong clock has moved",
    on: "nothing",
    run: async (app) => {
      for (const end of ["2020-01-01T00:00:00.000Z", "2999-01-01T00:00:00.000Z"]) {
        const code = await app.makeCode()
        await app.sql(`UPDATE signin_code SET expires_at = '${end}'`)
        expect((await app.browser().post("/code", { code })).status).toBe(403)
      }
    }
  },
  {
    attack: "an earlier code than the last",
    on: "nothing",
    run: async (app) => {
      const [first, last] = [await app.makeCode(), await app.makeCode()]
      expect((await app.browser().post("/code", { code: first })).status).toBe(403)
      expect((await app.browser().post("/code", { code: last })).status).toBe(204)
    }
  },
  {
    attack: "a code from an old log, after a way to sign in was set up",
    run: async (app) => {
      const code = await app.makeCode("log")
      expect((await app.browser().post("/code", { code })).status).toBe(403)
      const other = await app.makeCode("command")
      expect((await app.browser().post("/code", { code: other })).status).toBe(204)
    }
  },
  {
    attack: "a code from the log while the access gateway is set up",
    on: "nothing",
    settings: { ACCESS_AUD: settings.ACCESS_AUD, ACCESS_TEAM_DOMAIN: settings.ACCESS_TEAM_DOMAIN },
    run: async (app) => {
      const code = await app.makeCode("log")
      expect((await app.browser().post("/code", { code })).status).toBe(403)
    }
  },
  {
    attack: "making the service write codes once a way to sign in is set up",
    run: async (app) => {
      expect((await app.browser().request("GET", "/signin/api/ways")).status).toBe(200)
      expect(await app.sql("SELECT 1 FROM signin_code")).toEqual([])
    }
  },
  {
    attack: "making the service write many codes",
    on: "nothing",
    run: async (app) => {
      await Promise.all(Array.from({ length: 10 }, () => app.browser().request("GET", "/signin/api/ways")))
      const [before] = await app.sql("SELECT secret FROM signin_code")
      await app.browser().request("GET", "/signin/api/ways")
      expect(await app.sql("SELECT secret FROM signin_code")).toEqual([before ?? {}])
    }
  },
  {
    attack: "odd codes",
    on: "nothing",
    run: async (app) => {
      await app.makeCode()
      const from = async (code: unknown, address: string) =>
        (await app.browser({ address }).post("/code", { code })).status
      for (const [index, code] of ["", "%", "_____-_____", "' OR 1=1", "ACDEF", "İ".repeat(10)].entries())
        expect([code, await from(code, app.address(index))]).toEqual([code, 403])
      for (const code of [null, 5, {}, "x".repeat(100)]) expect(await from(code, app.address(101))).toBe(400)
    }
  },
  {
    attack: "the code on a public host over plain HTTP, which would also use it up",
    on: "nothing",
    run: async (app) => {
      const code = await app.makeCode()
      expect((await app.browser({ origin: "http://links.example.org" }).post("/code", { code })).status).toBe(
        403
      )
      expect((await app.browser().post("/code", { code })).status).toBe(204)
    }
  }
]

/** An app whose owner has a passkey, with that passkey. */
const withPasskey = async (app: SignInApp) => {
  const owner = await app.signedIn()
  return { owner, key: await app.addPasskey(owner) }
}

type Key = Awaited<ReturnType<SignInApp["addPasskey"]>>
type Twist = Parameters<Key["sign"]>[1]

/** Signs in with a passkey whose response is twisted; returns the status. */
const twisted = async (app: SignInApp, key: Pick<Key, "sign">, twist: Twist, browser = app.browser()) => {
  const options = await (await browser.post("/passkey/options")).json()
  return (await browser.post("/passkey", { response: await key.sign(options, twist) })).status
}

const passkeys: ReadonlyArray<Attack> = [
  {
    attack: "twisted responses: another origin, host, challenge, type, frame or flags",
    run: async (app) => {
      const { key } = await withPasskey(app)
      const twists: ReadonlyArray<Twist> = [
        { origin: "https://evil.example" },
        { origin: "http://localhost" },
        { origin: "https://localhost:8787" },
        { origin: "http://localhost:8787.evil.example" },
        { rpId: "evil.example" },
        { challenge: "AAAA" },
        { challenge: "" },
        { type: "webauthn.create" },
        { crossOrigin: true },
        // Without user presence.
        { flags: 0 }
      ]
      for (const twist of twists) expect([twist, await twisted(app, key, twist)]).toEqual([twist, 403])
      expect(await twisted(app, key, {})).toBe(204)
    }
  },
  {
    attack: "a Host header that names the attacker's origin",
    run: async (app) => {
      const { key } = await withPasskey(app)
      for (const origin of ["https://evil.example", "http://localhost.example.org", "http://nas.local"])
        expect([
          origin,
          await twisted(app, key, { origin, rpId: new URL(origin).hostname }, app.browser({ origin }))
        ]).toEqual([origin, 403])
    }
  },
  {
    attack: "a page whose origin is not the host of the request",
    run: async (app) => {
      const options = await app
        .browser()
        .request("POST", "/signin/api/passkey/options", {}, { origin: "http://127.0.0.1:8787" })
      expect(options.status).toBe(400)
      const address = await app.browser({ origin: "http://127.0.0.1:8787" }).post("/passkey/options")
      expect([address.status, (await address.json()).message]).toEqual([
        400,
        expect.stringContaining("host name")
      ])
    }
  },
  {
    attack: "a challenge answered twice",
    run: async (app) => {
      const { key } = await withPasskey(app)
      const browser = app.browser()
      const options = await (await browser.post("/passkey/options")).json()
      const cookies = new Map(browser.cookies)
      expect((await browser.post("/passkey", { response: await key.sign(options) })).status).toBe(204)
      const thief = app.browser()
      for (const [name, value] of cookies) thief.cookies.set(name, value)
      expect((await thief.post("/passkey", { response: await key.sign(options) })).status).toBe(403)
    }
  },
  {
    attack: "one response sent by many at once",
    run: async (app) => {
      const { key } = await withPasskey(app)
      const browser = app.browser()
      const options = await (await browser.post("/passkey/options")).json()
      const response = await key.sign(options)
      const cookie = cookieOf(browser)
      const all = await Promise.all(
        Array.from({ length: 5 }, () =>
          app.browser().request("POST", "/signin/api/passkey", { response }, { cookie })
        )
      )
      expect(all.map(({ status }) => status).sort()).toEqual([204, 403, 403, 403, 403])
    }
  },
  {
    attack: "the challenge of another browser",
    run: async (app) => {
      const { key } = await withPasskey(app)
      const [one, other] = [app.browser(), app.browser()]
      const options = await (await one.post("/passkey/options")).json()
      await other.post("/passkey/options")
      expect((await other.post("/passkey", { response: await key.sign(options) })).status).toBe(403)
      expect((await app.browser().post("/passkey", { response: await key.sign(options) })).status).toBe(403)
    }
  },
  {
    attack: "the challenge of another address of the service",
    run: async (app) => {
      const origin = "https://links.example.org"
      const owner = await app.signedIn({ origin })
      const key = await app.addPasskey(owner)
      const browser = app.browser({ origin })
      const options = await (await browser.post("/passkey/options")).json()
      const response = await key.sign(options)
      const other = app.browser({ origin: "https://other.example.org" })
      for (const [name, value] of browser.cookies) other.cookies.set(name, value)
      expect((await other.post("/passkey", { response })).status).toBe(403)
    }
  },
  {
    attack: "a challenge for a registration used for a sign-in, and the reverse",
    run: async (app) => {
      const { key, owner } = await withPasskey(app)
      const creation = await (await owner.post("/passkeys/options")).json()
      owner.cookies.set("linkbower_passkey", owner.cookies.get("linkbower_new_passkey") ?? "")
      expect((await owner.post("/passkey", { response: await key.sign(creation) })).status).toBe(403)
      const request = await (await owner.post("/passkey/options")).json()
      owner.cookies.set("linkbower_new_passkey", owner.cookies.get("linkbower_passkey") ?? "")
      const fresh = await makeAuthenticator(owner.origin)
      expect((await owner.post("/passkeys", { response: fresh.create(request) })).status).toBe(403)
    }
  },
  {
    attack: "a counter that goes back, as of a cloned key",
    run: async (app) => {
      const { key } = await withPasskey(app)
      expect(await twisted(app, key, { counter: 40 })).toBe(204)
      for (const counter of [40, 39, 1, 0])
        expect([counter, await twisted(app, key, { counter })]).toEqual([counter, 403])
      expect(await twisted(app, key, { counter: 41 })).toBe(204)
    }
  },
  {
    attack: "a passkey that the owner never added, and one with the identifier of the owner's",
    run: async (app) => {
      const { key } = await withPasskey(app)
      const stranger = await makeAuthenticator("http://localhost:8787")
      expect(await twisted(app, stranger, {})).toBe(403)
      const browser = app.browser()
      const options = await (await browser.post("/passkey/options")).json()
      const response = { ...(await stranger.sign(options)), id: key.id }
      expect((await browser.post("/passkey", { response })).status).toBe(403)
    }
  },
  {
    attack: "a removed passkey",
    run: async (app) => {
      const { key, owner } = await withPasskey(app)
      expect((await owner.request("DELETE", key.path)).status).toBe(204)
      expect(await twisted(app, key, {})).toBe(403)
    }
  },
  {
    attack: "a registration without a session, and with the cookie of a sign-in",
    run: async (app) => {
      const stranger = app.browser()
      expect((await stranger.post("/passkeys/options")).status).toBe(403)
      const options = await (await stranger.post("/passkey/options")).json()
      const key = await makeAuthenticator(stranger.origin)
      expect((await stranger.post("/passkeys", { response: key.create(options) })).status).toBe(403)
    }
  },
  {
    attack: "a second registration of the owner's credential by another key",
    run: async (app) => {
      const { key, owner } = await withPasskey(app)
      const options = await (await owner.post("/passkeys/options")).json()
      expect((await owner.post("/passkeys", { response: key.create(options) })).status).toBe(403)
      const twistedOptions = await (await owner.post("/passkeys/options")).json()
      const fresh = await makeAuthenticator(owner.origin)
      const response = fresh.create(twistedOptions, { origin: "https://evil.example" })
      expect((await owner.post("/passkeys", { response })).status).toBe(403)
    }
  },
  {
    attack: "malformed responses",
    run: async (app) => {
      const { key } = await withPasskey(app)
      const browser = app.browser()
      const good = await key.sign(await (await browser.post("/passkey/options")).json())
      const { response } = good
      const odd: ReadonlyArray<readonly [unknown, number]> = [
        [{}, 400],
        [{ ...good, id: "" }, 400],
        [{ ...good, id: "../x" }, 400],
        [{ ...good, response: { ...response, signature: "x".repeat(9_000) } }, 400],
        [{ ...good, response: { ...response, clientDataJSON: "bm90IGpzb24" } }, 403],
        [{ ...good, response: { ...response, clientDataJSON: "bnVsbA" } }, 403],
        [{ ...good, response: { ...response, authenticatorData: "AAAA" } }, 403],
        [{ ...good, response: { ...response, signature: "AAAA" } }, 403]
      ]
      for (const [given, status] of odd) {
        await browser.post("/passkey/options")
        expect([given, (await browser.post("/passkey", { response: given })).status]).toEqual([given, status])
      }
    }
  },
  {
    attack: "filling the memory with challenges",
    run: async (app) => {
      const statuses = await attempts(25, () =>
        app.browser({ address: app.address(3) }).post("/passkey/options")
      )
      expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([20, 429])
    }
  }
]

const wall: ReadonlyArray<Attack> = [
  {
    attack: "telling existing paths below /dashboard from others",
    run: async (app) => {
      const seen = new Set<string>()
      for (const path of [
        "",
        "/",
        "/api/links",
        "/api/nope",
        "/api/sessions",
        "/api/sessions/1",
        "/x",
        "/settings"
      ])
        for (const cookie of ["", `linkbower_session=${"C".repeat(43)}`]) {
          const response = await app.app.request("GET", `/dashboard${path}`, undefined, {
            host: "localhost:8787",
            ...(cookie === "" ? {} : { cookie })
          })
          const headers = [...response.headers].filter(([name]) => name !== "date")
          seen.add(JSON.stringify([response.status, headers, await response.text()]))
        }
      expect(seen.size).toBe(1)
    }
  },
  {
    attack: "changing the sessions from another site with the owner's cookie",
    run: async (app) => {
      const owner = await app.signedIn()
      for (const headers of [{ "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }]) {
        expect((await owner.request("DELETE", "/dashboard/api/sessions", undefined, headers)).status).toBe(
          403
        )
        expect((await owner.request("DELETE", "/signin/api/session", undefined, headers)).status).toBe(403)
      }
      expect(await owner.dashboard()).toBe(200)
    }
  },
  {
    attack: "reading secrets in the library's export, in the API and in the cookie's attributes",
    run: async (app) => {
      const owner = await app.signedIn()
      await app.addPasskey(owner)
      const [row] = await app.sql("SELECT secret FROM signin_sessions")
      const [password] = await app.sql("SELECT password, handle FROM signin_owner")
      const [passkey] = await app.sql("SELECT credential, public_key FROM signin_passkeys")
      const secrets = [row, password, passkey].flatMap((each) => Object.values(each ?? {}).map(String))
      expect(secrets).toHaveLength(5)
      for (const path of [
        "/dashboard/api/export?format=json",
        "/dashboard/api/sessions",
        "/signin/api/passkeys",
        "/signin/api/ways",
        "/dashboard/api/meta"
      ]) {
        const response = await owner.request("GET", path)
        expect([path, response.status]).toEqual([path, 200])
        const text = await response.text()
        for (const secret of secrets) expect(text).not.toContain(secret)
      }
    }
  },
  {
    attack: "a hostile User-Agent in the list of sessions",
    run: async (app) => {
      const owner = app.browser()
      const agent = `<script>alert(1)</script> Firefox/1 ${"x".repeat(5_000)}`
      await owner.request("POST", "/signin/api/password", { password: PASSWORD }, { "user-agent": agent })
      const { sessions } = await (await owner.request("GET", "/dashboard/api/sessions")).json()
      expect(sessions[0].device).toBe("Firefox")
    }
  }
]

const attacks = { sessions, passwords, codes, passkeys, wall }

describe("the owner's sign-in", () => {
  const shared = makeSignInApp()
  afterAll(shared.app.dispose)

  test("is attacked in more than 60 ways", () =>
    expect(Object.values(attacks).flat().length).toBeGreaterThan(60))
  for (const [part, rows] of Object.entries(attacks))
    describe(part, () => {
      for (const { attack, on = "password", run, settings: more } of rows)
        test(`holds against ${attack}`, async () => {
          const app = more === undefined ? shared : makeSignInApp(more)
          await app.startOver(on)
          await run(app)
          if (app !== shared) await app.app.dispose()
        })
    })
})
