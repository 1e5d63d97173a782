import type { Schema } from "effect"
import type { Capture, CaptureAnswer } from "../../src/domain/Capture.ts"
import type {
  DuplicateGroup as DuplicateGroupSchema,
  ImportResult as ImportResultSchema,
  Move as MoveSchema
} from "../../src/domain/Job.ts"
import type { Link as LinkSchema, PublicLink as PublicLinkSchema } from "../../src/domain/Link.ts"
import type { Highlights as HighlightsSchema } from "../../src/domain/LinkQuery.ts"
import type * as Bodies from "../../src/http/api/Bodies.ts"

/** The JSON form of a schema. Only types are imported: a changed field breaks this build, and no code of the service is bundled. */
type Json<S extends Schema.Schema.All> = Schema.Schema.Encoded<S>

export type Link = Json<typeof LinkSchema>
export type PublicLink = Json<typeof PublicLinkSchema>
export type Highlights = Json<typeof HighlightsSchema>
export type LinksPage = Json<typeof Bodies.LinksAnswer>
export type PublicLinksPage = Json<typeof Bodies.PublicLinksAnswer>
export type PublicMeta = Json<typeof Bodies.PublicMetaAnswer>
export type Meta = Json<typeof Bodies.MetaAnswer>
export type Job = Json<typeof Bodies.JobAnswer>["job"]
export type ImportResult = Json<typeof ImportResultSchema>
/** A link that an organize job files, or would file. */
export type Move = Json<typeof MoveSchema>
/** Links to the same or nearly the same page. */
export type DuplicateGroup = Json<typeof DuplicateGroupSchema>
export type Failures = Json<typeof Bodies.FailuresAnswer>
export type Action = Json<typeof Bodies.Action>
export type Mutation = Json<typeof Bodies.Mutation>
export type Changed = Json<typeof Bodies.MutationAnswer>

/** A request that the service rejected or failed, or that could not be sent (`status` 0); the message is a sentence for the user. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

const isFailure = (body: unknown): body is { readonly error: string; readonly message: string } =>
  typeof body === "object" && body !== null && "error" in body && "message" in body

/** The error of a failed response. */
export const errorOf = async (response: Response): Promise<ApiError> => {
  if (response.status === 403 && response.headers.get("content-type") !== "application/json")
    return new ApiError(
      403,
      "forbidden",
      "The gateway rejected the request. Reload the page to sign in again."
    )
  const body: unknown = await response.json().catch(() => null)
  return isFailure(body)
    ? new ApiError(response.status, body.error, body.message)
    : new ApiError(response.status, "unknown", `The service responded with status ${response.status}.`)
}

const request = async <A>(path: string, init: RequestInit = {}): Promise<A> => {
  const response = await fetch(path, init).catch((error: unknown) => {
    // An aborted request is not a failure of the service.
    if (init.signal?.aborted) throw error
    throw new ApiError(0, "unreachable", "The library cannot be reached.")
  })
  if (!response.ok) throw await errorOf(response)
  return response.json()
}

const send = <A>(path: string, body: unknown): Promise<A> =>
  request(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body)
  })

/** The dashboard's API. */
export const api = {
  links: (params: URLSearchParams, signal?: AbortSignal) =>
    request<LinksPage>(`/dashboard/api/links?${params}`, signal === undefined ? {} : { signal }),
  /** The existing ones of at most `MAX_IDS` links. */
  linksByIds: (ids: ReadonlyArray<number>) =>
    request<Json<typeof Bodies.LinksByNumberAnswer>>(`/dashboard/api/links/some?ids=${ids.join(",")}`),
  meta: () => request<Meta>("/dashboard/api/meta"),
  mutate: (mutation: Mutation) => send<Changed>("/dashboard/api/mutate", mutation),
  removeCollection: (id: number) =>
    request<Json<typeof Bodies.UndoAnswer>>(`/dashboard/api/collections/${id}`, { method: "DELETE" }),
  act: (action: Action) => send<{ readonly job: Job }>("/dashboard/api/action", action),
  jobs: () => request<{ readonly jobs: ReadonlyArray<Job> }>("/dashboard/api/jobs"),
  job: (id: number) => request<{ readonly job: Job }>(`/dashboard/api/jobs/${id}`),
  failures: () => request<Failures>("/dashboard/api/failures"),
  retryArrival: (id: number) => request<Failures>(`/dashboard/api/failures/${id}`, { method: "POST" }),
  forgetArrival: (id: number) => request<Failures>(`/dashboard/api/failures/${id}`, { method: "DELETE" }),
  save: (capture: Json<typeof Capture>) => send<CaptureAnswer>("/dashboard/api/links", capture)
}

/** The public API. */
export const publicApi = {
  links: (params: URLSearchParams, signal?: AbortSignal) =>
    request<PublicLinksPage>(`/list/api/links?${params}`, signal === undefined ? {} : { signal })
}
