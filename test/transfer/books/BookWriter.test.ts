import { expect } from "bun:test"
import { Effect, Layer } from "effect"
import { BookWriter, layer } from "../../../src/transfer/books/BookWriter.ts"
import { effectTest } from "../../support/effect.ts"

const article = {
  id: 1,
  url: "https://example.org/",
  title: "A title",
  author: null,
  siteName: null,
  publishedAt: null,
  language: "en",
  savedAt: "2026-02-03T04:05:06.789Z",
  html: '<p>Words.<img src="https://example.org/a.png" alt=""></p>',
  highlights: []
}
const noted = { ...article, createdAt: article.savedAt, tags: [], collection: null, note: "", quotes: [] }
const pictures = new Map([
  ["https://example.org/a.png", { name: "pictures/1.webp", type: "image/webp", width: 1, height: 1 }]
])

const written = Effect.gen(function* () {
  const writer = yield* BookWriter
  const { file, page } = yield* writer.page(article, 1, pictures)
  return { text: new TextDecoder().decode(file.bytes), page, markdown: yield* writer.markdown(noted) }
})

effectTest(Layer.empty)(
  "the thread writes the same as its caller would, who writes where there is no thread",
  function* () {
    const here = yield* Effect.provide(written, BookWriter.layer)
    expect(here.text).toContain('<img src="pictures/1.webp"')
    const inThread = layer(
      () => new Worker(new URL("../../../src/Thread.ts", import.meta.url), { argv: ["book"] })
    )
    expect(yield* Effect.provide(written, inThread)).toEqual(here)
    const withoutThread = layer(() => {
      throw new Error("no threads")
    })
    expect(yield* Effect.provide(written, withoutThread)).toEqual(here)
  }
)
