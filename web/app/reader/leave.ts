import { navigate } from "../state/route.ts"

/** Goes back to where the reader was opened from, or to the library if it was opened from outside. */
export const leaveReader = (): void => {
  const state: unknown = history.state
  const isFromApp = typeof state === "object" && state !== null && "isInApp" in state
  if (isFromApp) history.back()
  else navigate("/dashboard")
}
