import { Context, Effect, Layer, Ref, Schema } from "effect"

/**
 * A problem of a running service. `/healthz` is public, so a name says which part fails and reveals nothing about the
 * library; `doctor` explains the problem.
 */
export const HealthProblem = Schema.Literal(
  /** The thread that searches the library is not answering; links are saved and listed, but not searched. */
  "search",
  /** The thread that searches the public list is not answering. */
  "public-search",
  /** The disk is full: nothing can be saved. */
  "storage-full",
  /** The disk rejects writes to the library, although it is not full. */
  "storage-unwritable",
  /** Part of the library file cannot be read. */
  "storage-damaged",
  /** The library file was moved, deleted or replaced while the service runs: nothing can be saved. */
  "storage-gone",
  /** At startup the service found the end of the write-ahead log missing: saved changes are lost. */
  "changes-lost",
  /** The file system grants every lock: a second process could overwrite what the first one saves. */
  "storage-unlocked"
)
export type HealthProblem = typeof HealthProblem.Type

/** Problems during which the service refuses to save; `/healthz` answers 503. */
const failing: ReadonlySet<HealthProblem> = new Set([
  "storage-full",
  "storage-unwritable",
  "storage-damaged",
  "storage-gone"
])

/**
 * The body of `/healthz`. `degraded` answers 200: links are still saved. `starting` and `failing` answer 503; a starting
 * service already saves, and the first searches wait for the semantic index.
 */
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
    /** Reports that a problem exists or is resolved, and logs each change. */
    readonly set: (problem: HealthProblem, exists: boolean) => Effect.Effect<void>
    /** Runs the last part of the start: until it ends, the service counts as starting. */
    readonly starting: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** The current status and problems, without the version. */
    readonly current: Effect.Effect<Omit<HealthReport, "version">>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const problems = yield* Ref.make<ReadonlySet<HealthProblem>>(new Set())
      const left = yield* Ref.make(0)
      return {
        starting: (work) =>
          Effect.acquireUseRelease(
            Ref.update(left, (count) => count + 1),
            () => work,
            () => Ref.update(left, (count) => count - 1)
          ),
        set: Effect.fn("Health.set")(function* (problem, exists) {
          const had = yield* Ref.getAndUpdate(problems, (now) => {
            const next = new Set(now)
            if (exists) next.add(problem)
            else next.delete(problem)
            return next
          })
          if (had.has(problem) === exists) return
          yield* exists
            ? Effect.logError(`health: problem ${problem} occurred`)
            : Effect.logInfo(`health: problem ${problem} resolved`)
        }),
        current: Effect.map(Effect.all([Ref.get(problems), Ref.get(left)]), ([now, parts]) => {
          const all = [...now]
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
  /** When the owner was notified; null until then. */
  toldAt: Schema.NullOr(Schema.String)
})
export type Outage = typeof Outage.Type
