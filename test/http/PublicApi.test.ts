import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { parseHTML } from "linkedom"
import { ensureCollections } from "../../src/store/links/CollectionPaths.ts"
import { settleShared } from "../store/public/shared.ts"
import { type App, appTests, makeApp } from "../support/app.ts"
import { describeData, json } from "../support/data.ts"
import { type RawLink, randomLinks, writeLinks } from "../support/randomLibrary.ts"
import { sampleOf } from "../support/tier.ts"
import { wellFormed } from "../support/wellFormed.ts"

const appTest = appTests()

/** A test on its own app, which holds these links. */
const withLinks = (name: string, links: ReadonlyArray<RawLink>, body: (app: App) => Promise<void>) =>
  appTest(
    name,
    async (app) => {
      await app.run(writeLinks(links))
      await body(app)
    },
    { PUBLIC_URL: "https://links.example" }
  )

const link = (title: string, more: Partial<RawLink> = {}): RawLink => ({
  title,
  collection: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  shareable: true,
  category: "reading",
  tags: [],
  ...more
})

/** A test on an app with nested collections, of which some are shared as a whole. */
const withShelves = (name: string, body: (app: App) => Promise<void>) =>
  withLinks(
    name,
    [
      link("Stock", {
        collection: "Cabinet / Recipes",
        shareable: false,
        createdAt: "2026-01-03T00:00:00.000Z"
      }),
      link("Miso", { collection: "Cabinet / Recipes / Soups", shareable: false }),
      link("Contract", { collection: "Cabinet", shareable: false })
    ],
    async (app) => {
      await app.run(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const shelves = ["Cabinet", "Cabinet / Recipes", "Cabinet / Recipes / Soups", "Empty"]
          const { byName } = yield* ensureCollections(sql, shelves)
          for (const [at, name] of shelves.entries())
            yield* sql`UPDATE collections SET parent_id = ${(at > 0 && at < 3 && byName.get(shelves[at - 1] ?? "")?.id) || null},
              shareable = ${at % 2} WHERE name = ${name}`
          yield* sql`UPDATE collections SET description = ${"What I cook.\nMostly <soup>."} WHERE name = 'Cabinet / Recipes'`
          yield* settleShared
        })
      )
      await body(app)
    }
  )

const PUBLIC_FIELDS =
  "category collection createdAt description favicon host image publishedAt summary tags title url".split(" ")

const text = async (app: App, path: string) => (await app.request("GET", path)).text()
const page = async (app: App, path: string) => parseHTML(await text(app, path)).document
const titlesOf = (document: Awaited<ReturnType<typeof page>>) =>
  [...document.querySelectorAll(".card-title")].map(({ textContent }) => textContent)
const hrefOf = (document: Awaited<ReturnType<typeof page>>, selector: string) =>
  document.querySelector(selector)?.getAttribute("href") ?? undefined

const some = [
  link("Alpha", { collection: "Zoo", tags: ["one"], summary: "About alpha." }),
  link("Beta", { collection: "Books", category: "cooking", tags: ["one", "two"] }),
  link("Gamma", { description: "What the page says." }),
  link("Delta", { collection: "Books", createdAt: "2026-01-02T00:00:00.000Z" }),
  link("Hidden", { collection: "Books", shareable: false })
]

/** An app with these links, which no test changes. */
const app = makeApp({ PUBLIC_URL: "https://links.example/" })
beforeAll(() => app.run(writeLinks(some)))
afterAll(() => app.dispose())

/** An app with many links, which no test changes. */
const large = makeApp()
beforeAll(() => large.run(writeLinks(randomLinks(6, 200))))
afterAll(() => large.dispose())

