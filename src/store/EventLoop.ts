import { Effect } from "effect"

/** Resumes once the event loop has served what it had read: requests that came in meanwhile run first. */
export const nextTurn = Effect.async<void>((resume) => {
  const immediate = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(immediate))
})
