import { useState } from "preact/hooks"
import { reasonOf } from "../app/reasonOf.ts"
import type { Options } from "./ask.ts"

/** A request or a chain of them that the user has started. */
export interface Task {
  readonly isBusy: boolean
  /** Whether it waits for a service that does not answer. */
  readonly isWaiting: boolean
  /** Why it failed, as a sentence; empty if it has not. */
  readonly problem: string
  /** Starts it, unless it runs already; `options` are those of its requests. */
  readonly run: (work: (options: Options) => Promise<unknown>) => void
  /** Shows a reason for which it was not started. */
  readonly refuse: (problem: string) => void
}

const idle = { isBusy: false, isWaiting: false, problem: "" }

/** Runs one task at a time, and remembers its state and its failure. */
export const useTask = (): Task => {
  const [state, setState] = useState(idle)
  const run: Task["run"] = (work) => {
    if (state.isBusy) return
    setState({ ...idle, isBusy: true })
    work({ onWait: (isWaiting) => setState((now) => ({ ...now, isWaiting })) }).then(
      () => setState(idle),
      (error: unknown) => setState({ ...idle, problem: reasonOf(error) })
    )
  }
  return { ...state, run, refuse: (problem) => setState({ ...idle, problem }) }
}
