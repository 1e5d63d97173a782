import { describe, expect, test } from "bun:test"
import { bundleOf, bundleText, readBundle, searchText } from "../../src/http/LinkdingMapping.ts"
import { type App, appTests } from "../support/app.ts"
import { foreignClient, secretOf } from "../support/foreignClient.ts"

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

const empty = { count: 0, next: null, previous: null, results: [] }
const titles = (...all: ReadonlyArray<string>) => ({
  count: all.length,
  results: all.map((title) => expect.objectContaining({ title }))
})

const given = {
  url: address("given"),
  title: "Given title",
  description: "Given description",
  notes: "Given notes",
  is_archived: false,
  unread: false,
  shared: false,
  tag_names: ["tag1", "tag2"]
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
const reading: ReadonlyArray<Row> = [
  ["lists what is not archived", "GET", B, undefined, 200, titles("Four", "Two", "One")],
  ["without the last slash", "GET", "/api/bookmarks", undefined, 200, titles("Four", "Two", "One")],
  ["lists what is archived", "GET", `${B}archived/`, undefined, 200, titles("Three")],
  ["the same without a slash", "GET", `${B}archived`, undefined, 200, titles("Three")],
  ["lists what is shared", "GET", `${B}shared/`, undefined, 200, titles("Four")],
  ["filters what is unread", "GET", `${B}?unread=yes`, undefined, 200, titles("Two")],
  ["filters what is read", "GET", `${B}?unread=no`, undefined, 200, titles("Four", "One")],
  [
    "filters nothing when off",
    "GET",
    `${B}?unread=off&shared=off`,
    undefined,
    200,
    titles("Four", "Two", "One")
  ],
  ["filters what is shared", "GET", `${B}?shared=yes`, undefined, 200, titles("Four")],
  ["filters what is not shared", "GET", `${B}?shared=no`, undefined, 200, titles("Two", "One")],
  ["combines filters", "GET", `${B}?unread=yes&shared=yes`, undefined, 200, empty],
  ["searches words", "GET", `${B}?q=apples`, undefined, 200, titles("One")],
  ["searches the description", "GET", `${B}?q=pears`, undefined, 200, titles("Four")],
  ["searches a tag", "GET", `${B}?q=%23blue`, undefined, 200, titles("Two")],
  ["searches two tags", "GET", `${B}?q=%23blue+%23red&sort=added_desc`, undefined, 200, titles("Two")],
  ["searches for neither", "GET", `${B}?q=%23green`, undefined, 200, empty],
  ["searches with and", "GET", `${B}?q=%23blue+and+%23red`, undefined, 200, titles("Two")],
  ["searches with or", "GET", `${B}?q=(%23blue+or+apples)&sort=title_asc`, undefined, 200],
  ["searches with not", "GET", `${B}?q=%23red+not+%23blue`, undefined, 200, titles("One")],
  ["searches what is unread", "GET", `${B}?q=!unread`, undefined, 200, titles("Two")],
  ["searches in the archive", "GET", `${B}archived/?q=%23red`, undefined, 200, titles("Three")],
  ["never rejects a search", "GET", `${B}?q=((("and%20)%23%23!`, undefined, 200],
  ["sorts by title", "GET", `${B}?sort=title_asc`, undefined, 200, titles("Four", "One", "Two")],
  ["sorts by title backwards", "GET", `${B}?sort=title_desc`, undefined, 200, titles("Two", "One", "Four")],
  ["sorts by date", "GET", `${B}?sort=added_asc`, undefined, 200, titles("One", "Two", "Four")],
  ["sorts by date backwards", "GET", `${B}?sort=added_desc`, undefined, 200, titles("Four", "Two", "One")],
  ["sorts by change", "GET", `${B}?sort=modified_desc`, undefined, 200, { count: 3 }],
  ["an unknown order is the default", "GET", `${B}?sort=x`, undefined, 200, titles("Four", "Two", "One")],
  [
    "modified since a past time",
    "GET",
    `${B}?modified_since=2020-01-01T00:00:00Z`,
    undefined,
    200,
    { count: 3 }
  ],
  ["modified since a future time", "GET", `${B}?modified_since=2999-01-01T00:00:00Z`, undefined, 200, empty],
  ["added since a past time", "GET", `${B}?added_since=2020-01-01T00:00:00Z`, undefined, 200, { count: 3 }],
  ["added since a future time", "GET", `${B}?added_since=2999-01-01T00:00:00Z`, undefined, 200, empty],
  [
    "a page, with the next one",
    "GET",
    `${B}?limit=2&q=&unread=off`,
    undefined,
    200,
    {
      count: 3,
      next: "http://localhost/api/bookmarks/?limit=2&q=&unread=off&offset=2",
      previous: null,
      results: [expect.objectContaining({ title: "Four" }), expect.objectContaining({ title: "Two" })]
    }
  ],
  [
    "the page after it",
    "GET",
    `${B}?limit=2&offset=2`,
    undefined,
    200,
    {
      count: 3,
      next: null,
      previous: "http://localhost/api/bookmarks/?limit=2",
      results: [expect.objectContaining({ title: "One" })]
    }
  ],
  [
    "a page beyond the end",
    "GET",
    `${B}?limit=2&offset=20`,
    undefined,
    200,
    { count: 3, next: null, results: [] }
  ],
  ["no maximum", "GET", `${B}?limit=10000`, undefined, 200, { count: 3, next: null }],
  ["a phone app's undefined", "GET", `${B}?limit=undefined&offset=undefined`, undefined, 200, { count: 3 }],
  ["a bookmark", "GET", `${B}1/`, undefined, 200, { id: 1, title: "One", notes: "apples", unread: false }],
  ["a bookmark without the slash", "GET", `${B}1`, undefined, 200, { id: 1 }],
  ["an archived bookmark", "GET", `${B}3/`, undefined, 200, { is_archived: true }],
  ["a bookmark that is shared", "GET", `${B}4/`, undefined, 200, { shared: true }],
  ["no bookmark", "GET", `${B}999/`, undefined, 404, { detail: expect.any(String) }],
  ["no number", "GET", `${B}x/`, undefined, 404],
  ["zero", "GET", `${B}0/`, undefined, 404],
  ["a method that there is not", "PUT", B, {}, 405, { detail: 'Method "PUT" not allowed.' }],
  [
    "checks a known address",
    "GET",
    `${B}check/?url=${address("one")}`,
    undefined,
    200,
    {
      bookmark: expect.objectContaining({ id: 1, title: "One" }),
      metadata: expect.objectContaining({ url: address("one"), title: "One" }),
      auto_tags: []
    }
  ],
  [
    "checks without the slash",
    "GET",
    `${B}check?url=${address("one")}`,
    undefined,
    200,
    {
      bookmark: expect.objectContaining({ id: 1 })
    }
  ],
  [
    "checks another form of it",
    "GET",
    `${B}check/?url=${address("one")}%23top`,
    undefined,
    200,
    {
      bookmark: expect.objectContaining({ id: 1 })
    }
  ],
  [
    "checks an unknown address",
    "GET",
    `${B}check/?url=${address("none")}&ignore_cache=true`,
    undefined,
    200,
    {
      bookmark: null,
      metadata: { url: address("none"), title: null, description: null, preview_image: null }
    }
  ],
  ["checks no address", "GET", `${B}check/`, undefined, 400, { url: [expect.any(String)] }],
  [
    "lists tags",
    "GET",
    "/api/tags/",
    undefined,
    200,
    {
      results: expect.arrayContaining([
        {
          id: expect.any(Number),
          name: "red",
          date_added: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/)
        }
      ])
    }
  ],
  ["lists tags without the slash", "GET", "/api/tags?limit=5000", undefined, 200, { next: null }],
  ["filters tags", "GET", "/api/tags/?q=blu", undefined, 200, { count: 1 }],
  ["no tag", "GET", "/api/tags/1/", undefined, 404],
  ["lists bundles", "GET", "/api/bundles/", undefined, 200, empty],
  ["no bundle", "GET", "/api/bundles/1/", undefined, 404],
  ["lists assets", "GET", `${B}1/assets/`, undefined, 200, empty],
  ["lists assets of no bookmark", "GET", `${B}999/assets/`, undefined, 404],
  ["no asset", "GET", `${B}1/assets/1/`, undefined, 404],
  ["no asset to download", "GET", `${B}1/assets/1/download/`, undefined, 404],
  ["uploads no asset", "POST", `${B}1/assets/upload/`, {}, 403],
  ["the profile", "GET", "/api/user/profile/", undefined, 200, { enable_sharing: false, version: "1.46.2" }],
  ["the profile without the slash", "GET", "/api/user/profile", undefined, 200],
  ["the root", "GET", "/api/", undefined, 200],
  ["the health", "GET", "/health", undefined, 200, { version: "1.46.2", status: "healthy" }],
  ["unknown below it", "GET", "/api/other/", undefined, 404, { detail: "Not found." }]
]

