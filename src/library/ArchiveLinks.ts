import { Duration, Effect } from "effect"
import { Setting } from "../config/Configuration.ts"
import { LinkId } from "../domain/Link.ts"
import { WaybackMachine } from "../enrich/archive/WaybackMachine.ts"
import { Service } from "../runtime/Services.ts"
import { type Task, TaskStore } from "../store/jobs/TaskStore.ts"
import { CheckStore } from "../store/links/CheckStore.ts"
import { Tasks } from "./Tasks.ts"

const INTERVAL = Duration.minutes(1)
const MAX_ATTEMPTS = 3
/** Links that wait at most; those saved while so many wait are not submitted. */
export const MAX_SUBMISSIONS = 1_000
/** Pause after a failed submission, unless the archive asks for another one. */
const RETRY = Duration.hours(1)
/** Longest pause that the archive may ask for. */
const MAX_PAUSE = Duration.days(1)

export const submitsToArchive: Effect.Effect<boolean> = Effect.map(
  Effect.orElseSucceed(Setting.archiveSubmit.config, () => "off" as const),
  (value) => value === "on"
)

const make = Effect.gen(function* () {
  const archive = yield* WaybackMachine
  const checks = yield* CheckStore
  const store = yield* TaskStore
  const tasks = yield* Tasks

  const retry = (failures: number) => (failures + 1 < MAX_ATTEMPTS ? RETRY : undefined)

  const submit = Effect.fnUntraced(function* (task: Task) {
    const [link] = yield* checks.read(LinkId.make(task.subject))
    // It is in the trash, and may come back.
    if (link === undefined) return yield* tasks.postpone(task, RETRY)
    const url = new URL(link.url)
    // Only pages that were read without the owner's browser, from a public address.
    if (link.check.state !== "ok" || !(yield* archive.mayKnow(url))) return
    return yield* archive.submit(url).pipe(
      Effect.as(INTERVAL),
      Effect.catchTag("ArchiveError", ({ pause = RETRY, reason, status }) =>
        Effect.gen(function* () {
          const wait = Duration.clamp(pause, { minimum: INTERVAL, maximum: MAX_PAUSE })
          yield* Effect.logDebug(`the web archive did not take a page: ${status ?? reason}`)
          if (retry(task.attempts) !== undefined) yield* tasks.retry(task, wait)
          // The archive limits all submissions, not this page alone.
          return status === 429 ? wait : INTERVAL
        })
      )
    )
  })

  const name = "submitting links to the web archive"
  const due = Effect.gen(function* () {
    // Links that waited when the owner switched this off are not submitted later.
    if (!(yield* submitsToArchive)) return yield* Effect.as(store.clear("archive"), INTERVAL)
    return yield* tasks.drain("archive", { name, look: INTERVAL, retry, work: submit })
  }).pipe(Effect.withSpan("ArchiveLinks.due"))

  return { due /** Runs continuously. */, run: tasks.run("archive", due, { name }) }
})

export class ArchiveLinks extends Service<ArchiveLinks>()("ArchiveLinks", make) {}
