import { computed, effect, signal } from "@preact/signals"
import { ApiError, hearing } from "../service.ts"
import { meta, refreshMeta } from "./meta.ts"

/** How many requests in a row without an answer make an outage; the second one is ours. */
const MAX_SILENCE = 2
/** How often the service is asked during an outage, and while a part of it fails, in milliseconds. */
const RETRY = 3_000
const LOOK = 30_000

const silence = signal(0)
const isOnline = signal(navigator.onLine)

const texts = { offline: "You are offline.", silent: "The service does not answer." }

/** Why the service cannot be reached, as a sentence; undefined while it can. */
export const outage = computed(() =>
  silence.value < MAX_SILENCE ? undefined : isOnline.value ? texts.silent : texts.offline
)

/** Notes whether the service has answered; asks again if it has not. */
export const heard = (answered: boolean): void => {
  silence.value = answered ? 0 : silence.peek() + 1
  if (!answered && silence.peek() < MAX_SILENCE) refreshMeta()
}

/** Fails during an outage, with its reason. */
export const requireService = (): void => {
  const reason = outage.peek()
  if (reason !== undefined) throw new ApiError(0, "unreachable", reason)
}

/** Whether the service answers as it answers strangers: the session has ended. */
export const isSignedOut = signal(false)

/** The id of the element that says why the service cannot be reached. */
export const OUTAGE = "outage"

/** The attributes of a button that needs the service: during an outage it is disabled and says why. */
export const needsService = () =>
  outage.value === undefined ? {} : ({ "aria-disabled": true, "aria-describedby": OUTAGE } as const)

/** Follows the network and the service's answers. */
export const startConnection = (): void => {
  hearing.tell = heard
  hearing.refuse = () => {
    isSignedOut.value = true
  }
  hearing.unable = refreshMeta
  meta.subscribe(() => {
    isSignedOut.value = false
  })
  // The owner may have signed in again in another tab.
  for (const type of ["focus", "visibilitychange"])
    window.addEventListener(type, () => isSignedOut.peek() && !document.hidden && refreshMeta())
  for (const type of ["online", "offline"])
    window.addEventListener(type, () => {
      isOnline.value = navigator.onLine
      // A service on this machine can be reached without a network.
      refreshMeta()
    })
  // A disabled button keeps its focus, but does nothing.
  window.addEventListener(
    "click",
    (event) => {
      if (!(event.target instanceof Element) || event.target.closest("[aria-disabled=true]") === null) return
      event.preventDefault()
      event.stopPropagation()
    },
    { capture: true }
  )
  effect(() => {
    const fails = meta.value !== null && meta.value.problems.length > 0
    if (outage.value === undefined && !fails) return undefined
    const timer = setInterval(refreshMeta, outage.value === undefined ? LOOK : RETRY)
    return () => clearInterval(timer)
  })
}
