import { afterAll, describe, expect, test } from "bun:test"
import { Effect } from "effect"
import { LinkId } from "../../src/domain/Link.ts"
import { returnedSentences } from "../../src/shared/Returned.ts"
import { HighlightStore } from "../../src/store/pages/HighlightStore.ts"
import { accessToken, appTests, makeApp, settings } from "../support/app.ts"
import { until } from "../support/service.ts"

const appTest = appTests()

/** An app for requests that are rejected. */
const empty = makeApp()
afterAll(() => empty.dispose())

describe("POST /capture/api/link", () => {
  appTest("saves the link and returns its normalized URL and the page's title", async (app) => {
    const url = "https://Example.org/a/?t=A+page&utm_source=x#part"
    const response = await app.capture({ url, note: "n", title: "From the tab" })
    expect([response.status, await response.json()]).toEqual([
      200,
      { status: "saved", url: "https://example.org/a?t=A+page", title: "A page" }
    ])
    expect(await app.links()).toMatchObject([{ url, title: "A page", note: "n", enrichment: "complete" }])
    const untitled = await app.capture({ url: "https://example.org/", title: "From the tab" })
    expect((await untitled.json()).title).toBe("From the tab")
  })

  appTest("returns the same for a known link, without the owner's own texts", async (app) => {
    const capture = { url: "https://example.org/?t=A+page", note: "n" }
    const first = await (await app.capture(capture)).text()
    await app.owner("POST", "/api/mutate", {
      op: "edit",
      ids: [1],
      title: "My secret title",
      summary: "My words"
    })
    await app.owner("POST", "/api/mutate", { op: "collection", ids: [1], collection: "Private" })
    expect(await (await app.capture(capture)).text()).toBe(first)
    expect(await app.links()).toMatchObject([{ title: "My secret title", summary: "My words", note: "n" }])
    // Nor does it tell of the archive or of the trash, from which the link comes back.
    await app.owner("POST", "/api/mutate", { op: "state", ids: [1], state: "archived" })
    expect(await (await app.capture(capture)).text()).toBe(first)
    await app.owner("POST", "/api/mutate", { op: "delete", ids: [1] })
    expect(await (await app.capture({ ...capture, note: "more" })).text()).toBe(first)
    expect(await app.links()).toMatchObject([
      { id: 1, title: "My secret title", note: "n\nmore", collection: { name: "Private" }, state: "unread" }
    ])
  })

  test("gives the title of a page on the owner's network only to who is on that network", async () => {
    const app = makeApp({ FETCH_ALLOW: "intranet.example" })
    const titleFor = async (url: string, headers: Record<string, string> = {}) =>
      (await (await app.capture({ url, title: "From the tab" }, headers)).json()).title
    const page = "https://intranet.example/?t=Secret"
    const far = { "x-forwarded-for": "203.0.113.9" }
    expect(await titleFor(page)).toBe("Secret")
    expect(await titleFor(page, far)).toBe("From the tab")
    expect(await titleFor("https://example.org/?t=Open", far)).toBe("Open")
    await app.dispose()
  })

  appTest("highlights a passage of the page once, and tells nothing about it", async (app) => {
    const url = "https://example.org/?t=A+page"
    const plain = await (await app.capture({ url })).text()
    const highlight = { quote: "A passage", prefix: "before ", suffix: " after" }
    const send = async () => (await app.capture({ url, highlight }, { "idempotency-key": "one" })).text()
    expect([await send(), await send()]).toEqual([plain, plain])
    await app.settled()
    const highlights = () => app.run(Effect.flatMap(HighlightStore, ({ ofLink }) => ofLink(LinkId.make(1))))
    expect(await highlights()).toMatchObject([
      { ...highlight, source: "extension", colour: "yellow", note: "" }
    ])
    // Without the text around it, as from a page that no script may read.
    await app.capture({ url, highlight: { quote: "Another" } })
    await app.settled()
    expect((await highlights()).length).toBe(2)
  })

  appTest("gives the link its tags, those in the note and its collection", async (app) => {
    const url = "https://example.org/?t=A+page"
    const first = await app.capture({
      url,
      note: "Read this #soon\n\n> a quoted #hashtag",
      tags: ["To Read", "to-read", "#Soon"],
      collection: "A / B"
    })
    expect(first.status).toBe(200)
    const [link] = await app.links()
    expect(link).toMatchObject({
      note: "Read this\n\n> a quoted #hashtag",
      tags: ["to-read", "soon", "some-tag"],
      collection: { name: "A / B" }
    })
    // Tags are added; a link that was filed by hand stays where it is, also if it was taken out of its collection.
    const again = { url, tags: ["new"], collection: "C" }
    expect(await (await app.capture(again)).text()).toBe(await first.text())
    expect(await app.links()).toMatchObject([
      { tags: ["to-read", "soon", "new", "some-tag"], collection: { name: "A / B" } }
    ])
    await app.owner("POST", "/api/mutate", { op: "collection", ids: [1], collection: null })
    await app.capture(again)
    expect(await app.links()).toMatchObject([{ collection: null }])
    // A link that nobody has filed is.
    await app.capture({ url: `${url}&2` })
    await app.capture({ url: `${url}&2`, collection: "C" })
    expect((await app.links()).find(({ id }) => id > 1)).toMatchObject({ collection: { name: "C" } })
  })

  appTest("publishes nothing: a link is not filed in a shared collection", async (app) => {
    const create = async (name: string, parent: number | null = null): Promise<number> => {
      const made = await app.owner("POST", "/api/collections", { name, parent })
      return (await made.json()).collection.id
    }
    const shared = await create("Public")
    await create("Inner", shared)
    await app.owner("PATCH", `/api/collections/${shared}`, { shareable: true })
    // The collection's old name stands for it.
    await app.owner("PATCH", `/api/collections/${shared}`, { name: "Open" })
    const url = "https://example.org/?t=A+page"
    await app.capture({ url: `${url}&0` })
    const paths = ["Open", "open", "Open / Inner", "Open / New", "Public", "Public / Inner", "Public / New"]
    for (const [index, collection] of paths.entries())
      expect((await app.capture({ url: `${url}&${index}`, collection })).status).toBe(200)
    for (const link of await app.links()) expect(link).toMatchObject({ collection: null })
    expect((await (await app.request("GET", "/list/api/links")).json()).links).toEqual([])
    // The owner may.
    await app.owner("POST", "/api/links", { url: `${url}&0`, collection: "Public / New" })
    expect((await (await app.request("GET", "/list/api/links")).json()).links).toHaveLength(1)
  })

  appTest("changes nothing that is public of a public link, and keeps its words in the note", async (app) => {
    const publicLinks = async () => (await (await app.request("GET", "/list/api/links")).json()).links
    const article = { html: `<article><p>${"What I say. ".repeat(200)}</p></article>`, title: "Mine" }
    const rest = { title: "Mine", description: "Mine", selection: "Mine", article }
    // The second one has no page that can be read, so that only the capture says something about it.
    const urls = ["https://example.org/?t=A+page", "https://example.org/gone", "https://example.org/?t=C"]
    for (const url of urls) await app.capture({ url })
    await app.settled()
    await app.owner("POST", "/api/mutate", { op: "shareable", ids: [1, 2], shareable: true })
    await app.owner("POST", "/api/mutate", { op: "collection", ids: [3], collection: "Public" })
    await app.owner("PATCH", "/api/collections/1", { shareable: true })
    const before = await publicLinks()
    expect(before).toHaveLength(3)
    for (const url of urls) {
      const more = { note: "look #loud", tags: ["very-loud", ".quiet"], collection: "Theirs" }
      expect((await app.capture({ url, ...rest, ...more })).status).toBe(200)
    }
    await app.settled()
    expect(await publicLinks()).toEqual(before)
    for (const { collection, note, tags } of await app.links()) {
      expect([note, collection?.name ?? "Public"]).toEqual(["look\n#very_loud #loud", "Public"])
      expect(tags).toContain(".quiet")
    }
  })

  appTest("describes a new link that is shared meanwhile by its own page alone", async (app) => {
    const url = "https://example.org/slow?t=A+page"
    const sent = app.capture({ url, title: "Mine", selection: "Mine" }, { "idempotency-key": "one" })
    await until(async () => (await app.links()).length === 1)
    await app.owner("POST", "/api/mutate", { op: "shareable", ids: [1], shareable: true })
    await sent
    await app.settled()
    expect(await app.links()).toMatchObject([{ enrichment: "partial", title: "example.org" }])
  })

  appTest("brings a public link back from the trash private, and says so once and again", async (app) => {
    const urls = ["https://example.org/?t=A+page", "https://example.org/?t=B", "https://example.org/?t=C"]
    for (const url of urls) await app.capture({ url })
    await app.settled()
    await app.owner("POST", "/api/mutate", { op: "shareable", ids: [1], shareable: true })
    await app.owner("POST", "/api/mutate", { op: "collection", ids: [1, 3], collection: "Private" })
    await app.owner("POST", "/api/mutate", { op: "collection", ids: [2], collection: "Public" })
    await app.owner("PATCH", "/api/collections/2", { shareable: true })
    await app.owner("POST", "/api/mutate", { op: "delete", ids: [1, 2, 3] })
    const answers = async () =>
      Promise.all(
        urls.map(
          async (url) => (await (await app.capture({ url }, { "idempotency-key": url })).json()).notice
        )
      )
    const told = [returnedSentences.unshared, returnedSentences.unshared, undefined]
    expect([await answers(), await answers()]).toEqual([told, told])
    expect(await (await app.request("GET", "/list/api/links")).json()).toMatchObject({ links: [] })
    expect((await app.links()).toSorted((a, b) => a.id - b.id)).toMatchObject([
      { shareable: false, collection: { name: "Private" } },
      { inShared: false, collection: null },
      { shareable: false, collection: { name: "Private" } }
    ])
  })

  appTest("leaves the owner room for tags, notes and highlights", async (app) => {
    const url = "https://example.org/?t=A+page"
    const many = (name: string) => Array.from({ length: 50 }, (_, n) => `${name}${n}`)
    const long = "x".repeat(20_000)
    const cut = await (await app.capture({ url, note: long, tags: many("a") })).json()
    expect(cut.notice).toBe("The note was cut to 10,000 characters.")
    for (const name of ["b", "c"]) await app.capture({ url, note: name, tags: many(name) })
    await app.settled()
    expect(await app.links()).toMatchObject([{ note: "x".repeat(10_000), tags: many("a") }])
    await app.owner("POST", "/api/links", { url, note: "mine", tags: ["mine"] })
    await app.settled()
    const [link] = await app.links()
    expect(link?.note.endsWith("\nmine")).toBe(true)
    expect(link?.tags).toContain("mine")
  })

  appTest("makes one link of concurrent captures", async (app) => {
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        app.capture({ url: "https://example.org/?t=One", note: `note ${index % 4}` })
      )
    )
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    const [link, ...others] = await app.links()
    expect(others).toEqual([])
    expect(link?.note.split("\n").sort()).toEqual(["note 0", "note 1", "note 2", "note 3"])
  })

  appTest("captures once under an idempotency key", async (app) => {
    const key = { "idempotency-key": "k1" }
    const capture = { url: "https://example.org/slow?t=Slow", note: "n" }
    const send = async () => {
      const response = await app.capture(capture, key)
      return [response.status, await response.json()]
    }
    const first = await Promise.all([send(), send(), send()])
    expect(new Set([...first, await send()].map((one) => JSON.stringify(one)))).toEqual(
      new Set([JSON.stringify([200, { status: "saved", url: capture.url, title: "Slow" }])])
    )
    await app.settled()
    for (const other of [{ url: "https://example.org/other" }, { ...capture, note: "more" }]) {
      const response = await app.capture(other, key)
      expect([response.status, (await response.json()).error]).toEqual([409, "idempotency_key_reused"])
    }
    await app.settled()
    expect(await app.links()).toMatchObject([{ url: capture.url, note: "n" }])
    expect((await app.capture({ ...capture, note: "more" }, { "idempotency-key": "k2" })).status).toBe(200)
    // Once the link is deleted, the response to the first key has no title.
    await app.owner("POST", "/api/mutate", { op: "delete", ids: [1] })
    expect(await send()).toEqual([202, { status: "accepted", url: capture.url }])
    expect(await app.links()).toEqual([])
    for (const end of ["a", "b"])
      await app.capture({ url: `https://example.org/${end}` }, { "idempotency-key": "k".repeat(300) + end })
    expect((await app.links()).length).toBe(2)
  })

  appTest(
    "answers 202 when the page takes longer than the wait, and saves the link",
    async (app) => {
      const response = await app.capture({ url: "https://example.org/slow?t=Slow" })
      expect([response.status, await response.json()]).toEqual([
        202,
        { status: "accepted", url: "https://example.org/slow?t=Slow" }
      ])
      await app.settled()
      expect(await app.links()).toMatchObject([{ title: "Slow" }])
    },
    { CAPTURE_WAIT: "50 millis" }
  )

  appTest("refuses captures while those it holds are too large together", async (app) => {
    const send = (path: string, size: number) => {
      const body = JSON.stringify({ url: `https://example.org/${path}`, article: { html: "x".repeat(size) } })
      return app.capture(body, { "content-length": String(body.length) })
    }
    const large = ["slow?1", "slow?2", "slow?3"].map((path) => send(path, 7_000_000))
    const responses = await Promise.all(large)
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 200, 429])
    const refused = responses.find(({ status }) => status === 429)
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0)
    // What a request held is free once it is answered.
    for (const path of ["a", "b", "c"]) expect((await send(path, 7_000_000)).status).toBe(200)
    expect((await app.links()).length).toBe(5)
  })

  for (const [what, field, body] of [
    ["a missing URL", "url", {}],
    ["a number", "url", { url: 7 }],
    ["another scheme", "url", { url: "ftp://example.org/a" }],
    ["a script", "url", { url: "javascript:alert(1)" }],
    ["a script with line breaks", "url", { url: "\tjava\nscript:alert(1)" }],
    ["a URL without a host", "url", { url: "http://" }],
    ["a URL without a scheme", "url", { url: "//evil" }],
    ["a URL of 9,000 characters", "url", { url: `https://example.org/${"a".repeat(9_000)}` }],
    ["a note that is a number", "note", { url: "https://example.org", note: 5 }],
    ["a note of 100,000 characters", "note", { url: "https://example.org", note: "x".repeat(100_000) }],
    ["51 tags", "tags", { url: "https://example.org", tags: Array.from({ length: 51 }, (_, n) => `t${n}`) }],
    ["a tag that is a number", "tags.0", { url: "https://example.org", tags: [7] }],
    ["a collection without a name", "collection", { url: "https://example.org", collection: " / " }],
    ["an article without HTML", "article.html", { url: "https://example.org", article: { title: "x" } }],
    ["an article that is a text", "article", { url: "https://example.org", article: "<p>x</p>" }]
  ] as const)
    test(`rejects ${what} and names the field`, async () => {
      const response = await empty.capture(body)
      const { error, message } = await response.json()
      expect([response.status, error]).toEqual([400, "bad_request"])
      expect(message).toContain(`"${field}"`)
      expect(await empty.links()).toEqual([])
    })

  for (const [what, body, status, headers] of [
    ["broken JSON", "[", 400, {}],
    ["null", "null", 400, {}],
    ["2 MB without an article", { url: "https://example.org", note: "x".repeat(2_000_000) }, 413, {}],
    ["9 MB", { url: "https://example.org", article: { html: "x".repeat(9_000_000) } }, 413, {}],
    ["plain text", { url: "https://example.org" }, 415, { "content-type": "text/plain" }]
  ] as const)
    test(`answers ${status} to ${what}`, async () => {
      expect((await empty.capture(body, headers)).status).toBe(status)
      expect(await empty.links()).toEqual([])
    })
})

