import { statSync } from "node:fs"
import { Clock, Console, Effect } from "effect"
import { clearStatus, columnsOf, isTerminal, showStatus, terminalTraits } from "../runtime/Terminal.ts"
import { threadOf } from "../runtime/Thread.ts"
import { makeThrottle } from "../runtime/Throttle.ts"
import type { Watched } from "./FileProgress.ts"
import {
  type Facts,
  INTERVAL,
  makeSpeed,
  progressLine,
  progressSentence,
  REDRAW,
  type Step,
  type Unit
} from "./ProgressLine.ts"

export const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`

/** On standard error: one rewritten line on a terminal, elsewhere a line every few seconds. */
export const makeProgress = Effect.fnUntraced(function* (label: string, unit: Unit = "link") {
  const canRewrite = isTerminal(process.stderr)
  const throttle = makeThrottle(canRewrite ? REDRAW : INTERVAL, { first: canRewrite ? "now" : "later" })
  const speedAt = makeSpeed()
  const now = Effect.map(Clock.currentTimeNanos, (nanos) => Number(nanos) / 1_000_000)
  const began = yield* now
  const draw = (facts: Facts) =>
    showStatus(progressLine(facts, columnsOf(process.stderr), terminalTraits().hasUnicode))
  if (canRewrite) yield* Effect.addFinalizer(() => Effect.sync(clearStatus))
  return (step: Step) =>
    Effect.flatMap(now, (time) => {
      const facts = { label, unit, step, speed: speedAt(step.done, time), elapsed: time - began }
      return throttle(
        canRewrite
          ? Effect.sync(() => draw(facts))
          : Effect.suspend(() => Console.error(progressSentence(facts)))
      )
    })
})

/** Size of a library, in bytes, from which SQLite's work on it takes long enough to show its progress. */
const LARGE = 32 * 1024 * 1024

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** From a separate thread, as SQLite blocks this one; `writes` grows to the library's size under a longer name. */
export const showingFile = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  { label, library, writes }: { readonly label: string; readonly library: string; readonly writes?: string }
) =>
  Effect.suspend(() => {
    const size = sizeOf(library)
    if (size < LARGE) return work
    const watched: Watched = {
      label,
      prefix: writes === undefined ? undefined : `${writes}.linkbower-`,
      total: writes === undefined ? undefined : size,
      traits: terminalTraits()
    }
    return Effect.acquireUseRelease(
      Effect.sync(threadOf("progress", JSON.stringify(watched))),
      () => work,
      (thread) =>
        Effect.async<void>((resume) => {
          thread.addEventListener("close", () => {
            if (isTerminal(process.stderr)) showStatus("")
            clearStatus()
            resume(Effect.void)
          })
          thread.terminate()
        })
    )
  })
