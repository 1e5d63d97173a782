import type { Job, LinksPage, Meta } from "./api.ts"
import { COPY } from "./reader/articleCache.ts"

/** A request that the service rejected or failed, or that could not be sent (`status` 0); the message is a sentence for the user. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  /** The number of the link that is in the way, if there is one. */
  readonly link: number | undefined
  constructor(status: number, code: string, message: string, link?: number) {
    super(message)
    this.status = status
    this.code = code
    this.link = link
  }
}

const isFailure = (body: unknown): body is { readonly error: string; readonly message: string } =>
  typeof body === "object" && body !== null && "error" in body && "message" in body

/** The error of a failed response to a request for this path. */
export const errorOf = async (path: string, response: Response): Promise<ApiError> => {
  if (response.status === 403 && response.headers.get("content-type") !== "application/json")
    return new ApiError(
      403,
      "forbidden",
      "The gateway rejected the request. Sign in again, then repeat this."
    )
  const body: unknown = await response.json().catch(() => null)
  // Behind the gate, only a request without a session is refused.
  if (path.startsWith("/dashboard/") && isFailure(body) && body.error === "forbidden")
    return new ApiError(403, "forbidden", "You are signed out. Sign in again, then repeat this.")
  return isFailure(body)
    ? new ApiError(
        response.status,
        body.error,
        body.message,
        "id" in body && typeof body.id === "number" ? body.id : undefined
      )
    : new ApiError(response.status, "unknown", `The service responded with status ${response.status}.`)
}

const unreachable = () => new ApiError(0, "unreachable", "The library cannot be reached.")

/** Statuses with which a proxy answers for a service that does not. */
const isProxys = ({ headers, status }: Response) =>
  status >= 502 && status !== 505 && headers.get("content-type") !== "application/json"

/**
 * The listeners that are told whether a request was answered, that the answer was for strangers, and that the service
 * cannot do it for now.
 */
export const hearing = {
  tell: (_answered: boolean): void => {},
  refuse: (): void => {},
  unable: (): void => {}
}

/** Sends a request; resolves with a successful response only. */
export const fetchAnswer = async (path: string, init: RequestInit = {}): Promise<Response> => {
  const response = await fetch(path, init).catch((error: unknown) => {
    // An aborted request is not a failure of the service.
    if (init.signal?.aborted) throw error
    hearing.tell(false)
    throw unreachable()
  })
  const answered = !isProxys(response)
  // A copy that this browser keeps is no answer of the service.
  hearing.tell(answered && !response.headers.has(COPY))
  if (!answered) throw unreachable()
  if (response.ok) return response
  const error = await errorOf(path, response)
  if (path.startsWith("/dashboard/") && error.code === "forbidden") hearing.refuse()
  if (error.code === "unavailable") hearing.unable()
  throw error
}

export const request = async <A>(path: string, init: RequestInit = {}): Promise<A> =>
  (await fetchAnswer(path, init)).json()

export const withJson = (body: unknown, method: string): RequestInit => ({
  method,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body)
})

export const send = <A>(path: string, body: unknown, method = "POST"): Promise<A> =>
  request(path, withJson(body, method))

/** Makes a request whose answer has no content. */
export const tell = async (path: string, init: RequestInit): Promise<void> =>
  void (await fetchAnswer(path, init))

/** The endpoints of the first paint. */
export const firstApi = {
  links: (params: URLSearchParams, signal?: AbortSignal) =>
    request<LinksPage>(`/dashboard/api/links?${params}`, signal === undefined ? {} : { signal }),
  meta: () => request<Meta>("/dashboard/api/meta"),
  jobs: () => request<{ readonly jobs: ReadonlyArray<Job> }>("/dashboard/api/jobs")
}
