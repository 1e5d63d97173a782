import { describe, expect, test } from "bun:test"
import { Effect } from "effect"
import { genericJson, genericJsonLines } from "../../../src/transfer/formats/GenericJson.ts"
import { bookmark, bookmarksIn, fileOf, jsonFile, read, reading } from "../support/files.ts"

const A = "https://a.example/"
const B = "https://b.example/"
const C = "https://c.example/"

/** The addresses of a file with the folders that each is in. */
const foldersIn = async (json: unknown) =>
  (await bookmarksIn(genericJson, jsonFile(json))).map(({ folders, url }) => [url, ...folders])

const one = async (item: unknown) => (await bookmarksIn(genericJson, jsonFile([item])))[0]

describe("genericJson", () => {
  test("reads every field of a link", async () =>
    expect(
      await one({
        url: A,
        title: "A &amp; B",
        notes: "mine",
        excerpt: "of the page",
        tags: ["x", { name: "y" }],
        collection: { id: 5, title: "Work" },
        created_at: "2024-05-06T07:08:09Z",
        starred: true,
        is_archived: true
      })
    ).toEqual(
      bookmark({
        place: 1,
        url: A,
        title: "A & B",
        note: "mine",
        description: "of the page",
        tags: ["x", "y"],
        folders: ["Work"],
        createdAt: "2024-05-06T07:08:09.000Z",
        favorite: true,
        state: "archived"
      })
    ))

  for (const name of ["url", "URL", "href", "link", "html_url", "uri", "webUrl", "Adresse", "链接"])
    test(`finds the address as ${name}`, async () => expect((await one({ [name]: A }))?.url).toBe(A))

  for (const [name, value] of [
    ["link", { href: A, rel: "self" }],
    ["canonical", [{ href: A }, { href: B }]],
    ["links", [A, B]]
  ] as const)
    test(`finds the address in ${JSON.stringify({ [name]: value })}`, async () =>
      expect((await one({ [name]: value }))?.url).toBe(A))

  test("takes the first field with an address on the web", async () =>
    expect((await one({ url: "/relative", link: null, html_url: A }))?.url).toBe(A))

  test("takes dates as seconds, milliseconds and text, and tags as a list or a text", async () => {
    for (const added of [1_700_000_000, 1_700_000_000_000, "2023-11-14T22:13:20Z", "1700000000"])
      expect((await one({ url: A, added }))?.createdAt).toBe("2023-11-14T22:13:20.000Z")
    for (const labels of [["a", "b"], "a, b", [{ label: "a" }, { name: "b" }]])
      expect((await one({ url: A, labels }))?.tags).toEqual(["a", "b"])
    expect((await one({ url: A, tags: null, title: null, date: {} }))?.tags).toEqual([])
  })

  test("finds lists in objects, to the third", async () => {
    const list = [{ url: A }, { url: B }]
    for (const json of [list, { items: list }, { data: { bookmarks: list } }, { a: { b: { c: list } } }])
      expect(await foldersIn(json)).toEqual([[A], [B]])
    expect(genericJson.recognizes(jsonFile({ a: { b: { c: { d: list } } } }))).toBe(false)
  })

  test("finds several lists, in file order", async () =>
    expect(
      await foldersIn({ read: [{ url: A }], meta: { count: 2 }, unread: { items: [{ link: B }] } })
    ).toEqual([[A], [B]]))

  test("reads groups with names as folders", async () =>
    expect(
      await foldersIn({
        groups: [
          { name: "Work", links: [{ url: A }, { url: B, folder: "Later" }] },
          { title: "Home", children: [{ title: "Garden", children: [{ href: C, name: "C" }] }, { url: A }] }
        ]
      })
    ).toEqual([
      [A, "Work"],
      [B, "Work", "Later"],
      [C, "Home", "Garden"],
      [A, "Home"]
    ]))

  test("reads addresses alone", async () => expect(await foldersIn([A, { url: B }])).toEqual([[A], [B]]))

  test("reads a file that is one link", async () =>
    expect(await bookmarksIn(genericJson, jsonFile({ url: A, title: "A" }))).toEqual([
      bookmark({ place: 1, url: A, title: "A" })
    ]))

  test("reports items without an address, and keeps their places", async () => {
    const { bookmarks, unreadable } = await read(
      genericJson,
      jsonFile([
        { url: A },
        { title: "none" },
        5,
        { title: "tagged", tags: ["x"] },
        { url: B },
        { url: C },
        { url: A }
      ])
    )
    expect(bookmarks.map(({ place }) => place)).toEqual([1, 5, 6, 7])
    expect(unreadable).toEqual([
      { place: 2, reason: "It has no address." },
      { place: 3, reason: "It is a bare value, not an entry." },
      { place: 4, reason: "It has no address." }
    ])
  })

  const foreign: Record<string, unknown> = {
    "a number": 5,
    "an empty list": [],
    "a list of which few have an address": [1, 2, 3, { url: A }],
    "a package": { name: "x", bugs: { url: A }, dependencies: { y: "1" } },
    "a map": { features: [{ geometry: null, properties: { url: A } }] },
    "requests of a browser": { log: { entries: [{ request: { url: A } }] } },
    "addresses that are not on the web": [{ url: "file:///a" }, { url: "javascript:1" }],
    "texts with addresses": ["see https://a.example/", "and"]
  }
  for (const [name, json] of Object.entries(foreign))
    test(`does not recognize ${name}`, () => expect(genericJson.recognizes(jsonFile(json))).toBe(false))

  test("reads deeply nested groups without overflowing, and cuts their path", async () => {
    let json: unknown = { title: "bottom", items: [{ url: A }] }
    for (let depth = 0; depth < 5_000; depth++) json = { title: `f${depth}`, items: [json] }
    const [link] = await bookmarksIn(genericJson, { ...fileOf(""), json: [json] })
    expect([link?.url, link?.folders.length]).toEqual([A, 64])
  })
})

describe("genericJsonLines", () => {
  test("reads an object on each line, and reports the others", async () => {
    const text = `{"url":"${A}","title":"A","tags":["x"]}\n\n{"url":"${B}"\n["${C}"]\r\n{"link":"${C}"}\n`
    expect(await read(genericJsonLines, fileOf(text))).toEqual({
      bookmarks: [bookmark({ place: 1, url: A, title: "A", tags: ["x"] }), bookmark({ place: 5, url: C })],
      unreadable: [
        { place: 3, reason: "The line is not an object in JSON." },
        { place: 4, reason: "The line is not an object in JSON." }
      ]
    })
  })

  test("recognizes only lines of links", () => {
    const texts = [
      `{"url":"${A}"}\n{"url":"${B}"}`,
      `{"say":"${A}"}\n{"say":"${B}"}`,
      `{"url":"${A}"}`,
      `${A}\n${B}`
    ]
    expect(texts.map((text) => genericJsonLines.recognizes(fileOf(text)))).toEqual([
      true,
      false,
      false,
      false
    ])
  })

  test("refuses any other text", () =>
    expect(Effect.runSync(Effect.flip(reading(genericJsonLines, fileOf("url,title")))).message).toBe(
      "The file is not a valid list of links (JSON Lines)."
    ))
})
