import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Effect } from "effect"
import { PublicEmbeddings } from "../../src/library/PublicEmbeddings.ts"
import { makeApp } from "../support/app.ts"
import { type RawLink, writeLinks } from "../support/randomLibrary.ts"

const day = (n: number) => `2026-03-0${n}T00:00:00.000Z`

const GARDEN = "Gardening for beginners"
const BREAD = "Baking sourdough bread"
const TOKYO = "東京の天気予報"

const shared: ReadonlyArray<RawLink> = [
  {
    title: GARDEN,
    summary: "How to grow tomatoes on a balcony.",
    description: "Soil, seeds and sunlight.",
    url: "https://garden.example/start?a=b@c",
    collection: "Hobbies",
    createdAt: day(1),
    category: "reading",
    tags: ["plants", ".moonlight"],
    note: "submarine",
    shareable: true
  },
  {
    title: BREAD,
    summary: "A starter, flour and patience.",
    url: "https://baker:xk9vq2wz@bread.example/loaf#crumb",
    collection: "Hobbies",
    createdAt: day(2),
    category: "cooking",
    tags: ["bread", "slow-food"],
    note: "zeppelin",
    shareable: true
  },
  {
    title: TOKYO,
    summary: "Weather in the city.",
    url: "https://www.weather.example/東京",
    collection: null,
    createdAt: day(3),
    category: "reading",
    tags: ["weather"],
    shareable: true
  }
]
const secret: RawLink = {
  title: "Nightingale contract",
  summary: "The merger of obelisk and quicksand.",
  description: "Strictly confidential paperwork.",
  url: "https://lawyer.example/dossier?client=octopus",
  collection: "Divorce",
  createdAt: day(4),
  category: "legal",
  tags: ["custody"],
  note: "harpsichord",
  shareable: false
}

const ALL = [BREAD, GARDEN, TOKYO]
const NONE: ReadonlyArray<string> = []

interface Row {
  readonly path: string
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly status?: number
  /** Titles of the links returned, in order. */
  readonly titles?: ReadonlyArray<string>
  readonly error?: string
  readonly header?: readonly [name: string, value: string]
  /** Text that the body contains, and text that it does not. */
  readonly says?: string
  readonly lacks?: string
}

const links = (params: Record<string, string>) => `/list/api/links?${new URLSearchParams(params)}`
const q = (text: string, titles: ReadonlyArray<string>): Row => ({ path: links({ q: text }), titles })

/** Words that only private fields contain. */
const hidden =
  "nightingale contract obelisk quicksand confidential dossier octopus divorce custody harpsichord submarine zeppelin moonlight xk9vq2wz".split(
    " "
  )

const searches: ReadonlyArray<Row> = [
  q("", ALL),
  q("gardening", [GARDEN]),
  q("gardner", [GARDEN]),
  q("gardenng", [GARDEN]),
  q("ourdoug", [BREAD]),
  q('"sourdough bread"', [BREAD]),
  q("天気", [TOKYO]),
  q("tag:bread", [BREAD]),
  q("tag:.moonlight", NONE),
  q("tag:moonlight", NONE),
  q("-tag:moonlight", ALL),
  q("-tag:.moonlight", ALL),
  q("-tag:bread", [GARDEN, TOKYO]),
  q("category:cooking", [BREAD]),
  q("category:legal", NONE),
  q("-category:legal", ALL),
  q("collection:Hobbies", [BREAD, GARDEN]),
  q("collection:hobbies", [BREAD, GARDEN]),
  q("collection:Divorce", NONE),
  q("-collection:Divorce", ALL),
  q("site:example.org", ALL),
  q("site:org", ALL),
  q("site:lawyer.example", NONE),
  q("before:2026-03-02", [GARDEN]),
  q("after:2026-03-03", [TOKYO]),
  q("after:2026-03-04", NONE),
  q("is:favorite", ALL),
  q("-is:favorite", ALL),
  q("is:shareable", ALL),
  q("-is:shareable", ALL),
  q("-bread", [GARDEN, TOKYO]),
  q("https://bread.example/loaf", [BREAD]),
  q("https://lawyer.example/dossier?client=octopus", NONE),
  ...hidden.flatMap(
    (word): ReadonlyArray<Row> => [
      q(word, NONE),
      q(word.slice(0, 5), NONE),
      q(`"${word}"`, NONE),
      q(`-${word}`, ALL),
      { path: links({ tag: word }), titles: NONE },
      { path: links({ category: word }), titles: NONE },
      { path: links({ collection: word }), titles: NONE },
      { path: `/list?q=${word}`, says: "Nothing found", lacks: "<article" },
      { path: `/list/feed.xml?q=${word}`, lacks: "<entry>" }
    ]
  )
]

