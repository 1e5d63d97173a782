import { describe, expect } from "bun:test"
import { Cause, Effect, Exit, Fiber, Layer, Logger, Option, TestClock } from "effect"
import type { Hints } from "../../src/domain/Enrichment.ts"
import type { Page, Repository } from "../../src/domain/Link.ts"
import { Enricher } from "../../src/enrich/Enricher.ts"
import { SummarizeError, type SummarizeRequest, Summarizer } from "../../src/enrich/model/Summarizer.ts"
import { ScrapeError, Scraper } from "../../src/enrich/page/Scraper.ts"
import { Repositories } from "../../src/enrich/repository/Repositories.ts"
import { RepositoryError } from "../../src/enrich/repository/RepositoryAddress.ts"
import { MAX_PAGE_TEXT } from "../../src/shared/Limits.ts"
import { clockTest } from "../support/effect.ts"
import { countOf } from "../support/metrics.ts"

const url = new URL("https://example.org/a")

const page: Page = {
  url: "https://example.org/a",
  title: "A page",
  description: "Described",
  canonicalUrl: null,
  image: null,
  favicon: null,
  siteName: "Example",
  author: null,
  publishedAt: null,
  language: "en",
  type: null,
  facts: {},
  article: "",
  text: "Words."
}
const blank: Page = { ...page, title: null, description: "", siteName: null, language: null, text: "" }
const repository: Repository = {
  host: "github.com",
  fullName: "acme/rocket",
  description: null,
  language: null,
  stars: 1,
  topics: [],
  license: null,
  archived: false
}
const summary = { summary: "About a page.", tags: ["page"], category: "reading" }
const noSummary = { summary: "", tags: [], category: null }

interface Sources {
  readonly scrape: Scraper["Type"]["scrape"]
  readonly find: Repositories["Type"]["find"]
  readonly summarize: Summarizer["Type"]["summarize"]
}
const works: Sources = {
  scrape: () => Effect.succeed(page),
  find: () => Effect.succeedSome(repository),
  summarize: () => Effect.succeed(summary)
}
const fails: Sources = {
  scrape: () => new ScrapeError({ reason: "refused-address", lasting: false }),
  find: () => new RepositoryError({ reason: "refused" }),
  summarize: () => new SummarizeError({ reason: "not-json" })
}
const hangs: Sources = { scrape: () => Effect.never, find: () => Effect.never, summarize: () => Effect.never }
const crashes: Sources = {
  scrape: () => Effect.die(new TypeError("secret of https://example.org/a")),
  find: () => Effect.die("secret"),
  summarize: () => Effect.die(new Error("secret"))
}
const stuck = Effect.uninterruptible(Effect.never)
const ignoresInterruption: Sources = { scrape: () => stuck, find: () => stuck, summarize: () => stuck }

const enricher = ({ scrape, find, summarize }: Sources) =>
  Enricher.layer.pipe(
    Layer.provide(Layer.succeed(Scraper, { scrape, readBrowserPage: () => Effect.succeedNone })),
    Layer.provide(Layer.succeed(Repositories, { find })),
    Layer.provide(Layer.succeed(Summarizer, { summarize }))
  )

type Context = Parameters<Enricher["Type"]["summarize"]>[1]
const enrich = (hints: Hints = {}, context: Context = { note: "", categories: [], tags: [] }) =>
  Effect.flatMap(Enricher, (sources) =>
    Effect.flatMap(sources.gather(url, hints), (material) => sources.summarize(material, context))
  )

/** The result of enrichment after one minute. */
const enrichForAMinute = Effect.gen(function* () {
  const running = yield* Effect.fork(enrich())
  yield* TestClock.adjust("1 minute")
  return yield* Fiber.join(running)
})

/** The lines that `effect` logs, sorted. */
const logged = <A, E, R>(effect: Effect.Effect<A, E, R>) => {
  const lines: Array<string> = []
  const logger = Logger.make(({ logLevel, message }) => void lines.push(`${logLevel.label} ${message}`))
  return Effect.map(Effect.provide(effect, Logger.add(logger)), () => lines.toSorted())
}

