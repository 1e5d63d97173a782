import { join } from "node:path"
import { FileSystem } from "@effect/platform"
import { Context, Effect, Exit, Layer, Option, Schema, type Stream } from "effect"
import { Setting } from "../domain/Configuration.ts"
import type { Job } from "../domain/Job.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { dataFolder } from "../store/DataFolder.ts"
import { ImportStore } from "../store/ImportStore.ts"
import { JobStore } from "../store/JobStore.ts"
import { Embeddings } from "./Embeddings.ts"
import { Events } from "./Events.ts"
import { type JobRun, Jobs, type Outcome, type Reason } from "./Jobs.ts"
import { ReadPages } from "./ReadPages.ts"
import { TakeIn } from "./TakeIn.ts"
import { saveUpload, type UploadFailed } from "./Upload.ts"

const Resume = Schema.Struct({
  /** The file's name within the folder of uploads. */
  file: Schema.UUID,
  /** What the person calls it. */
  name: Schema.String,
  later: Schema.Boolean,
  keepNumbers: Schema.Boolean,
  // Missing in what an earlier version wrote.
  keepShared: Schema.optionalWith(Schema.Boolean, { default: () => false })
})
type Resume = typeof Resume.Type
const resumeOf = Schema.decodeUnknownOption(Resume)

/** Whoever shows links is told to look again no more often than this, in milliseconds. */
const TELL = 2_000

/**
 * Imports a file that was sent, as a job: the file is kept until the job is done, so that one that a crash cut off goes
 * on at the next start.
 */
export class ImportLinks extends Context.Tag("ImportLinks")<
  ImportLinks,
  {
    /**
     * Keeps the bytes and starts the job, or answers the one that is running. `later` leaves the pages unread;
     * `keepShared` shares the links that another Linkbower's export marks as shared.
     */
    readonly start: <E>(
      bytes: Stream.Stream<Uint8Array, E>,
      about: { readonly name: string; readonly later: boolean; readonly keepShared: boolean }
    ) => Effect.Effect<Job, UploadFailed | StoreUnavailable>
    /** Takes up the job that an earlier run left, and forgets files nobody needs. */
    readonly resume: Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = dataFolder(yield* Effect.orDie(Setting.dataDir.config)).imports
      const takeIn = yield* TakeIn
      const store = yield* ImportStore
      const jobs = yield* Jobs
      const jobStore = yield* JobStore
      const events = yield* Events
      const embeddings = yield* Embeddings
      const pages = yield* ReadPages

      // Before the first upload of this run, which must not be taken for one of these.
      const left = yield* Effect.orElseSucceed(fs.readDirectory(folder), (): Array<string> => [])
      const pathOf = (file: string) => join(folder, file)
      const forget = (file: string) => Effect.ignore(fs.remove(pathOf(file), { force: true }))

      const work = (from: Resume) => (run: JobRun) =>
        Effect.gen(function* () {
          yield* run.reached(from, null)
          let told = 0
          const result = yield* takeIn.file(
            { path: pathOf(from.file), name: from.name },
            {
              later: from.later,
              keepNumbers: from.keepNumbers,
              keepShared: from.keepShared,
              onStep: Effect.fnUntraced(function* ({ done, total }) {
                yield* run.progress(done, total)
                const now = performance.now()
                if (now - told < TELL && done < total) return
                told = now
                yield* events.many
              })
            }
          )
          const outcome: Outcome = { result }
          return outcome
        }).pipe(
          // One that is cut off goes on from its file; what else ends has no more use for it.
          Effect.onExit((exit) => (Exit.isInterrupted(exit) ? Effect.void : forget(from.file))),
          Effect.ensuring(Effect.zipRight(embeddings.wake, pages.wake)),
          Effect.mapError((error): Reason => ({ message: error.message }))
        )

      const begin = (from: Resume) => jobs.start({ action: "import", total: 0 }, work(from))

      return {
        start: Effect.fn("ImportLinks.start")(function* (bytes, { keepShared, later, name }) {
          const file = crypto.randomUUID()
          yield* saveUpload(fs, bytes, folder, file)
          const job = yield* Effect.onError(
            begin({ file, name, later, keepShared, keepNumbers: yield* store.isUntouched }),
            () => forget(file)
          )
          // The one that is running already has a file of its own.
          const kept = resumeOf((yield* Effect.orDie(jobs.get(job.id))).resume)
          if (Option.isSome(kept) && kept.value.file !== file) yield* forget(file)
          return job
        }),
        resume: Effect.gen(function* () {
          const last = yield* jobStore.latest("import")
          const open = Option.filter(last, ({ state }) => state === "interrupted")
          const from = Option.flatMap(open, (job) => resumeOf(job.resume))
          const needed = Option.map(from, ({ file }) => file)
          yield* Effect.forEach(
            left.filter((file) => !Option.contains(needed, file)),
            forget
          )
          if (Option.isSome(from) && left.includes(from.value.file)) yield* begin(from.value)
        }).pipe(
          Effect.catchAllCause((cause) => Effect.logWarning("taking up an import failed", cause)),
          Effect.withSpan("ImportLinks.resume")
        )
      }
    })
  )
}