describe("the public list's page", () => {
  test("groups links by collection, newest first, with unfiled links last", async () => {
    const document = await page(app, "/list")
    const groups = [...document.querySelectorAll("section")].map((section) => [
      section.querySelector("h2")?.textContent,
      [...section.querySelectorAll(".card-title")].map(({ textContent }) => textContent)
    ])
    expect(groups).toEqual([
      ["Books", ["Delta", "Beta"]],
      ["Zoo", ["Alpha"]],
      ["More links", ["Gamma"]]
    ])
    const anchors = [...document.querySelectorAll("section")].map(({ id }) => id)
    expect(new Set(anchors).size).toBe(3)
  })

  test("shows each link's details and the number of links", async () => {
    const document = await page(app, "/list")
    const [card] = [...document.querySelectorAll(".card")].filter((one) => one.textContent?.includes("Alpha"))
    const anchor = card?.querySelector("h3 a")
    expect(anchor?.getAttribute("href")).toBe("https://example.org/0")
    expect(anchor?.getAttribute("rel")).toBe("noopener noreferrer")
    expect(card?.querySelector("h3")?.getAttribute("dir")).toBe("auto")
    expect(card?.querySelector("time")?.getAttribute("datetime")).toBe("2026-01-01T00:00:00.000Z")
    for (const part of ["About alpha.", "example.org", "reading", "#one"])
      expect(card?.textContent).toContain(part)
    expect(document.querySelector("[role=status]")?.textContent).toBe("4 links")
  })

  withShelves(
    "gives a shared collection a page and a feed of its own, with the collections in it",
    async (app) => {
      const here = "/list?collection=Recipes"
      const document = await page(app, here)
      expect(document.querySelector("h1")?.textContent).toBe("Recipes")
      expect(document.querySelector(".public-description")?.textContent).toBe("What I cook.\nMostly <soup>.")
      expect(titlesOf(document)).toEqual(["Stock", "Miso"])
      expect([...document.querySelectorAll("section > h2")].map(({ textContent }) => textContent)).toEqual([
        "Recipes",
        "Soups"
      ])
      expect(document.querySelector("title")?.textContent).toBe("Recipes · Shared links")
      const metaOf = (name: string) =>
        document.querySelector(`meta[name="${name}"], meta[property="${name}"]`)?.getAttribute("content")
      for (const name of ["description", "og:description", "twitter:description"])
        expect(metaOf(name)).toBe("What I cook. Mostly <soup>.")
      expect([metaOf("og:title"), metaOf("og:url"), metaOf("robots")]).toEqual([
        "Recipes · Shared links",
        `https://links.example${here}`,
        "index, follow"
      ])
      expect(hrefOf(document, 'link[rel="canonical"]')).toBe(`https://links.example${here}`)
      expect(hrefOf(document, 'link[type="application/atom+xml"]')).toBe("/list/feed.xml?collection=Recipes")
      const places = [...document.querySelectorAll(".public-header .public-nav a")].map(({ textContent }) =>
        textContent?.trim()
      )
      expect(places).toEqual(["Soups 1"])
      const others = [...document.querySelectorAll(".public-footer .public-nav a")]
      expect(others.slice(0, 3).map(({ textContent }) => textContent?.trim())).toEqual([
        "All 2",
        "Empty 0",
        "Recipes 2"
      ])
      // The name is not case-sensitive, and the page has one address.
      expect(await text(app, "/list?collection=recipes")).toContain(
        `rel="canonical" href="https://links.example${here}"`
      )
      const inner = await page(app, hrefOf(document, '.public-nav a[href*="Soups"]') ?? "")
      expect([...inner.querySelectorAll(".public-path a")].map((a) => a.getAttribute("href"))).toEqual([
        "/list",
        here
      ])
      expect([inner.querySelector("h1")?.textContent, titlesOf(inner)]).toEqual(["Soups", ["Miso"]])
      const empty = await page(app, "/list?collection=Empty")
      expect(empty.querySelector("h2")?.textContent).toBe("This collection is still empty.")
      const feed = await text(app, "/list/feed.xml?collection=Recipes")
      wellFormed(feed)
      expect(feed).toContain('<title xml:lang="en">Recipes · Shared links</title>')
      expect(feed).toContain("<subtitle>What I cook.\nMostly &lt;soup&gt;.</subtitle>")
      expect([...feed.matchAll(/<entry>\n<id>([^<]+)/g)].map(([, id]) => id)).toEqual([
        "https://example.org/0",
        "https://example.org/1"
      ])
      for (const path of ["/list?collection=Cabinet", "/list?collection=Recipes+%2F+Secret"])
        expect((await app.request("GET", path)).status).toBe(404)
      const answer = await app.request("GET", "/list/api/links?collection=recipes&limit=1")
      const { collection } = await answer.json()
      expect(collection).toEqual({ name: "Recipes", description: "What I cook.\nMostly <soup>." })
      // Everything about the collections around it is private.
      for (const path of [here, "/list", "/list/feed.xml", "/list/api/meta", "/list/api/links"])
        expect(await text(app, path)).not.toContain("Cabinet")
    }
  )

  withLinks(
    "counts links correctly in its navigation",
    randomLinks(5, 45).map((one) => ({ ...one, tags: one.tags.filter((tag) => !tag.startsWith(".")) })),
    async (app) => {
      const document = await page(app, "/list")
      const places = [...document.querySelectorAll("nav a")].map((anchor) => ({
        href: anchor.getAttribute("href") ?? "",
        count: Number(anchor.querySelector(".entry-count")?.textContent)
      }))
      expect(places.length).toBeGreaterThan(8)
      for (const { count, href } of places) {
        const there = await page(app, href)
        expect([href, titlesOf(there).length]).toEqual([href, count])
        expect(hrefOf(there, 'nav a[aria-current="page"]')).toBe(href)
      }
      for (const href of new Set(
        [...document.querySelectorAll(".card-labels a")].map((a) => a.getAttribute("href"))
      ))
        expect(titlesOf(await page(app, href ?? "")).length).toBeGreaterThan(0)
    }
  )

  test("searches, highlights words and keeps its filters", async () => {
    const found = await page(app, "/list?q=alpha")
    expect(titlesOf(found)).toEqual(["Alpha"])
    expect([...found.querySelectorAll("mark")].map(({ textContent }) => textContent)).toEqual([
      "Alpha",
      "alpha"
    ])
    const part = await page(app, "/list?category=cooking")
    expect(titlesOf(part)).toEqual(["Beta"])
    expect(part.querySelector('form input[name="category"]')?.getAttribute("value")).toBe("cooking")
    expect(titlesOf(await page(app, "/list?category=cooking&q=alpha"))).toEqual([])
    expect(titlesOf(await page(app, "/list?q=category:cooking"))).toEqual(["Beta"])
  })

  test("shows a search without results and a link to the whole list", async () => {
    const document = await page(app, `/list?q=${encodeURIComponent("no<such>thing")}`)
    expect(document.querySelector("main h2")?.textContent).toBe("Nothing found for “no<such>thing”")
    expect(hrefOf(document, "main a")).toBe("/list")
    expect(document.querySelector('meta[name="robots"]')?.getAttribute("content")).toBe("noindex")
  })

  withLinks(
    "says which words it looked for instead, as the owner's search does",
    [link("How to store a password")],
    async (app) => {
      const notice = { text: "also: password", from: 0, to: 8 }
      const { links, notices } = await (await app.owner("GET", "/api/links?q=Passwort")).json()
      expect({ found: links.length, notices }).toEqual({ found: 1, notices: [notice] })
      const found = await page(app, "/list?q=Passwort")
      expect(titlesOf(found)).toEqual(["How to store a password"])
      expect(found.querySelector("header")?.textContent).toContain(notice.text)
    }
  )

  withLinks("shows a message when nothing is shared", [link("Hidden", { shareable: false })], async (app) => {
    const document = await page(app, "/list")
    expect(document.querySelector("main")?.textContent?.trim()).toBe("Nothing shared yet.")
    expect(document.querySelectorAll("nav").length).toBe(0)
  })

  test("shows every link once over its pages", async () => {
    const seen: Array<string | null> = []
    let path: string | undefined = "/list"
    let pages = 0
    while (path !== undefined && pages < 10) {
      const document = await page(large, path)
      seen.push(...titlesOf(document))
      expect(hrefOf(document, 'main a[rel="prev"]')).toBe(pages === 0 ? undefined : "/list")
      path = hrefOf(document, 'main a[rel="next"]')
      expect(hrefOf(document, 'head link[rel="next"]')).toBe(path)
      pages += 1
    }
    const { links, total } = JSON.parse(await text(large, "/list/api/links"))
    expect(seen).toEqual(links.map(({ title }: { title: string }) => title))
    expect([seen.length, pages]).toEqual([total, Math.ceil(total / 50)])
  })

  test("shows the first page for an invalid cursor", async () => {
    const first = titlesOf(await page(large, "/list"))
    for (const cursor of ["x", "WyJ0aXRsZSIsMSwxXQ", "%00", "WyJjb2xsZWN0aW9uIiwxLDFd"]) {
      const answer = await large.request("GET", `/list?cursor=${cursor}`)
      expect([cursor, answer.status]).toEqual([cursor, 200])
      expect(titlesOf(parseHTML(await answer.text()).document)).toEqual(first)
    }
  })

  test("embeds the data of its API", async () => {
    for (const query of ["?q=link", '?category=reading&q=collection:"b"']) {
      const document = await page(large, `/list${query}`)
      const data = JSON.parse(document.querySelector("#data")?.textContent ?? "")
      const limited = `${query === "" ? "?" : `${query}&`}limit=50`
      expect(data).toEqual({
        meta: JSON.parse(await text(large, "/list/api/meta")),
        page: JSON.parse(await text(large, `/list/api/links${limited}`))
      })
    }
  })

  test("has metadata for search engines, feed readers and previews", async () => {
    const document = await page(app, "/list?tag=one&q=alpha")
    const content = (selector: string) => document.querySelector(selector)?.getAttribute("content")
    expect(hrefOf(document, 'link[rel="canonical"]')).toBe("https://links.example/list?q=alpha&tag=one")
    expect(hrefOf(document, 'link[rel="alternate"]')).toBe("/list/feed.xml?q=alpha&tag=one")
    expect(content('meta[property="og:url"]')).toBe("https://links.example/list?q=alpha&tag=one")
    expect(content('meta[property="og:title"]')).toContain("Shared links")
    expect(content('meta[name="twitter:card"]')).toBe("summary")
    expect((await page(app, '/list?q=collection:"Zoo"')).title).toBe("Zoo · Shared links")
    expect(document.title).toBe(content('meta[property="og:title"]') ?? "")
  })

  test("has no canonical URL without PUBLIC_URL", async () => {
    expect(hrefOf(await page(large, "/list"), 'link[rel="canonical"]')).toBeUndefined()
  })

  test("without PUBLIC_URL, a feed names no host but a private one, because a request may name any", async () => {
    const selfAt = async (host: string) => {
      const answer = await large.request("GET", "/list/feed.xml", undefined, { host })
      return /rel="self"[^>]* href="([^"]*)"/.exec(await answer.text())?.[1]
    }
    expect(await selfAt("nas.local:8787")).toBe("http://nas.local:8787/list/feed.xml")
    expect(await selfAt("evil.example.org")).toBe("http://localhost:8787/list/feed.xml")
  })

  withLinks("omits a broken row, as the feed does", some, async (app) => {
    expect(titlesOf(await page(app, "/list"))).toContain("Alpha")
    await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`UPDATE public_links SET tags = '[1]' WHERE title = 'Alpha'`
      )
    )
    const document = await page(app, "/list")
    expect(titlesOf(document)).toEqual(["Delta", "Beta", "Gamma"])
    const { page: start } = JSON.parse(document.querySelector("#data")?.textContent ?? "")
    expect(start.links.length).toBe(3)
    const xml = await text(app, "/list/feed.xml")
    expect([...xml.matchAll(/<entry>[\s\S]*?<title>([^<]*)/g)].map(([, title]) => title)).toEqual([
      "Delta",
      "Gamma",
      "Beta"
    ])
  })
})

