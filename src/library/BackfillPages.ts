import { Effect, Option, Schema } from "effect"
import type { Link, LinkId } from "../domain/Link.ts"
import { Enricher, titleOf } from "../enrich/Enricher.ts"
import { awaitQuietTurn } from "../runtime/Scheduling.ts"
import { Service } from "../runtime/Services.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { PageStore } from "../store/pages/PageStore.ts"
import { afterCommit, Transaction } from "../store/Transaction.ts"
import { Events } from "./Events.ts"
import { asJobFailure, type JobFailure, type JobRun, Jobs, type Outcome } from "./Jobs.ts"
import { KeepPages } from "./KeepPages.ts"

/** The fetcher limits requests per host; this leaves capacity for saves. */
const AT_ONCE = 4
const BATCH = 20

const Resume = Schema.Struct({ after: Schema.Int, done: Schema.Int, kept: Schema.Int })
const resumeOf = Schema.decodeUnknownOption(Resume)
const BEGINNING: typeof Resume.Type = { after: 0, done: 0, kept: 0 }

const keepsNone = "KEEP_PAGES says that no copies are kept. Set it to article and start the job again."

const make = Effect.gen(function* () {
  const enricher = yield* Enricher
  const events = yield* Events
  const jobs = yield* Jobs
  const keeper = yield* KeepPages
  const links = yield* LinkStore
  const pages = yield* PageStore
  const transaction = yield* Transaction

  const keepOne = Effect.fnUntraced(function* (link: Link) {
    const url = new URL(link.url)
    const material = yield* enricher.gather(url, {}, { kept: links.browserText(link.id) })
    const { fellBack, fromBrowser, page } = material
    if ((fellBack.includes("page") && fromBrowser === undefined) || page.article === "") return false
    return yield* transaction(
      Effect.gen(function* () {
        const isOpening = page.facts.paywall === true && fromBrowser === undefined
        yield* links.replaceText(link.id, page.text, { url: link.url, isOpening })
        const [now] = yield* links.getAll([link.id])
        if (now === undefined || now.url !== link.url) return false
        const written = yield* keeper.write(now, {
          fromBrowser,
          page: { ...page, title: titleOf(material) }
        })
        if (written.kept) yield* afterCommit(events.links("changed", [written]))
        return written.kept
      })
    )
  })

  /** One failure does not stop the links after it. */
  const attempt = Effect.fnUntraced(function* (id: LinkId) {
    const [link] = yield* links.getAll([id])
    if (link === undefined) return false
    return yield* Effect.catchAllDefect(keepOne(link), (defect) =>
      Effect.as(Effect.logWarning(`keeping the page of #${id} failed`, defect), false)
    )
  })

  const work = (from: typeof Resume.Type) =>
    Effect.fnUntraced(function* (run: JobRun): Effect.fn.Return<Outcome<"keep">, JobFailure> {
      let at = from
      for (;;) {
        if ((yield* keeper.mode) !== "article") return yield* Effect.fail({ message: keepsNone })
        const ids = yield* pages.missing(at.after, BATCH)
        const last = ids.at(-1)
        if (last === undefined) return { result: { kept: at.kept, tried: at.done } }
        let done = at.done
        const kept = yield* Effect.forEach(
          ids,
          (id) => Effect.tap(attempt(id), () => run.progress(++done, Math.max(run.job.total, done))),
          { concurrency: AT_ONCE }
        )
        at = { after: last, done, kept: at.kept + kept.filter((isKept) => isKept).length }
        yield* run.checkpoint(at, null)
        yield* awaitQuietTurn
      }
    }, Effect.mapError(asJobFailure))

  /** In the order of saving, without a model; an unreadable page leaves its link. Continues an interrupted run. */
  const start = Effect.gen(function* () {
    const cut = yield* jobs.interrupted("keep")
    const from = Option.getOrElse(
      Option.flatMap(cut, ({ resume }) => resumeOf(resume)),
      () => BEGINNING
    )
    const total = from.done + (yield* pages.countMissing)
    return yield* jobs.start({ action: "keep", total }, work(from))
  }).pipe(Effect.withSpan("BackfillPages.start"))

  return {
    start,
    /** Returns the job, a new one if none was running. */
    pause: Effect.flatMap(start, jobs.pause).pipe(Effect.withSpan("BackfillPages.pause"))
  }
})

/** Keeps the pages of links that were saved before pages were kept, or while `KEEP_PAGES` was `text` or `off`. */
export class BackfillPages extends Service<BackfillPages>()("BackfillPages", make) {}
