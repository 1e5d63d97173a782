import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { Fetcher } from "../../../../src/enrich/fetch/Fetcher.ts"
import { Scraper } from "../../../../src/enrich/page/Scraper.ts"
import { sharedTest } from "../../../support/effect.ts"
import { pages, resolver } from "../../../support/fetching.ts"
import { withSettings } from "../../../support/loopback.ts"
import { sandbox } from "../../../support/sandbox.ts"
import { byTier } from "../../../support/tier.ts"
import { pdfOf } from "./support/pdf.ts"
import { jpegOf } from "./support/pictures.ts"
import { id3Of, mp3Of, mp4Of } from "./support/recordings.ts"

const it = sharedTest(Scraper.layer.pipe(Layer.provide([Fetcher.layer, sandbox]), Layer.provide(resolver)))

const MEGABYTE = 1024 * 1024

/** Scrapes `path` of a server that answers with this body and these headers. */
const scraping = (path: string, body: BodyInit, headers: Record<string, string>) =>
  Effect.gen(function* () {
    const { port } = yield* pages(() => new Response(body, { headers }))
    const { scrape } = yield* Scraper
    return yield* Effect.merge(scrape(new URL(`http://127.0.0.2:${port}/${path}`))).pipe(
      withSettings({ FETCH_ALLOW: `127.0.0.2:${port}` })
    )
  })

const bytes = (file: Buffer) => new Uint8Array(file)

/** A PDF with `size` bytes that no page shows. */
const padded = (size: number) => {
  const pdf = pdfOf({ info: { Title: "A long one" }, pages: [["words"]] })
  const start = pdf.indexOf("xref")
  const padding = Buffer.alloc(size, "% padding of a comment that nothing reads\n")
  const moved = pdf
    .toString("latin1", start)
    .replace(/startxref\n\d+/, `startxref\n${start + padding.length}`)
  return Buffer.concat([pdf.subarray(0, start), padding, Buffer.from(moved, "latin1")])
}

describe("Scraper at a file", () => {
  it("reads a PDF that is sent as a web page", function* () {
    const pdf = pdfOf({
      info: { Title: "A study", Author: "Ann Bee" },
      pages: [["It says words."], ["And more."]]
    })
    expect(
      yield* scraping("paper", bytes(pdf), { "content-type": "text/html; charset=utf-8" })
    ).toMatchObject({
      title: "A study",
      author: "Ann Bee",
      type: "pdf",
      facts: { pages: 2 },
      text: "It says words.\nAnd more.",
      article: "<p>It says words.</p><p>And more.</p>"
    })
  })

  it("reads a long PDF whole, and names one that is longer than the limit", function* () {
    const headers = {
      "content-type": "application/pdf",
      "content-disposition": 'inline; filename="the-long.pdf"'
    }
    expect(yield* scraping("1", bytes(padded(byTier(8, 20) * MEGABYTE)), headers)).toMatchObject({
      title: "A long one",
      text: "words"
    })
    expect(yield* scraping("2", bytes(padded(26 * MEGABYTE)), headers)).toMatchObject({
      title: "the-long.pdf",
      type: "pdf",
      text: ""
    })
  })

  it("holds one long PDF at a time", function* () {
    const long = bytes(padded(byTier(5, 8) * MEGABYTE))
    const short = bytes(padded(1_000))
    const events: Array<string> = []
    const { port } = yield* pages((request) => {
      const { pathname } = new URL(request.url)
      events.push(`request ${pathname}`)
      return new Response(pathname === "/short" ? short : long)
    })
    const { scrape } = yield* Scraper
    const read = (path: string) =>
      Effect.tap(scrape(new URL(`http://127.0.0.2:${port}${path}`)), () =>
        Effect.sync(() => events.push(`read ${path}`))
      )
    const found = yield* Effect.forEach(["/1", "/2", "/3", "/short"], read, { concurrency: 4 }).pipe(
      withSettings({ FETCH_ALLOW: `127.0.0.2:${port}` })
    )
    expect(found.map(({ title }) => title)).toEqual(Array(4).fill("A long one"))
    let held: string | undefined
    for (const [at, event] of events.entries()) {
      const [what, path = ""] = event.split(" ")
      if (path === "/short") continue
      if (what === "read") held = undefined
      else if (events.indexOf(event) < at) {
        expect(held).toBeUndefined()
        held = path
      }
    }
    expect(events.filter((event) => event === "request /3")).toHaveLength(2)
    expect(events.filter((event) => event === "request /short")).toHaveLength(1)
  })

  it("reads the tags of a recording from its beginning", function* () {
    const song = mp3Of(id3Of({ TIT2: "A long song", TPE1: "Ann Bee" }), 20_000)
    expect(song.length).toBeGreaterThan(7 * MEGABYTE)
    expect(yield* scraping("song.mp3", bytes(song), { "content-type": "audio/mpeg" })).toMatchObject({
      title: "A long song",
      author: "Ann Bee",
      type: "audio",
      facts: {}
    })
    const film = mp4Of({ seconds: 95, tags: {}, data: 6 * MEGABYTE })
    expect(
      yield* scraping("film.mp4", bytes(film), { "content-type": "application/octet-stream" })
    ).toMatchObject({
      title: "film.mp4",
      type: "video",
      facts: { duration: 95 }
    })
  })

  it("shows a picture as its own preview", function* () {
    const read = yield* scraping("a.jpg", bytes(jpegOf(640, 480)), { "content-type": "image/jpeg" })
    expect(read).toMatchObject({ title: "a.jpg", type: "image", facts: { size: "640 x 480" } })
    if ("image" in read) expect(read.image).toBe(read.url)
  })

  it("decodes a text by its declared charset", function* () {
    const body = Buffer.from("caf\xe9\n\nwords", "latin1")
    const read = yield* scraping("notes.txt", body, { "content-type": "text/plain; charset=iso-8859-1" })
    expect(read).toMatchObject({ title: "café", text: "café\nwords" })
  })

  it("fetches little of an unknown file and gives its name", function* () {
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        sent += 65_536
        controller.enqueue(crypto.getRandomValues(new Uint8Array(65_536)))
        await Bun.sleep(1)
      }
    })
    const read = yield* scraping("download?id=1", body, {
      "content-type": "text/html",
      "content-disposition": "attachment; filename*=UTF-8''r%C3%A9sum%C3%A9.bin"
    })
    expect(read).toMatchObject({
      reason: "unreadable",
      lasting: true,
      fileName: "résumé.bin",
      sentence: "This kind of file cannot be read"
    })
    expect(sent).toBeLessThan(4 * MEGABYTE)
  })
})
