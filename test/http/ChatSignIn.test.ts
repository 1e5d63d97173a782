import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type App, makeApp } from "../support/app.ts"
import { type Browser, makeBrowser } from "../support/browser.ts"
import { WITHOUT_GATEWAY } from "../support/signIn.ts"

const CHAT = 4242
const withBot = { ...WITHOUT_GATEWAY, TELEGRAM_BOT_TOKEN: "123456:a-bot-token" }

let addresses = 0
const browserOf = (app: App) => makeBrowser(app, { address: `198.51.100.${addresses++}` })

const ask = (browser: Browser) => browser.post("/bot")
const look = async (browser: Browser): Promise<string> =>
  (await (await browser.request("GET", "/signin/api/bot")).json()).state

let lastUpdate = 70_000

/** Presses a button of the last question, as the owner's chat delivers it. */
const press = async (app: App, label: "Allow" | "Deny", chat: number | string = CHAT, data?: string) => {
  const message = app.sent.at(-1)
  const buttons = (message?.buttons ?? []).flat()
  const found = buttons.find((button) => button.label === label)
  await app.webhook({
    update_id: lastUpdate++,
    callback_query: {
      id: String(lastUpdate),
      from: { id: chat },
      data: data ?? (found !== undefined && "data" in found ? found.data : ""),
      message: { message_id: 900_000 + app.sent.length, date: 1, chat: { id: chat, type: "private" } }
    }
  })
  await app.settled()
}

/** A test's body with an app of its own, in which nothing was asked yet. */
const withApp =
  (settings: Partial<Record<string, string>>, body: (app: App) => Promise<void>) => async () => {
    const app = makeApp({ ...withBot, ...settings })
    await body(app).finally(app.dispose)
  }

describe("signing in with the bot", () => {
  let app: App
  beforeAll(() => {
    app = makeApp(withBot)
  })
  afterAll(() => app.dispose())

  test("asks in the chat, and signs the browser in once the owner allows it", async () => {
    const browser = browserOf(app)
    const response = await ask(browser)
    expect(response.status).toBe(202)
    const { expiresAt, number } = await response.json()
    expect(Math.round((Date.parse(expiresAt) - Date.now()) / 1000)).toBeWithin(115, 121)
    expect(number).toMatch(/^[1-9]\d$/)
    const question = app.sent.at(-1)
    expect(question).toMatchObject({ chatId: CHAT, replyTo: null })
    expect(question?.html).toBe(
      `<b>Sign in</b> from Firefox on Linux, 198.51.100.0?\n` +
        `The sign-in page shows ${number}. Deny it if yours shows another number or you didn’t ask.`
    )
    expect(question?.buttons?.map((row) => row.map(({ label }) => label))).toEqual([["Allow", "Deny"]])
    expect([await look(browser), await browser.dashboard()]).toEqual(["waiting", 403])
    await press(app, "Allow")
    expect(app.acknowledged.at(-1)).toBe("Allowed")
    expect(app.edits.at(-1)?.html).toBe("Allowed. Signed in from Firefox on Linux, 198.51.100.0.")
    expect(app.edits.at(-1)?.buttons).toBeUndefined()
    expect(await browser.dashboard()).toBe(403)
    expect([await look(browser), await browser.dashboard()]).toEqual(["allowed", 200])
    const { sessions } = await (await browser.request("GET", "/dashboard/api/sessions")).json()
    expect(sessions).toEqual([expect.objectContaining({ way: "bot", device: "Firefox on Linux" })])
  })

  test("held: a permission collected twice, and by another browser", async () => {
    const [browser, copy, other] = [browserOf(app), browserOf(app), browserOf(app)]
    await ask(browser)
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
    await press(app, "Allow")
    expect(await look(other)).toBe("expired")
    expect(await look(browser)).toBe("allowed")
    expect([await look(copy), await look(browser)]).toEqual(["expired", "expired"])
    expect([await copy.dashboard(), await other.dashboard()]).toEqual([403, 403])
  })

  test("held: another browser takes the place of a permission that waits for its browser", async () => {
    const [browser, other] = [browserOf(app), browserOf(app)]
    await ask(browser)
    await press(app, "Allow")
    expect((await ask(other)).status).toBe(429)
    expect([await look(other), await look(browser)]).toEqual(["expired", "allowed"])
  })

  test("held: pressing again after the permission was used changes nothing", async () => {
    const browser = browserOf(app)
    await ask(browser)
    await press(app, "Allow")
    await look(browser)
    const before = app.edits.at(-1)?.html
    for (const label of ["Allow", "Deny"] as const) {
      await press(app, label)
      expect(app.edits.at(-1)?.html).toBe(before ?? "")
    }
    expect(await browser.dashboard()).toBe(200)
    expect(await look(browser)).toBe("expired")
  })
})

