import { Context, Effect, Layer, Ref, Schema } from "effect"

/** `/healthz` is public, so a name says which part fails and nothing about the library; `doctor` explains. */
export const HealthProblem = Schema.Literal(
  /** The thread that searches the library is not answering; links are saved and listed, but not searched. */
  "search",
  /** The thread that searches the public list is not answering. */
  "public-search",
  /** The disk is full: nothing can be saved. */
  "storage-full",
  /** The disk rejects writes to the library, although it is not full. */
  "storage-unwritable",
  /** Part of the library file, or of an index in it, is damaged: nothing can be saved. */
  "storage-damaged",
  /** The write-ahead log was cut off or overwritten while the service runs: nothing can be saved. */
  "log-damaged",
  /** A full-text index does not hold the words of the links: some links are not found. */
  "search-damaged",
  /** The library file was moved, deleted or replaced while the service runs: nothing can be saved. */
  "storage-gone",
  /** At startup the service found the end of the write-ahead log missing: saved changes are lost. */
  "changes-lost",
  /** The service could not make the backup that was due. */
  "backup-failed",
  /** The file system grants every lock: a second process could overwrite what the first one saves. */
  "storage-unlocked"
)
export type HealthProblem = typeof HealthProblem.Type

interface Explanation {
  readonly detail: string
  readonly advice: string
}

export const explanations: Record<HealthProblem, Explanation> = {
  search: {
    detail: "the search thread is not running",
    advice: "It restarts automatically; if it keeps failing, check the log."
  },
  "public-search": {
    detail: "the search thread of the public list is not running",
    advice: "It restarts automatically; if it keeps failing, check the log."
  },
  "storage-full": {
    detail: "the disk is full and nothing can be saved",
    advice: "Free space on the disk of DATA_DIR. Saving resumes automatically."
  },
  "storage-unwritable": {
    detail: "the disk rejects writes to the library, so nothing can be saved",
    advice: "Check the disk of DATA_DIR and the folder's owner. Saving resumes automatically."
  },
  "storage-damaged": {
    detail: "part of the library is damaged, so nothing can be saved",
    advice:
      "Stop the service and run `linkbower doctor`: it says whether `linkbower reindex` or `linkbower restore FILE` helps."
  },
  "log-damaged": {
    detail: "the library's log was cut off or overwritten while the service runs, so nothing can be saved",
    advice: "Restart the service: it says which changes are missing. Check the disk."
  },
  "search-damaged": {
    detail: "the search index is damaged, so searches miss links",
    advice: "Run `linkbower reindex`."
  },
  "storage-gone": {
    detail: "the library file was moved, deleted or replaced, and nothing can be saved",
    advice: "Put DATA_DIR back, or restart the service."
  },
  "changes-lost": {
    detail: "changes saved before the last start are missing from the library",
    advice: "The log says how many and from when. Check the disk, and save those links again."
  },
  "backup-failed": {
    detail: "the last backup could not be made",
    advice: "Earlier backups are kept, and the service tries again within an hour."
  },
  "storage-unlocked": {
    detail: "the file system of DATA_DIR does not lock files",
    advice: "Move DATA_DIR to a local disk, and run no second Linkbower on this one."
  }
}

/** Problems during which the service refuses to save; `/healthz` answers 503. */
const failing: ReadonlySet<HealthProblem> = new Set([
  "storage-full",
  "storage-unwritable",
  "storage-damaged",
  "log-damaged",
  "storage-gone"
])

/** `degraded` answers 200. `starting` and `failing` answer 503; a starting service already saves. */
export const HealthReport = Schema.Struct({
  status: Schema.Literal("ok", "starting", "degraded", "failing"),
  version: Schema.String,
  problems: Schema.optional(Schema.Array(HealthProblem)),
  /** The proxies that `TRUSTED_FORWARDERS` does not name; told on this machine only. */
  unnamedProxies: Schema.optional(Schema.Array(Schema.String))
})
export type HealthReport = typeof HealthReport.Type

/** The problems of the running service, as its parts report them. */
export class Health extends Context.Tag("Health")<
  Health,
  {
    /** Logs each change; `detail` says more than `explanations`. */
    readonly set: (problem: HealthProblem, exists: boolean, detail?: string) => Effect.Effect<void>
    readonly has: (problem: HealthProblem) => Effect.Effect<boolean>
    /** A sentence on each current problem and what to do about it, for the owner alone: it may name files. */
    readonly notices: Effect.Effect<ReadonlyMap<HealthProblem, string>>
    /** Runs the last part of the start: until it ends, the service counts as starting. */
    readonly starting: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    readonly current: Effect.Effect<Omit<HealthReport, "version">>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const problems = yield* Ref.make<ReadonlyMap<HealthProblem, string>>(new Map())
      const left = yield* Ref.make(0)
      return {
        starting: (work) =>
          Effect.acquireUseRelease(
            Ref.update(left, (count) => count + 1),
            () => work,
            () => Ref.update(left, (count) => count - 1)
          ),
        set: Effect.fn("Health.set")(function* (problem, exists, detail = explanations[problem].detail) {
          const notice = `${detail.charAt(0).toUpperCase()}${detail.slice(1)}. ${explanations[problem].advice}`
          const had = yield* Ref.getAndUpdate(problems, (now) => {
            if (now.has(problem) === exists) return now
            return new Map(
              exists ? [...now, [problem, notice]] : [...now].filter(([name]) => name !== problem)
            )
          })
          if (had.has(problem) === exists) return
          yield* exists
            ? Effect.logError(`health: problem ${problem} occurred. ${notice}`)
            : Effect.logInfo(`health: problem ${problem} resolved`)
        }),
        has: (problem) => Effect.map(Ref.get(problems), (now) => now.has(problem)),
        notices: Ref.get(problems),
        current: Effect.map(Effect.all([Ref.get(problems), Ref.get(left)]), ([now, parts]) => {
          const all = [...now.keys()]
          const status = all.some((one) => failing.has(one))
            ? "failing"
            : parts > 0
              ? "starting"
              : all.length > 0
                ? "degraded"
                : "ok"
          return { status, ...(all.length > 0 ? { problems: all } : {}) }
        })
      }
    })
  )
}

/** The current outage and its cost: links left incomplete and replies dropped. */
export const Outage = Schema.Struct({
  since: Schema.String,
  sources: Schema.parseJson(Schema.Array(Schema.Literal("page", "repository", "model"))),
  links: Schema.Int,
  dropped: Schema.Int,
  toldAt: Schema.NullOr(Schema.String)
})
export type Outage = typeof Outage.Type