const parameters: ReadonlyArray<Row> = [
  { path: links({ collection: "none" }), titles: [TOKYO] },
  { path: links({ collection: "Hobbies" }), titles: [BREAD, GARDEN] },
  ...["1", "2", "3"].map((collection): Row => ({ path: links({ collection }), titles: NONE })),
  ...["like", "favorite", "shareable", "all", "ids", "trashed"].map(
    (name): Row => ({ path: links({ [name]: "1" }), titles: ALL })
  ),
  { path: links({ sort: "newest" }), titles: [TOKYO, BREAD, GARDEN] },
  { path: links({ sort: "oldest" }), titles: [GARDEN, BREAD, TOKYO] },
  { path: links({ sort: "title" }), titles: [BREAD, GARDEN, TOKYO] },
  { path: links({ sort: "relevance" }), titles: ALL },
  { path: links({ limit: "2" }), titles: ALL.slice(0, 2) },
  ...["0", "-1", "1001", "x", "1.5", "1e3"].map(
    (limit): Row => ({ path: links({ limit }), status: 400, error: "bad_request", says: '\\"limit\\"' })
  ),
  ...["id", "private", "NEWEST"].map(
    (sort): Row => ({ path: links({ sort }), status: 400, error: "bad_request", says: '\\"sort\\"' })
  ),
  ...["x", "!!", "WzFd", "eyJzb3J0IjoibmV3ZXN0In0", "A".repeat(5_000)].flatMap(
    (cursor): ReadonlyArray<Row> => [
      { path: links({ cursor }), status: 400, error: "bad_request", says: '\\"cursor\\"' },
      { path: `/list?cursor=${cursor}`, says: "Gardening" }
    ]
  )
]

const collections: ReadonlyArray<Row> = [
  { path: "/list?collection=hobbies", says: "Gardening" },
  { path: "/list?collection=none", says: "天気" },
  {
    path: "/list?collection=Divorce",
    status: 404,
    says: "No shared collection has this name.",
    lacks: "Divorce"
  },
  { path: "/list?collection=Divorce&q=bread", says: "Nothing found" },
  { path: "/list/feed.xml?collection=Divorce", status: 404, error: "not_found" },
  { path: "/list/feed.xml?collection=Hobbies", says: "Gardening" }
]

const paths = ["/list", "/list/api/links", "/list/api/meta", "/list/feed.xml"]

const methods: ReadonlyArray<Row> = [...paths, "/list/image", "/list/favicon"].flatMap((path) =>
  ["POST", "PUT", "PATCH", "DELETE"].map(
    (method): Row => ({
      path,
      method,
      status: 405,
      error: "method_not_allowed",
      header: ["allow", "GET, HEAD"]
    })
  )
)

const pictures: ReadonlyArray<Row> = ["image", "favicon"].flatMap((kind) => [
  { path: `/list/${kind}`, status: 400, error: "bad_request" },
  { path: `/list/${kind}?url=`, status: 400, error: "bad_request" },
  { path: `/list/${kind}?url=https://lawyer.example/logo.png`, status: 404, error: "not_found" },
  { path: `/list/${kind}?url=file:///etc/passwd`, status: 404, error: "not_found" },
  { path: `/list/${kind}?url=http://127.0.0.1:8787/healthz`, status: 404, error: "not_found" },
  {
    path: `/list/${kind}?url=https://garden.example/a.png`,
    headers: { "sec-fetch-dest": "document" },
    status: 403,
    error: "forbidden"
  }
])

const missing: ReadonlyArray<Row> =
  "/list/api /list/api/links/1 /list/api/nope /list/nope /list/feed.json /list/1 /list/image/1 /list/dashboard"
    .split(" ")
    .map((path) => ({ path, status: 404, error: "not_found" }))

const documents: ReadonlyArray<Row> = paths.flatMap(
  (path): ReadonlyArray<Row> => [
    {
      path,
      header: ["cache-control", "no-cache"]
    },
    { path, method: "HEAD" },
    { path, lacks: "Nightingale" },
    { path, lacks: "submarine" },
    { path, lacks: "moonlight" },
    { path, lacks: "xk9vq2wz" },
    { path, lacks: "Divorce" },
    { path, headers: { cookie: "CF_Authorization=x" }, lacks: "Nightingale" },
    { path, headers: { authorization: "Bearer a-token-for-the-extension" }, lacks: "Nightingale" }
  ]
)

const rows = [...searches, ...parameters, ...collections, ...methods, ...pictures, ...missing, ...documents]

describe("the public list", () => {
  const app = makeApp()
  beforeAll(() =>
    app.run(
      Effect.zipRight(
        writeLinks([...shared, secret]),
        Effect.flatMap(PublicEmbeddings, ({ catchUp }) => catchUp)
      )
    )
  )
  afterAll(app.dispose)

  for (const [
    n,
    { error, header, headers = {}, lacks, method = "GET", path, says, status = 200, titles }
  ] of rows.entries())
    test(`answers ${method} ${path.slice(0, 100)} ${Object.keys(headers).join()}`, async () => {
      const answer = await app.request(method, path, undefined, {
        ...headers,
        "x-forwarded-for": `198.51.100.${n % 250}`
      })
      const body = await answer.text()
      expect(answer.status).toBe(status)
      if (error !== undefined) expect(JSON.parse(body).error).toBe(error)
      if (header !== undefined) expect(answer.headers.get(header[0])).toBe(header[1])
      if (says !== undefined) expect(body).toContain(says)
      if (lacks !== undefined) expect(body).not.toContain(lacks)
      if (titles !== undefined) {
        const { links, total } = JSON.parse(body)
        expect(links.map(({ title }: { title: string }) => title)).toEqual(titles)
        if (!path.includes("limit")) expect(total).toBe(titles.length)
      }
    })
})