describe("a question in the chat", () => {
  test(
    "held: denied, then allowed, then collected; allowed, then withdrawn",
    withApp({}, async (app) => {
      const browser = browserOf(app)
      await ask(browser)
      await press(app, "Deny")
      expect(app.edits.at(-1)?.html).toMatch(/^Denied: Firefox on Linux, /)
      await press(app, "Allow")
      expect(app.acknowledged.at(-1)).toBe("Denied")
      expect([await look(browser), await look(browser)]).toEqual(["denied", "expired"])
      expect(await browser.dashboard()).toBe(403)
      // A denial makes room for the next question.
      const next = browserOf(app)
      expect((await ask(next)).status).toBe(202)
      await press(app, "Allow")
      await press(app, "Deny")
      expect([await look(next), await next.dashboard()]).toEqual(["denied", 403])
    })
  )

  test(
    "held: presses in another chat, of other tokens, of changed data, and without the webhook's secret",
    withApp({}, async (app) => {
      const browser = browserOf(app)
      await ask(browser)
      const data =
        (app.sent.at(-1)?.buttons ?? []).flat().flatMap((one) => ("data" in one ? [one.data] : []))[0] ?? ""
      expect(data).toMatch(/^1b:[0-9a-f-]{36}:1$/)
      expect(data.length).toBeLessThanOrEqual(64)
      await press(app, "Allow", 4343)
      await press(app, "Allow", "4242")
      await press(app, "Allow", CHAT, data.replace(/:[0-9a-f-]{36}/, `:${crypto.randomUUID()}`))
      expect(app.edits.at(-1)?.html).toBe("This sign-in request has expired.")
      for (const changed of [
        data.slice(0, -1),
        `${data}1`,
        data.replace(/1$/, "2"),
        data.toUpperCase(),
        "1b:1:1"
      ])
        await press(app, "Allow", CHAT, changed)
      const update = {
        update_id: lastUpdate++,
        callback_query: {
          id: "1",
          from: { id: CHAT },
          data,
          message: { message_id: 1, date: 1, chat: { id: CHAT, type: "private" } }
        }
      }
      expect((await app.request("POST", "/webhook", update)).status).toBe(403)
      await app.settled()
      expect(await look(browser)).toBe("waiting")
    })
  )

  test(
    "waits alone: the same browser may ask again, another must wait",
    withApp({}, async (app) => {
      const [browser, other] = [browserOf(app), browserOf(app)]
      const first = await (await ask(browser)).json()
      const second = await (await ask(browser)).json()
      expect(second.number).toBe(first.number)
      expect(app.sent).toHaveLength(1)
      const refused = await ask(other)
      expect(refused.status).toBe(429)
      expect(Number(refused.headers.get("retry-after"))).toBeWithin(100, 121)
      expect((await refused.json()).message).toContain("Another browser is already asking")
      await press(app, "Allow")
      expect(await look(browser)).toBe("allowed")
    })
  )

  test(
    "held: a flood of requests from many addresses sends at most five questions an hour",
    withApp({}, async (app) => {
      const statuses: Array<number> = []
      for (let round = 0; round < 12; round++) {
        statuses.push((await ask(browserOf(app))).status)
        if (app.sent.length > 0) await press(app, "Deny")
      }
      expect(statuses).toEqual([202, 202, 202, 202, 202, ...Array.from({ length: 7 }, () => 429)])
      expect(app.sent).toHaveLength(5)
    })
  )

  test(
    "held: strangers whose questions wait, or were too many, do not keep out a browser that was let in before",
    withApp({}, async (app) => {
      const [browser, stranger] = [browserOf(app), browserOf(app)]
      await ask(browser)
      await press(app, "Allow")
      expect(await look(browser)).toBe("allowed")
      for (let round = 0; round < 4; round++) {
        await ask(browserOf(app))
        await press(app, "Deny")
      }
      expect((await ask(stranger)).status).toBe(202)
      expect((await ask(browserOf(app))).status).toBe(429)
      expect((await ask(browser)).status).toBe(202)
      await press(app, "Allow")
      expect([await look(browser), await look(stranger)]).toEqual(["allowed", "waiting"])
    })
  )

  test(
    "held: one browser that asks again and again is limited",
    withApp({}, async (app) => {
      const browser = browserOf(app)
      const statuses: Array<number> = []
      for (let round = 0; round < 7; round++) statuses.push((await ask(browser)).status)
      expect(statuses).toEqual([202, 202, 202, 202, 202, 429, 429])
    })
  )

  test(
    "held: asked by another site, over plain HTTP at a public host, or with words of the browser's own",
    withApp({}, async (app) => {
      const browser = browserOf(app)
      for (const headers of [{ "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }])
        expect((await browser.request("POST", "/signin/api/bot", {}, headers)).status).toBe(403)
      const exposed = makeBrowser(app, { origin: "http://links.example.org" })
      const refused = await ask(exposed)
      expect([refused.status, (await refused.json()).message]).toEqual([
        403,
        expect.stringContaining("HTTPS")
      ])
      expect(app.sent).toEqual([])
      const hostile = {
        "user-agent": "<b>Ann's phone</b> Firefox/1 Linux",
        "x-forwarded-for": "203.0.113.9, <i>home</i>"
      }
      await browser.request("POST", "/signin/api/bot", {}, hostile)
      expect(app.sent.at(-1)?.html).toMatch(/^<b>Sign in<\/b> from Firefox on Linux, 127\.0\.0\.1\?\n/)
      await press(app, "Deny")
      // Requests at the same time send one question.
      const asked = await Promise.all(Array.from({ length: 20 }, () => ask(browserOf(app))))
      expect(asked.filter(({ status }) => status === 202)).toHaveLength(1)
      expect(app.sent).toHaveLength(2)
    })
  )
})

describe("the bot's button is offered", () => {
  for (const [why, isOffered, settings] of [
    ["with a bot and a private chat", true, {}],
    ["while it is off", false, { SIGNIN_BOT: "off" }]
  ] as const)
    test(
      `${isOffered ? "" : "not "}${why}`,
      withApp(settings, async (app) => {
        const browser = browserOf(app)
        const { ways } = await (await browser.request("GET", "/signin/api/ways")).json()
        expect(ways.bot).toBe(isOffered)
        expect((await ask(browser)).status).toBe(isOffered ? 202 : 404)
        expect(app.sent).toHaveLength(isOffered ? 1 : 0)
      })
    )
})