describe("hostile text on the public list", () => {
  const hostile = [
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</title></style></textarea></noscript><b>bold</b>",
    "<!-- --><![CDATA[ ]]>",
    "&lt;b&gt; &amp; &#60; &quot",
    "javascript:alert(1)",
    "a\u2028b\u2029c \u202eright to left"
  ]
  const linkOf = (said: string, n: number) =>
    link(`${said} ${n}`, {
      summary: n % 2 === 0 ? said : "",
      description: said,
      collection: `${said} ${n % 3}`,
      category: said,
      tags: [said, "second"],
      url: n === 5 ? "javascript:alert(1)" : `https://example.org/${n}?${said}`
    })
  /** The elements of a page with the names of their attributes, in order. */
  const skeletonOf = (document: Awaited<ReturnType<typeof page>>) =>
    [...document.querySelectorAll("*")].map(
      (one) => `${one.localName} ${[...one.attributes].map(({ name }) => name).join(" ")}`
    )

  const app = makeApp({ PUBLIC_URL: "https://links.example" })
  afterAll(() => app.dispose())
  const contentOf = async (words: string) => {
    await app.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`DELETE FROM links`
        yield* sql`DELETE FROM collections`
        yield* writeLinks(Array.from({ length: 6 }, (_, n) => linkOf(words, n)))
      })
    )
    const query = new URLSearchParams({ q: words, category: words, tag: words, collection: words })
    const list = await page(app, "/list")
    const search = await page(app, `/list?${query}`)
    const xml = await text(app, "/list/feed.xml")
    return { list, search, xml }
  }
  let expected: ReadonlyArray<string> = []
  beforeAll(async () => {
    expected = skeletonOf((await contentOf("plain")).list)
  })

  for (const said of hostile)
    test(`is shown as text: ${JSON.stringify(said)}`, async () => {
      const { list, search, xml } = await contentOf(said)
      expect(skeletonOf(list)).toEqual([...expected])
      expect(titlesOf(list).toSorted()).toEqual(Array.from({ length: 6 }, (_, n) => `${said} ${n}`))
      for (const selector of [".card-summary", ".card-labels [data-kind=category]"])
        for (const element of list.querySelectorAll(selector)) expect(element.textContent).toBe(said)
      const { page: start } = JSON.parse(list.querySelector("#data")?.textContent ?? "")
      expect(start.links[0].category).toBe(said)
      expect(search.querySelector('input[name="q"]')?.getAttribute("value")).toBe(said)
      for (const name of ["category", "tag", "collection"])
        expect([name, search.querySelector(`input[name="${name}"]`)?.getAttribute("value")]).toEqual([
          name,
          said
        ])
      expect(search.querySelector('meta[property="og:title"]')?.getAttribute("content")).toContain(said)
      expect(list.querySelectorAll('a[href^="javascript:"]').length).toBe(0)
      expect(wellFormed(xml)).toBe(true)
      expect([...xml.matchAll(/<entry>/g)].length).toBe(5)
    })
})

