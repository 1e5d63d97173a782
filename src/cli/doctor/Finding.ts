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

const lineIn =
  (state: State) =>
  (name: string, detail: string, advice = ""): Line => ({ name, state, detail, advice })
export const ok = lineIn("ok")
export const warn = lineIn("warn")
export const fail = lineIn("fail")
export const off = lineIn("off")

/** The line for a failure, by its reason. */
export type Row = readonly [state: State, detail: string, advice: string]
export const lineOf = (name: string, [state, detail, advice]: Row): Line =>
  lineIn(state)(name, detail, advice)

/** The lines whose conditions hold. */
export const present = (...lines: ReadonlyArray<Line | ReadonlyArray<Line> | false | undefined>) =>
  lines.flatMap((line) => line || [])

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