const all = { page, repository, summary, fellBack: [], mayPass: false, failures: [], waitsFor: [] }
const fallbacks = {
  page: { page: { ...blank, title: "example.org" }, fellBack: ["page"] },
  repository: { repository: null, fellBack: ["repository"] },
  model: { summary: noSummary, fellBack: ["model"] }
} as const
const nothing = {
  ...fallbacks.page,
  ...fallbacks.repository,
  ...fallbacks.model,
  fellBack: ["page", "repository", "model"]
}

describe("Enricher", () => {
  clockTest(enricher(works))("returns the results of its sources", function* () {
    expect<unknown>(yield* enrich()).toEqual(all)
  })

  clockTest(enricher({ ...works, find: () => Effect.succeedNone }))(
    "returns no repository without a fallback if there is none",
    function* () {
      expect<unknown>(yield* enrich()).toEqual({ ...all, repository: null })
    }
  )

  clockTest(enricher({ ...works, summarize: () => Effect.succeed({ ...summary, summary: "" }) }))(
    "keeps tags and category of an answer without a summary, and reports a fallback of the model",
    function* () {
      expect<unknown>(yield* enrich()).toEqual({
        ...all,
        summary: { ...summary, summary: "" },
        fellBack: ["model"],
        mayPass: true,
        failures: [{ source: "model", kind: "passing", reason: "The model gave no summary" }]
      })
      expect(yield* logged(enrich())).toEqual([
        "WARN model: no summary in its answer, using its other fields"
      ])
    }
  )

  for (const [what, bad] of Object.entries({ fails, hangs, crashes, ignoresInterruption })) {
    const mayPass = bad !== crashes
    const alone = {
      page: { ...works, scrape: bad.scrape },
      repository: { ...works, find: bad.find },
      model: { ...works, summarize: bad.summarize }
    } as const
    for (const source of ["page", "repository", "model"] as const) {
      clockTest(enricher(alone[source]))(`keeps the other results if the ${source} ${what}`, function* () {
        const { failures, ...found } = yield* enrichForAMinute
        const { failures: _, ...rest } = all
        expect<unknown>(found).toEqual({ ...rest, ...fallbacks[source], mayPass })
        expect(failures.map((failure) => failure.source)).toEqual([source])
        expect(failures.every(({ kind }) => kind === "lasting")).toBe(!mayPass)
      })
    }
    clockTest(enricher(bad))(`returns only the host name if every source ${what}`, function* () {
      const { failures, ...found } = yield* enrichForAMinute
      expect<unknown>(found).toEqual({ ...nothing, mayPass, waitsFor: [] })
      // Nothing is known about the link, so the model is not asked.
      expect(failures.map(({ source }) => source)).toEqual(["page", "repository"])
    })
  }

  clockTest(enricher({ ...works, scrape: hangs.scrape, find: hangs.find, summarize: hangs.summarize }))(
    "waits for page and repository in parallel, a minute in all",
    function* () {
      const running = yield* Effect.fork(enrich())
      yield* TestClock.adjust("59 seconds")
      expect(yield* Fiber.poll(running)).toEqual(Option.none())
      yield* TestClock.adjust("1 second")
      expect((yield* Fiber.join(running)).fellBack).toEqual(["page", "repository", "model"])
    }
  )

  const limits = [
    ["repository", 6, { ...works, find: hangs.find }],
    ["model", 30, { ...works, summarize: hangs.summarize }]
  ] as const
  for (const [source, seconds, sources] of limits) {
    clockTest(enricher(sources))(`times out on the ${source} after ${seconds} seconds`, function* () {
      const running = yield* Effect.fork(enrich())
      yield* TestClock.adjust(`${seconds - 1} seconds`)
      expect(yield* Fiber.poll(running)).toEqual(Option.none())
      yield* TestClock.adjust("1 second")
      expect((yield* Fiber.join(running)).fellBack).toEqual([source])
    })
  }

  clockTest(Layer.empty)("interrupts its sources when it is interrupted", function* () {
    const interrupted = new Set<string>()
    const waiting = (source: string) =>
      Effect.onInterrupt(Effect.never, () => Effect.sync(() => interrupted.add(source)))
    const sources = { ...works, scrape: () => waiting("page"), find: () => waiting("repository") }
    const running = yield* Effect.fork(Effect.provide(enrich(), enricher(sources)))
    yield* TestClock.adjust("1 second")
    const exit = yield* Fiber.interrupt(running)
    yield* Effect.yieldNow()
    expect(Exit.match(exit, { onSuccess: () => false, onFailure: Cause.isInterruptedOnly })).toBe(true)
    expect(interrupted).toEqual(new Set(["page", "repository"]))
  })

  clockTest(enricher({ ...works, scrape: () => Effect.interrupt }))(
    "passes an interruption on instead of falling back",
    function* () {
      const exit = yield* Effect.exit(enrich())
      expect(Exit.match(exit, { onSuccess: () => false, onFailure: Cause.isInterruptedOnly })).toBe(true)
    }
  )
})

