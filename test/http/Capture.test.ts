import { describe, expect, test } from "bun:test"
import { type App, accessToken, makeApp, settings } from "../support/app.ts"

const withApp = (name: string, body: (app: App) => Promise<void>, overrides: Record<string, string> = {}) =>
  test(name, async () => {
    const app = makeApp(overrides)
    await body(app).finally(app.dispose)
  })

const links = async (app: App, query = "") =>
  (await (await app.owner("GET", `/api/links${query}`)).json()).links

describe("POST /capture/api/link", () => {
  withApp("saves the link and answers with its normalized address and the page's title", async (app) => {
    const response = await app.capture({
      url: "https://Example.org/a/?t=A+page&utm_source=x#part",
      note: "n"
    })
    expect([response.status, await response.json()]).toEqual([
      200,
      { status: "saved", url: "https://example.org/a?t=A+page", title: "A page" }
    ])
    expect(await links(app)).toMatchObject([
      {
        url: "https://Example.org/a/?t=A+page&utm_source=x#part",
        title: "A page",
        note: "n",
        enrichment: "complete"
      }
    ])
  })

  withApp("answers the same for a known link, and nothing the owner has written", async (app) => {
    const capture = { url: "https://example.org/?t=A+page", note: "n" }
    const first = await (await app.capture(capture)).text()
    const [{ id }] = await links(app)
    await app.owner("POST", "/api/mutate", {
      op: "edit",
      ids: [id],
      title: "My secret title",
      summary: "My words"
    })
    await app.owner("POST", "/api/mutate", { op: "collection", ids: [id], collection: "Private" })
    const second = await app.capture(capture)
    expect(await second.text()).toBe(first)
    expect(await links(app)).toMatchObject([{ title: "My secret title", summary: "My words", note: "n" }])
  })

  withApp("makes one link of forty captures at once", async (app) => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        app.capture({ url: "https://example.org/?t=One", note: `note ${index % 4}` })
      )
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const all = await links(app)
    expect(all.length).toBe(1)
    expect(all[0].note.split("\n").sort()).toEqual(["note 0", "note 1", "note 2", "note 3"])
  })

  withApp("answers a repeated request under one key as the first, and captures once", async (app) => {
    const key = { "idempotency-key": "k1" }
    const capture = { url: "https://example.org/?t=One", note: "n" }
    const answers = [await app.capture(capture, key), await app.capture(capture, key)]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const [first, again] = await Promise.all(answers.map((answer) => answer.json()))
    expect(again).toEqual(first)
    await app.settled()
    expect((await links(app)).length).toBe(1)
  })

  withApp("answers requests under one key at the same moment alike", async (app) => {
    const key = { "idempotency-key": "k1" }
    const capture = { url: "https://example.org/slow?t=Slow" }
    const answers = await Promise.all([1, 2, 3].map(async () => (await app.capture(capture, key)).json()))
    expect(answers).toEqual(
      Array(3).fill({ status: "saved", url: "https://example.org/slow?t=Slow", title: "Slow" })
    )
  })

  withApp("answers a repeated request without a title once its link is deleted", async (app) => {
    const key = { "idempotency-key": "k1" }
    const capture = { url: "https://example.org/?t=One" }
    await app.capture(capture, key)
    const [{ id }] = await links(app)
    await app.owner("POST", "/api/mutate", { op: "delete", ids: [id] })
    const again = await app.capture(capture, key)
    expect([again.status, await again.json()]).toEqual([
      202,
      { status: "accepted", url: "https://example.org/?t=One" }
    ])
    expect(await links(app)).toEqual([])
  })

  for (const [what, other] of [
    ["another address", { url: "https://example.org/other" }],
    ["another note", { url: "https://example.org/?t=One", note: "more" }]
  ] as const)
    withApp(`refuses ${what} under a key that was used, and changes nothing`, async (app) => {
      const key = { "idempotency-key": "k1" }
      expect((await app.capture({ url: "https://example.org/?t=One", note: "n" }, key)).status).toBe(200)
      const response = await app.capture(other, key)
      expect([response.status, (await response.json()).error]).toEqual([409, "idempotency_key_reused"])
      await app.settled()
      expect(await links(app)).toMatchObject([{ url: "https://example.org/?t=One", note: "n" }])
      expect((await app.capture(other, { "idempotency-key": "k2" })).status).toBe(200)
    })

  withApp("tells long keys apart that begin alike", async (app) => {
    for (const end of ["a", "b"])
      expect(
        (
          await app.capture(
            { url: `https://example.org/${end}` },
            { "idempotency-key": "k".repeat(300) + end }
          )
        ).status
      ).toBe(200)
    expect((await links(app)).length).toBe(2)
  })

  withApp(
    "answers 202 when the page takes longer than it may wait, and saves it all the same",
    async (app) => {
      const response = await app.capture({ url: "https://example.org/slow?t=Slow" })
      expect([response.status, await response.json()]).toEqual([
        202,
        { status: "accepted", url: "https://example.org/slow?t=Slow" }
      ])
      await app.settled()
      expect(await links(app)).toMatchObject([{ title: "Slow" }])
    },
    { CAPTURE_WAIT: "50 millis" }
  )

  withApp("uses the browser's title where the page gives none", async (app) => {
    const response = await app.capture({ url: "https://example.org/", title: "From the tab" })
    expect((await response.json()).title).toBe("From the tab")
  })

  for (const [what, field, body] of [
    ["no address", "url", {}],
    ["a number", "url", { url: 7 }],
    ["another scheme", "url", { url: "ftp://example.org/a" }],
    ["a script", "url", { url: "javascript:alert(1)" }],
    ["a script in pieces", "url", { url: "\tjava\nscript:alert(1)" }],
    ["no host", "url", { url: "http://" }],
    ["no scheme", "url", { url: "//evil" }],
    ["9,000 characters", "url", { url: `https://example.org/${"a".repeat(9_000)}` }],
    ["a note that is no text", "note", { url: "https://example.org", note: 5 }],
    ["a note of 100,000 characters", "note", { url: "https://example.org", note: "x".repeat(100_000) }]
  ] as const)
    withApp(`refuses ${what}, naming the field, and keeps nothing`, async (app) => {
      const response = await app.capture(body)
      const answer = await response.json()
      expect([response.status, answer.error]).toEqual([400, "bad_request"])
      expect(answer.message).toContain(`"${field}"`)
      expect(await links(app)).toEqual([])
    })

  withApp("refuses what is no JSON, too large, or of another type", async (app) => {
    for (const [body, status] of [
      ["[", 400],
      ["null", 400],
      [JSON.stringify({ url: "https://example.org", note: "x".repeat(2_000_000) }), 413]
    ] as const)
      expect((await app.capture(body)).status).toBe(status)
    expect((await app.capture({ url: "https://example.org" }, { "content-type": "text/plain" })).status).toBe(
      415
    )
    expect(await links(app)).toEqual([])
  })
})

