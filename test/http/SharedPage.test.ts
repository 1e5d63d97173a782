import { expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { LinkId } from "../../src/domain/Link.ts"
import type { Scope } from "../../src/domain/Token.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { Erasure } from "../../src/store/maintenance/Erasure.ts"
import { PagePictureStore } from "../../src/store/pages/PagePictureStore.ts"
import { PageStore } from "../../src/store/pages/PageStore.ts"
import { type App, appTests } from "../support/app.ts"
import { keepArticle, pageWith, withImages } from "../support/keptPages.ts"
import { newLink } from "../support/links.ts"

const appTest = appTests()

const picture = "https://pictures.example/kept.png"
const bytes = new Uint8Array([1, 2, 3])
/** What strangers must not learn, wherever it stands. */
const PRIVATE = ["Hush", "whispered", "backroom", "undertone", "4711"]

/** A library with one kept page, and private things around it; returns the link's number. */
const fill = (app: App) =>
  app.run(
    Effect.gen(function* () {
      const links = yield* LinkStore
      const pictures = yield* PagePictureStore
      const { link } = yield* links.upsert(newLink("a"))
      yield* keepArticle(link.id, `<h2>Bread</h2>${withImages("Knead &amp; wait.", [picture])}`)
      const [first] = yield* pictures.ofPage(link.id)
      yield* pictures.keep(first?.id ?? 0, { type: "image/webp", width: 40, height: 30, bytes }, 1_000)
      const { link: other } = yield* links.upsert(newLink("hush"))
      yield* (yield* PageStore).keep(other.id, pageWith("<p>Hush, whispered.</p>", { title: "backroom" }))
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE links SET note = 'undertone 4711', tags = '["backroom"]'`
      return link.id
    })
  )

const share = async (app: App, id: number, more: object = {}) => {
  const answer = await app.owner("POST", `/api/links/${id}/share`, { with: "text", ...more })
  return { status: answer.status, body: await answer.json() }
}

const visit = async (app: App, path: string, headers: Record<string, string> = {}) => {
  const answer = await app.request("GET", path, undefined, headers)
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

appTest("a stranger reads the page with its pictures, and is told to keep it to themselves", async (app) => {
  const id = await fill(app)
  const { body, status } = await share(app, id)
  expect(status).toBe(201)
  expect(body.path).toMatch(/^\/s\/[\w-]{43}$/)
  expect(body.url).toEndWith(body.path)
  const page = await visit(app, body.path)
  expect([page.status, page.text.includes("Knead &amp; wait.")]).toEqual([200, true])
  expect(page.headers.get("x-robots-tag")).toBe("noindex, nofollow")
  expect(page.headers.get("referrer-policy")).toBe("no-referrer")
  expect(page.headers.get("cache-control")).toBe("no-store")
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'")
  expect(page.text).not.toContain("<script")
  const [, shown = ""] = /<img src="([^"]+)"/.exec(page.text) ?? []
  expect(shown).toStartWith(`${body.path}/`)
  const image = await app.request("GET", shown)
  expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/webp"])
  expect(await image.bytes()).toEqual(bytes)

  // A copy: what is kept later, and what the owner edits, does not show.
  await app.run(
    Effect.flatMap(PageStore, ({ keep }) => keep(LinkId.make(id), pageWith("<p>Another text.</p>")))
  )
  expect((await visit(app, body.path)).text).toContain("Knead")
})

appTest("30 requests of strangers learn nothing else", async (app) => {
  const id = await fill(app)
  const list = async () => (await visit(app, "/list/api/links")).text
  const before = await list()
  const { body } = await share(app, id)
  const other = (await share(app, id)).body
  const secret: string = body.path.slice(3)
  const number = Number(/\/(\d+)"/.exec((await visit(app, body.path)).text)?.[1])
  expect(await list()).toBe(before)
  const missing = (await visit(app, `/s/${"a".repeat(43)}`)).text
  const paths = [
    "/s",
    `/s/${secret.slice(1)}`,
    `/s/${secret}a`,
    `/s/${secret.slice(0, -1)}${secret.endsWith("A") ? "B" : "A"}`,
    `/s/${secret.toLowerCase()}A`,
    "/s/-",
    `/s/-/${number}`,
    `/s/${"a".repeat(43)}/${number}`,
    `/s/${secret}/${number + 1}`,
    `/s/${secret}/0`,
    `/s/${secret}/-1`,
    `/s/${secret}/${number}/1`,
    `/s/${secret}/page`,
    `/s/${secret}/api/links`,
    `/s/${secret}/links/${id}`,
    `/s/${secret}/document`,
    `/s/${secret}/snapshot`,
    `/s/${secret}?version=1`,
    `/s/${secret}?id=2`,
    `/s/${secret}?link_id=2`,
    `/s/${body.share.id}`,
    `/s/${id}`,
    `/S/${secret}`,
    `/dashboard/api/links/${id}/page`,
    `/dashboard/api/links/${id}/share`,
    "/dashboard/api/shares",
    `/dashboard/read/${id}/document`,
    "/api/v1/shares",
    "/list",
    "/list/feed.xml",
    "/sitemap.xml"
  ]
  expect(paths.length).toBeGreaterThanOrEqual(30)
  for (const path of paths) {
    const answer = await visit(app, path, {
      authorization: `Bearer ${secret}`,
      cookie: `linkbower_session=${secret}`
    })
    for (const word of PRIVATE) expect([path, answer.text.includes(word)]).toEqual([path, false])
    expect([path, answer.headers.get("set-cookie")]).toEqual([path, null])
    // Only the exact address shows the page, whatever its query says.
    expect([path, answer.text.includes("Knead")]).toEqual([path, path.startsWith(`/s/${secret}?`)])
    expect(answer.text).not.toContain(other.path)
    if (/^\/s\/[\w-]+$/.test(path)) expect([path, answer.text === missing]).toEqual([path, true])
  }
  for (const method of ["POST", "PUT", "PATCH", "DELETE"])
    expect((await app.request(method, body.path)).status).toBe(405)
  const [, head = ""] = (await visit(app, body.path)).text.split("<body>")
  expect(head).not.toMatch(new RegExp(`\\b${id}\\b.*dashboard|dashboard`))
})

for (const [name, end] of [
  ["its owner ends it", async (app, _, share) => void (await app.owner("DELETE", `/api/shares/${share}`))],
  [
    "the link moves to the trash",
    async (app, id) => void (await app.owner("POST", "/api/mutate", { op: "delete", ids: [id] }))
  ],
  ["the page is forgotten", async (app, id) => void (await app.owner("DELETE", `/api/links/${id}/page`))],
  [
    "it expires",
    (app) =>
      app.run(
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          Effect.asVoid(sql`UPDATE public_pages SET expires_at = '2020-01-01T00:00:00.000Z'`)
        )
      )
  ]
] as ReadonlyArray<readonly [string, (app: App, id: number, share: number) => Promise<void>]>)
  appTest(`the address shows nothing more once ${name}`, async (app) => {
    const id = await fill(app)
    const { body } = await share(app, id, { expiresAt: "2999-01-01" })
    const [, shown = ""] = /<img src="([^"]+)"/.exec((await visit(app, body.path)).text) ?? []
    await end(app, id, body.share.id)
    expect((await visit(app, body.path)).status).toBe(404)
    expect((await visit(app, shown)).status).toBe(404)
    expect((await (await app.owner("GET", "/api/shares")).json()).shares).toEqual([])
    // As every hour.
    await app.run(Effect.flatMap(Erasure, ({ prune }) => prune))
    const left = await app.run(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1 FROM public_pages, public_page_pictures`)
    )
    expect(left).toEqual([])
  })

