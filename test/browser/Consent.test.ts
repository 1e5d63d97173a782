import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test"
import type { Page } from "playwright-core"
import { challengeOf, formOf, VERIFIER } from "../support/oauth.ts"
import { long } from "../support/tier.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { linksWithPages } from "./support/articles.ts"
import { TEST_TIMEOUT, visit } from "./support/browser.ts"
import { useLibrary } from "./support/useLibrary.ts"

setDefaultTimeout(TEST_TIMEOUT)

const library = useLibrary(() => linksWithPages)

/** A program on this machine, to which the browser comes back. */
let program: { readonly seen: Array<URL>; readonly callback: string; readonly stop: () => Promise<void> }
beforeAll(() => {
  const seen: Array<URL> = []
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) => {
      seen.push(new URL(url))
      return new Response("<!doctype html><title>Done</title><p>Done", {
        headers: { "content-type": "text/html" }
      })
    }
  })
  program = { seen, callback: `http://127.0.0.1:${server.port}/callback`, stop: () => server.stop(true) }
})
afterAll(() => program.stop())

/** Registers a program; returns the address of its consent page. */
const consentPage = async (fields: Record<string, string> = {}, redirect = program.callback) => {
  const answer = await fetch(`${library().base}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "Reading assistant", redirect_uris: [redirect] })
  })
  const { client_id } = await answer.json()
  return `/dashboard/authorize?${formOf({
    response_type: "code",
    client_id,
    redirect_uri: redirect,
    scope: "read save change share",
    state: "s1",
    code_challenge: challengeOf(VERIFIER),
    code_challenge_method: "S256",
    ...fields
  })}`
}

const share = async () => {
  // A page with everything that an article can have.
  const [{ id } = { id: 0 }] = await library().client.links("?q=title:harbour")
  const shared = await library().client.owner("POST", `/api/links/${id}/share`, { with: "text" })
  return (await shared.json()).path
}

const isReady = (page: Page) => page.locator("button:enabled", { hasText: "Allow" }).waitFor()

test("the owner takes a scope away, allows the program, and the browser goes back to it", async () =>
  visit(await library().owner(), async (page, problems) => {
    problems.expect(/\/callback/)
    await page.goto(await consentPage())
    await isReady(page)
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toContain("Reading assistant")
    // Publishing is asked for, and not chosen at first.
    expect(await page.getByRole("checkbox", { checked: true }).count()).toBe(3)
    await page.getByRole("checkbox", { name: /Save links/ }).uncheck()
    await page.getByRole("button", { name: "Allow" }).click()
    await page.waitForURL(/\/callback\?/)
    const answered = program.seen.find(({ pathname }) => pathname === "/callback")?.searchParams
    expect(answered?.get("state")).toBe("s1")
    const { tokens } = await (await library().client.owner("GET", "/api/tokens")).json()
    // Nothing is there before the program redeems its code.
    expect(tokens).toEqual([])
    expect(answered?.get("code")).toStartWith("lbc_")
  }))

long(testAccessibility)(async (device, check) =>
  visit(await library().owner({ device }), async (page, problems) => {
    await page.goto(await consentPage({}, "https://assistant.example/oauth/callback"))
    await isReady(page)
    await check(page, "consent")
    problems.expect(/400/)
    await page.goto(await consentPage({ scope: "admin" }, "https://assistant.example/oauth/callback"))
    await page.getByRole("heading", { name: "This program cannot be connected" }).waitFor()
    await check(page, "consent-refused")
    const path = await share()
    await page.goto(path)
    await page.locator("article").waitFor()
    await check(page, "shared-page")
  })
)
