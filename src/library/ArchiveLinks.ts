import { Clock, Context, Duration, Effect, Layer, Option } from "effect"
import { Setting } from "../config/Configuration.ts"
import { WaybackMachine } from "../enrich/archive/WaybackMachine.ts"
import { makeDrain } from "../runtime/Drain.ts"
import { ArchiveQueue } from "../store/links/ArchiveQueue.ts"

/** Pause between two submissions. */
const INTERVAL = Duration.minutes(1)
const MAX_ATTEMPTS = 3
/** Pause after a failed submission, unless the archive asks for another one. */
const RETRY = Duration.hours(1)
/** Longest pause that the archive may ask for. */
const MAX_PAUSE = Duration.days(1)

export const submitsToArchive: Effect.Effect<boolean> = Effect.map(
  Effect.orElseSucceed(Setting.archiveSubmit.config, () => "off" as const),
  (value) => value === "on"
)

const make = Effect.gen(function* () {
  const queue = yield* ArchiveQueue
  const archive = yield* WaybackMachine
  const { run } = yield* makeDrain

  /** Returns the pause until the next submission. */
  const due = Effect.gen(function* () {
    // Links that waited when the owner switched this off are not submitted later.
    if (!(yield* submitsToArchive)) return yield* Effect.as(queue.clear, INTERVAL)
    const next = Option.getOrUndefined(yield* queue.next(yield* Clock.currentTimeMillis))
    if (next === undefined) return INTERVAL
    const url = new URL(next.url)
    // Only pages that were read without the owner's browser, from a public address.
    if (next.state !== "ok" || !(yield* archive.mayKnow(url)))
      return yield* Effect.as(queue.remove(next.id), Duration.zero)
    return yield* archive.submit(url).pipe(
      Effect.zipRight(queue.remove(next.id)),
      Effect.as(INTERVAL),
      Effect.catchTag("ArchiveError", ({ pause = RETRY, reason, status }) =>
        Effect.gen(function* () {
          const wait = Duration.clamp(pause, { minimum: INTERVAL, maximum: MAX_PAUSE })
          const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(wait)
          yield* Effect.logDebug(`the web archive did not take a page: ${status ?? reason}`)
          yield* next.attempts + 1 < MAX_ATTEMPTS ? queue.postpone(next.id, until) : queue.remove(next.id)
          // The archive limits all submissions, not this page alone.
          return status === 429 ? wait : INTERVAL
        })
      )
    )
  }).pipe(Effect.withSpan("ArchiveLinks.due"))

  return { due /** Runs continuously. */, run: run(due, { name: "submitting links to the web archive" }) }
})

/** Submits new links to the web archive, one a minute. */
export class ArchiveLinks extends Context.Tag("ArchiveLinks")<
  ArchiveLinks,
  Effect.Effect.Success<typeof make>
>() {
  static readonly make = make
  static readonly layer = Layer.effect(this, this.make)
}
