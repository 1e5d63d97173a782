import { Effect, FiberRef, type Scheduler } from "effect"

/** The scheduling priority of urgent work, which a user waits for; all other work has priority 0 or more. */
const URGENT = -1

/** Runs work, and the fibers it starts, before background work. */
export const withUrgentPriority: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> =
  Effect.withSchedulingPriority(URGENT)

/** Runs work started by an urgent fiber as background work. */
export const withBackgroundPriority: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> =
  Effect.withSchedulingPriority(0)

/** Whether the calling fiber is urgent. */
export const isUrgent: Effect.Effect<boolean> = Effect.map(
  FiberRef.get(FiberRef.currentSchedulingPriority),
  (priority) => priority < 0
)

/**
 * One item in this many is not urgent while any such item waits, so that many urgent items cannot starve the others.
 */
const URGENT_STREAK = 5

/** Makes two FIFO queues; the urgent one goes first four times out of five. */
const makeQueues = <A>() => {
  const urgent: Array<A> = []
  const others: Array<A> = []
  // The index of each queue's first item; taken items are dropped once they are more than half of the array.
  const heads = { urgent: 0, others: 0 }
  let row = 0

  const take = (name: "urgent" | "others", queue: Array<A>): A | undefined => {
    const taken = queue[heads[name]++]
    if (heads[name] > 64 && heads[name] * 2 > queue.length) {
      queue.splice(0, heads[name])
      heads[name] = 0
    }
    return taken
  }
  const size = () => urgent.length - heads.urgent + others.length - heads.others

  return {
    size,
    add: (one: A, isUrgentOne: boolean): void => void (isUrgentOne ? urgent : others).push(one),
    next: (): A | undefined => {
      const hasUrgent = urgent.length > heads.urgent
      const hasOthers = others.length > heads.others
      if (hasUrgent && !(hasOthers && row >= URGENT_STREAK - 1)) {
        row++
        return take("urgent", urgent)
      }
      row = 0
      return hasOthers ? take("others", others) : undefined
    }
  }
}

/** A semaphore that gives its permits to urgent fibers first. */
export const makePermits = (count: number) => {
  interface Waiting {
    readonly pass: () => void
    isGone: boolean
  }
  const waiting = makeQueues<Waiting>()
  let free = count

  const passOn = () => {
    for (let next = waiting.next(); next !== undefined; next = waiting.next())
      if (!next.isGone) return next.pass()
    free++
  }

  return {
    /** Takes one permit; interruptible while waiting. */
    take: Effect.flatMap(isUrgent, (urgent) =>
      Effect.async<void>((resume) => {
        if (free > 0) {
          free--
          return resume(Effect.void)
        }
        let hasPassed = false
        const one: Waiting = {
          isGone: false,
          pass: () => {
            hasPassed = true
            resume(Effect.void)
          }
        }
        waiting.add(one, urgent)
        return Effect.sync(() => {
          one.isGone = true
          // Interrupted after it got the permit and before it resumed: pass the permit on.
          if (hasPassed) passOn()
        })
      })
    ),
    release: Effect.sync(passOn)
  }
}

/** How long fibers may run in one turn of the event loop, in milliseconds. */
const TURN_BUDGET = 10
/** The number of operations after which a fiber yields, as in Effect's own scheduler. */
const yieldsAfter = FiberRef.currentMaxOpsBeforeYield

/**
 * Makes a scheduler that runs fibers, urgent ones first, for a limited time per turn of the event loop and continues in
 * the next turn. Effect's own scheduler runs fibers as microtasks until none is left: with a hundred pending fibers,
 * requests and timers would wait for all of them.
 */
export const makeTurnScheduler = (): Scheduler.Scheduler => {
  const tasks = makeQueues<Scheduler.Task>()
  let isDraining = false
  /** When the turn began; undefined until a fiber runs in it. */
  let began: number | undefined

  const endTurn = () => {
    began = undefined
  }

  const drain = () => {
    if (began === undefined) {
      began = performance.now()
      setImmediate(endTurn)
    }
    for (let task = tasks.next(); task !== undefined; task = tasks.next()) {
      task()
      if (performance.now() - began > TURN_BUDGET && tasks.size() > 0) {
        setImmediate(drain)
        return
      }
    }
    isDraining = false
  }

  return {
    shouldYield: (fiber) =>
      fiber.currentOpCount > fiber.getFiberRef(yieldsAfter)
        ? fiber.getFiberRef(FiberRef.currentSchedulingPriority)
        : false,
    scheduleTask: (task, priority) => {
      tasks.add(task, priority < 0)
      if (isDraining) return
      isDraining = true
      queueMicrotask(drain)
    }
  }
}

/** Resumes after the event loop has processed pending I/O, so that requests received in the meantime run first. */
export const yieldToEventLoop = Effect.async<void>((resume) => {
  const immediate = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(immediate))
})

/** A turn of the event loop in which this thread worked for less than this, in milliseconds, counts as quiet. */
const QUIET_TURN = 4
/** How long background work waits for a quiet turn, in milliseconds. */
const QUIET_TIMEOUT = 200

/** Processor time that this thread has used so far, in milliseconds. */
export const workedSoFar = (): number => {
  const { system, user } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** The number of requests that are waiting for another thread. */
let awaitedAnswers = 0
/** Callbacks that resume paused background work. */
const paused = new Set<() => void>()

/** Runs work of another thread that a request waits for. Meanwhile this thread's background work pauses. */
export const pausingBackgroundWork = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      awaitedAnswers++
    }),
    () => work,
    () =>
      Effect.sync(() => {
        awaitedAnswers--
        if (awaitedAnswers > 0) return
        for (const resume of paused) resume()
        paused.clear()
      })
  )

/** Resumes once no request is waiting for another thread. */
const pauseForAnswers = Effect.async<void>((resume) => {
  if (awaitedAnswers === 0) return resume(Effect.void)
  const pass = () => resume(Effect.void)
  paused.add(pass)
  return Effect.sync(() => paused.delete(pass))
})

/**
 * Resumes in a quiet turn of the event loop in which no request waits for another thread, or after 200 ms; for background
 * work. Only this program's own work makes a turn busy: background work that waited for other programs too would hardly
 * advance on a machine that they keep busy.
 */
export const awaitQuietTurn = Effect.gen(function* () {
  const begun = performance.now()
  yield* Effect.timeoutOption(pauseForAnswers, QUIET_TIMEOUT)
  let before: number
  do {
    before = workedSoFar()
    yield* yieldToEventLoop
  } while (workedSoFar() - before > QUIET_TURN && performance.now() - begun < QUIET_TIMEOUT)
})

/** Limits for a batch of work: item counts, and the target duration of a batch in milliseconds. */
export interface BatchLimits {
  readonly first: number
  readonly least: number
  readonly most: number
  readonly target: number
}

/** Makes a batch size that keeps each batch on the event loop for about the same time on any machine. */
export const makeBatchSize = ({ first, least, most, target }: BatchLimits) => {
  let size = first
  return {
    current: () => size,
    /** Adjusts the size, by a factor of two at most, after a batch took this many milliseconds. */
    took: (milliseconds: number) => {
      const factor = Math.min(2, Math.max(0.5, target / milliseconds))
      size = Math.round(Math.min(most, Math.max(least, size * factor)))
    }
  }
}
