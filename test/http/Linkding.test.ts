import { describe, expect, test } from "bun:test"
import { bundleOf, bundleText, readBundle, searchText } from "../../src/http/LinkdingMapping.ts"
import { type App, appTests } from "../support/app.ts"
import { foreignClient, secretOf } from "../support/foreignClient.ts"
import { rowsOf } from "../support/rows.ts"

const appTest = appTests()

const MOST = ["read", "save", "change", "delete"]
const B = "/api/bookmarks/"
const address = (path: string) => `https://example.org/${path}`

type Row = readonly [
  what: string,
  method: string,
  path: string,
  body: unknown,
  status: number,
  /** What the answer must have, among others. */
  has?: object
]

/** The matchers in a row: `<text>`, `<number>`, `/a pattern/`, and what an object or a list must have among others. */
const matcherOf = (value: unknown): unknown => {
  if (value === "<text>") return expect.any(String)
  if (value === "<number>") return expect.any(Number)
  if (typeof value === "string" && value.startsWith("/^"))
    return expect.stringMatching(new RegExp(value.slice(1, -1)))
  if (Array.isArray(value)) return value.map(matcherOf)
  return typeof value === "object" && value !== null ? fieldsOf(value) : value
}
const fieldsOf = (value: object): object => {
  if ("has" in value) return expect.objectContaining(Object(matcherOf(value.has)))
  if ("some" in value && Array.isArray(value.some)) return expect.arrayContaining(value.some.map(matcherOf))
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, matcherOf(field)]))
}

/** Bookmarks 1 to 4: plain, unread, archived, shared. */
const fill = async (app: App) => {
  const ask = await foreignClient(app, ...MOST, "share")
  for (const [path, more] of [
    ["one", { title: "One", tag_names: ["red"], notes: "apples" }],
    ["two", { title: "Two", unread: true, tag_names: ["red", "blue"] }],
    ["three", { title: "Three", is_archived: true, tag_names: ["red"] }],
    ["four", { title: "Four", shared: true, description: "pears" }]
  ] as const)
    expect((await ask("POST", B, { url: address(path), ...more })).status).toBe(201)
  await app.settled()
}

const tests = appTests(fill)

/** Requests that change nothing, and their answers. */
const reading = rowsOf<Row>(import.meta, "Linkding.reading")

/** Requests that change something, on a library of their own. */
const writing = rowsOf<Row>(import.meta, "Linkding.writing")

