import type { ComponentChildren } from "preact"
import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import { reasonOf, tell, tellFailure } from "../state/toasts.ts"

/** Makes a change, says how it ended, and loads again; returns whether it succeeded. */
export type Change = (work: () => Promise<unknown>, done: string, failed: string) => Promise<boolean>

export interface Loaded<A> {
  /** Undefined until it has been loaded. */
  readonly value: A | undefined
  readonly set: (value: A) => void
  /** Why it could not be loaded; empty if it could. */
  readonly problem: string
  readonly reload: () => Promise<void>
  readonly change: Change
  /** That it is being loaded, or why that failed; null once it is there. */
  readonly notice: ComponentChildren
}

/** Something of the service that a part of a page shows, loaded when it appears and again when one of `deps` changes. */
export const useLoaded = <A,>(load: () => Promise<A>, deps: ReadonlyArray<unknown> = []): Loaded<A> => {
  const [value, set] = useState<A>()
  const [problem, setProblem] = useState("")
  const latest = useRef(load)
  latest.current = load
  const turn = useRef(0)
  const reload = useCallback(async () => {
    const mine = ++turn.current
    try {
      const now = await latest.current()
      if (mine !== turn.current) return
      set(now)
      setProblem("")
    } catch (error) {
      if (mine === turn.current) setProblem(reasonOf(error))
    }
  }, [])
  useEffect(() => void reload(), deps)
  const change: Change = async (work, done, failed) => {
    try {
      await work()
      tell(done)
      await reload()
      return true
    } catch (error) {
      tellFailure(failed, error)
      return false
    }
  }
  const notice =
    problem !== "" ? (
      <p class="problem" role="alert">
        {problem}
      </p>
    ) : value === undefined ? (
      <p class="hint">Loading…</p>
    ) : null
  return { value, set, problem, reload, change, notice }
}