describe("POST /dashboard/api/links", () => {
  const payload = { url: "https://example.org/?t=A+page", note: "n" }

  appTest("adds a link with its tags and collection, before its page is read", async (app) => {
    const given = {
      ...payload,
      title: "From the tab",
      tags: ["To Read", ".mine", "to-read"],
      collection: "A / B"
    }
    const response = await app.owner("POST", "/api/links", given)
    expect([response.status, await response.json()]).toMatchObject([
      202,
      {
        status: "accepted",
        url: payload.url,
        link: {
          id: 1,
          enrichment: "pending",
          note: "n",
          tags: ["to-read", ".mine"],
          collection: { name: "A / B" }
        }
      }
    ])
    await app.settled()
    const [link] = await app.links()
    expect(link).toMatchObject({
      title: "A page",
      tags: ["to-read", ".mine", "some-tag"],
      collection: { name: "A / B" }
    })
  })

  appTest("says that an address is known, and adds note and tags to its link", async (app) => {
    await app.owner("POST", "/api/links", payload)
    await app.settled()
    const again = await app.owner("POST", "/api/links", { ...payload, note: "m", tags: ["more"] })
    expect([again.status, await again.json()]).toMatchObject([
      200,
      {
        status: "saved",
        title: "A page",
        existing: { id: 1, createdAt: expect.any(String), isNoteFull: false },
        link: { note: "n\nm", tags: ["more", "some-tag"] }
      }
    ])
    await app.settled()
    expect(await app.links()).toHaveLength(1)
  })

  appTest("says that a link was public before it went to the trash, and is private now", async (app) => {
    await app.owner("POST", "/api/links", payload)
    await app.settled()
    await app.owner("POST", "/api/mutate", { op: "shareable", ids: [1], shareable: true })
    await app.owner("POST", "/api/mutate", { op: "delete", ids: [1] })
    const again = await (await app.owner("POST", "/api/links", payload)).json()
    expect(again).toMatchObject({ existing: { returnedFrom: "unshared" }, link: { shareable: false } })
  })

  appTest("counts repeated requests with one key as one", async (app) => {
    const headers = { "cf-access-jwt-assertion": await accessToken(), "idempotency-key": "k1" }
    const send = async (url: string) =>
      (await app.request("POST", "/dashboard/api/links", { url }, headers)).status
    expect(await send(payload.url)).toBe(202)
    await app.settled()
    expect([await send(payload.url), await send("https://example.org/other")]).toEqual([202, 409])
    await app.settled()
    expect(await app.links()).toHaveLength(1)
  })

  test("rejects requests without a token, with the extension's token, or from another site", async () => {
    const token = { "cf-access-jwt-assertion": await accessToken() }
    for (const headers of [
      {},
      { authorization: `Bearer ${settings.EXTENSION_TOKEN}` },
      { ...token, "sec-fetch-site": "cross-site" },
      { ...token, origin: "https://evil.example" }
    ])
      expect((await empty.request("POST", "/dashboard/api/links", payload, headers)).status).toBe(403)
    expect(await empty.links()).toEqual([])
  })

  test("rejects anything but JSON with a web address", async () => {
    const token = { "cf-access-jwt-assertion": await accessToken() }
    const form = { ...token, "content-type": "application/x-www-form-urlencoded" }
    expect((await empty.request("POST", "/dashboard/api/links", "url=https://a.example", form)).status).toBe(
      415
    )
    for (const [body, field] of [
      [{ url: "javascript:alert(1)" }, '"url"'],
      [{ ...payload, collection: "x".repeat(101) }, '"collection"']
    ] as const) {
      const response = await empty.owner("POST", "/api/links", body)
      expect([response.status, (await response.json()).message]).toEqual([
        400,
        expect.stringContaining(field)
      ])
    }
    expect(await empty.links()).toEqual([])
  })
})
