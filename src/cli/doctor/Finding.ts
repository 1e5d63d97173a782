import { type Duration, Effect } from "effect"

/** `off`: not in use because a setting is missing, or not checked because of `--offline`. */
export type State = "ok" | "warn" | "fail" | "off"

/** One result of a check. */
export interface Line {
  readonly name: string
  readonly state: State
  /** What the check found. */
  readonly detail: string
  /** What to do about it, in a sentence; empty if nothing needs doing. */
  readonly advice: string
}

/** A line with its heading. */
export interface Finding extends Line {
  readonly group: string
}

/** A check of one subject, which never fails: it reports failures as lines. */
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

/** The line of a check that needs a setting which has an unusable value. */
export const notUsable = (name: string, setting: string): Line =>
  off(name, `not checked: ${setting} is not usable`, "Correct it first.")

/** Timeout for a server's answer, in milliseconds. */
export const SERVER_TIMEOUT = 5_000

/** Limits the time of a check; `otherwise` is its result on a timeout. */
export const withTimeout = <R>(
  check: Check<R>,
  otherwise: Line,
  limit: Duration.DurationInput = SERVER_TIMEOUT
): Check<R> =>
  Effect.timeoutTo(check, { duration: limit, onSuccess: (lines) => lines, onTimeout: () => [otherwise] })

/** Turns a defect in a check into a failed line. */
export const withDefectAsLine = <R>(name: string, check: Check<R>): Check<R> =>
  Effect.catchAllCause(check, () =>
    Effect.succeed([fail(name, "could not be checked", "This is a bug in Linkbower. Report it.")])
  )
