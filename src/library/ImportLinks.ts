import { join } from "node:path"
import { FileSystem } from "@effect/platform"
import { Context, Data, Effect, Layer, Option, Schema, Stream } from "effect"
import { Setting } from "../config/Configuration.ts"
import type { Job } from "../domain/Job.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { replaceFile } from "../runtime/ReplaceFile.ts"
import { dataFolder } from "../store/DataFolder.ts"
import { JobStore } from "../store/jobs/JobStore.ts"
import { ImportStore } from "../store/transfer/ImportStore.ts"
import { Embeddings } from "./Embeddings.ts"
import { Events } from "./Events.ts"
import { ImportWriter } from "./ImportWriter.ts"
import { type JobRun, Jobs, type Outcome, type Reason } from "./Jobs.ts"
import { ReadPages } from "./ReadPages.ts"

/** The largest file taken over HTTP, in bytes; the command line takes any. */
export const MAX_UPLOAD = 128 * 1024 * 1024

/** A file that was being sent is not there: it is too large, its end did not come, or the disk does not take it. */
class UploadFailed extends Data.TaggedError("UploadFailed")<{
  readonly reason: "too-large" | "cut-off" | "disk"
}> {}

const failed = (reason: UploadFailed["reason"]) => () => new UploadFailed({ reason })

/** Writes the bytes to `folder/name`, wholly or not at all; then they survive a power cut. */
const saveUpload = Effect.fn("Upload.save")(function* <E>(
  fs: FileSystem.FileSystem,
  bytes: Stream.Stream<Uint8Array, E>,
  folder: string,
  name: string
) {
  const path = join(folder, name)
  let size = 0
  const bounded = bytes.pipe(
    Stream.mapError(failed("cut-off")),
    // A file takes no empty piece.
    Stream.filter((chunk) => chunk.length > 0),
    Stream.tap((chunk) => {
      size += chunk.length
      return size > MAX_UPLOAD ? Effect.fail(new UploadFailed({ reason: "too-large" })) : Effect.void
    })
  )
  yield* Effect.mapError(fs.makeDirectory(folder, { recursive: true, mode: 0o700 }), failed("disk"))
  yield* Effect.mapError(
    replaceFile(path, (temporary) => Stream.run(bounded, fs.sink(temporary))),
    (error) => (error._tag === "UploadFailed" ? error : new UploadFailed({ reason: "disk" }))
  )
})

/** What a job needs to go on with its file; fields with a default are missing in what earlier versions wrote. */
const Resume = Schema.Struct({
  /** The file's name within the folder of uploads. */
  file: Schema.UUID,
  /** What the person calls it. */
  name: Schema.String,
  later: Schema.Boolean,
  /** Null until the import begins, because the imports before it decide. */
  keepNumbers: Schema.NullOr(Schema.Boolean),
  keepShared: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  done: Schema.optionalWith(Schema.Int, { default: () => 0 }),
  created: Schema.optionalWith(Schema.Int, { default: () => 0 })
})
type Resume = typeof Resume.Type
const resumeOf = Schema.decodeUnknownOption(Resume)

/** Whoever shows links is told to look again no more often than this, in milliseconds. */
const TELL = 2_000

/**
 * Imports files that were sent, each as a job, one after the other. A file is kept until its job has ended, so that jobs
 * which a crash cut off, or which had not begun, go on at the next start in their order.
 */
