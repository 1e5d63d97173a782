import { ApiError, errorOf } from "../app/service.ts"

/** Delays between attempts while the service does not answer, in milliseconds: a restart takes a few seconds. */
const DELAYS = [500, 1_000, 2_000, 4_000, 4_000, 4_000, 4_000] as const

const sleep = (delay: number) => new Promise<void>((resolve) => setTimeout(resolve, delay))

/** Whether the service, or a proxy in front of it, says that it is not available at the moment. */
const isAway = ({ status }: Response) => status === 502 || status === 503 || status === 504

const unreachable = () =>
  new ApiError(0, "unreachable", "The service does not answer. Check that it is running, then try again.")

/** What a request carries, and who is told about it. */
export interface Options {
  /** Sent as JSON; a file is sent as it is. */
  readonly body?: object
  /** Told whether the request waits for a service that does not answer. */
  readonly onWait?: (isWaiting: boolean) => void
}

const initOf = (method: string, body: object | undefined): RequestInit => {
  if (body === undefined) return { method }
  return body instanceof Blob
    ? { method, body, headers: { "content-type": "application/octet-stream" } }
    : { method, body: JSON.stringify(body), headers: { "content-type": "application/json" } }
}

/**
 * Sends a request and returns its answer. Repeats it for about 20 seconds while the service does not answer, because it
 * may be restarting.
 *
 * Rejects with an `ApiError` whose message is a sentence for the user.
 */
export const send = async (
  method: string,
  path: string,
  { body, onWait = () => {} }: Options = {}
): Promise<Response> => {
  try {
    for (const delay of DELAYS) {
      const response = await fetch(path, initOf(method, body)).catch(() => undefined)
      if (response?.ok) return response
      if (response !== undefined && !isAway(response)) throw await errorOf(path, response)
      onWait(true)
      await sleep(delay)
    }
    throw unreachable()
  } finally {
    onWait(false)
  }
}

/** Sends a request and returns the JSON of its answer, as `send` does. */
export const ask = async <A>(method: string, path: string, options: Options = {}): Promise<A> =>
  (await send(method, path, options)).json()