describe("the public list's responses", () => {
  const paths = ["/list", "/list/api/links", "/list/api/meta", "/list/feed.xml"]
  const secret = {
    title: "Secrettitle",
    note: "secretnote",
    summary: "secretsummary",
    description: "secretdescription",
    collection: "Secretcollection",
    category: "secretcategory",
    tags: ["secrettag"],
    url: "https://secreturl.example/"
  }
  const shown = link("Shown", { note: "secretnote of a shared link", tags: [".secretlabel", "open"] })

  withLinks(
    "contain only the public fields of shared links",
    [link("", { ...secret, shareable: false }), shown],
    async (app) => {
      for (const path of paths) expect((await text(app, path)).toLowerCase()).not.toContain("secret")
      const { links } = JSON.parse(await text(app, "/list/api/links"))
      expect(links).toMatchObject([{ title: "Shown", tags: ["open"] }])
      expect(Object.keys(links[0]).sort()).toEqual([...PUBLIC_FIELDS])
      expect(JSON.parse(await text(app, "/list/api/meta"))).toEqual({
        total: 1,
        collections: [],
        categories: [{ name: "reading", count: 1 }],
        tags: [{ name: "open", count: 1 }]
      })
    }
  )

  test("omit a link at once when it is made private", async () => {
    for (const path of paths.filter((path) => path !== "/list/api/meta")) {
      const before = await app.request("GET", path)
      expect(await before.text()).toContain("Gamma")
      const etag = before.headers.get("etag") ?? ""
      const date = before.headers.get("last-modified") ?? ""
      await app.owner("POST", "/api/mutate", { op: "shareable", ids: [3], shareable: false })
      for (const headers of [{}, { "if-none-match": etag }, { "if-modified-since": date }] as const) {
        const after = await app.request("GET", path, undefined, headers)
        expect([path, after.status, (await after.text()).includes("Gamma")]).toEqual([path, 200, false])
      }
      await app.owner("POST", "/api/mutate", { op: "shareable", ids: [3], shareable: true })
    }
    expect(JSON.parse(await text(app, "/list/api/meta")).total).toBe(4)
  })

  test("are 304 for clients that have the current version", async () => {
    for (const path of ["/list", "/list?q=alpha", "/list/feed.xml", "/list/feed.xml?tag=one"]) {
      const first = await app.request("GET", path)
      const etag = first.headers.get("etag") ?? ""
      expect(first.headers.get("cache-control")).toBe("no-cache")
      for (const tags of [etag, `"x", ${etag}`, "*", etag.replace("W/", "")]) {
        const again = await app.request("GET", path, undefined, { "if-none-match": tags })
        expect([path, again.status, await again.text(), again.headers.get("etag")]).toEqual([
          path,
          304,
          "",
          etag
        ])
      }
      expect((await app.request("GET", path, undefined, { "if-none-match": '"x"' })).status).toBe(200)
    }
  })

  test("have the same headers for HEAD and no body", async () => {
    for (const path of paths) {
      const answer = await app.request("HEAD", path)
      const got = await app.request("GET", path)
      expect([path, answer.status, await answer.text()]).toEqual([path, 200, ""])
      for (const header of ["content-type", "etag", "cache-control"])
        expect([path, header, answer.headers.get(header)]).toEqual([path, header, got.headers.get(header)])
    }
  })

  test("continue by cursor in every order", async () => {
    for (const query of [
      "",
      "sort=relevance&",
      "sort=newest&",
      "sort=title&",
      "q=link&",
      "q=link&sort=oldest&"
    ]) {
      const first = JSON.parse(await text(large, `/list/api/links?${query}limit=20`))
      const cursor = `cursor=${first.nextCursor}`
      const second = JSON.parse(await text(large, `/list/api/links?${query}limit=20&${cursor}`))
      const titles = [...first.links, ...second.links].map(({ title }: { title: string }) => title)
      expect([query, new Set(titles).size]).toEqual([query, 40])
    }
    const { nextCursor } = JSON.parse(await text(large, "/list/api/links?sort=newest&limit=20"))
    for (const query of ["", "sort=title&", "q=link&"])
      expect((await large.request("GET", `/list/api/links?${query}cursor=${nextCursor}`)).status).toBe(400)
  })
})

