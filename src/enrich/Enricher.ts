import { Cause, Context, type Duration, Effect, Layer, Option, Predicate } from "effect"
import { modelInUse } from "../config/ModelChoice.ts"
import type { BrowserPage, BrowserText } from "../domain/BrowserPage.ts"
import {
  type CategoryCount,
  ENDED_TWICE,
  type Enrichment,
  type FailureKind,
  type FromBrowser,
  type Hints,
  modelIsBusy,
  type Source,
  type SourceFailure,
  type Summary
} from "../domain/Enrichment.ts"
import { blankPage, type Page, type Repository } from "../domain/Link.ts"
import { titleFromAddress } from "../shared/AddressTitle.ts"
import { readableHost } from "../shared/HostName.ts"
import { MAX_DESCRIPTION, MAX_PAGE_TEXT, MAX_TITLE } from "../shared/Limits.ts"
import { cleanLine } from "../shared/Text.ts"
import { Measure } from "../telemetry/Metrics.ts"
import { withBrowserText } from "./BrowserText.ts"
import { Summarizer } from "./model/Summarizer.ts"
import { Scraper } from "./page/Scraper.ts"
import { Repositories } from "./repository/Repositories.ts"

interface Found<A> {
  readonly value: A
  readonly fellBack: ReadonlyArray<Source>
  /** Whether the source may succeed later. */
  readonly mayPass: boolean
  /** Empty if the source succeeded or was not asked. */
  readonly failures: ReadonlyArray<SourceFailure>
}

/** `reason` is safe to log; `sentence` is for the owner, without a full stop. */
interface Failure {
  readonly fileName?: string | undefined
  /** The titles of the wall in place of the page. */
  readonly wallTitles?: ReadonlyArray<string> | undefined
  readonly reason: string
  readonly sentence: string
  readonly kind: FailureKind
}

/** A crash would recur, and gives only the error's name: its message may quote anything. */
const failureOf = (cause: Cause.Cause<Failure | Cause.TimeoutException>): Failure =>
  Option.match(Cause.failureOption(cause), {
    onSome: (error) =>
      "reason" in error ? error : { reason: "timeout", sentence: "Timed out", kind: "unreachable" },
    onNone: () => {
      const defect = Cause.squash(cause)
      return {
        reason: `crashed: ${Predicate.isError(defect) ? defect.name : typeof defect}`,
        sentence: "An internal error",
        kind: "lasting"
      }
    }
  })

const fallBack = <A>(
  source: Source,
  fallback: A,
  failure?: Pick<Failure, "kind" | "sentence">
): Effect.Effect<Found<A>> =>
  Effect.as(Measure.fallbacks.count(source), {
    value: fallback,
    fellBack: [source],
    mayPass: failure !== undefined && failure.kind !== "lasting" && failure.kind !== "blocked",
    failures: failure === undefined ? [] : [{ source, kind: failure.kind, reason: failure.sentence }]
  })

/** Gives a source `limit` to answer. Only interruption passes through. */
const orFallback =
  <A>(source: Source, limit: Duration.DurationInput, fallback: (failure: Failure) => A) =>
  <E extends Failure, R>(found: Effect.Effect<A, E, R>): Effect.Effect<Found<A>, never, R> =>
    found.pipe(
      Effect.disconnect,
      Effect.timeout(limit),
      Effect.map((value) => ({ value, fellBack: [], mayPass: false, failures: [] })),
      Effect.catchAllCause((cause) => {
        if (Cause.isInterruptedOnly(cause)) return Effect.interrupt
        const failure = failureOf(cause)
        const { reason } = failure
        const log = Effect.logWarning(`${source}: ${reason}, using the fallback`)
        return Effect.zipRight(
          Effect.unless(log, () => reason === "not-configured"),
          fallBack(source, fallback(failure), failure)
        )
      })
    )