describe("linkding's API", () => {
  tests("answers requests that read", async (app) => {
    const ask = await foreignClient(app, ...MOST)
    for (const [what, method, path, body, status, has = {}] of reading) {
      const answer = await ask(method, path, body ?? undefined)
      expect([what, answer.status, answer.body]).toEqual([
        what,
        status,
        expect.objectContaining(fieldsOf(has))
      ])
    }
  })

  for (const [index, half] of [writing.slice(0, 30), writing.slice(30)].entries())
    tests(
      `answers requests that write, part ${index + 1}`,
      async (app) => {
        for (const [what, method, path, body, status, has] of half) {
          const ask = await foreignClient(app, ...MOST)
          const answer = await ask(method, path, body ?? undefined)
          expect([what, answer.status, answer.body]).toEqual([
            what,
            status,
            has === undefined ? answer.body : expect.objectContaining(fieldsOf(has))
          ])
          if (status === 204) expect([what, answer.text]).toEqual([what, ""])
          await app.reset()
        }
      },
      {},
      120_000
    )

  tests("reads what a phone app sends as a form", async (app) => {
    const secret = await secretOf(app, MOST)
    const send = (method: string, path: string, fields: Record<string, string>) => {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.append(name, value)
      const request = new Request("http://localhost/", { method: "POST", body: form })
      return app.request(method, path, request.body ?? undefined, {
        authorization: `Bearer ${secret}`,
        "content-type": request.headers.get("content-type") ?? ""
      })
    }
    const added = await send("POST", B, {
      url: address("form"),
      title: "Form",
      unread: "true",
      shared: "true",
      tag_names: "one,two"
    })
    expect(added.status).toBe(201)
    const bookmark = await added.json()
    expect(bookmark).toMatchObject({ title: "Form", unread: true, shared: false, tag_names: ["one", "two"] })
    const changed = await send("PATCH", `${B}${bookmark.id}/`, { unread: "false", notag_namestes: "" })
    expect(await changed.json()).toMatchObject({ title: "Form", unread: false, tag_names: ["one", "two"] })
  })

  tests("archives and deletes so that it shows", async (app) => {
    const ask = await foreignClient(app, ...MOST)
    await ask("POST", `${B}1/archive/`)
    expect((await ask("GET", `${B}1/`)).body.is_archived).toBe(true)
    await ask("POST", `${B}1/unarchive/`)
    expect((await ask("GET", `${B}1/`)).body.is_archived).toBe(false)
    // Taking out what is not in the archive changes nothing.
    await ask("POST", `${B}2/unarchive/`)
    expect((await ask("GET", `${B}2/`)).body.unread).toBe(true)
    await ask("DELETE", `${B}1/`)
    expect((await ask("GET", `${B}1/`)).status).toBe(404)
    const { results } = (await ask("GET", "/api/tags/?q=blue")).body
    expect((await ask("GET", `/api/tags/${results[0].id}/`)).body).toEqual(results[0])
    expect((await ask("DELETE", `/api/tags/${results[0].id}/`)).status).toBe(204)
    expect((await ask("GET", `${B}2/`)).body.tag_names).toEqual(["red", "some-tag"])
  })

  tests("keeps bundles as saved searches", async (app) => {
    const ask = await foreignClient(app, ...MOST)
    const { body: made } = await ask("POST", "/api/bundles/", {
      name: "Red",
      any_tags: "red",
      filter_unread: "yes"
    })
    expect((await ask("GET", `${B}?bundle=${made.id}`)).body).toEqual(
      expect.objectContaining({ count: 1, results: [expect.objectContaining({ title: "Two" })] })
    )
    expect((await ask("GET", `${B}?bundle=999`)).body.count).toBe(0)
    const changed = await ask("PATCH", `/api/bundles/${made.id}/`, { filter_unread: "off", name: "All red" })
    expect(changed.body).toMatchObject({ name: "All red", any_tags: "red", filter_unread: "off" })
    expect((await ask("PUT", `/api/bundles/${made.id}/`, { search: "x" })).status).toBe(400)
    expect((await ask("GET", `${B}?bundle=${made.id}`)).body.count).toBe(2)
    expect((await ask("GET", `/api/bundles/${made.id}/`)).body).toEqual(changed.body)
    expect((await ask("DELETE", `/api/bundles/${made.id}/`)).status).toBe(204)
    expect((await ask("GET", "/api/bundles/")).body).toEqual({
      count: 0,
      next: null,
      previous: null,
      results: []
    })
  })

  tests("saves a page as SingleFile sends it", async (app) => {
    const secret = await secretOf(app, ["save", "read"])
    const form = new FormData()
    form.append("url", address("single"))
    form.append(
      "file",
      new Blob(["<html><body><p>Its text</p></body></html>"], { type: "text/html" }),
      "page.html"
    )
    const request = new Request("http://localhost/", { method: "POST", body: form })
    const headers = {
      authorization: `Token ${secret}`,
      "content-type": request.headers.get("content-type") ?? ""
    }
    const answer = await app.request("POST", `${B}singlefile/`, request.body ?? undefined, headers)
    expect([answer.status, await answer.json()]).toEqual([
      201,
      { message: "Snapshot uploaded successfully." }
    ])
    await app.settled()
    const ask = await foreignClient(app, "read")
    const { bookmark } = (await ask("GET", `${B}check/?url=${address("single")}`)).body
    const { results } = (await ask("GET", `${B}${bookmark.id}/assets/`)).body
    expect(results).toMatchObject([
      { id: 1, bookmark: bookmark.id, asset_type: "snapshot", status: "complete" }
    ])
    const download = await app.request("GET", `${B}${bookmark.id}/assets/1/download/`, undefined, {
      authorization: headers.authorization
    })
    expect(await download.text()).toContain("Its text")
    expect(download.headers.get("content-security-policy")).toContain("sandbox")
    expect(download.headers.get("content-disposition")).toStartWith("attachment")
  })
})