describe("the feed", () => {
  withLinks(
    "is well-formed, with its own URL and the newest links first",
    [
      ...some,
      link("C & <A>\u000b", { url: 'https://example.org/a b?x="1"&y', summary: "]]> & <x>", tags: ["a&b"] })
    ],
    async (app) => {
      const answer = await app.request("GET", "/list/feed.xml?q=category:reading&n=3")
      expect(answer.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8")
      const xml = await answer.text()
      expect(wellFormed(xml)).toBe(true)
      expect(xml).toContain(
        'rel="self" type="application/atom+xml" href="https://links.example/list/feed.xml?q=category%3Areading&amp;limit=3"'
      )
      expect([...xml.matchAll(/<entry>\s*<id>([^<]*)/g)].map(([, id]) => id)).toEqual([
        "https://example.org/3",
        "https://example.org/a%20b?x=%221%22&amp;y",
        "https://example.org/2"
      ])
      expect(xml).toContain("<title>C &amp; &lt;A&gt;</title>")
      expect(xml).toContain("<summary>]]&gt; &amp; &lt;x&gt;\n\n#a&amp;b</summary>")
      expect(await text(app, "/list/feed.xml?q=category:reading&n=3")).toBe(xml)
    }
  )

  test("has the filters of the page", async () => {
    for (const query of [
      "?q=alpha",
      "?category=cooking",
      "?tag=one",
      "?collection=Zoo",
      "?collection=none",
      ""
    ]) {
      const titles = titlesOf(await page(app, `/list${query}`))
        .map(String)
        .sort()
      const xml = await text(app, `/list/feed.xml${query}`)
      const entries = [...xml.matchAll(/<entry>[\s\S]*?<title>([^<]*)/g)]
        .map(([, title]) => String(title))
        .sort()
      expect([query, entries]).toEqual([query, titles])
    }
  })

  test("has the date of its last change", async () => {
    // In the second of a change the feed has no date.
    let date: string | null = null
    for (; date === null; await Bun.sleep(20))
      date = (await app.request("GET", "/list/feed.xml")).headers.get("last-modified")
    expect(
      (await app.request("GET", "/list/feed.xml", undefined, { "if-modified-since": date })).status
    ).toBe(304)
    const earlier = new Date(Date.parse(date) - 1_000).toUTCString()
    expect(
      (await app.request("GET", "/list/feed.xml", undefined, { "if-modified-since": earlier })).status
    ).toBe(200)
    const both = { "if-modified-since": date, "if-none-match": '"another"' }
    expect((await app.request("GET", "/list/feed.xml", undefined, both)).status).toBe(200)
  })

  for (const query of ["?limit=0", "?n=x", "?limit=1001"])
    test(`rejects ${query}`, async () => {
      expect((await app.request("GET", `/list/feed.xml${query}`)).status).toBe(400)
    })
})

describeData("hostile", "the public list with known hostile texts", () => {
  const strings = [
    ...json<Array<string>>("hostile/blns.json"),
    ...json<Array<string>>("hostile/xss/payloadsallthethings.json")
  ]
    .map((one) => one.replaceAll("\0", "").toWellFormed())
    .filter((one) => one.trim() !== "")
  const shown = sampleOf(strings, 30)
  const collapsed = (said: string | null | undefined) => (said ?? "").replace(/\s+/g, " ").trim()

  withLinks(
    "shows them as text on the page and in the feed",
    shown.map((one, n) =>
      link(one, {
        collection: n % 3 === 0 ? `${one} ${n}` : null,
        category: one,
        tags: [one],
        summary: one,
        url: `https://example.org/?${one}`
      })
    ),
    async (app) => {
      const scriptsOf = (document: Awaited<ReturnType<typeof page>>) =>
        [...document.querySelectorAll("script")].map((one) => one.getAttribute("src") ?? one.id)
      const scripts = scriptsOf(await page(app, "/list?q=zzzz"))
      const seen: Array<string> = []
      let path: string | undefined = "/list"
      while (path !== undefined && seen.length < shown.length) {
        const document = await page(app, path)
        seen.push(...titlesOf(document).map(collapsed))
        expect(scriptsOf(document)).toEqual(scripts)
        const attributes = [...document.querySelectorAll("body *")].flatMap((element) => [
          ...element.attributes
        ])
        expect(
          attributes.filter(
            ({ name, value }) =>
              name.startsWith("on") ||
              name === "style" ||
              (/^(href|src|action)$/.test(name) && !/^(https:\/\/example\.org\/|\/(list|app))/.test(value))
          )
        ).toEqual([])
        path = hrefOf(document, 'main a[rel="next"]')
      }
      expect(seen.toSorted()).toEqual(shown.map(collapsed).toSorted())
      expect(wellFormed(await text(app, "/list/feed.xml?limit=1000"))).toBe(true)
    }
  )

  test("accepts each as a search, category, tag, collection and cursor", async () => {
    for (const one of sampleOf(
      strings.filter((_, n) => n % 5 === 0),
      20
    )) {
      const query = new URLSearchParams({ q: one, category: one, tag: one, collection: one, cursor: one })
      for (const path of ["/list", "/list/feed.xml"]) {
        const answer = await app.request("GET", `${path}?${query}`)
        expect([path, one, answer.status]).toEqual([path, one, 200])
        const body = await answer.text()
        if (path === "/list/feed.xml") expect([one, wellFormed(body)]).toEqual([one, true])
      }
    }
  })
})