export interface Material {
  readonly url: URL
  readonly page: Page
  readonly fileName?: string | undefined
  readonly wallTitles?: ReadonlyArray<string> | undefined
  readonly repository: Repository | null
  readonly fellBack: ReadonlyArray<Source>
  readonly mayPass: boolean
  readonly failures: ReadonlyArray<SourceFailure>
  /** The browser view of a capture. */
  readonly fromBrowser?: FromBrowser | undefined
}

export interface BrowserView {
  readonly sent?: Effect.Effect<Option.Option<BrowserPage>>
  readonly kept?: Effect.Effect<Option.Option<BrowserText>>
}

type Scraped = Pick<Material, "fileName" | "page" | "wallTitles">

export interface PromptContext {
  readonly note: string
  readonly categories: ReadonlyArray<CategoryCount>
  /** The tags to choose from, those of the most similar links first. */
  readonly tags: ReadonlyArray<string>
}

const noRepository: Repository | null = null
const noSummary: Summary = { summary: "", tags: [], category: null }

const withHints = (page: Page, hints: Hints): Page => {
  const description = cleanLine(hints.description ?? "", MAX_DESCRIPTION)
  return {
    ...page,
    title: page.title || cleanLine(hints.title ?? "", MAX_TITLE) || null,
    description: page.description || description,
    text: page.text || cleanLine(hints.selection ?? "", MAX_PAGE_TEXT) || description
  }
}

/** The page's title or the browser's, else the name of the file, the words of the address, or the host. */
export const titleOf = ({ fileName, page, url }: Pick<Material, "fileName" | "page" | "url">): string =>
  page.title ?? (fileName || (titleFromAddress(url) ?? readableHost(url.hostname)))

export const enrichmentWithoutPage = (url: URL, hints: Hints): Enrichment => {
  const page = withHints(blankPage(url.href), hints)
  return {
    page: { ...page, title: titleOf({ page, url }) },
    repository: noRepository,
    summary: noSummary,
    fellBack: ["page", "repository", "model"],
    mayPass: false,
    failures: [],
    waitsFor: []
  }
}

/** The program ended twice while the link's sources were asked, so they are not asked again. */
export const enrichmentAfterCrashes = (url: URL, hints: Hints, browser?: BrowserText): Enrichment => {
  const failures = (["page", "model"] as const).map(
    (source): SourceFailure => ({ source, kind: "passing", reason: ENDED_TWICE })
  )
  const unread = { ...enrichmentWithoutPage(url, hints), mayPass: true, failures }
  const chosen = withBrowserText(url, { ...unread, page: blankPage(url.href) }, browser)
  const page = withHints(chosen.page, hints)
  return {
    ...unread,
    page: { ...page, title: titleOf({ page, url }) },
    ...(chosen.fromBrowser === undefined ? {} : { fromBrowser: chosen.fromBrowser })
  }
}

export const enrichmentBeforeSummary = (material: Material): Enrichment => ({
  page: { ...material.page, title: titleOf(material) },
  repository: material.repository,
  summary: noSummary,
  fellBack: [...material.fellBack, "model"],
  mayPass: material.mayPass,
  failures: [...material.failures, modelIsBusy],
  waitsFor: ["model"],
  fromBrowser: material.fromBrowser
})

/** Includes the wait for a turn in the sandbox. */
const VIEW_LIMIT = "30 seconds"

/** How long enrichment waits for a summary: longer than any question takes. */
const summaryLimit = Effect.map(
  modelInUse,
  (choice): Duration.DurationInput =>
    Option.exists(choice, ({ mayBeSlow }) => mayBeSlow) ? "6 minutes" : "30 seconds"
)

const isWorthSummarizing = ({ page, repository }: Material): boolean =>
  repository !== null || page.title !== null || page.description !== "" || page.text !== ""

const lacksSummary = ({ fellBack, value }: Found<Summary>): boolean =>
  fellBack.length === 0 && value.summary === ""

