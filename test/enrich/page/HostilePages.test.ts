import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import type { Page } from "../../../src/domain/Link.ts"
import { Fetcher } from "../../../src/enrich/fetch/Fetcher.ts"
import { type ScrapeError, Scraper } from "../../../src/enrich/page/Scraper.ts"
import { MAX_PAGE_TEXT } from "../../../src/shared/Limits.ts"
import { sharedTest } from "../../support/effect.ts"
import { pages, resolver, wire } from "../../support/fetching.ts"
import { floods } from "../../support/floods.ts"
import { withSettings } from "../../support/loopback.ts"
import { sandbox } from "../../support/sandbox.ts"
import { isClean } from "../../support/strange.ts"
import { byTier, sampleOf } from "../../support/tier.ts"

const it = sharedTest(Scraper.layer.pipe(Layer.provide([Fetcher.layer, sandbox]), Layer.provide(resolver)))

const MEGABYTE = 1024 * 1024

/** Scrapes the page at `port` of the allowed host; returns the page or the error. */
const scrapeAt = (port: number | undefined) =>
  Effect.flatMap(Scraper, ({ scrape }) => Effect.merge(scrape(new URL(`http://127.0.0.2:${port}/`)))).pipe(
    withSettings({ FETCH_ALLOW: `127.0.0.2:${port}` })
  )

const isAddress = (address: string | null) =>
  address === null || (address.length <= 2_048 && /^https?:\/\/[^\s\p{Cc}\p{Cf}]+$/iu.test(address))

/** Checks the limits that every scraped page keeps. */
const expectClean = (read: Page | ScrapeError) => {
  if ("reason" in read) return
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

/** A body of `bytes` bytes of repeated `piece`, after `start`, generated as it is read. */
const streamOf = (start: string, piece: string, bytes: number, onSent: (bytes: number) => void) => {
  const chunk = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)))
  let sent = 0
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from(start)),
    pull: (controller) => {
      if (sent >= bytes) return controller.close()
      sent += chunk.length
      onSent(sent)
      controller.enqueue(new Uint8Array(chunk))
    }
  })
}

const head = "<!doctype html><html lang=en><head><title>The title</title>"
const described = `${head}<meta name=description content="About it."></head><body>`

describe("Scraper on a page of an extreme size", () => {
  it("reads the beginning of 50 MB, and asks for no more", function* () {
    let sent = 0
    const { port } = yield* pages(() =>
      html(
        streamOf(described, "word after word ", 50 * MEGABYTE, (bytes) => {
          sent = bytes
        })
      )
    )
    const read = yield* scrapeAt(port)
    expect(read).toMatchObject({ title: "The title", description: "About it." })
    expectClean(read)
    // What lies in the buffers of the connection is sent, and never read.
    expect(sent).toBeLessThan(25 * MEGABYTE)
  })

  for (const [what, body] of [
    ["ampersands", `${described}${"&".repeat(byTier(1, 4) * MEGABYTE)}`],
    ["an unclosed heading", `${described}<h1>${"<b>head</b> ".repeat(byTier(80_000, 350_000))}`]
  ] as const)
    it(`reads the text of ${what} of megabytes within its reader's memory`, function* () {
      const { port } = yield* pages(() => html(body))
      const read = yield* scrapeAt(port)
      expect(read).toMatchObject({ title: "The title", description: "About it." })
      expect("text" in read && read.text.length).toBeGreaterThan(MAX_PAGE_TEXT - 100)
    })

  for (const { body, name, title } of sampleOf(floods, 4))
    it(`reads the title of a page with ${name}`, function* () {
      const page = new Uint8Array(body())
      const { port } = yield* pages(() => html(page, { "content-type": "text/html" }))
      const read = yield* scrapeAt(port)
      expect("title" in read && read.title).toStartWith(title)
      expectClean(read)
    })

  it("returns no metadata for an empty or blank body", function* () {
    for (const body of ["", " \n\t", "\ufeff"]) {
      const { port } = yield* pages(() => html(body))
      expect(yield* scrapeAt(port)).toMatchObject({ title: null, description: "", text: "" })
    }
  })

  it("reads no text from binary data sent as HTML", function* () {
    for (const body of [
      "\0\0\0",
      Buffer.from("PK\x03\x04\x14\0\x08\0", "latin1"),
      crypto.getRandomValues(new Uint8Array(5_000))
    ]) {
      const { port } = yield* pages(() => html(body))
      expect(yield* scrapeAt(port)).toMatchObject({ reason: "unreadable", lasting: true })
    }
  })
})

describe("Scraper on hostile metadata", () => {
  it("decodes a page by the encoding in its Content-Type header", function* () {
    const title = [0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea]
    const body = Buffer.concat([Buffer.from("<title>"), Buffer.from(title), Buffer.from("</title>")])
    const { port } = yield* pages(() => html(body, { "content-type": "text/html; charset=Shift_JIS" }))
    expect(yield* scrapeAt(port)).toMatchObject({ title: "日本語" })
  })

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
  const escapeAttribute = (text: string) =>
    text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;")
  const metas =
    `og:title og:description og:image og:image:url og:url og:site_name og:locale og:type twitter:title twitter:description
    twitter:image twitter:creator author description article:published_time article:author date application-name keywords
    dc.title dc.creator dc.date content-language`.split(/\s+/)

  for (const payload of payloads)
    it(`returns clean text and web addresses for ${JSON.stringify(payload.slice(0, 30))}`, function* () {
      const said = escapeAttribute(payload)
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
      const read = yield* scrapeAt(port)
      expect(read).not.toHaveProperty("reason")
      expectClean(read)
    })

  it("follows no base, refresh or picture address of the page", function* () {
    let asked = 0
    const { port } = yield* pages(() => {
      asked++
      return html(`${head}<base href="javascript://example.org/"><base href="http://169.254.169.254/">
          <meta http-equiv=refresh content="0; url=/again"><meta property=og:image content="data:image/png;base64,AAAA">
          <link rel=icon href="javascript:alert(1)"><link rel=canonical href="file:///etc/passwd">`)
    })
    const read = yield* scrapeAt(port)
    expect(read).toMatchObject({ title: "The title", image: null, canonicalUrl: null })
    expect(asked).toBe(1)
    expectClean(read)
  })
})

describe("Scraper on a broken response", () => {
  const page = `${described}<p>words</p>`
  const packed = Bun.gzipSync(page)
  const chunk = `${page.length.toString(16)}\r\n${page}\r\n`
  for (const [what, header, body] of [
    ["garbage after gzip data", "content-encoding: gzip", Buffer.concat([packed, Buffer.from("garbage")])],
    ["truncated gzip data", "content-encoding: gzip", packed.subarray(0, -6)],
    ["plain text labelled as gzip", "content-encoding: gzip", page],
    ["fewer bytes than its Content-Length", `content-length: ${page.length + 100}`, page],
    ["more bytes than its Content-Length", "content-length: 60", page],
    ["an invalid chunk", "transfer-encoding: chunked", `${chunk}zz\r\n`],
    ["a multipart body", "x: y", `--b\r\ncontent-type: text/html\r\n\r\n${page}\r\n--b--`]
  ] as const)
    it(`returns the beginning of the page or an error for ${what}`, function* () {
      const { port } = yield* wire((socket) => {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-8\r\n${header}\r\n\r\n`)
        socket.write(body)
        socket.end()
      })
      const read = yield* scrapeAt(port)
      // How much arrives before the connection closes is a matter of timing.
      expect(["The title", "bad-encoding", "unreachable"]).toContain(
        "reason" in read ? read.reason : (read.title ?? "")
      )
      expectClean(read)
    })
})
