import { Effect, FiberRef, type Scheduler } from "effect"

/** The scheduling priority of work that somebody waits for; that of all other work is 0 or more. */
const URGENT = -1

/** Runs work, and the fibers it starts, before what nobody waits for. */
export const urgently: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> =
  Effect.withSchedulingPriority(URGENT)

/** Runs work, started by something urgent, that nobody waits for. */
export const patiently: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> =
  Effect.withSchedulingPriority(0)

/** Whether the calling fiber is urgent. */
export const isUrgent: Effect.Effect<boolean> = Effect.map(
  FiberRef.get(FiberRef.currentSchedulingPriority),
  (priority) => priority < 0
)

/** Of so many in a row, one is not urgent as long as any waits, so that a crowd of urgent ones starves nobody. */
const IN_A_ROW = 5

/** Two queues, first in, first out; the urgent one goes first, four times out of five. */
const makeQueues = <A>() => {
  const urgent: Array<A> = []
  const others: Array<A> = []
  // Where each queue begins: what is taken is cut off once it is the greater part.
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
      if (hasUrgent && !(hasOthers && row >= IN_A_ROW - 1)) {
        row++
        return take("urgent", urgent)
      }
      row = 0
      return hasOthers ? take("others", others) : undefined
    }
  }
}

/** A semaphore whose permits go to urgent fibers first. */
export interface Permits {
  /** Takes one permit; interruptible while it waits. */
  readonly take: Effect.Effect<void>
  readonly release: Effect.Effect<void>
}

export const makePermits = (count: number): Permits => {
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
          // Interrupted between its turn and its resumption: the permit goes to the next.
          if (hasPassed) passOn()
        })
      })
    ),
    release: Effect.sync(passOn)
  }
}

/** The time, in milliseconds, that fibers run in one turn of the event loop. */
const TURN = 10
/** The operations that a fiber runs before it lets others run, as in Effect's own scheduler. */
const yieldsAfter = FiberRef.currentMaxOpsBeforeYield

/**
 * Runs fibers until they have used up their time in this turn of the event loop, and the others in the next turn; urgent
 * fibers go first. Effect's own scheduler runs them as microtasks until none is left: with a hundred of them in hand,
 * requests and timers would wait for all.
 */
export const makeTurnScheduler = (): Scheduler.Scheduler => {
  const tasks = makeQueues<Scheduler.Task>()
  let isDraining = false
  /** When the turn began; undefined until something runs in it. */
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
      if (performance.now() - began > TURN && tasks.size() > 0) {
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

/** Resumes once the event loop has served what it had read: requests that came in meanwhile run first. */
export const nextTurn = Effect.async<void>((resume) => {
  const immediate = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(immediate))
})

/** A turn of the event loop that took less than so many milliseconds had little else to do. */
const QUIET = 4
/** How long background work waits for such a turn, in milliseconds. */
const PATIENCE = 200

/** Resumes in a turn in which the event loop has little else to do, or after 200 ms: for work that nobody waits for. */
export const quietTurn = Effect.gen(function* () {
  const begun = performance.now()
  let now = begun
  let took: number
  do {
    yield* nextTurn
    took = performance.now() - now
    now += took
  } while (took > QUIET && now - begun < PATIENCE)
})

/** Limits of a piece of work: how many items, and the time in milliseconds that one is to take. */
export interface PieceLimits {
  readonly first: number
  readonly least: number
  readonly most: number
  readonly target: number
}

/** The size of the next piece of long work, adjusted by how long the last one took. */
export interface PieceSize {
  readonly current: () => number
  /** Adjusts the size, by a factor of two at most, after a piece of that size took so many milliseconds. */
  readonly took: (milliseconds: number) => void
}

/** Splits long work into pieces that each hold the event loop for about the same time on any machine. */
export const makePieceSize = ({ first, least, most, target }: PieceLimits): PieceSize => {
  let size = first
  return {
    current: () => size,
    took: (milliseconds) => {
      const factor = Math.min(2, Math.max(0.5, target / milliseconds))
      size = Math.round(Math.min(most, Math.max(least, size * factor)))
    }
  }
}
