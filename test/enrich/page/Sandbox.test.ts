import { describe, expect, test } from "bun:test"
import { Effect, Fiber, Layer, Option } from "effect"
import { Enricher } from "../../../src/enrich/Enricher.ts"
import { Fetcher } from "../../../src/enrich/fetch/Fetcher.ts"
import { Summarizer } from "../../../src/enrich/model/Summarizer.ts"
import { shrink } from "../../../src/enrich/page/Images.ts"
import { Sandbox } from "../../../src/enrich/page/Sandbox.ts"
import { Scraper } from "../../../src/enrich/page/Scraper.ts"
import { Repositories } from "../../../src/enrich/repository/Repositories.ts"
import { effectTest, sharedTest } from "../../support/effect.ts"
import { long } from "../../support/tier.ts"

/** A sandbox whose child a page controls. */
const compromised = Sandbox.layer([
  process.execPath,
  new URL("support/sandboxChild.ts", import.meta.url).pathname
])
const it = sharedTest(compromised)

const readPage = (what: string, body: Uint8Array = new Uint8Array(10)) =>
  Effect.flatMap(Sandbox, (sandbox) =>
    sandbox.readPage(
      {
        asked: "https://example.org/",
        url: `https://example.org/${what}`,
        status: 200,
        headers: {},
        contentType: "text/html"
      },
      body
    )
  )

describe("the program of a sandbox process", () => {
  test("does not load Effect, which takes 20 MB and most of the time to start", async () => {
    const importers: Array<string> = []
    await Bun.build({
      entrypoints: ["enrich/page/SandboxWork.ts", "runtime/ChildMain.ts"].map(
        (path) => new URL(`../../../src/${path}`, import.meta.url).pathname
      ),
      target: "bun",
      plugins: [
        {
          name: "imports of Effect",
          setup: (build) => {
            build.onResolve({ filter: /^(?:@effect\/|effect$|effect\/)/ }, ({ importer, path }) => {
              importers.push(importer)
              return { path, external: true }
            })
          }
        }
      ]
    })
    expect(importers).toEqual([])
  })
})

describe("Sandbox with a compromised child", () => {
  for (const [what, cut] of [
    ["hang", "deadline"],
    ["swell", "memory"],
    ["exit", "exited"],
    ["text-lies", "reply"]
  ] as const)
    long(it)(
      `keeps the metadata and serves the next page after a failure of the text (${cut})`,
      function* () {
        expect(yield* readPage(what)).toMatchObject({
          metadata: { title: "Stated" },
          content: { text: "" },
          cut
        })
        expect(yield* readPage("page")).toMatchObject({
          metadata: { title: "Stated" },
          content: { text: "words" },
          cut: null
        })
      }
    )

  it("reads pages while documents take all their time", function* () {
    const document = () => Effect.fork(readPage("hang", Buffer.from("%PDF-1.7")))
    const documents = yield* Effect.all([document(), document()])
    yield* Effect.yieldNow()
    expect((yield* readPage("page")).content.text).toBe("words")
    expect(yield* Effect.forEach(documents, Fiber.poll)).toEqual([Option.none(), Option.none()])
    yield* Fiber.interruptAll(documents)
  })

  it("drops an article that is not clean, and keeps the text", function* () {
    expect(yield* readPage("unsafe-article")).toMatchObject({
      metadata: { title: "Stated" },
      content: { text: "words", article: "" },
      cut: null
    })
  })

  it("fails if the child exits before it sends metadata", function* () {
    expect(yield* Effect.flip(readPage("exit-first"))).toMatchObject({ reason: "exited" })
  })

  for (const what of [
    "long-title",
    "bad-address",
    "bad-time",
    "bad-language",
    "no-such-word",
    "no-object",
    "a-picture"
  ])
    it(`rejects a reply with ${what}`, function* () {
      expect(yield* Effect.flip(readPage(what))).toMatchObject({ reason: "reply" })
    })

  for (const what of ["site-title", "site-address", "site-facts", "site-type", "no-such-word", "a-picture"])
    it(`rejects a reply with ${what} to a site's answer`, function* () {
      const url = `https://example.org/${what}`
      const read = Effect.flatMap(Sandbox, (sandbox) =>
        sandbox.readSite({ site: "x", url }, new Uint8Array(10))
      )
      expect(yield* Effect.flip(read)).toBe("reply")
    })

  it("rejects a picture reply that has a wrong type or size", function* () {
    const shown = (bytes: Uint8Array) => Effect.flip(shrink("image", { type: "image/png", bytes }))
    expect((yield* shown(Buffer.from("\x89PNG\r\n\x1a\n", "latin1"))).reason).toBe("undecodable")
    expect((yield* shown(Buffer.from("<script>"))).reason).toBe("undecodable")
    expect((yield* shown(new Uint8Array([1]))).reason).toBe("reader-ended")
  })
})

describe("Enricher without a sandbox process", () => {
  const fetched = {
    url: new URL("https://example.org/a"),
    redirects: [],
    isPermanent: true,
    status: 200,
    headers: new Headers(),
    contentType: "text/html",
    body: Buffer.from("<title>Unread</title>"),
    cut: false,
    follow: () => Effect.die("nothing is followed")
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
  )("falls back to the host as title and allows a retry", function* () {
    const { gather, summarize } = yield* Enricher
    const material = yield* gather(fetched.url, {})
    const found = yield* summarize(material, { note: "", categories: [], tags: [] })
    expect(found).toMatchObject({ page: { title: "example.org", text: "" }, mayPass: true })
    expect(found.fellBack).toContain("page")
  })
})