/** Requests that change something, on a library of their own. */
const writing: ReadonlyArray<Row> = [
  ["adds", "POST", B, given, 201, { ...given, id: 5 }],
  ["adds without the slash", "POST", "/api/bookmarks", { url: address("a") }, 201],
  [
    "adds an address alone",
    "POST",
    B,
    { url: address("a") },
    201,
    {
      description: "",
      notes: "",
      is_archived: false,
      unread: false,
      shared: false,
      tag_names: []
    }
  ],
  ["adds with null", "POST", B, { url: address("a"), title: null, tag_names: null, unread: null }, 201],
  ["adds unread", "POST", B, { url: address("a"), unread: true }, 201, { unread: true }],
  ["adds archived", "POST", B, { ...given, is_archived: true }, 201, { is_archived: true }],
  [
    "adds with the client's date and ignores its number",
    "POST",
    B,
    {
      url: address("a"),
      id: 77,
      date_added: "2019-05-06T07:08:09.123456Z"
    },
    201,
    { id: 5, date_added: "2019-05-06T07:08:09.123000Z" }
  ],
  [
    "adds with a date in the future",
    "POST",
    B,
    { url: address("a"), date_added: "2999-01-01T00:00:00Z" },
    201
  ],
  ["ignores unknown fields", "POST", B, { url: address("a"), notag_namestes: "x" }, 201],
  [
    "accepts flags without a value",
    "POST",
    `${B}?disable_scraping&disable_html_snapshot`,
    { url: address("a") },
    201
  ],
  [
    "normalizes tags",
    "POST",
    B,
    { url: address("a"), tag_names: ["Two Words", "UP"] },
    201,
    {
      tag_names: ["two-words", "up"]
    }
  ],
  [
    "adds a known address by replacing",
    "POST",
    B,
    { ...given, url: address("one") },
    201,
    {
      ...given,
      id: 1,
      url: address("one")
    }
  ],
  [
    "leaves a known one archived",
    "POST",
    B,
    { url: address("three"), title: "New" },
    201,
    { id: 3, title: "New" }
  ],
  ["adds nothing without an address", "POST", B, { title: "x" }, 400, { url: [expect.any(String)] }],
  ["adds nothing that is no address", "POST", B, { url: "no address" }, 400, { url: ["Enter a valid URL."] }],
  ["adds no other scheme", "POST", B, { url: "javascript:alert(1)" }, 400, { url: ["Enter a valid URL."] }],
  ["adds no wrong type", "POST", B, { url: address("a"), title: 5 }, 400, { title: [expect.any(String)] }],
  [
    "adds no wrong boolean",
    "POST",
    B,
    { url: address("a"), unread: "maybe" },
    400,
    { unread: [expect.any(String)] }
  ],
  [
    "adds no wrong tags",
    "POST",
    B,
    { url: address("a"), tag_names: 5 },
    400,
    { tag_names: [expect.any(String)] }
  ],
  ["adds no array", "POST", B, [], 400, { detail: expect.any(String) }],
  ["adds nothing that is not JSON", "POST", B, "{", 400, { detail: expect.any(String) }],
  [
    "replaces",
    "PUT",
    `${B}1/`,
    { ...given, url: address("one") },
    200,
    { ...given, id: 1, url: address("one") }
  ],
  ["replaces the address", "PUT", `${B}1/`, { ...given, url: address("new") }, 200, { url: address("new") }],
  [
    "replaces by no other's address",
    "PUT",
    `${B}1/`,
    { ...given, url: address("two") },
    400,
    {
      url: ["A bookmark with this URL already exists."]
    }
  ],
  ["replaces by the address of an archived one", "PUT", `${B}1/`, { url: address("three") }, 400],
  [
    "replaces nothing without an address",
    "PUT",
    `${B}1/`,
    { title: "x" },
    400,
    { url: [expect.any(String)] }
  ],
  ["replaces with little", "PUT", `${B}1/`, { url: address("one") }, 200, { title: "One", notes: "apples" }],
  ["replaces nothing that is not there", "PUT", `${B}999/`, given, 404],
  ["changes the title", "PATCH", `${B}1/`, { title: "T" }, 200, { title: "T", notes: "apples" }],
  ["changes the description", "PATCH", `${B}1/`, { description: "D" }, 200, { description: "D" }],
  ["changes the notes", "PATCH", `${B}1/`, { notes: "N" }, 200, { notes: "N", title: "One" }],
  ["removes the notes", "PATCH", `${B}1/`, { notes: "" }, 200, { notes: "" }],
  ["changes the tags", "PATCH", `${B}1/`, { tag_names: ["x", "y"] }, 200, { tag_names: ["x", "y"] }],
  ["removes the tags", "PATCH", `${B}1/`, { tag_names: [] }, 200, { tag_names: [] }],
  ["marks as unread", "PATCH", `${B}1/`, { unread: true }, 200, { unread: true }],
  ["marks as read", "PATCH", `${B}2/`, { unread: false }, 200, { unread: false }],
  ["archives with a field", "PATCH", `${B}1/`, { is_archived: true }, 200, { is_archived: true }],
  [
    "takes out of the archive with a field",
    "PATCH",
    `${B}3/`,
    { is_archived: false },
    200,
    { is_archived: false }
  ],
  ["changes the address", "PATCH", `${B}1/`, { url: address("new") }, 200, { url: address("new") }],
  ["changes it to no other's", "PATCH", `${B}1/`, { url: address("two") }, 400],
  ["changes nothing", "PATCH", `${B}1/`, {}, 200, { title: "One" }],
  ["changes nothing with null", "PATCH", `${B}1/`, { title: null }, 200, { title: "One" }],
  ["changes nothing that is not there", "PATCH", `${B}999/`, { title: "x" }, 404],
  ["archives", "POST", `${B}1/archive/`, undefined, 204],
  ["archives without the slash", "POST", `${B}1/archive`, undefined, 204],
  ["archives nothing that is not there", "POST", `${B}999/archive/`, undefined, 404],
  ["takes out of the archive", "POST", `${B}3/unarchive/`, undefined, 204],
  ["takes nothing out that is not there", "POST", `${B}999/unarchive/`, undefined, 404],
  ["deletes", "DELETE", `${B}1/`, undefined, 204],
  ["deletes nothing that is not there", "DELETE", `${B}999/`, undefined, 404],
  ["deletes no asset", "DELETE", `${B}1/assets/1/`, undefined, 403],
  [
    "adds a tag",
    "POST",
    "/api/tags/",
    { name: "Fresh Tag" },
    201,
    { id: expect.any(Number), name: "fresh-tag" }
  ],
  ["adds a tag that there is", "POST", "/api/tags/", { name: "red" }, 201, { name: "red" }],
  ["adds no tag without a name", "POST", "/api/tags/", { example: "x" }, 400, { name: [expect.any(String)] }],
  [
    "adds a bundle",
    "POST",
    "/api/bundles/",
    {
      name: "Mine",
      search: "word",
      any_tags: "a b",
      all_tags: "c",
      excluded_tags: "d e",
      filter_unread: "yes",
      filter_shared: "no"
    },
    201,
    {
      name: "Mine",
      search: "word",
      any_tags: "a b",
      all_tags: "c",
      excluded_tags: "d e",
      filter_unread: "yes",
      filter_shared: "no",
      order: 0
    }
  ],
  [
    "adds a bundle of a name",
    "POST",
    "/api/bundles/",
    { name: "Mine" },
    201,
    {
      search: "",
      any_tags: "",
      all_tags: "",
      excluded_tags: "",
      filter_unread: "off",
      filter_shared: "off"
    }
  ],
  [
    "adds no bundle without a name",
    "POST",
    "/api/bundles/",
    { search: "x" },
    400,
    { name: [expect.any(String)] }
  ],
  ["adds no bundle with another flag", "POST", "/api/bundles/", { name: "x", filter_unread: "maybe" }, 400],
  ["deletes no bundle that is not there", "DELETE", "/api/bundles/9/", undefined, 404],
  ["saves a page of SingleFile without its file", "POST", `${B}singlefile/`, { url: address("a") }, 400]
]

