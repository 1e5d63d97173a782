import { afterAll, describe, expect, test } from "bun:test"
import { strFromU8, unzipSync } from "fflate"
import { readHandoverLink } from "../../src/shared/Handover.ts"
import { accessToken, makeApp, settings } from "../support/app.ts"

const app = makeApp()
const withoutToken = makeApp({ EXTENSION_TOKEN: "" })
const withComma = makeApp({ EXTENSION_TOKEN: "one,two,three" })
const published = makeApp({ PUBLIC_URL: "https://links.example.org/" })
const apps = [app, withoutToken, withComma, published]
afterAll(() => Promise.all(apps.map((one) => one.dispose())))

const BROWSERS = ["chrome", "firefox"] as const
const path = (browser: string) => `/setup/extension/${browser}.zip`

const download = async (browser: string, from = app, headers: Record<string, string> = {}) =>
  from.request("GET", path(browser), undefined, {
    "cf-access-jwt-assertion": await accessToken(),
    ...headers
  })

const handoverIn = async (response: Response) => {
  const file = unzipSync(await response.bytes())["configuration.json"]
  return readHandoverLink(JSON.parse(strFromU8(file ?? new Uint8Array())).connect)
}

describe.each(BROWSERS)("the package for %s", (browser) => {
  test("contains the service's address and token, and nothing else that the open one lacks", async () => {
    const response = await download(browser, published)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="linkbower-${browser}.zip"`,
      "cache-control": "no-store",
      "cross-origin-resource-policy": "same-origin"
    })
    const files = unzipSync(await response.clone().bytes())
    const open = await published.request("GET", `/downloads/linkbower-${browser}.zip`)
    const { "configuration.json": empty, ...rest } = unzipSync(await open.bytes())
    expect(strFromU8(empty ?? new Uint8Array())).not.toContain("#")
    for (const [name, bytes] of Object.entries(rest))
      expect(Bun.hash(files[name] ?? "")).toBe(Bun.hash(bytes))
    expect(Object.keys(files).length).toBe(Object.keys(rest).length + 1)
    expect(await handoverIn(response)).toEqual({
      address: "https://links.example.org",
      token: settings.EXTENSION_TOKEN
    })
  })

  test("is for the owner alone", async () => {
    for (const token of ["", "x", `${await accessToken()}x`]) {
      const response = await app.request("GET", path(browser), undefined, {
        "cf-access-jwt-assertion": token
      })
      expect(response.status).toBe(403)
      expect(await response.text()).not.toContain(settings.EXTENSION_TOKEN)
    }
    // Not even the owner's browser loads it for another site.
    const foreign = await download(browser, app, {
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "no-cors"
    })
    expect(foreign.status).toBe(403)
  })
})

test("without PUBLIC_URL, the address is the one that was asked", async () => {
  const asked = async (headers: Record<string, string>) =>
    (await handoverIn(await download("chrome", app, headers)))?.address
  expect(await asked({ host: "nas.lan:8787" })).toBe("http://nas.lan:8787")
  expect(await asked({ host: "links.example.org", "x-forwarded-proto": "https" })).toBe(
    "https://links.example.org"
  )
})

test("there is no package without a token that the extension can use", async () => {
  for (const [from, reason] of [
    [withoutToken, "no token yet"],
    [withComma, "without commas"]
  ] as const) {
    const response = await download("chrome", from)
    expect(response.status).toBe(409)
    expect(await response.text()).toContain(reason)
  }
})

test("a refused caller cannot tell which addresses exist", async () => {
  const answers = await Promise.all(
    [path("chrome"), path("opera"), "/setup/nowhere"].map(async (target) => {
      const response = await app.request("GET", target)
      return [response.status, await response.text(), Object.fromEntries(response.headers)]
    })
  )
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect((await download("opera")).status).toBe(404)
})
