import { Context, Duration, Effect, Option } from "effect"
import type { Link, LinkId } from "../domain/Link.ts"
import { enrichmentAfterCrashes } from "../enrich/Enricher.ts"
import { makeDrain } from "../runtime/Drain.ts"
import { CrashSuspects } from "../store/inbox/InboxStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { ReadingQueue, type Unread } from "../store/pages/ReadingQueue.ts"
import { SKIP_READING_AFTER } from "./Inbox.ts"
import { asJobFailure, type JobFailure, type JobRun, Jobs, type Outcome } from "./Jobs.ts"
import { Refresh } from "./Refresh.ts"

/** The fetcher limits requests per host; this leaves capacity for saves. */
const AT_ONCE = 4
const BATCH = 20
/** The command line may add links. */
const LOOK = Duration.seconds(5)

const isPageRead = ({ stages }: Link) =>
  stages.some(({ stage, state }) => stage === "page" && state === "done")

const make = Effect.gen(function* () {
  const queue = yield* ReadingQueue
  const links = yield* LinkStore
  const spared = yield* CrashSuspects
  const refresh = yield* Refresh
  const jobs = yield* Jobs
  const reading = yield* makeDrain

  /** With the data from its file, without its page. */
  const spare = Effect.fnUntraced(function* (id: LinkId) {
    yield* Effect.logWarning(`not reading the page of #${id}: the program ended twice while reading it`)
    const link = yield* links.get(id)
    yield* links.finish(id, enrichmentAfterCrashes(new URL(link.url), { title: link.title }))
    yield* spared.add(id)
  })

  const begun = (id: LinkId) =>
    Effect.zipRight(
      queue.begin(id),
      Effect.onInterrupt(Effect.map(refresh.refresh(id), Option.exists(isPageRead)), () =>
        Effect.ignore(queue.stopped(id))
      )
    )

  /** Returns whether the page could be read; a failure does not stop the pages after it. */
  const read = ({ linkId: id, starts }: Unread) =>
    (starts >= SKIP_READING_AFTER ? Effect.as(spare(id), false) : begun(id)).pipe(
      Effect.catchTag("LinkNotFound", () => Effect.succeed(false)),
      Effect.catchAllDefect((defect) =>
        Effect.as(Effect.logWarning(`reading the page of #${id} failed`, defect), false)
      ),
      Effect.zipLeft(queue.remove(id))
    )

  const work = (run: JobRun): Effect.Effect<Outcome<"read">, JobFailure> =>
    Effect.gen(function* () {
      let [done, readable] = [0, 0]
      for (;;) {
        const batch = yield* queue.next(BATCH)
        if (batch.length === 0) break
        const total = done + (yield* queue.due)
        const readAll = (some: ReadonlyArray<Unread>, concurrency: number) =>
          Effect.forEach(
            some,
            (unread) =>
              Effect.flatMap(read(unread), (isRead) => {
                readable += Number(isRead)
                return run.progress(++done, total)
              }),
            { concurrency, discard: true }
          )
        // Pages in progress when the program ended are read one at a time, to isolate the one that ended it.
        yield* readAll(
          batch.filter(({ starts }) => starts > 0),
          1
        )
        yield* readAll(
          batch.filter(({ starts }) => starts === 0),
          AT_ONCE
        )
      }
      const outcome: Outcome<"read"> = { result: { read: readable, tried: done } }
      return outcome
    }).pipe(Effect.mapError(asJobFailure))

  const begin = Effect.flatMap(queue.due, (total) => jobs.start({ action: "read", total }, work))

  /** The check queries no tables. */
  const otherProcessWrote = Effect.gen(function* () {
    const before = yield* queue.stamp
    yield* Effect.repeat(Effect.delay(queue.stamp, LOOK), { until: (stamp) => stamp !== before })
  })

  return {
    /** Also paused ones. */
    start: Effect.zipRight(queue.hold(false), begin).pipe(Effect.withSpan("ReadPages.start")),
    /** Returns the stopped job, a new one if none was running. */
    pause: Effect.gen(function* () {
      const job = yield* begin
      yield* queue.hold(true)
      return yield* jobs.pause(job)
    }).pipe(Effect.withSpan("ReadPages.pause")),
    wake: reading.wake,
    run: reading.run(
      Effect.gen(function* () {
        if ((yield* queue.due) > 0) {
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
export class ReadPages extends Context.Tag("ReadPages")<ReadPages, Effect.Effect.Success<typeof make>>() {
  static readonly make = make
}