describe("Enricher's reasons", () => {
  for (const [failed, reason] of [
    [
      { ...works, scrape: () => new ScrapeError({ reason: "status", status: 404, lasting: true }) },
      "404 Not Found"
    ],
    [{ ...works, scrape: () => new ScrapeError({ reason: "status", status: 599, lasting: false }) }, "599"],
    [
      { ...works, scrape: () => new ScrapeError({ reason: "timeout", lasting: false }) },
      "Timed out after 10 s"
    ],
    [{ ...works, scrape: hangs.scrape }, "Timed out"],
    [{ ...works, scrape: crashes.scrape }, "An internal error"],
    [{ ...works, find: () => new RepositoryError({ reason: "GitHub answered 500" }) }, "GitHub answered 500"],
    [
      { ...works, summarize: () => new SummarizeError({ reason: "not-configured" }) },
      "No model is configured"
    ],
    [
      { ...works, summarize: () => new SummarizeError({ reason: "rate-limited" }) },
      "The model's rate limit is used up"
    ]
  ] as const satisfies ReadonlyArray<readonly [Sources, string]>)
    clockTest(enricher(failed))(`are plain: ${reason}`, function* () {
      expect((yield* enrichForAMinute).failures.map((failure) => failure.reason)).toEqual([reason])
    })
})

describe("Enricher at a file that cannot be read", () => {
  const scrape = () => new ScrapeError({ reason: "unreadable", lasting: true, fileName: "tools-2.1.zip" })
  const archive = new URL("https://example.org/how-we-cut-build-times")
  clockTest(enricher({ ...works, scrape, find: () => Effect.succeedNone }))(
    "names the link after the file, unless the browser knows better, and asks no model about a name",
    function* () {
      const { gather, summarize } = yield* Enricher
      const context = { note: "", categories: [], tags: [] }
      const named = yield* summarize(yield* gather(archive, {}), context)
      expect(named).toMatchObject({ page: { title: "tools-2.1.zip" }, mayPass: false, summary: noSummary })
      expect(named.failures).toEqual([
        { source: "page", kind: "lasting", reason: "This kind of file cannot be read" }
      ])
      const hinted = yield* summarize(yield* gather(archive, { title: "The tools" }), context)
      expect(hinted.page.title).toBe("The tools")
    }
  )
})

