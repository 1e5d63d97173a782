import { describe, expect } from "bun:test"
import { Effect, Either } from "effect"
import { maxBytesOf } from "../../../../src/enrich/page/files/FileKind.ts"
import { Sandbox } from "../../../../src/enrich/page/Sandbox.ts"
import { MAX_ARTICLE_HTML, MAX_PAGE_TEXT } from "../../../../src/shared/Limits.ts"
import { sharedTest } from "../../../support/effect.ts"
import { sandbox } from "../../../support/sandbox.ts"
import { isClean } from "../../../support/strange.ts"
import { long } from "../../../support/tier.ts"
import { hostileFiles } from "./support/hostile.ts"
import { pdfOf } from "./support/pdf.ts"

const it = sharedTest(sandbox)

const reading = (name: string, bytes: Uint8Array) =>
  Effect.flatMap(Sandbox, ({ readPage }) =>
    Effect.either(
      readPage(
        {
          asked: `https://example.org/${name}`,
          url: `https://example.org/${name}`,
          status: 200,
          headers: {},
          contentType: null
        },
        bytes
      )
    )
  )

/** It takes all the time that a document has, so it is read once only. */
const SLOWEST = "a PNG with megabytes of nested XMP"

describe("the sandbox with a file that attacks its reader", () => {
  for (const [what, { bytes, name }] of Object.entries(hostileFiles).filter(([one]) => one !== SLOWEST))
    it(`ends within its limits for ${what}`, function* () {
      const file = bytes()
      // As much of it as is fetched.
      const read = yield* reading(name, file.subarray(0, maxBytesOf(file)))
      if (Either.isLeft(read)) {
        // Blank lines alone.
        expect([what, read.left]).toMatchObject(["a text of empty lines", { reason: "unreadable" }])
        return
      }
      const { content, metadata } = read.right
      expect(metadata.title).not.toBeNull()
      expect(isClean(metadata.title ?? "") && isClean(metadata.description)).toBe(true)
      expect(content.text.length).toBeLessThanOrEqual(MAX_PAGE_TEXT)
      expect(content.article.length).toBeLessThanOrEqual(MAX_ARTICLE_HTML)
    })

  long(it)("reads pages while a document takes all its time, and the next document after it", function* () {
    const slow = hostileFiles[SLOWEST]
    const attack = yield* Effect.fork(reading("a.png", slow?.bytes() ?? Buffer.alloc(0)))
    yield* Effect.sleep("100 millis")
    const page = yield* reading("a", Buffer.from("<!doctype html><title>A page</title>"))
    expect(Either.getOrThrow(page).metadata.title).toBe("A page")
    expect(Either.getOrThrow(yield* attack)).toMatchObject({
      metadata: { title: "a.png", type: "image", facts: { size: "3 x 2" } },
      cut: "deadline"
    })
    const next = Either.getOrThrow(
      yield* reading("b.pdf", pdfOf({ info: { Title: "The next one" }, pages: [["words"]] }))
    )
    expect(next).toMatchObject({ metadata: { title: "The next one" }, content: { text: "words" }, cut: null })
  })
})
