import { join } from "node:path"
import { FileSystem } from "@effect/platform"
import { Cause, Effect, Option, Schema, type Stream } from "effect"
import { Setting } from "../config/Configuration.ts"
import { ImportResult } from "../domain/Job.ts"
import { saveStream } from "../runtime/SaveStream.ts"
import { Service } from "../runtime/Services.ts"
import { makeThrottle } from "../runtime/Throttle.ts"
import { grouped } from "../shared/Format.ts"
import { MAX_UPLOAD } from "../shared/Limits.ts"
import { dataFolder } from "../store/DataFolder.ts"
import { JobStore } from "../store/jobs/JobStore.ts"
import { HeldImportStore } from "../store/transfer/HeldImportStore.ts"
import { ImportStore } from "../store/transfer/ImportStore.ts"
import { Embeddings } from "./Embeddings.ts"
import { Events } from "./Events.ts"
import { ImportWriter } from "./ImportWriter.ts"
import { asJobFailure, type JobRun, Jobs, type Outcome } from "./Jobs.ts"
import { ReadPages } from "./ReadPages.ts"

const Resume = Schema.Struct({
  file: Schema.UUID,
  /** Its name as uploaded. */
  name: Schema.String,
  later: Schema.Boolean,
  /** Null until the import starts: earlier imports decide it. */
  keepNumbers: Schema.NullOr(Schema.Boolean),
  keepShared: Schema.Boolean,
  done: Schema.Int,
  created: Schema.Int,
  shared: Schema.Int,
  warnings: ImportResult.fields.warnings,
  /** Shown only when the import has ended. */
  undo: Schema.String
})
type Resume = typeof Resume.Type
const resumeOf = Schema.decodeUnknownOption(Resume)

interface About {
  readonly name: string
  readonly later: boolean
  readonly keepShared: boolean
}

/** Between events that ask listeners to reload. */
const EVENT_INTERVAL = "2 seconds"