/** The link counts as `partial` and is retried. */
const asPartial = (summary: Summary) =>
  Effect.zipRight(
    Effect.logWarning("model: no summary in its answer, using its other fields"),
    fallBack("model", summary, { kind: "passing", sentence: "The model gave no summary" })
  )

/** Page and repository, then the model's summary; without errors, so that a link is saved whatever a source does. */
export class Enricher extends Context.Tag("Enricher")<
  Enricher,
  {
    /** Reads the page and its view in the owner's browser, and asks the repository's host. */
    readonly gather: (url: URL, hints: Hints, view?: BrowserView) => Effect.Effect<Material>
    readonly describeUnread: (url: URL, hints: Hints, view?: BrowserView) => Effect.Effect<Enrichment>
    /** Asks the model, unless nothing but the address is known, and completes the enrichment. */
    readonly summarize: (material: Material, context: PromptContext) => Effect.Effect<Enrichment>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const scraper = yield* Scraper
      const repositories = yield* Repositories
      const summarizer = yield* Summarizer

      const readSent = (url: URL, sent: NonNullable<BrowserView["sent"]>) =>
        Effect.map(Effect.timeoutOption(scraper.readBrowserPage(url, sent), VIEW_LIMIT), Option.flatten)

      return {
        describeUnread: Effect.fn("Enricher.describeUnread")((url, hints, { sent } = {}) =>
          Effect.map(sent === undefined ? Effect.succeedNone : readSent(url, sent), (browser) =>
            enrichmentAfterCrashes(url, hints, Option.getOrUndefined(browser))
          )
        ),
        gather: Effect.fn("Enricher.gather")(function* (
          url,
          hints,
          { kept = Effect.succeedNone, sent } = {}
        ) {
          const [sources, browser] = yield* Effect.all(
            [
              Effect.all(
                [
                  // The fetch itself ends within ten seconds; the rest is for waiting its turn at a busy host.
                  orFallback(
                    "page",
                    "1 minute",
                    ({ fileName, wallTitles }): Scraped => ({
                      page: blankPage(url.href),
                      fileName,
                      wallTitles
                    })
                  )(Effect.map(scraper.scrape(url), (page) => ({ page }))),
                  orFallback(
                    "repository",
                    "6 seconds",
                    () => noRepository
                  )(Effect.map(repositories.find(url), Option.getOrNull))
                ],
                { concurrency: 2 }
              ),
              sent === undefined ? kept : readSent(url, sent)
            ],
            { concurrency: 2 }
          )
          const [scraped, repository] = sources
          const { fileName, page, wallTitles } = scraped.value
          const chosen = withBrowserText(url, { ...scraped, page }, Option.getOrUndefined(browser))
          return {
            url,
            page: withHints(chosen.page, hints),
            fileName,
            wallTitles,
            repository: repository.value,
            fellBack: [...chosen.fellBack, ...repository.fellBack],
            mayPass: chosen.mayPass || repository.mayPass,
            failures: [...chosen.failures, ...repository.failures],
            fromBrowser: chosen.fromBrowser
          }
        }),
        summarize: Effect.fn("Enricher.summarize")(function* (material, { categories, note, tags }) {
          const { page, repository, url } = material
          const answered = yield* isWorthSummarizing(material)
            ? orFallback(
                "model",
                yield* summaryLimit,
                () => noSummary
              )(summarizer.summarize({ url, page, repository, note, categories, tags }))
            : fallBack("model", noSummary)
          const summary = yield* lacksSummary(answered) ? asPartial(answered.value) : Effect.succeed(answered)
          return {
            page: { ...page, title: titleOf(material) },
            repository,
            summary: summary.value,
            fellBack: [...material.fellBack, ...summary.fellBack],
            mayPass: material.mayPass || summary.mayPass,
            failures: [...material.failures, ...summary.failures],
            wallTitles: material.wallTitles,
            waitsFor: [],
            fromBrowser: material.fromBrowser
          }
        })
      }
    })
  )
}
