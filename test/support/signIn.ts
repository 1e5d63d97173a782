import { SqlClient } from "@effect/sql"
import { Effect, type Layer, Option, Redacted } from "effect"
import { OneTimeCodes } from "../../src/gates/OneTimeCodes.ts"
import type { CodeStore } from "../../src/store/signin/CodeStore.ts"
import { CredentialStore } from "../../src/store/signin/CredentialStore.ts"
import { makeApp } from "./app.ts"
import { makeAuthenticator } from "./authenticator.ts"
import { type Browser, makeBrowser } from "./browser.ts"

export const PASSWORD = "correct horse battery"

/** The password's hash at the lowest cost, so that tests need not wait for it. */
const hash = await Bun.password.hash(PASSWORD, { algorithm: "argon2id", memoryCost: 8, timeCost: 1 })

/** Settings without an access gateway, so that only the service's own sign-in opens the dashboard. */
export const WITHOUT_GATEWAY = { ACCESS_AUD: undefined, ACCESS_TEAM_DOMAIN: undefined }

/** An app without a gateway, whose owner has set up nothing yet. */
export const makeSignInApp = (settings: Partial<Record<string, string>> = {}) => {
  const app = makeApp({ ...WITHOUT_GATEWAY, ...settings })
  let network = 0
  /** One of 256 addresses that no test before the last `startOver` has used. */
  const address = (number = 7) => `${198 + Math.floor(network / 256)}.51.${network % 256}.${number}`
  const browser = (options: Parameters<typeof makeBrowser>[1] = {}) =>
    makeBrowser(app, { address: address(), ...options })

  /** Makes a one-time code as `origin` would. */
  const makeCode = (origin: "log" | "command" = "command") =>
    app.run(
      Effect.flatMap(OneTimeCodes, (codes) => codes.make(origin)).pipe(
        Effect.map(Redacted.value),
        Effect.provide(OneTimeCodes.layer satisfies Layer.Layer<OneTimeCodes, never, CodeStore>)
      )
    )
  const signIn = async (browser: Browser) => {
    const { status } = await browser.post("/password", { password: PASSWORD })
    if (status !== 204) throw new Error(`the password was answered ${status}`)
    return browser
  }
  return {
    app,
    address,
    /** Removes all credentials and sessions, and sets up these; further requests come from other addresses. */
    startOver: async (credentials: "nothing" | "password") => {
      network++
      await app.run(
        Effect.gen(function* () {
          const store = yield* CredentialStore
          yield* store.reset
          if (credentials === "password") yield* store.setPassword(hash, Option.none())
        })
      )
    },
    makeCode,
    /** Runs a statement on the library. */
    sql: (statement: string) =>
      app.run(Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<Record<string, unknown>>(statement))),
    browser,
    /** A browser in which the owner has signed in with the password. */
    signedIn: (options?: Parameters<typeof makeBrowser>[1]) => signIn(browser(options)),
    /** A browser in which a one-time code was entered. */
    settingUp: async () => {
      const stranger = browser()
      const { status } = await stranger.post("/code", { code: await makeCode() })
      if (status !== 204) throw new Error(`the code was answered ${status}`)
      return stranger
    },
    /** Registers a new passkey in a browser that may; returns it. */
    addPasskey: async (browser: Browser) => {
      const authenticator = await makeAuthenticator(browser.origin)
      const options = await (await browser.post("/passkeys/options")).json()
      const made = await browser.post("/passkeys", { response: authenticator.create(options) })
      if (made.status !== 201) throw new Error(`the passkey was answered ${made.status}`)
      const { id }: { id: number } = await made.json()
      return { ...authenticator, path: `/signin/api/passkeys/${id}` }
    }
  }
}
export type SignInApp = ReturnType<typeof makeSignInApp>
