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
import { MAX_TITLE } from "../shared/Limits.ts"
import { Measure } from "../telemetry/Metrics.ts"
import { Summarizer } from "./model/Summarizer.ts"
import { Scraper } from "./page/Scraper.ts"
import { Repositories } from "./repository/Repositories.ts"

/** A source's value or its fallback; `fellBack` names the source if the fallback is used. */
interface Found<A> {
  readonly value: A
  readonly fellBack: ReadonlyArray<Source>
  /** Whether the source failed for a temporary reason. */
  readonly mayPass: boolean
  /** How the source failed; empty if it succeeded or was not asked. */
  readonly failures: ReadonlyArray<SourceFailure>
}

/** How a source fails; `reason` is safe to log. */
interface Failure {
  readonly reason: string
  readonly kind: FailureKind
}

/** Describes a failure. A crash would recur, and gives only the error's name: its message may quote anything. */
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

/** The fallback for a source that failed, or was not asked (no `kind`). */
const fallBack = <A>(source: Source, fallback: A, kind?: FailureKind): Effect.Effect<Found<A>> =>
  Effect.as(Measure.fallbacks.count(source), {
    value: fallback,
    fellBack: [source],
    mayPass: kind !== undefined && kind !== "lasting",
    failures: kind === undefined ? [] : [{ source, kind }]
  })

/**
 * Gives a source `limit` to answer and uses `fallback` if it fails, crashes or times out.
 *
 * This is enrichment's only catch-all: only interruption passes through, and it logs every failure except a missing
 * setting.
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

const MAX_DESCRIPTION = 1000

export interface EnrichRequest {
  readonly url: URL
  readonly note: string
  readonly hints: Hints
  readonly categories: ReadonlyArray<CategoryCount>
  /** The tags to offer for a link with this text. */
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

/** Fills the page's empty fields with what the browser saw. */
const withHints = (page: Page, hints: Hints): Page => {
  const description = plainText(hints.description ?? "", MAX_DESCRIPTION)
  return {
    ...page,
    title: page.title || plainText(hints.title ?? "", MAX_TITLE) || null,
    description: page.description || description,
    text: page.text || plainText(hints.selection ?? "", MAX_PAGE_TEXT) || description
  }
}

/** The enrichment of a link without reading its page: its address and what the browser saw. */
export const enrichmentWithoutPage = (url: URL, hints: Hints): Enrichment => {
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

/** Whether the model would have anything to work with besides the address. */
const hasMaterial = (page: Page, repository: Repository | null): boolean =>
  repository !== null || page.title !== null || page.description !== "" || page.text !== ""

/** Whether the model answered, but without a usable summary. */
const lacksSummary = ({ fellBack, value }: Found<Summary>): boolean =>
  fellBack.length === 0 && value.summary === ""

/** Keeps the tags and category of an answer without a summary; the link counts as `partial` and is retried. */
const asPartial = (summary: Summary) =>
  Effect.zipRight(
    Effect.logWarning("model: no summary in its answer, using its other fields"),
    fallBack("model", summary, "passing")
  )

/**
 * Collects what is known about a link: its page, its repository and the model's summary.
 *
 * `enrich` has no error channel, so a link can be saved whatever a source does. Adding a source without a fallback does
 * not compile.
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
            // The fetch itself ends within ten seconds; the rest is for waiting its turn at a busy host.
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
        const answered = yield* hasMaterial(page, repository)
          ? orFallback("model", "30 seconds", noSummary)(ask)
          : fallBack("model", noSummary)
        const summary = yield* lacksSummary(answered) ? asPartial(answered.value) : Effect.succeed(answered)
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
