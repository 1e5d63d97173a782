import { describe, expect } from "bun:test"
import { Effect, Layer } from "effect"
import { Enricher } from "../../../src/enrich/Enricher.ts"
import { Fetcher } from "../../../src/enrich/fetch/Fetcher.ts"
import { Summarizer } from "../../../src/enrich/model/Summarizer.ts"
import { shrink } from "../../../src/enrich/page/Images.ts"
import { Sandbox } from "../../../src/enrich/page/Sandbox.ts"
import { Scraper } from "../../../src/enrich/page/Scraper.ts"
import { Repositories } from "../../../src/enrich/repository/Repositories.ts"
import { effectTest } from "../../support/effect.ts"

const takenOver = Sandbox.layer([
  process.execPath,
  new URL("support/sandboxChild.ts", import.meta.url).pathname
])
const it = effectTest(takenOver)

const reading = (what: string) =>
  Effect.flatMap(Sandbox, (sandbox) =>
    sandbox.readPage({ url: `https://example.org/${what}`, contentType: "text/html" }, new Uint8Array(10))
  )

describe("a sandbox that a page has taken over", () => {
  for (const [what, cut] of [
    ["spin", "deadline"],
    ["swell", "memory"],
    ["exit", "exited"],
    ["text-lies", "reply"]
  ] as const)
    it(
      `keeps what the page stated when it ${what}s afterwards`,
      Effect.gen(function* () {
        const start = performance.now()
        expect(yield* reading(what)).toMatchObject({ metadata: { title: "Stated" }, text: "", cut })
        expect(performance.now() - start).toBeLessThan(8_000)
        expect(yield* reading("page")).toMatchObject({
          metadata: { title: "Stated" },
          text: "words",
          cut: null
        })
      }),
      20_000
    )

  it(
    "fails where it ends before the page has stated anything",
    Effect.gen(function* () {
      expect(yield* Effect.flip(reading("exit-first"))).toBe("exited")
    })
  )

  for (const what of ["long-title", "bad-address", "bad-time", "bad-language", "no-such-word", "no-object"])
    it(
      `is not believed with ${what}`,
      Effect.gen(function* () {
        expect(yield* Effect.flip(reading(what))).toBe("reply")
      })
    )

  it(
    "says nothing by a picture where a page was asked for",
    Effect.gen(function* () {
      expect(yield* Effect.flip(reading("a-picture"))).toBe("reply")
    })
  )

  it(
    "cannot show as a picture what is none, or one that is too large",
    Effect.gen(function* () {
      const shown = (bytes: Uint8Array) => Effect.flip(shrink("image", { type: "image/png", bytes }))
      expect((yield* shown(Buffer.from("\x89PNG\r\n\x1a\n", "latin1"))).reason).toBe("undecodable")
      expect((yield* shown(Buffer.from("<script>"))).reason).toBe("undecodable")
      expect((yield* shown(new Uint8Array([1]))).reason).toBe("reader-ended")
    })
  )
})

describe("a link whose page no process can be started for", () => {
  const fetched = {
    url: new URL("https://example.org/a"),
    redirects: [],
    contentType: "text/html",
    body: Buffer.from("<title>Nobody reads this</title>"),
    cut: false
  }
  const sources = Layer.mergeAll(
    Layer.succeed(Fetcher, { fetch: () => Effect.succeed(fetched) }),
    Layer.succeed(Repositories, { find: () => Effect.succeedNone }),
    Layer.succeed(Summarizer, {
      summarize: () => Effect.succeed({ summary: "", tags: [], category: null })
    })
  )
  effectTest(
    Enricher.layer.pipe(
      Layer.provide(Scraper.layer),
      Layer.provide(Layer.merge(sources, Sandbox.layer(["/nowhere/at/all"])))
    )
  )(
    "is saved by its host, and looked at again later",
    Effect.gen(function* () {
      const { gather, summarize } = yield* Enricher
      const material = yield* gather(fetched.url, {})
      const found = yield* summarize(material, { note: "", categories: [], tags: [] })
      expect(found).toMatchObject({ page: { title: "example.org", text: "" }, mayPass: true })
      expect(found.fellBack).toContain("page")
    })
  )
})