describe("Enricher with hints of the browser", () => {
  const hints = { title: " Seen\u202e title ", description: "Seen description", selection: "Seen words" }

  clockTest(enricher({ ...works, scrape: fails.scrape }))(
    "uses them if the page cannot be read",
    function* () {
      const found = yield* enrich(hints)
      expect(found.page).toEqual({
        ...blank,
        title: "Seen title",
        description: "Seen description",
        text: "Seen words"
      })
      expect(found.fellBack).toEqual(["page"])
      expect((yield* enrich({ description: "Seen description" })).page.text).toBe("Seen description")
    }
  )

  clockTest(enricher(works))("prefers the fields of the page", function* () {
    expect((yield* enrich(hints)).page).toEqual({ ...page, title: "A page" })
  })

  clockTest(enricher({ ...works, scrape: () => Effect.succeed(blank) }))(
    "fills missing fields, and falls back to the host name",
    function* () {
      expect((yield* enrich(hints)).page).toMatchObject({ title: "Seen title", text: "Seen words" })
      expect((yield* enrich()).page).toEqual({ ...blank, title: "example.org" })
      expect((yield* enrich({ title: " \u200b ", selection: "" })).page.title).toBe("example.org")
    }
  )

  clockTest(enricher({ ...works, scrape: fails.scrape }))("shortens them", function* () {
    const long = "word ".repeat(100_000)
    const found = yield* enrich({ title: long, description: long, selection: long })
    expect(found.page.title.length).toBeLessThanOrEqual(300)
    expect(found.page.description.length).toBeLessThanOrEqual(1000)
    expect(found.page.text.length).toBeLessThanOrEqual(MAX_PAGE_TEXT)
  })
})

describe("Enricher on a page that another one stands in front of", () => {
  const article = new URL("https://news.example.com/2026/11/how-we-cut-build-times?from=feed")
  const questions: Array<SummarizeRequest> = []
  const sources = (scrape: Sources["scrape"]) =>
    enricher({
      scrape,
      find: () => Effect.succeedNone,
      summarize: (question) => {
        questions.push(question)
        return Effect.succeed(summary)
      }
    })
  const enrichAt = (address: URL, hints: Hints = {}) =>
    Effect.flatMap(Enricher, (sources) =>
      Effect.flatMap(sources.gather(address, hints), (material) => {
        questions.length = 0
        return sources.summarize(material, { note: "", categories: [], tags: [] })
      })
    )

  for (const [reason, kind, sentence] of [
    ["bot-wall", "blocked", "The site asks visitors to prove that they are human"],
    ["login", "blocked", "The site asks visitors to log in"],
    ["consent", "blocked", "The site asks visitors for cookie consent first"],
    ["shell", "blocked", "The page is empty until its scripts run"],
    ["not-found", "lasting", "The site says that the page does not exist"],
    ["parked", "lasting", "There is no site at this address, only a placeholder"]
  ] as const)
    clockTest(sources(() => new ScrapeError({ reason, lasting: kind === "lasting" })))(
      `does not ask the model, and gives a title of the address's words: ${reason}`,
      function* () {
        const found = yield* enrichAt(article)
        expect(questions).toEqual([])
        expect(found).toMatchObject({
          page: { ...blank, url: article.href, title: "How we cut build times" },
          summary: noSummary,
          fellBack: ["page", "model"],
          mayPass: false,
          failures: [{ source: "page", kind, reason: sentence }]
        })
        expect((yield* enrichAt(new URL("https://news.example.com/secret"))).page.title).toBe(
          "news.example.com"
        )
      }
    )

  clockTest(sources(() => new ScrapeError({ reason: "login", lasting: false })))(
    "asks the model about what the browser saw, and never gives it the address's words as a title",
    function* () {
      const seen = yield* enrichAt(article, { title: "Builds, faster", selection: "We cached everything." })
      expect(questions).toMatchObject([{ page: { title: "Builds, faster", text: "We cached everything." } }])
      expect(seen).toMatchObject({ page: { title: "Builds, faster" }, summary, fellBack: ["page"] })
      const selected = yield* enrichAt(article, { selection: "We cached everything." })
      expect(questions).toMatchObject([{ page: { title: null, text: "We cached everything." } }])
      expect(selected.page.title).toBe("How we cut build times")
    }
  )
})

