import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { LinkId } from "../../src/domain/Link.ts"
import { PageStore } from "../../src/store/pages/PageStore.ts"
import { type App, appTests } from "../support/app.ts"
import { foreignClient } from "../support/foreignClient.ts"
import { pageToKeep } from "../support/pages.ts"

const A = "/readeck/api"
const B = `${A}/bookmarks`

/** Bookmarks 1 to 3: one with a kept page and a highlight, a favorite one, an archived one. */
const fill = async (app: App) => {
  const ask = await foreignClient(app, "read", "save", "change")
  for (const [name, labels] of [
    ["one", ["red"]],
    ["two", ["red", "deep blue"]],
    ["three", []]
  ] as const)
    expect((await ask("POST", B, { url: `https://example.org/${name}`, title: name, labels })).status).toBe(
      202
    )
  await app.settled()
  expect((await ask("PATCH", `${B}/2`, { is_marked: true, read_progress: 100 })).status).toBe(200)
  expect((await ask("PATCH", `${B}/3`, { is_archived: true })).status).toBe(200)
  await app.run(
    Effect.flatMap(PageStore, (pages) => pages.keep(LinkId.make(1), pageToKeep("Words of the kept page.")))
  )
  const highlight = { quote: "kept page", colour: "green", note: "nice" }
  expect((await app.owner("POST", "/api/links/1/highlights", highlight)).status).toBe(201)
}
const appTest = appTests(fill)

/** Requests that change nothing: the path, the status, and what the answer has. */
const reading: ReadonlyArray<readonly [path: string, status: number, has?: object]> = [
  [`${A}/info`, 200, { version: { canonical: expect.any(String) } }],
  [`${A}/profile`, 200, { user: { username: "owner" }, provider: { permissions: ["read"] } }],
  [B, 200, [{ id: "3" }, { id: "2" }, { id: "1" }]],
  [`${B}?limit=2&offset=1`, 200, [{ id: "2" }, { id: "1" }]],
  [`${B}?sort=created`, 200, [{ id: "1" }, { id: "2" }, { id: "3" }]],
  [`${B}?sort=-title`, 200, [{ title: "two" }, { title: "three" }, { title: "one" }]],
  [`${B}?is_archived=1`, 200, [{ id: "3", is_archived: true, read_progress: 100 }]],
  [`${B}?is_archived=false&is_marked=true`, 200, [{ id: "2", is_marked: true }]],
  [`${B}?read_status=unread`, 200, [{ id: "1", read_progress: 0 }]],
  [`${B}?labels=%22deep%20blue%22`, 200, [{ id: "2" }]],
  [`${B}?labels=red%20-%22deep%20blue%22`, 200, [{ id: "1" }]],
  [`${B}?title=three`, 200, [{ id: "3" }]],
  [`${B}?search=two`, 200, [{ id: "2" }]],
  [`${B}?site=example.com`, 200, []],
  [`${B}?id=1&id=3`, 200, [{ id: "3" }, { id: "1" }]],
  [`${B}?updated_since=2999-01-01T00:00:00Z`, 200, []],
  [
    `${B}/1`,
    200,
    { id: "1", url: "https://example.org/one", has_article: true, labels: expect.arrayContaining(["red"]) }
  ],
  [`${B}/9`, 404, { status: 404 }],
  [`${B}/x`, 404, { status: 404 }],
  [`${B}/1/article`, 200],
  [`${B}/1/article.md?v=1`, 200],
  [`${B}/1/article.epub`, 200],
  [`${B}/2/article`, 404],
  [`${B}/1/annotations`, 200, [{ text: "kept page", color: "green", note: "nice", bookmark_id: "1" }]],
  [`${B}/2/annotations`, 200, []],
  [`${B}/annotations`, 200, [{ text: "kept page" }]],
  [`${B}/labels`, 200, expect.arrayContaining([expect.objectContaining({ name: "red", count: 2 })])],
  [`${B}/collections`, 200, []],
  [`${B}/sync?since=2999-01-01T00:00:00Z`, 200, []]
]

