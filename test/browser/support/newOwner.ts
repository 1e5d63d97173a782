import type { CDPSession, Page } from "playwright-core"
import { type Running, startService, until } from "../../support/service.ts"
import { type View, visit } from "./browser.ts"
import type { Problems } from "./problems.ts"

/** The one-time code that the service has written to its log last. */
export const loggedCode = ({ output }: Pick<Running, "output">): Promise<string> =>
  until(() => [...output().matchAll(/one-time code ([A-Z0-9]+(?:[ -][A-Z0-9]+)?)/g)].at(-1)?.[1])

/** A service at which nobody can sign in yet, opened by its host name, because passkeys need one. */
export const startNew = async (settings: Readonly<Record<string, string>> = {}) => {
  const service = await startService(settings)
  const base = service.base.replace("127.0.0.1", "localhost")
  return {
    ...service,
    base,
    /** Opens a page in a browser without cookies. */
    look: <A>(
      path: string,
      body: (page: Page, problems: Problems) => Promise<A>,
      view: Partial<View> = {}
    ): Promise<A> =>
      visit({ base, ...view }, async (page, problems) => {
        // The page for signing in answers private addresses with 403.
        if (!/^\/(signin|list)?$/.test(path)) problems.expect(/status of 403/)
        await page.goto(path)
        return body(page, problems)
      })
  }
}
export type NewService = Awaited<ReturnType<typeof startNew>>

export const PASSWORD = "correct horse battery"

/** Sets the password as a new owner does, and waits for the page of the set-up. */
export const setPassword = async (page: Page, service: Pick<Running, "output">): Promise<void> => {
  await page.getByRole("textbox", { name: "One-time code" }).fill(await loggedCode(service))
  await page.getByRole("button", { name: "Continue" }).click()
  await page.getByRole("textbox", { name: "New password" }).fill(PASSWORD)
  await page.getByRole("button", { name: "Set the password" }).click()
  await page.waitForURL("**/setup")
}

/** Signs in with the password, on the page for signing in. */
export const signIn = async (page: Page, password = PASSWORD): Promise<void> => {
  await page.getByRole("textbox", { name: "Password", exact: true }).fill(password)
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
}

/** A virtual device with passkeys (DevTools protocol, WebAuthn). */
export const addAuthenticator = async (page: Page) => {
  const session: CDPSession = await page.context().newCDPSession(page)
  await session.send("WebAuthn.enable")
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true
    }
  })
  const credentials = async () =>
    (await session.send("WebAuthn.getCredentials", { authenticatorId })).credentials
  return {
    credentials,
    /** Removes every passkey from the device, and returns them. */
    takeAll: async () => {
      const all = await credentials()
      await session.send("WebAuthn.clearCredentials", { authenticatorId })
      return all
    }
  }
}
export type Authenticator = Awaited<ReturnType<typeof addAuthenticator>>
