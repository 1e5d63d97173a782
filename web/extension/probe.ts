import { bodyOf, CAPTURE_PATH, type Fetch, isRedirect, requestOf } from "./request.ts"
import { fieldsOf, type Settings } from "./settings.ts"

/** The result of testing the settings; each has a text in `_locales` (`probe_works` and so on). */
export type Finding =
  | "works"
  | "address"
  | "noToken"
  | "permission"
  | "offline"
  | "unreachable"
  | "redirected"
  | "gateway"
  | "token"
  | "busy"
  | "failing"
  | "foreign"

/** A finding, and by how many minutes this computer's clock is off, if by more than `CLOCK`. */
export interface Verdict {
  readonly finding: Finding
  readonly clock?: number
}

/** The environment of a test. */
export interface ProbeWorld {
  readonly fetch: Fetch
  readonly now: () => number
  readonly online: () => boolean
  /** Whether the user has allowed the extension to reach the service's host. */
  readonly permitted: (address: string) => Promise<boolean>
}

const TIMEOUT = 10_000
/** Tolerated clock difference in minutes: gateway tokens and certificates are checked against the clock. */
const CLOCK = 5

const askHealth = (settings: Settings, fetch: Fetch): Promise<Response | null> =>
  fetch(`${settings.address}/healthz`, {
    ...requestOf(settings, undefined, TIMEOUT),
    method: "GET"
  }).catch(() => null)

/** Whether the response is a healthy Linkbower's: status `ok` and a version. */
const isService = async (response: Response) => {
  const { status, version } = fieldsOf(await bodyOf(response))
  return status === "ok" && typeof version === "string"
}

/** Finds out from `/healthz` why the capture endpoint does not answer as expected. */
const explain = async (settings: Settings, { fetch, online }: ProbeWorld): Promise<Finding> => {
  const health = await askHealth(settings, fetch)
  if (health === null) return online() ? "unreachable" : "offline"
  if (isRedirect(health)) return "redirected"
  // The service is up, so something in front of it answers for the endpoint.
  if (health.ok && (await isService(health))) return "gateway"
  return health.status === 403 ? "gateway" : "foreign"
}

const clockOf = (response: Response, now: number): { readonly clock?: number } => {
  const off = Math.round((now - Date.parse(response.headers.get("date") ?? "")) / 60_000)
  return Math.abs(off) > CLOCK ? { clock: off } : {}
}

const findingOf = async (response: Response, settings: Settings, world: ProbeWorld): Promise<Finding> => {
  const { status } = response
  if (isRedirect(response)) return "redirected"
  const { error, message } = fieldsOf(await bodyOf(response))
  if (status === 401) return error === "unauthorized" ? "token" : "gateway"
  // The token was accepted: the service only misses the address, which the test omits so that nothing is saved.
  if (status === 400 && typeof message === "string" && message.includes('"url"')) return "works"
  if (status === 403) return "gateway"
  if (status === 429) return "busy"
  return status >= 500 ? "failing" : explain(settings, world)
}

/** Tests the settings without saving a link, and returns the first problem found. Never fails. */
export const probe = async (settings: Settings, world: ProbeWorld): Promise<Verdict> => {
  if (settings.address === "") return { finding: "address" }
  if (!(await world.permitted(settings.address))) return { finding: "permission" }
  if (settings.token === "") return { finding: "noToken" }
  const request = requestOf(settings, { ping: true }, TIMEOUT)
  const response = await world.fetch(settings.address + CAPTURE_PATH, request).catch(() => null)
  if (response === null) return { finding: await explain(settings, world) }
  return { finding: await findingOf(response, settings, world), ...clockOf(response, world.now()) }
}