describe("linkding's API", () => {
  tests("answers requests that read", async (app) => {
    const ask = await foreignClient(app, ...MOST)
    for (const [what, method, path, body, status, has = {}] of reading) {
      const answer = await ask(method, path, body)
      expect([what, answer.status, answer.body]).toEqual([what, status, expect.objectContaining(has)])
    }
  })

  for (const [index, half] of [writing.slice(0, 30), writing.slice(30)].entries())
    tests(
      `answers requests that write, part ${index + 1}`,
      async (app) => {
        for (const [what, method, path, body, status, has] of half) {
          const ask = await foreignClient(app, ...MOST)
          const answer = await ask(method, path, body)
          expect([what, answer.status, answer.body]).toEqual([
            what,
            status,
            has === undefined ? answer.body : expect.objectContaining(has)
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
    expect((await ask("GET", `${B}?bundle=${made.id}`)).body).toEqual(expect.objectContaining(titles("Two")))
    expect((await ask("GET", `${B}?bundle=999`)).body.count).toBe(0)
    const changed = await ask("PATCH", `/api/bundles/${made.id}/`, { filter_unread: "off", name: "All red" })
    expect(changed.body).toMatchObject({ name: "All red", any_tags: "red", filter_unread: "off" })
    expect((await ask("PUT", `/api/bundles/${made.id}/`, { search: "x" })).status).toBe(400)
    expect((await ask("GET", `${B}?bundle=${made.id}`)).body.count).toBe(2)
    expect((await ask("GET", `/api/bundles/${made.id}/`)).body).toEqual(changed.body)
    expect((await ask("DELETE", `/api/bundles/${made.id}/`)).status).toBe(204)
    expect((await ask("GET", "/api/bundles/")).body).toEqual(empty)
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
    const { id } = await (await app.request("POST", B, given, headers)).json()
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
