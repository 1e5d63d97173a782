import { Cause, Context, type Duration, Effect, Layer, Option, Predicate } from "effect"
import type {
  CategoryCount,
  Enrichment,
  FailureKind,
  Hints,
  Source,
  SourceFailure,
  Summary
} from "../domain/Enrichment.ts"
import type { Page, Repository } from "../domain/Link.ts"
import { MAX_PAGE_TEXT, plainText } from "../domain/Note.ts"
import { Measure } from "../telemetry/Metrics.ts"
import { Summarizer } from "./model/Summarizer.ts"
import { Scraper } from "./page/Scraper.ts"
import { Repositories } from "./repository/Repositories.ts"

/** What a source found, or its fallback; `fellBack` names the source in the second case. */
interface Found<A> {
  readonly value: A
  readonly fellBack: ReadonlyArray<Source>
  /** Whether it fell back for a reason that may pass. */
  readonly mayPass: boolean
  /** How it failed, where it was asked. */
  readonly failures: ReadonlyArray<SourceFailure>
}

/** How a source fails: `reason` is safe to log. */
interface Failure {
  readonly reason: string
  readonly kind: FailureKind
}

/** A failure in its own words; of a crash, which comes again, only the kind: its message may quote anything. */
const failureOf = (cause: Cause.Cause<Failure | Cause.TimeoutException>): Failure =>
  Option.match(Cause.failureOption(cause), {
    onSome: (error) => ("reason" in error ? error : { reason: "timeout", kind: "unreachable" }),
    onNone: () => {
      const defect = Cause.squash(cause)
      return {
        reason: `crashed: ${Predicate.isError(defect) ? defect.name : typeof defect}`,
        kind: "lasting"
      }
    }
  })

/** The fallback of a source that was not asked, or has failed. */
const fallBack = <A>(source: Source, fallback: A, kind?: FailureKind): Effect.Effect<Found<A>> =>
  Effect.as(Measure.fallbacks.count(source), {
    value: fallback,
    fellBack: [source],
    mayPass: kind !== undefined && kind !== "lasting",
    failures: kind === undefined ? [] : [{ source, kind }]
  })

/**
 * Gives a source `limit` to answer and carries on with `fallback` after any failure, crash or delay of it.
 *
 * The one catch-all of enrichment: only interruption passes through, and everything but a missing setting is logged.
 */
const orFallback =
  <A>(source: Source, limit: Duration.DurationInput, fallback: A) =>
  <E extends Failure, R>(found: Effect.Effect<A, E, R>): Effect.Effect<Found<A>, never, R> =>
    found.pipe(
      Effect.disconnect,
      Effect.timeout(limit),
      Effect.map((value) => ({ value, fellBack: [], mayPass: false, failures: [] })),
      Effect.catchAllCause((cause) => {
        if (Cause.isInterruptedOnly(cause)) return Effect.interrupt
        const { kind, reason } = failureOf(cause)
        const log = Effect.logWarning(`${source}: ${reason}, using the fallback`)
        return Effect.zipRight(
          Effect.unless(log, () => reason === "not-configured"),
          fallBack(source, fallback, kind)
        )
      })
    )

const MAX_TITLE = 300
const MAX_DESCRIPTION = 1000

export interface EnrichRequest {
  readonly url: URL
  readonly note: string
  readonly hints: Hints
  readonly categories: ReadonlyArray<CategoryCount>
  /** The tags to offer for a link that says this. */
  readonly tagsFor: (text: string) => Effect.Effect<ReadonlyArray<string>>
}

const noRepository: Repository | null = null
const noSummary: Summary = { summary: "", tags: [], category: null }
const blankPage = (url: URL): Page => ({
  url: url.href,
  title: null,
  description: "",
  canonicalUrl: null,
  image: null,
  favicon: null,
  siteName: null,
  author: null,
  publishedAt: null,
  language: null,
  text: ""
})

/** Where the page itself says nothing, what the browser saw of it. */
const withHints = (page: Page, hints: Hints): Page => {
  const description = plainText(hints.description ?? "", MAX_DESCRIPTION)
  return {
    ...page,
    title: page.title || plainText(hints.title ?? "", MAX_TITLE) || null,
    description: page.description || description,
    text: page.text || plainText(hints.selection ?? "", MAX_PAGE_TEXT) || description
  }
}

/** A link whose page was not read: its address, and what the browser saw. */
export const unreadLink = (url: URL, hints: Hints): Enrichment => {
  const page = withHints(blankPage(url), hints)
  return {
    page: { ...page, title: page.title ?? url.hostname },
    repository: noRepository,
    summary: noSummary,
    fellBack: ["page", "repository", "model"],
    mayPass: false,
    failures: [],
    waitsFor: []
  }
}

/** Whether there is anything that a model could go by, but the address. */
const saysSomething = (page: Page, repository: Repository | null): boolean =>
  repository !== null || page.title !== null || page.description !== "" || page.text !== ""

/** Whether the model answered, but with no usable summary. */
const withoutSummary = ({ fellBack, value }: Found<Summary>): boolean =>
  fellBack.length === 0 && value.summary === ""

/** Uses the tags and the category of an answer without a summary; the link counts as `partial`, to be tried again. */
const onlyInPart = (summary: Summary) =>
  Effect.zipRight(
    Effect.logWarning("model: no summary in its answer, using its other fields"),
    fallBack("model", summary, "passing")
  )

/**
 * Finds out what a link is about.
 *
 * `enrich` has no error channel: whatever a source does, a link can be saved. A source added
 * without a fallback does not compile.
 */
export class Enricher extends Context.Tag("Enricher")<
  Enricher,
  { readonly enrich: (request: EnrichRequest) => Effect.Effect<Enrichment> }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const scraper = yield* Scraper
      const repositories = yield* Repositories
      const summarizer = yield* Summarizer

      const pageAndRepository = (url: URL) =>
        Effect.all(
          [
            // The fetch itself ends within ten seconds; the rest is for its turn at a host that many ask.
            orFallback("page", "1 minute", blankPage(url))(scraper.scrape(url)),
            orFallback(
              "repository",
              "6 seconds",
              noRepository
            )(Effect.map(repositories.find(url), Option.getOrNull))
          ],
          { concurrency: 2 }
        )

      const enrich = Effect.fn("Enricher.enrich")(function* ({
        url,
        note,
        hints,
        categories,
        tagsFor
      }: EnrichRequest) {
        const [scraped, hosted] = yield* pageAndRepository(url)
        const page = withHints(scraped.value, hints)
        const repository = hosted.value
        const ask = Effect.flatMap(tagsFor(`${page.title ?? ""}\n${page.description}`), (tags) =>
          summarizer.summarize({ url, page, repository, note, categories, tags })
        )
        const answered = yield* saysSomething(page, repository)
          ? orFallback("model", "30 seconds", noSummary)(ask)
          : fallBack("model", noSummary)
        const summary = yield* withoutSummary(answered)
          ? onlyInPart(answered.value)
          : Effect.succeed(answered)
        return {
          page: { ...page, title: page.title ?? url.hostname },
          repository,
          summary: summary.value,
          fellBack: [scraped, hosted, summary].flatMap((found) => found.fellBack),
          mayPass: [scraped, hosted, summary].some((found) => found.mayPass),
          failures: [scraped, hosted, summary].flatMap((found) => found.failures),
          waitsFor: []
        }
      })
      return { enrich }
    })
  )
}
