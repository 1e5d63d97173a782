import { bodyOf, CAPTURE_PATH, type Fetch, isRedirect, requestOf } from "./send.ts"
import { fieldsOf, type Settings } from "./settings.ts"

/** What a test of the settings found; each is a text of `_locales` (`probe_works` and so on). */
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

/** A finding, and by how many minutes this computer's clock is off where it is off by more than a little. */
export interface Verdict {
  readonly finding: Finding
  readonly clock?: number
}

/** What a test may use. */
export interface ProbeWorld {
  readonly fetch: Fetch
  readonly now: () => number
  readonly online: () => boolean
  /** Whether the person lets the extension reach the service's host. */
  readonly permitted: (address: string) => Promise<boolean>
}

const TIMEOUT = 10_000
/** Tokens of gateways and certificates are checked against the clock; they bear about so much, in minutes. */
const CLOCK = 5

const askHealth = (settings: Settings, fetch: Fetch): Promise<Response | null> =>
  fetch(`${settings.address}/healthz`, {
    ...requestOf(settings, undefined, TIMEOUT),
    method: "GET"
  }).catch(() => null)

/** The service says that it is up, and has a version. */
const isService = async (response: Response) => {
  const { status, version } = fieldsOf(await bodyOf(response))
  return status === "ok" && typeof version === "string"
}

/** Why the endpoint does not answer as it should, by what the service says of itself elsewhere. */
const explain = async (settings: Settings, { fetch, online }: ProbeWorld): Promise<Finding> => {
  const health = await askHealth(settings, fetch)
  if (health === null) return online() ? "unreachable" : "offline"
  if (isRedirect(health)) return "redirected"
  // The service is there, so something in front of it answers for the endpoint.
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
  // Past the gate, the service misses the address, which the question leaves out so that nothing is saved.
  if (status === 400 && typeof message === "string" && message.includes('"url"')) return "works"
  if (status === 403) return "gateway"
  if (status === 429) return "busy"
  return status >= 500 ? "failing" : explain(settings, world)
}

/** Tries the settings without saving anything, and says what is wrong first. Never fails. */
export const probe = async (settings: Settings, world: ProbeWorld): Promise<Verdict> => {
  if (settings.address === "") return { finding: "address" }
  if (!(await world.permitted(settings.address))) return { finding: "permission" }
  if (settings.token === "") return { finding: "noToken" }
  const request = requestOf(settings, { ping: true }, TIMEOUT)
  const response = await world.fetch(settings.address + CAPTURE_PATH, request).catch(() => null)
  if (response === null) return { finding: await explain(settings, world) }
  return { finding: await findingOf(response, settings, world), ...clockOf(response, world.now()) }
}
