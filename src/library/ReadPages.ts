import { Duration, Effect, Option } from "effect"
import { type Link, LinkId } from "../domain/Link.ts"
import { enrichmentAfterCrashes } from "../enrich/Enricher.ts"
import { Service } from "../runtime/Services.ts"
import { CrashSuspects, type Task, TaskStore } from "../store/jobs/TaskStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { Transaction } from "../store/Transaction.ts"
import { SKIP_READING_AFTER } from "./Inbox.ts"
import { asJobFailure, type JobFailure, type JobRun, Jobs, type Outcome } from "./Jobs.ts"
import { Refresh } from "./Refresh.ts"
import { Tasks } from "./Tasks.ts"

/** The fetcher limits requests per host; this leaves capacity for saves. */
const AT_ONCE = 4
/** The progress counts the waiting pages after so many. */
const BATCH = 20
/** The command line may add links. */
const LOOK = Duration.seconds(5)

const isPageRead = ({ stages }: Link) =>
  stages.some(({ stage, state }) => stage === "page" && state === "done")

const make = Effect.gen(function* () {
  const links = yield* LinkStore
  const spared = yield* CrashSuspects
  const refresh = yield* Refresh
  const jobs = yield* Jobs
  const store = yield* TaskStore
  const tasks = yield* Tasks
  const transaction = yield* Transaction
  const waiting = store.waiting("read")

  /** With the data from its file, without its page. */
  const spare = Effect.fnUntraced(function* (id: LinkId) {
    yield* Effect.logWarning(`not reading the page of #${id}: the program ended twice while reading it`)
    const link = yield* links.get(id)
    const unread = enrichmentAfterCrashes(new URL(link.url), { title: link.title })
    const written = yield* transaction(
      Effect.tap(links.finish(id, unread), (link) => (Option.isSome(link) ? spared.add(id) : Effect.void))
    )
    return Option.exists(written, isPageRead)
  })

  /** Returns whether the page could be read; a failure does not stop the pages after it. */
  const read = ({ starts, subject }: Task) => {
    const id = LinkId.make(subject)
    return (
      starts >= SKIP_READING_AFTER ? spare(id) : Effect.map(refresh.refresh(id), Option.exists(isPageRead))
    ).pipe(
      Effect.catchTag("LinkNotFound", () => Effect.succeed(false)),
      Effect.catchAllDefect((defect) =>
        Effect.as(Effect.logWarning(`reading the page of #${id} failed`, defect), false)
      )
    )
  }

  const work = (run: JobRun): Effect.Effect<Outcome<"read">, JobFailure> =>
    Effect.gen(function* () {
      let [begun, done, readable, total] = [0, 0, 0, 0]
      yield* tasks.drain("read", {
        name: "reading a page",
        concurrency: AT_ONCE,
        work: Effect.fnUntraced(function* (task) {
          // Others may have been added.
          if (begun++ % BATCH === 0) total = done + (yield* waiting)
          const isRead = yield* read(task)
          readable += Number(isRead)
          yield* store.done(task)
          yield* run.progress(++done, Math.max(total, done))
        })
      })
      return { result: { read: readable, tried: done } }
    }).pipe(Effect.mapError(asJobFailure))

  const begin = Effect.flatMap(waiting, (total) => jobs.start({ action: "read", total }, work))

  /** The check queries no tables. */
  const otherProcessWrote = Effect.gen(function* () {
    const before = yield* store.stamp
    yield* Effect.repeat(Effect.delay(store.stamp, LOOK), { until: (stamp) => stamp !== before })
  })

  return {
    /** Also paused ones. */
    start: Effect.zipRight(store.hold("read", false), begin).pipe(Effect.withSpan("ReadPages.start")),
    /** Returns the stopped job, a new one if none was running. */
    pause: Effect.gen(function* () {
      const job = yield* begin
      yield* store.hold("read", true)
      return yield* jobs.pause(job)
    }).pipe(Effect.withSpan("ReadPages.pause")),
    wake: tasks.wake("read"),
    run: tasks.run(
      "read",
      Effect.gen(function* () {
        if ((yield* waiting) > 0) {
          const { id } = yield* begin
          yield* jobs.awaitEnd(id)
        }
        return Duration.infinity
      }),
      { name: "reading pages", until: otherProcessWrote }
    )
  }
})

/** Reads the pages of imported links in a job of low priority, in the order of their file. */
export class ReadPages extends Service<ReadPages>()("ReadPages", make) {}