export class ImportLinks extends Context.Tag("ImportLinks")<
  ImportLinks,
  {
    /**
     * Keeps the bytes and starts a job of their own, which waits for the imports before it. `later` leaves the pages
     * unread; `keepShared` shares the links that another Linkbower's export marks as shared.
     */
    readonly start: <E>(
      bytes: Stream.Stream<Uint8Array, E>,
      about: { readonly name: string; readonly later: boolean; readonly keepShared: boolean }
    ) => Effect.Effect<Job, UploadFailed | StoreUnavailable>
    /** Goes on with the jobs that an earlier run left, and removes files that no job needs. */
    readonly resume: Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = dataFolder(yield* Effect.orDie(Setting.dataDir.config)).imports
      const takeIn = yield* ImportWriter
      const store = yield* ImportStore
      const jobs = yield* Jobs
      const jobStore = yield* JobStore
      const events = yield* Events
      const embeddings = yield* Embeddings
      const pages = yield* ReadPages
      const line = yield* Effect.makeSemaphore(1)
      /** How many imports run or wait. */
      let inLine = 0

      // Before the first upload of this run, which must not be taken for one of these.
      const left = yield* Effect.orElseSucceed(fs.readDirectory(folder), (): Array<string> => [])
      const pathOf = (file: string) => join(folder, file)
      const forget = (file: string) => Effect.ignore(fs.remove(pathOf(file), { force: true }))

      const takeFile = Effect.fnUntraced(function* (from: Resume, run: JobRun) {
        yield* run.waits(null)
        let told = 0
        const keepNumbers = from.keepNumbers ?? (yield* store.isUntouched)
        const result = yield* takeIn.file(
          { path: pathOf(from.file), name: from.name },
          {
            later: from.later,
            keepNumbers,
            keepShared: from.keepShared,
            from,
            reached: ({ created, done }) => run.reached({ ...from, keepNumbers, created, done }, null),
            onStep: Effect.fnUntraced(function* ({ done, total }) {
              yield* run.waits(null)
              yield* run.progress(done, total)
              const now = performance.now()
              if (now - told < TELL && done < total) return
              told = now
              yield* events.many
            }),
            onWait: ({ done, error, total }) =>
              Effect.gen(function* () {
                const so =
                  total === 0
                    ? ""
                    : ` ${done.toLocaleString("en")} of ${total.toLocaleString("en")} links are saved.`
                yield* run.waits(`${error.what}${so} The import goes on by itself.`)
                yield* Effect.logWarning(`an import waits: ${error.what}${so}`)
              })
          }
        )
        const outcome: Outcome = { result }
        return outcome
      })

      const work = (from: Resume) => (run: JobRun) =>
        Effect.suspend(() =>
          inLine++ > 0 ? run.waits("It waits for the import before it.") : Effect.void
        ).pipe(
          Effect.zipRight(line.withPermits(1)(takeFile(from, run))),
          Effect.ensuring(Effect.sync(() => inLine--)),
          Effect.ensuring(Effect.zipRight(embeddings.wake, pages.wake)),
          Effect.mapError((error): Reason => ({ message: error.message }))
        )

      return {
        start: Effect.fn("ImportLinks.start")(function* (bytes, { keepShared, later, name }) {
          const file = crypto.randomUUID()
          yield* saveUpload(fs, bytes, folder, file)
          const resume: Resume = { file, name, later, keepShared, keepNumbers: null, done: 0, created: 0 }
          return yield* Effect.onError(
            jobs.start(
              { action: "import", total: 0, queued: { resume }, afterwards: forget(file) },
              work(resume)
            ),
            () => forget(file)
          )
        }),
        resume: Effect.gen(function* () {
          const open = (yield* jobStore.unfinished("import")).flatMap((job) =>
            Option.toArray(Option.map(resumeOf(job.resume), (from) => ({ job, from })))
          )
          // Earlier versions went on with a file in a new job: the newest one has come farthest.
          const newest = new Map(open.map(({ from, job }) => [from.file, job.id]))
          yield* Effect.forEach(
            left.filter((file) => !newest.has(file)),
            forget
          )
          for (const { from, job } of open)
            if (!left.includes(from.file))
              yield* jobStore.end(job.id, { state: "failed", error: "The file is no longer there." })
            else if (newest.get(from.file) === job.id)
              yield* jobs.resume(job.id, { afterwards: forget(from.file) }, work(from))
        }).pipe(
          Effect.catchAllCause((cause) => Effect.logWarning("taking up an import failed", cause)),
          Effect.withSpan("ImportLinks.resume")
        )
      }
    })
  )
}
