import { Cause, Clock, Duration, Effect, Option } from "effect"
import { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { Service } from "../runtime/Services.ts"
import { makeWorkLoop, type WorkLoop, type WorkLoopOptions } from "../runtime/WorkLoop.ts"
import { type Task, type TaskKind, TaskStore } from "../store/jobs/TaskStore.ts"
import { afterCommit } from "../store/Transaction.ts"

export interface TaskWork<E, R> {
  /** For the log: "reading pages" is logged as "reading pages failed". */
  readonly name: string
  /** Tasks at a time; 1 by default. */
  readonly concurrency?: number
  /** How often to look for tasks that came without a wake, or by a clock that was set. */
  readonly look?: Duration.Duration
  /** The pause after a failure, by the number of those before it; a task without one, the default, is dropped. */
  readonly retry?: (failures: number) => Duration.DurationInput | undefined
  /** Done when this succeeds, unless put off or ended within. A duration is the kind's rest before its next task. */
  readonly work: (task: Task) => Effect.Effect<unknown, E, R>
}

const SHORTEST_REST = Duration.seconds(1)
const LOOK = Duration.minutes(10)

const make = Effect.gen(function* () {
  const store = yield* TaskStore
  const loops = new Map<TaskKind, { readonly loop: WorkLoop; readonly turn: Effect.Semaphore }>()
  const loopOf = Effect.fnUntraced(function* (kind: TaskKind) {
    const known = loops.get(kind)
    if (known !== undefined) return known
    const made = { loop: yield* makeWorkLoop, turn: yield* Effect.makeSemaphore(1) }
    loops.set(kind, made)
    return made
  })
  const wake = (kind: TaskKind) => Effect.flatMap(loopOf(kind), ({ loop }) => loop.wake)
  const from = (wait: Duration.DurationInput) =>
    Effect.map(Clock.currentTimeMillis, (now) => now + Duration.toMillis(wait))

  /** An unavailable library is no failure of the task: it ends the pass, which is repeated. */
  const ended = <E>(
    task: Task,
    { name, retry }: Pick<TaskWork<E, never>, "name" | "retry">,
    cause: Cause.Cause<E>
  ) =>
    Effect.gen(function* () {
      const failure = Option.getOrUndefined(Cause.failureOption(cause))
      if (Cause.isInterrupted(cause)) {
        yield* Effect.ignore(store.release(task))
        return yield* Effect.interrupt
      }
      if (failure instanceof StoreUnavailable) {
        yield* Effect.ignore(store.release(task))
        return yield* failure
      }
      yield* Effect.logWarning(`${name} failed`, cause)
      const pause = retry?.(task.attempts)
      yield* pause === undefined ? store.done(task) : store.retry(task, yield* from(pause))
    })

  /** Works on one task; returns the rest that it asks for, none if no task is due. */
  const next = <E, R>(kind: TaskKind, begun: boolean, how: TaskWork<E, R>) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const task = Option.getOrUndefined(yield* store.claim(kind, begun))
        if (task === undefined) return undefined
        return yield* Effect.matchCauseEffect(restore(Effect.suspend(() => how.work(task))), {
          onSuccess: (result) =>
            Effect.as(store.done(task), Duration.isDuration(result) ? result : Duration.zero),
          onFailure: (cause) => Effect.as(ended(task, how, cause), Duration.zero)
        })
      })
    )

  /** Works on tasks one after another until none is due or one asks for a rest, which it returns. */
  const all = Effect.fnUntraced(function* <E, R>(kind: TaskKind, begun: boolean, how: TaskWork<E, R>) {
    for (;;) {
      const rest = yield* next(kind, begun, how)
      if (rest === undefined || !Duration.equals(rest, Duration.zero)) return rest
    }
  })

  /** Returns how long nothing is due. Tasks of an ended program come first, singly, to show which one ended it. */
  const drain = <E, R>(kind: TaskKind, how: TaskWork<E, R>) =>
    Effect.gen(function* () {
      const { look = LOOK } = how
      const { turn } = yield* loopOf(kind)
      return yield* turn.withPermits(1)(
        Effect.gen(function* () {
          const first = yield* all(kind, true, how)
          if (first !== undefined) return first
          const workers = Array.from({ length: how.concurrency ?? 1 }, () => all(kind, false, how))
          const rests = yield* Effect.all(workers, { concurrency: "unbounded" })
          const asked = rests.find((rest) => rest !== undefined)
          if (asked !== undefined) return asked
          const due = Option.getOrUndefined(yield* store.nextDue(kind))
          const rest = due === undefined ? look : Duration.millis(due - (yield* Clock.currentTimeMillis))
          return Duration.clamp(rest, { minimum: SHORTEST_REST, maximum: look })
        })
      )
    }).pipe(Effect.withSpan("Tasks.drain", { attributes: { kind } }))

  return {
    /** Adds or restarts a task, and wakes the worker after the caller's commit. */
    schedule: Effect.fn("Tasks.schedule")(function* (
      kind: TaskKind,
      subject: number,
      wait: Duration.DurationInput
    ) {
      yield* store.renew(kind, subject, yield* from(wait))
      yield* afterCommit(wake(kind))
    }),
    postpone: Effect.fn("Tasks.postpone")(function* (task: Task, wait: Duration.DurationInput) {
      yield* store.postpone(task, yield* from(wait))
    }),
    retry: Effect.fn("Tasks.retry")(function* (task: Task, wait: Duration.DurationInput) {
      yield* store.retry(task, yield* from(wait))
    }),
    drain,
    wake,
    /** Runs passes, which return how long to rest, for a kind whose tasks end the rest when they are added. */
    run: <E, R>(
      kind: TaskKind,
      pass: Effect.Effect<Duration.DurationInput, E, R>,
      options: WorkLoopOptions<E>
    ) => Effect.flatMap(loopOf(kind), ({ loop }) => loop.run(pass, options))
  }
})

export class Tasks extends Service<Tasks>()("Tasks", make) {}
