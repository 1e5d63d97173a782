import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import type { Page } from "../../../src/domain/Link.ts"
import { Fetcher } from "../../../src/enrich/fetch/Fetcher.ts"
import { Scraper } from "../../../src/enrich/page/Scraper.ts"
import { MAX_PAGE_TEXT } from "../../../src/shared/Limits.ts"
import { effectTest } from "../../support/effect.ts"
import { pages, resolver, wire } from "../../support/fetching.ts"
import { withSettings } from "../../support/loopback.ts"
import { sandbox } from "../../support/sandbox.ts"
import { isClean } from "../../support/strange.ts"

const it = effectTest(Scraper.layer.pipe(Layer.provide([Fetcher.layer, sandbox]), Layer.provide(resolver)))

const MEGABYTE = 1024 * 1024
/** The longest a page may keep everybody else waiting or be waited for, in milliseconds; the machine may be busy. */
const PATIENCE = 12_000
/** The most memory a page may cost, in bytes, while what it leaves has not been collected. */
const MEMORY = 600 * MEGABYTE

/** The page as it is read from a server on loopback, or why it is not; within its time and memory. */
const reading = (port: number | undefined, path = "") =>
  Effect.gen(function* () {
    const { scrape } = yield* Scraper
    const url = new URL(`http://127.0.0.2:${port}/${path}`)
    Bun.gc(true)
    const before = process.memoryUsage.rss()
    const begun = performance.now()
    const read = yield* Effect.merge(scrape(url))
    expect(performance.now() - begun).toBeLessThan(PATIENCE)
    expect(process.memoryUsage.rss() - before).toBeLessThan(MEMORY)
    return read
  }).pipe(withSettings({ FETCH_ALLOW: `127.0.0.2:${port}` }))

const isAddress = (address: string | null) =>
  address === null || (address.length <= 2_048 && /^https?:\/\/[^\s\p{Cc}\p{Cf}]+$/iu.test(address))

/** What must hold of any page that is read. */
const holds = (read: Page) => {
  const { author, canonicalUrl, description, favicon, image, language, publishedAt, siteName, text, title } =
    read
  for (const [said, limit] of [
    [title, 300],
    [description, 1_000],
    [siteName, 200],
    [author, 200]
  ] as const)
    expect(isClean(said ?? "") && (said ?? "").length <= limit).toBe(true)
  expect([canonicalUrl, favicon, image].filter((address) => !isAddress(address))).toEqual([])
  expect(language ?? "en").toMatch(/^[A-Za-z0-9-]{1,35}$/)
  expect(publishedAt === null || !Number.isNaN(Date.parse(publishedAt))).toBe(true)
  expect(text.length <= MAX_PAGE_TEXT && text.split("\n").every(isClean)).toBe(true)
}

const html = (body: BodyInit, headers: Record<string, string> = {}) =>
  new Response(body, { headers: { "content-type": "text/html; charset=utf-8", ...headers } })

/** So many bytes of a repeated piece, between a beginning and an end, sent as they are asked for. */
const stream = (start: string, piece: string, bytes: number, end = "") => {
  const chunk = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)))
  return function* () {
    yield Buffer.from(start)
    for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk
    yield Buffer.from(end)
  }
}
const streamed = (...parts: Parameters<typeof stream>) => {
  const chunks = stream(...parts)()
  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const { done, value } = chunks.next()
      if (done || value === undefined) controller.close()
      else controller.enqueue(new Uint8Array(value))
    }
  })
}

const head = "<!doctype html><html lang=en><head><title>The title</title>"
const described = `${head}<meta name=description content="About it."></head><body>`