const make = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const folder = dataFolder(yield* Setting.dataDir.config).imports
  const writer = yield* ImportWriter
  const store = yield* ImportStore
  const jobs = yield* Jobs
  const jobStore = yield* JobStore
  const held = yield* HeldImportStore
  const events = yield* Events
  const embeddings = yield* Embeddings
  const pages = yield* ReadPages
  const turn = yield* Effect.makeSemaphore(1)
  let queued = 0

  // Listed before this run's first upload, so that no new file counts as a leftover.
  const leftover = yield* Effect.orElseSucceed(fs.readDirectory(folder), (): Array<string> => [])
  const pathOf = (file: string) => join(folder, file)
  const removeFile = (file: string) => Effect.ignore(fs.remove(pathOf(file), { force: true }))

  const importFile = Effect.fnUntraced(function* (from: Resume, run: JobRun) {
    yield* run.reportWaiting(null)
    const throttle = makeThrottle(EVENT_INTERVAL)
    const keepNumbers = from.keepNumbers ?? (yield* store.isUntouched)
    const { hasChanged, ...result } = yield* writer.file(
      { path: pathOf(from.file), name: from.name },
      {
        later: from.later,
        keepNumbers,
        keepShared: from.keepShared,
        undo: from.undo,
        from,
        saveProgress: (reached) => run.checkpoint({ ...from, keepNumbers, ...reached }, null),
        onStep: Effect.fnUntraced(function* ({ done, total }) {
          yield* run.reportWaiting(null)
          yield* run.progress(done, total)
          yield* done < total ? throttle(events.reloadAll) : events.reloadAll
        }),
        onWait: ({ done, error, total }) =>
          Effect.gen(function* () {
            const progress = total === 0 ? "" : ` ${grouped(done)} of ${grouped(total)} links are saved.`
            yield* run.reportWaiting(`${error.what}${progress} The import continues automatically.`)
            yield* Effect.logWarning(`an import is waiting: ${error.what}${progress}`)
          })
      }
    )
    const outcome: Outcome<"import"> = { result, undo: hasChanged ? from.undo : undefined }
    return outcome
  })

  /** Undefined if the import has changed nothing. */
  const undoOfFailed = ({ undo }: Resume) =>
    Effect.map(
      Effect.orElseSucceed(writer.hasChanged(undo), () => false),
      (hasChanged) => (hasChanged ? undo : undefined)
    )

  const offerUndo = Effect.fnUntraced(function* (from: Resume, run: JobRun) {
    const undo = yield* undoOfFailed(from)
    if (undo !== undefined) yield* Effect.ignore(run.checkpoint(from, undo))
  })

  const work = (from: Resume) => (run: JobRun) =>
    Effect.suspend(() =>
      queued++ > 0 ? run.reportWaiting("Waiting for the previous import.") : Effect.void
    ).pipe(
      Effect.zipRight(turn.withPermits(1)(importFile(from, run))),
      Effect.ensuring(Effect.sync(() => queued--)),
      Effect.ensuring(Effect.zipRight(embeddings.wake, pages.wake)),
      Effect.tapErrorCause((cause) => (Cause.isInterruptedOnly(cause) ? Effect.void : offerUndo(from, run))),
      Effect.mapError(asJobFailure)
    )

  const save = Effect.fn("ImportLinks.save")(function* <E>(
    bytes: Stream.Stream<Uint8Array, E>,
    most: number
  ) {
    const file = crypto.randomUUID()
    yield* saveStream(fs, bytes, pathOf(file), most)
    return file
  })

  const startSaved = Effect.fn("ImportLinks.startSaved")(function* (
    file: string,
    { keepShared, later, name, total }: About & { readonly total: number }
  ) {
    const resume: Resume = {
      file,
      name,
      later,
      keepShared,
      keepNumbers: null,
      done: 0,
      created: 0,
      shared: 0,
      warnings: [],
      undo: crypto.randomUUID()
    }
    return yield* jobs.start(
      { action: "import", total, queued: { resume }, afterwards: removeFile(file) },
      work(resume)
    )
  })

  return {
    save,
    startSaved,
    pathOf,
    remove: removeFile,
    has: (file: string) => Effect.orElseSucceed(fs.exists(pathOf(file)), () => false),
    /** Waits for earlier imports. `later` leaves pages unread; `keepShared` shares what the export marks as shared. */
    start: Effect.fn("ImportLinks.start")(function* <E>(bytes: Stream.Stream<Uint8Array, E>, about: About) {
      const file = yield* save(bytes, MAX_UPLOAD)
      return yield* Effect.onError(startSaved(file, { ...about, total: 0 }), () => removeFile(file))
    }),
    /** Removes files that neither a job nor the owner's answer needs. */
    resume: Effect.gen(function* () {
      const open = (yield* jobStore.unfinished("import")).flatMap((job) =>
        Option.toArray(Option.map(resumeOf(job.resume), (from) => ({ job, from })))
      )
      const jobOf = new Map(open.map(({ from, job }) => [from.file, job.id]))
      const waiting = yield* held.waiting
      for (const { file, id } of waiting) {
        const job = jobOf.get(file)
        if (job !== undefined) yield* held.started(id, job)
      }
      const needed = new Set([...jobOf.keys(), ...waiting.map(({ file }) => file)])
      yield* Effect.forEach(
        leftover.filter((file) => !needed.has(file)),
        removeFile
      )
      for (const { from, job } of open)
        if (!leftover.includes(from.file))
          yield* jobStore.end(job.id, {
            state: "failed",
            error: "The uploaded file no longer exists.",
            undo: yield* undoOfFailed(from)
          })
        else yield* jobs.resume(job.id, { afterwards: removeFile(from.file) }, work(from))
    }).pipe(
      Effect.catchAllCause((cause) => Effect.logWarning("resuming imports failed", cause)),
      Effect.withSpan("ImportLinks.resume")
    )
  }
})

/** One job after another; a file stays until its job has ended, so that the next start continues in order. */
export class ImportLinks extends Service<ImportLinks>()("ImportLinks", make) {}