describe("tokens of linkding's API", () => {
  tests("are needed, with either scheme in any case", async (app) => {
    const ask = await foreignClient(app)
    const secret = await secretOf(app, ["read"])
    for (const [headers, status] of [
      [{}, 401],
      [{ authorization: `Token ${secret}` }, 200],
      [{ authorization: `token ${secret}` }, 200],
      [{ authorization: `Bearer ${secret}` }, 200],
      [{ authorization: `BEARER ${secret}` }, 200],
      [{ authorization: `Basic ${secret}` }, 401],
      [{ authorization: "Token" }, 401],
      [{ authorization: "Token x" }, 401],
      [{ authorization: secret }, 401]
    ] as const) {
      const answer = await ask("GET", B, undefined, headers)
      expect([headers, answer.status]).toEqual([headers, status])
      if (status === 401) expect(answer.body).toEqual({ detail: expect.any(String) })
    }
    // A browser's extension calls from another site.
    const cross = { "sec-fetch-site": "cross-site", origin: "chrome-extension://abc" }
    expect((await ask("GET", B, undefined, { ...cross, authorization: `Token ${secret}` })).status).toBe(200)
  })

  tests("share nothing without their scope", async (app) => {
    const list = async () => (await app.request("GET", "/list/api/links")).text()
    const before = await list()
    const ask = await foreignClient(app, ...MOST)
    expect((await ask("POST", B, { url: address("private"), shared: true })).body.shared).toBe(false)
    expect((await ask("PATCH", `${B}1/`, { shared: true })).body.shared).toBe(false)
    expect((await ask("PUT", `${B}1/`, { url: address("one"), shared: true })).body.shared).toBe(false)
    expect((await ask("PATCH", `${B}4/`, { shared: false })).body.shared).toBe(true)
    await app.settled()
    expect(await list()).toBe(before)
    const sharer = await foreignClient(app, ...MOST, "share")
    expect((await sharer("PATCH", `${B}1/`, { shared: true })).body.shared).toBe(true)
    expect((await sharer("PATCH", `${B}1/`, { shared: false })).body.shared).toBe(false)
  })

  tests("that only save change nothing that stands, and learn nothing", async (app) => {
    const saver = await foreignClient(app, "save")
    const known = await saver("POST", B, {
      url: address("one"),
      title: "Evil",
      notes: "more",
      tag_names: ["new"]
    })
    const fresh = await saver("POST", B, {
      url: address("fresh"),
      title: "Evil",
      notes: "more",
      tag_names: ["new"]
    })
    expect(known.status).toBe(201)
    const {
      date_added: _,
      date_modified: __,
      url: ___,
      web_archive_snapshot_url: ____,
      ...learned
    } = known.body
    expect(fresh.body).toMatchObject(learned)
    await app.settled()
    const ask = await foreignClient(app, "read")
    expect((await ask("GET", `${B}1/`)).body).toMatchObject({ title: "One", notes: "apples\nmore" })
    expect((await ask("GET", `${B}1/`)).body.tag_names).toContain("new")
    await saver("POST", B, { url: address("four"), title: "Evil", description: "Evil", tag_names: ["evil"] })
    await app.settled()
    expect(await (await app.request("GET", "/list/api/links")).text()).not.toMatch(/evil/i)
  })

  tests("are not needed for what is public, and nothing else shows", async (app) => {
    const ask = await foreignClient(app)
    for (const path of [`${B}shared/`, `${B}shared`]) {
      const { body, status } = await ask("GET", path)
      expect([status, body.count]).toEqual([200, 1])
      expect(body.results[0]).toMatchObject({
        title: "Four",
        notes: "",
        is_archived: false,
        unread: false,
        shared: true
      })
    }
    expect((await ask("GET", `${B}shared/?q=pears`)).body.count).toBe(1)
    expect((await ask("GET", `${B}shared/?q=apples`)).body.count).toBe(0)
    const before = (await ask("GET", `${B}shared/`)).text
    await app.owner("POST", "/api/links", { url: address("more"), note: "secret" })
    await app.settled()
    expect((await ask("GET", `${B}shared/`)).text).toBe(before)
  })

  appTest("changes are named after them", async (app) => {
    const { secret } = await (
      await app.owner("POST", "/api/tokens", { name: "Phone", scopes: ["read", "save", "change"] })
    ).json()
    const headers = { authorization: `Token ${secret}` }
    const { id } = await (
      await app.request("POST", B, { url: address("given"), title: "Given title" }, headers)
    ).json()
    await app.request("PATCH", `${B}${id}/`, { title: "Other" }, headers)
    const { history } = await (await app.owner("GET", `/api/links/${id}`)).json()
    expect(new Set(history.map(({ author }: { author: string }) => author))).toEqual(new Set(["token:Phone"]))
  })
})