describe("a page of hostile size", () => {
  const large: Readonly<Record<string, () => BodyInit>> = {
    "50 MB of text": () => streamed(described, "word after word ", 50 * MEGABYTE, "</body></html>"),
    "50 MB of comments": () => streamed(described, "<!-- nothing to see -->", 50 * MEGABYTE),
    "one comment that never ends": () => streamed(described, "<!-- ", 50 * MEGABYTE),
    "a script that never ends": () => streamed(`${described}<script>`, "var a='<p>b</p>';", 50 * MEGABYTE),
    "a style that never ends": () => streamed(`${described}<style>`, "a{b:c}", 50 * MEGABYTE),
    "a million attributes": () => streamed(`${described}<p `, "abc=def ", 8 * MEGABYTE, ">words"),
    "one attribute of 20 MB": () => streamed(`${described}<p class='`, "x", 20 * MEGABYTE, "'>words"),
    "100,000 elements within each other": () => `${described}${"<div>".repeat(100_000)}words`,
    "100,000 unnamed elements within each other": () => `${described}${"<x-y>".repeat(100_000)}words`,
    "100,000 lists within each other": () => `${described}${"<ul><li>".repeat(100_000)}words`,
    "100,000 tables within each other": () => `${described}${"<table><tr><td>".repeat(100_000)}words`,
    "100,000 end tags": () => `${described}${"</div></x></p>".repeat(100_000)}words`,
    "nothing but less-than signs": () => streamed(described, "<", 3 * MEGABYTE),
    "nothing but references": () => streamed(described, "&#x1F99C;&amp", 3 * MEGABYTE)
  }
  for (const [what, body] of Object.entries(large))
    it(
      `with ${what} is read as far as it goes`,
      Effect.gen(function* () {
        const { port } = yield* pages(() => html(body()))
        const read = yield* reading(port)
        expect(read).toMatchObject({ title: "The title", description: "About it." })
        if (!("reason" in read)) holds(read)
      }),
      60_000
    )

  it(
    "with a title of 10 MB has the beginning of it",
    Effect.gen(function* () {
      const { port } = yield* pages(() => html(streamed("<title>", "long title ", 10 * MEGABYTE, "</title>")))
      const read = yield* reading(port)
      if (!("reason" in read)) holds(read)
      expect(read).toMatchObject({ title: expect.stringMatching(/^long title long title/) })
    }),
    60_000
  )

  it(
    "whose body is not there, or is white space, says nothing",
    Effect.gen(function* () {
      for (const body of ["", " \n\t", "\0\0\0", "\ufeff"]) {
        const { port } = yield* pages(() => html(body))
        expect(yield* reading(port)).toMatchObject({ title: null, description: "", text: "" })
      }
    })
  )
})

describe("a page in a wrong or contradicting encoding", () => {
  /** 日本語 in Shift_JIS, between the letters around it. */
  const shiftJis = Buffer.concat([
    Buffer.from("<title>a"),
    Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea]),
    Buffer.from("b</title>")
  ])
  const cases: ReadonlyArray<readonly [what: string, type: string, body: Uint8Array, title: RegExp]> = [
    ["called UTF-8 and in Shift_JIS", "text/html; charset=utf-8", shiftJis, /^a.*b$/],
    ["called Shift_JIS", "text/html; charset=Shift_JIS", shiftJis, /^a日本語b$/],
    [
      "called by a name nobody knows",
      "text/html; charset=klingon",
      Buffer.from("<title>été</title>"),
      /^été$/
    ],
    [
      "in UTF-16 without a mark",
      "text/html",
      Buffer.from("<title>wide words of a title</title>", "utf16le"),
      /^wide words of a title$/
    ],
    [
      "called UTF-16 and in UTF-8",
      "text/html",
      Buffer.from("<meta charset=utf-16><title>été</title>"),
      /^été$/
    ],
    [
      "of lone continuation bytes",
      "text/html; charset=utf-8",
      Buffer.from("<title>a\x80\xbf\xffb</title>", "latin1"),
      /^a\ufffd+b$/
    ],
    [
      "of surrogates as bytes",
      "text/html; charset=utf-8",
      Buffer.from("<title>a\xed\xa0\x80b</title>", "latin1"),
      /^a\ufffd+b$/
    ],
    [
      "with a mark that its header denies",
      "text/html; charset=iso-8859-1",
      Buffer.from("\ufeff<title>été</title>"),
      /^été$/
    ],
    [
      "in UTF-7",
      "text/html; charset=utf-7",
      Buffer.from("<title>+ADw-script+AD4-</title>"),
      /^\+ADw-script\+AD4-$/
    ]
  ]
  for (const [what, type, body, title] of cases)
    it(
      `${what} is read as it may be`,
      Effect.gen(function* () {
        const { port } = yield* pages(
          () => new Response(Buffer.from(body), { headers: { "content-type": type } })
        )
        const read = yield* reading(port)
        if (!("reason" in read)) holds(read)
        expect(read).toMatchObject({ title: expect.stringMatching(title) })
      })
    )
})