appTest("the secret is stored nowhere, and a page has a limited number of addresses", async (app) => {
  const id = await fill(app)
  const { body } = await share(app, id)
  const listed = await (await app.owner("GET", "/api/shares")).text()
  expect(JSON.parse(listed).shares).toEqual([body.share])
  expect(listed).not.toContain(body.path.slice(3))
  const rows = await app.run(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ all: string }>`SELECT secret || hex(html) AS "all" FROM public_pages`
    )
  )
  expect(rows[0]?.all).not.toContain(body.path.slice(3))
  for (let more = 1; more < 20; more++) expect((await share(app, id)).status).toBe(201)
  expect((await share(app, id)).status).toBe(409)
  expect((await share(app, id + 1_000)).status).toBe(404)
  for (const wrong of [{ with: "notes" }, { expiresAt: "2020-01-01" }, { expiresAt: "soon" }])
    expect((await share(app, id, wrong)).status).toBe(400)
})

appTest("a program shares with both scopes, and ends it with one", async (app) => {
  const id = await fill(app)
  const as = async (...scopes: ReadonlyArray<Scope>) => {
    const made = await app.owner("POST", "/api/tokens", { name: crypto.randomUUID(), scopes })
    const authorization = `Bearer ${(await made.json()).secret}`
    return async (method: string, path: string, body?: object) =>
      (await app.request(method, `/api/v1${path}`, body, { authorization })).status
  }
  for (const [scopes, status] of [
    [["read"], 403],
    [["share"], 403],
    [["read", "share"], 201]
  ] as const)
    expect([scopes, await (await as(...scopes))("POST", `/links/${id}/share`, { with: "text" })]).toEqual([
      scopes,
      status
    ])
  const { shares } = await (await app.owner("GET", "/api/shares")).json()
  expect(await (await as("read", "change"))("DELETE", `/shares/${shares[0].id}`)).toBe(403)
  expect(await (await as("share"))("DELETE", `/shares/${shares[0].id}`)).toBe(204)
})
