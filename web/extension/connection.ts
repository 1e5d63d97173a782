import { CONFIGURATION, type Handover } from "../../src/shared/Handover.ts"
import { hostOf, originPattern, readHandover } from "./addresses.ts"
import { api, askToSend, fetching, loadSettings, storeSettings } from "./platform.ts"
import { probe, type Verdict } from "./probe.ts"
import { fieldsOf, handedOver, type Settings } from "./settings.ts"
import { type TextName, text } from "./text.ts"

/** What the user is asked before a handover, and the verb of the button that answers it. */
export const questionOf = (
  { address, token }: Handover,
  settings: Settings
): { readonly question: string; readonly verb: TextName } => {
  const host = hostOf(address)
  if (settings.address === "") return { question: text("connectNew", host), verb: "connect" }
  if (settings.address !== address)
    return { question: text("connectOther", host, hostOf(settings.address)), verb: "replace" }
  if (settings.token === "") return { question: text("connectNew", host), verb: "connect" }
  return settings.token === token
    ? { question: text("connectSame", host), verb: "test" }
    : { question: text("connectToken", host), verb: "replace" }
}

/** Removes the permission for a service that the extension no longer sends to. */
const forget = async (before: string, after: string) => {
  if (before !== "" && originPattern(before) !== originPattern(after))
    await api.permissions.remove({ origins: [originPattern(before)] }).catch(() => false)
}

/**
 * Stores the changed settings, asks for permission to reach the service's host, and tests the connection. Must be called
 * before any await of a click's handler: afterwards the browser no longer accepts the click as a user gesture.
 */
export const connect = async (
  address: string,
  change: (before: Settings) => Settings
): Promise<Verdict & { readonly settings: Settings }> => {
  const asked = api.permissions.request({ origins: [originPattern(address)] }).catch(() => false)
  const before = await loadSettings()
  const settings = change(before)
  // Stored before the user answers: the browser may close the popup, and with it this script, for its question.
  await storeSettings(settings)
  await forget(before.address, settings.address)
  await asked
  const verdict = await probe(settings, {
    fetch: fetching,
    now: Date.now,
    online: () => navigator.onLine,
    permitted: isPermitted
  })
  if (verdict.finding === "works") askToSend("asked")
  return { ...verdict, settings }
}

/** Whether the user has allowed the extension to reach the service's host. */
export const isPermitted = (address: string): Promise<boolean> =>
  api.permissions.contains({ origins: [originPattern(address)] })

/** A test's result in words. */
export const verdictText = ({ clock, finding }: Verdict): string =>
  text(`probe_${finding}`) + (clock === undefined ? "" : ` ${text("probeClock", Math.abs(clock))}`)

/**
 * Takes the service from the package's configuration, which a service fills in for its signed-in owner; does nothing if
 * a service is set already or the configuration names none.
 */
export const takeConfiguration = async (): Promise<void> => {
  const settings = await loadSettings()
  if (settings.address !== "") return
  const response = await fetching(api.runtime.getURL(CONFIGURATION), {})
  const link = fieldsOf(await response.json())["connect"]
  const handover = readHandover(typeof link === "string" ? link : "")
  if ("address" in handover) await storeSettings(handedOver(handover, settings))
}
