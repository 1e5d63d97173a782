import { type Duration, Effect } from "effect"

/** `off`: not in use, for want of a setting or because it was not to be asked. */
export type State = "ok" | "warn" | "fail" | "off"

/** One thing that was looked at. */
export interface Line {
  readonly name: string
  readonly state: State
  /** What was found. */
  readonly detail: string
  /** What to do about it, in a sentence; empty where there is nothing to do. */
  readonly advice: string
}

/** A line and the heading it stands under. */
export interface Finding extends Line {
  readonly group: string
}

/** Everything there is to say of one matter. */
export type Check<R> = Effect.Effect<ReadonlyArray<Line>, never, R>

export const ok = (name: string, detail: string, advice = ""): Line => ({
  name,
  state: "ok",
  detail,
  advice
})
export const warn = (name: string, detail: string, advice: string): Line => ({
  name,
  state: "warn",
  detail,
  advice
})
export const fail = (name: string, detail: string, advice: string): Line => ({
  name,
  state: "fail",
  detail,
  advice
})
export const off = (name: string, detail: string, advice: string): Line => ({
  name,
  state: "off",
  detail,
  advice
})

/** How long a server may take to answer, in milliseconds. */
export const PATIENCE = 5_000

/** `otherwise` stands in for a check that takes too long. */
export const within = <R>(
  check: Check<R>,
  otherwise: Line,
  limit: Duration.DurationInput = PATIENCE
): Check<R> =>
  Effect.timeoutTo(check, { duration: limit, onSuccess: (lines) => lines, onTimeout: () => [otherwise] })

/** A check whose own defect is a line like the others. */
export const guarded = <R>(name: string, check: Check<R>): Check<R> =>
  Effect.catchAllCause(check, () =>
    Effect.succeed([fail(name, "could not be looked at", "This is a defect of Linkbower: please report it.")])
  )