describe("POST /dashboard/api/links", () => {
  const payload = { url: "https://example.org/?t=A+page", note: "n" }

  withApp("saves as a capture does, for whoever the gateway lets in", async (app) => {
    const response = await app.owner("POST", "/api/links", { ...payload, title: "From the tab" })
    expect([response.status, await response.json()]).toEqual([
      200,
      { status: "saved", url: payload.url, title: "A page" }
    ])
    expect(await links(app)).toMatchObject([{ url: payload.url, title: "A page", note: "n" }])
  })

  withApp("joins the notes of a link that is there already", async (app) => {
    await app.owner("POST", "/api/links", payload)
    await app.owner("POST", "/api/links", { ...payload, note: "m" })
    expect(await links(app)).toMatchObject([{ note: "n\nm" }])
  })

  withApp("takes a repeated delivery with one key for one capture", async (app) => {
    const headers = { "cf-access-jwt-assertion": await accessToken(), "idempotency-key": "k1" }
    const send = (url: string) => app.request("POST", "/dashboard/api/links", { url }, headers)
    expect((await send(payload.url)).status).toBe(200)
    expect((await send(payload.url)).status).toBe(200)
    expect((await send("https://example.org/other")).status).toBe(409)
    await app.settled()
    expect((await links(app)).length).toBe(1)
  })

  withApp("is closed to everybody else: no token, the extension's token, another site", async (app) => {
    const token = { "cf-access-jwt-assertion": await accessToken() }
    for (const headers of [
      {},
      { authorization: `Bearer ${settings.EXTENSION_TOKEN}` },
      { ...token, "sec-fetch-site": "cross-site" },
      { ...token, origin: "https://evil.example" }
    ])
      expect((await app.request("POST", "/dashboard/api/links", payload, headers)).status).toBe(403)
    expect(await links(app)).toEqual([])
  })

  withApp("takes nothing but JSON with a web address", async (app) => {
    const token = { "cf-access-jwt-assertion": await accessToken() }
    const form = { ...token, "content-type": "application/x-www-form-urlencoded" }
    expect((await app.request("POST", "/dashboard/api/links", "url=https://a.example", form)).status).toBe(
      415
    )
    const response = await app.owner("POST", "/api/links", { url: "javascript:alert(1)" })
    expect([response.status, (await response.json()).message]).toEqual([
      400,
      expect.stringContaining('"url"')
    ])
    expect(await links(app)).toEqual([])
  })
})
