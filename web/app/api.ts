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

/** A schema's JSON form. Types alone: a field that changes breaks this build, and no code of the service comes along. */
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
/** A link that organizing files, or would file. */
export type Move = Json<typeof MoveSchema>
/** Links to the same page, or to nearly the same. */
export type DuplicateGroup = Json<typeof DuplicateGroupSchema>
export type Failures = Json<typeof Bodies.FailuresAnswer>
export type Action = Json<typeof Bodies.Action>
export type Mutation = Json<typeof Bodies.Mutation>
export type Changed = Json<typeof Bodies.MutationAnswer>

/** The service refused, failed, or could not be reached (`status` 0); the message is a sentence for a person. */
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

/** Why the service refused, from its answer. */
export const refusal = async (response: Response): Promise<ApiError> => {
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

const ask = async <A>(path: string, init: RequestInit = {}): Promise<A> => {
  const response = await fetch(path, init).catch((error: unknown) => {
    // A request that was given up is no failure of the service.
    if (init.signal?.aborted) throw error
    throw new ApiError(0, "unreachable", "The library cannot be reached.")
  })
  if (!response.ok) throw await refusal(response)
  return response.json()
}

const send = <A>(path: string, body: unknown): Promise<A> =>
  ask(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body)
  })

/** The owner's interface. */
export const api = {
  links: (params: URLSearchParams, signal?: AbortSignal) =>
    ask<LinksPage>(`/dashboard/api/links?${params}`, signal === undefined ? {} : { signal }),
  /** Those of at most `MAX_IDS` links that there still are. */
  linksByIds: (ids: ReadonlyArray<number>) =>
    ask<Json<typeof Bodies.LinksByNumberAnswer>>(`/dashboard/api/links/some?ids=${ids.join(",")}`),
  meta: () => ask<Meta>("/dashboard/api/meta"),
  mutate: (mutation: Mutation) => send<Changed>("/dashboard/api/mutate", mutation),
  removeCollection: (id: number) =>
    ask<Json<typeof Bodies.UndoAnswer>>(`/dashboard/api/collections/${id}`, { method: "DELETE" }),
  act: (action: Action) => send<{ readonly job: Job }>("/dashboard/api/action", action),
  jobs: () => ask<{ readonly jobs: ReadonlyArray<Job> }>("/dashboard/api/jobs"),
  job: (id: number) => ask<{ readonly job: Job }>(`/dashboard/api/jobs/${id}`),
  failures: () => ask<Failures>("/dashboard/api/failures"),
  retryArrival: (id: number) => ask<Failures>(`/dashboard/api/failures/${id}`, { method: "POST" }),
  forgetArrival: (id: number) => ask<Failures>(`/dashboard/api/failures/${id}`, { method: "DELETE" }),
  save: (capture: Json<typeof Capture>) => send<CaptureAnswer>("/dashboard/api/links", capture)
}

/** What anybody may ask. */
export const publicApi = {
  links: (params: URLSearchParams, signal?: AbortSignal) =>
    ask<PublicLinksPage>(`/list/api/links?${params}`, signal === undefined ? {} : { signal })
}