describe("Enricher's question to the model", () => {
  /** Sources whose model records its questions. */
  const recording = (sources: Partial<Sources>) => {
    const questions: Array<SummarizeRequest> = []
    const summarize: Sources["summarize"] = (question) => {
      questions.push(question)
      return Effect.succeed(summary)
    }
    return { questions, layer: enricher({ ...works, ...sources, summarize }) }
  }

  const complete = recording({})
  clockTest(complete.layer)("contains page, repository, note, categories and tags", function* () {
    const context = { note: "for later", categories: [{ name: "reading", count: 2 }], tags: ["http"] }
    yield* enrich({}, context)
    expect(complete.questions).toEqual([{ url, page, repository, ...context }])
  })

  const silent = recording({ scrape: fails.scrape, find: () => Effect.succeedNone })
  clockTest(silent.layer)("is skipped if only the address is known", function* () {
    expect((yield* enrich()).fellBack).toEqual(["page", "model"])
    expect(silent.questions).toHaveLength(0)
  })

  const sufficient: Record<string, readonly [Partial<Sources>, Hints]> = {
    "a repository": [{ scrape: fails.scrape }, {}],
    "a title": [
      { scrape: () => Effect.succeed({ ...blank, title: "T" }), find: () => Effect.succeedNone },
      {}
    ],
    "a description": [
      { scrape: () => Effect.succeed({ ...blank, description: "D" }), find: () => Effect.succeedNone },
      {}
    ],
    text: [{ scrape: () => Effect.succeed({ ...blank, text: "T" }), find: () => Effect.succeedNone }, {}],
    "a hint": [{ scrape: fails.scrape, find: () => Effect.succeedNone }, { selection: "S" }]
  }
  for (const [what, [sources, hints]] of Object.entries(sufficient)) {
    const { questions, layer } = recording(sources)
    clockTest(layer)(`is sent if there is ${what}`, function* () {
      expect((yield* enrich(hints)).summary).toEqual(summary)
      expect(questions).toHaveLength(1)
    })
  }
})

describe("the mayPass flag of Enricher", () => {
  const looks: Record<string, readonly [Partial<Sources>, mayPass: boolean]> = {
    "is true after a temporary failure": [
      { find: () => new RepositoryError({ reason: "GitHub's rate limit is used up" }) },
      true
    ],
    "is false after a permanent failure": [
      { find: () => new RepositoryError({ reason: "GitHub answered 403", lasting: true }) },
      false
    ],
    "is true without a configured model": [
      { summarize: () => new SummarizeError({ reason: "not-configured" }) },
      true
    ],
    "is true if one of several failures is temporary": [
      { ...crashes, find: () => new RepositoryError({ reason: "GitHub's rate limit is used up" }) },
      true
    ]
  }
  for (const [name, [sources, mayPass]] of Object.entries(looks)) {
    clockTest(enricher({ ...works, ...sources }))(name, function* () {
      const found = yield* enrich()
      expect(found.fellBack).not.toEqual([])
      expect(found.mayPass).toBe(mayPass)
    })
  }
})

describe("Enricher's fallbacks", () => {
  clockTest(enricher(fails))("log one warning per source with its reason", function* () {
    expect(yield* logged(enrich())).toEqual([
      "WARN page: refused-address, using the fallback",
      "WARN repository: refused, using the fallback"
    ])
  })

  clockTest(enricher(crashes))("log a crash without its message", function* () {
    const lines = yield* logged(enrich({ title: "T" }))
    expect(lines).toEqual([
      "WARN model: crashed: Error, using the fallback",
      "WARN page: crashed: TypeError, using the fallback",
      "WARN repository: crashed: string, using the fallback"
    ])
  })

  clockTest(enricher({ ...works, summarize: () => new SummarizeError({ reason: "not-configured" }) }))(
    "log nothing without a configured model",
    function* () {
      expect(yield* logged(enrich())).toEqual([])
      expect((yield* enrich()).fellBack).toEqual(["model"])
    }
  )

  clockTest(enricher(fails))("are counted by source", function* () {
    const count = () => countOf("linkbower_enrichment_fallbacks_total", { source: "page" })
    const before = count()
    yield* enrich()
    expect(count()).toBe(before + 1)
  })
})