describe("Readeck's API", () => {
  appTest("answers its reading apps", async (app) => {
    const ask = await foreignClient(app, "read")
    for (const [path, status, has] of reading) {
      const answer = await ask("GET", path)
      expect([path, answer.status]).toEqual([path, status])
      if (has !== undefined) expect(answer.body).toMatchObject(has)
    }
    const { headers } = await ask("GET", `${B}?limit=2&offset=2`)
    expect(["total-count", "total-pages", "current-page"].map((name) => headers.get(name))).toEqual([
      "3",
      "2",
      "2"
    ])
    const article = await ask("GET", `${B}/1/article`)
    expect(article.text).toBe("<section><p>Words of the kept page.</p></section>")
    expect(article.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox")
    expect((await ask("GET", `${B}/1/article.md`)).text).toContain("Words of the kept page.")
    expect((await ask("GET", `${B}/1/article.epub`)).text).toStartWith("PK")
  })

  appTest("changes what the scopes allow, and says what was deleted", async (app) => {
    const reader = await foreignClient(app, "read")
    for (const [method, path] of [
      ["POST", B],
      ["PATCH", `${B}/1`],
      ["DELETE", `${B}/1`],
      ["PATCH", `${B}/1/annotations/1`]
    ] as const)
      expect((await reader(method, path, { url: "https://example.org/x" })).status).toBe(403)
    const ask = await foreignClient(app, "read", "save", "change")
    const edited = await ask("PATCH", `${B}/1`, { title: "New", add_labels: ["b"], remove_labels: ["red"] })
    expect(edited.body).toMatchObject({ id: "1", title: "New", updated: expect.any(String) })
    expect((await ask("GET", `${B}/1`)).body).toMatchObject({
      title: "New",
      labels: expect.arrayContaining(["b"])
    })
    expect((await ask("PATCH", `${B}/1`, { is_deleted: true })).status).toBe(403)
    expect((await ask("PATCH", `${B}/1`, { title: 7 })).status).toBe(400)
    const noted = await ask("PATCH", `${B}/1/annotations/1`, { color: "blue", note: "mine" })
    expect(noted.body.annotations).toMatchObject([{ color: "blue", note: "mine" }])
    expect((await ask("POST", `${B}/1/annotations`, {})).status).toBe(403)
    expect((await ask("PATCH", `${B}/1/annotations/1`, { note: "x".repeat(20_001) })).status).toBe(400)
    expect((await ask("DELETE", `${B}/1/annotations/1`)).status).toBe(204)
    const remover = await foreignClient(app, "read", "delete")
    expect((await remover("DELETE", `${B}/2`)).status).toBe(204)
    expect((await ask("GET", `${B}/sync`)).body).toContainEqual(
      expect.objectContaining({ id: "2", type: "delete" })
    )
    const added = await ask("POST", B, { url: "https://example.org/new" })
    expect(added.headers.get("bookmark-id")).toBe("4")
    expect((await ask("POST", B, { url: "ftp://example.org" })).status).toBe(400)
    const saver = await foreignClient(app, "save")
    expect((await saver("POST", B, { url: "https://example.org/one" })).headers.has("bookmark-id")).toBe(
      false
    )
    expect((await saver("GET", B)).status).toBe(403)
  })

  appTest("takes a token as the password of an app's own sign-in", async (app) => {
    const { secret } = await (
      await app.owner("POST", "/api/tokens", { name: "app", scopes: ["read"] })
    ).json()
    const stranger = await foreignClient(app)
    const given = { username: "me", password: secret, application: "app", roles: [] }
    expect((await stranger("POST", `${A}/auth`, given)).body).toMatchObject({ token: secret })
    expect((await stranger("POST", `${A}/auth`, { ...given, password: "lb_wrong" })).status).toBe(403)
    expect((await stranger("POST", `${A}/auth`, {})).status).toBe(400)
    expect((await stranger("POST", `${A}/auth`, { password: "x".repeat(20_000) })).status).toBe(413)
    expect((await stranger("GET", B)).status).toBe(401)
    expect((await stranger("GET", B, undefined, { authorization: "Bearer lb_wrong" })).status).toBe(401)
  })
})