describe("a page with something hostile in every field", () => {
  const payloads = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "javascript:alert(1)",
    "\u202egnp.exe\u202c\u2066x",
    "a\0b\x1b[31mc\x07",
    "\ud800",
    "{{7*7}} #{7*7} <%= 7*7 %>",
    "'; DROP TABLE links; --",
    "\ufdd0marked\ufdd1",
    "a\r\nSet-Cookie: b=c",
    "x".repeat(100_000),
    "Z\u0351\u036b\u0343".repeat(5_000)
  ]
  const escaped = (text: string) =>
    text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;")
  const metas =
    `og:title og:description og:image og:image:url og:url og:site_name og:locale og:type twitter:title twitter:description
    twitter:image twitter:creator author description article:published_time article:author date application-name keywords
    dc.title dc.creator dc.date content-language`.split(/\s+/)

  for (const payload of payloads)
    it(
      `says clean words and addresses of the web: ${JSON.stringify(payload.slice(0, 30))}`,
      Effect.gen(function* () {
        const said = escaped(payload)
        const page = `<!doctype html><html lang="${said}"><head><base href="${said}"><title>${said}</title>
          ${metas.map((name) => `<meta property="${name}" content="${said}">`).join("\n")}
          ${["icon", "canonical", "image_src", "apple-touch-icon"].map((rel) => `<link rel="${rel}" href="${said}">`).join("")}
          <script type="application/ld+json">${JSON.stringify({
            "@type": "Article",
            headline: payload,
            description: payload,
            image: [payload],
            author: { name: payload },
            publisher: { name: payload },
            datePublished: payload
          }).replaceAll("</", "<\\/")}</script></head>
          <body><article><p>${said} ${"Readable words of the article. ".repeat(20)}</p></article></body></html>`
        const { port } = yield* pages(() => html(page.toWellFormed()))
        const read = yield* reading(port)
        expect("reason" in read).toBe(false)
        if (!("reason" in read)) holds(read)
      }),
      30_000
    )

  it(
    "leads nowhere by its base, its refresh or its pictures",
    Effect.gen(function* () {
      let asked = 0
      const { port } = yield* pages(() => {
        asked++
        return html(`${head}<base href="javascript://example.org/"><base href="http://169.254.169.254/">
          <meta http-equiv=refresh content="0; url=/again"><meta property=og:image content="data:image/png;base64,AAAA">
          <link rel=icon href="javascript:alert(1)"><link rel=canonical href="file:///etc/passwd">`)
      })
      const read = yield* reading(port)
      expect(read).toMatchObject({ title: "The title", image: null, canonicalUrl: null })
      expect(asked).toBe(1)
      if (!("reason" in read)) holds(read)
    })
  )
})

describe("an answer that breaks off or goes wrong", () => {
  const page = `${described}<p>words</p>`
  const raw = (headers: string, body: Uint8Array | string) =>
    wire((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-8\r\n${headers}\r\n\r\n`)
      socket.write(body)
      socket.end()
    })
  const packed = Bun.gzipSync(page)
  const cases: ReadonlyArray<
    readonly [what: string, headers: string, body: Uint8Array | string, title: string | null]
  > = [
    [
      "with garbage behind what is packed",
      "content-encoding: gzip",
      Buffer.concat([packed, Buffer.from("garbage")]),
      null
    ],
    ["packed and cut short", "content-encoding: gzip", packed.subarray(0, packed.length - 6), null],
    ["called packed, and plain", "content-encoding: gzip", page, null],
    ["shorter than it says", `content-length: ${page.length + 100}`, page, null],
    ["longer than it says", "content-length: 60", page, null],
    [
      "in broken chunks",
      "transfer-encoding: chunked",
      `${page.length.toString(16)}\r\n${page}\r\nzz\r\n`,
      null
    ],
    ["in parts", "x: y", `--b\r\ncontent-type: text/html\r\n\r\n${page}\r\n--b--`, "The title"]
  ]
  for (const [what, headers, body, title] of cases)
    it(
      `${what} is a page as far as it goes, or none`,
      Effect.gen(function* () {
        const { port } = yield* raw(headers, body)
        const read = yield* reading(port)
        if (title !== null) expect(read).toMatchObject({ title })
        if (!("reason" in read)) holds(read)
      }),
      30_000
    )
})