test("the addresses that launchers open lead to the dashboard", async () => {
  const { makeApp } = await import("../support/app.ts")
  const app = makeApp()
  const locationOf = async (path: string) => (await app.request("GET", path)).headers.get("location")
  expect(await locationOf("/bookmarks?q=a%20b%20%26c")).toBe("/dashboard?q=a+b+%26c")
  expect(await locationOf("/bookmarks")).toBe("/dashboard")
  expect(await locationOf("/bookmarks/new?url=https%3A%2F%2Fexample.org%2F%3Fa%3D1&title=T&auto_close")).toBe(
    "/dashboard/add?url=https%3A%2F%2Fexample.org%2F%3Fa%3D1&title=T"
  )
  expect(await locationOf("/bookmarks/new?notes=n")).toBe("/dashboard/add?text=n")
  await app.dispose()
})

describe("the mapping", () => {
  test("translates searches", () => {
    for (const [q, text] of [
      ["word", "word"],
      ["#tag", "tag:tag"],
      ["a #tag-1 b", "a tag:tag-1 b"],
      ["!untagged word", "is:untagged word"],
      ["!UNREAD", "is:unread"],
      ["!unreadable", "!unreadable"],
      ["not word", "-word"],
      ["not #tag", "-tag:tag"],
      ["a and b", "a  b"],
      ["(a or #b) and not c", "(a or tag:b)  -c"],
      ['"not #a and b"', '"not #a and b"'],
      ['"open #a', '"open #a'],
      ["c# and f#", "c#  f#"],
      ["android and notes", "android  notes"]
    ])
      expect([q, searchText(q ?? "").replace(/ +/g, " ")]).toEqual([q, (text ?? "").replace(/ +/g, " ")])
  })

  test("reads back the bundles that it writes", () => {
    const base = { id: 1, name: "n", order: 0, createdAt: "2026-01-01T00:00:00.000Z" }
    for (const fields of [
      {
        search: "",
        any_tags: "",
        all_tags: "",
        excluded_tags: "",
        filter_unread: "off",
        filter_shared: "off"
      },
      {
        search: "a b",
        any_tags: "x y",
        all_tags: "z",
        excluded_tags: "v w",
        filter_unread: "yes",
        filter_shared: "no"
      },
      {
        search: "",
        any_tags: "x",
        all_tags: "",
        excluded_tags: "",
        filter_unread: "no",
        filter_shared: "yes"
      },
      {
        search: "a",
        any_tags: "",
        all_tags: "x y",
        excluded_tags: "",
        filter_unread: "off",
        filter_shared: "off"
      },
      {
        search: "",
        any_tags: "",
        all_tags: "",
        excluded_tags: "x",
        filter_unread: "off",
        filter_shared: "off"
      }
    ])
      expect(bundleOf({ ...base, query: bundleText(readBundle(fields)) })).toMatchObject(fields)
    expect(bundleOf({ ...base, query: '-is:archived "((tag:' })).toMatchObject({
      search: '-is:archived "((tag:'
    })
  })
})
