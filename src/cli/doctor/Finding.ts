import { type Duration, Effect } from "effect"

/** `off`: not in use because a setting is missing, or not checked because of `--offline`. */
export type State = "ok" | "warn" | "fail" | "off"

export interface Line {
  readonly name: string
  readonly state: State
  readonly detail: string
  /** A sentence; empty if nothing needs doing. */
  readonly advice: string
}

export interface Finding extends Line {
  readonly group: string
}

/** A check never fails: it reports failures as lines. */
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

export const notUsable = (name: string, setting: string): Line =>
  off(name, `not checked: ${setting} is not usable`, "Correct it first.")

/** In milliseconds. */
export const SERVER_TIMEOUT = 5_000

export const withTimeout = <R>(
  check: Check<R>,
  otherwise: Line,
  limit: Duration.DurationInput = SERVER_TIMEOUT
): Check<R> =>
  Effect.timeoutTo(check, { duration: limit, onSuccess: (lines) => lines, onTimeout: () => [otherwise] })

export const withDefectAsLine = <R>(name: string, check: Check<R>): Check<R> =>
  Effect.catchAllCause(check, () =>
    Effect.succeed([fail(name, "could not be checked", "This is a bug in Linkbower. Report it.")])
  )
