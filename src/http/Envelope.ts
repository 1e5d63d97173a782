import {
  HttpLayerRouter,
  HttpServerError,
  HttpServerRequest,
  HttpServerRespondable,
  HttpServerResponse
} from "@effect/platform"
import { Cause, Effect } from "effect"
import { BadRequest, Internal, NotImplemented } from "../api/Failures.ts"
import { compressed } from "./Compressed.ts"
import { measured } from "./Measured.ts"

/** What every answer carries (OWASP Secure Headers; Fetch Metadata; CSP level 3). */
const always = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin"
}
const data = { "content-security-policy": "default-src 'none'; frame-ancestors 'none'" }
const page = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; " +
    "worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
    "require-trusted-types-for 'script'; trusted-types linkbower"
}
const ownersOnly = {
  "cache-control": "no-store",
  "cross-origin-resource-policy": "same-origin",
  "x-robots-tag": "noindex, nofollow"
}
const revalidated = { "cache-control": "no-cache" }

/** The policy of an answer that names none. A 304 leaves the one that was sent with the content (RFC 9111, 4.3.4). */
const policyFor = ({ headers, status }: HttpServerResponse.HttpServerResponse, isPage: boolean) => {
  if (status === 304 || "content-security-policy" in headers) return {}
  return isPage ? page : data
}

const isPrivate = (url: string) => /^\/(dashboard|capture|webhook)(?![a-z])/i.test(url)

/** The address without its query, which may hold what the owner looked for. */
const pathOf = (url: string) => url.split("?", 1)[0]

const dressed = (
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
) => {
  const isPage = response.headers["content-type"]?.startsWith("text/html") === true
  return HttpServerResponse.setHeaders(isPage ? compressed(request, response) : response, {
    ...always,
    ...policyFor(response, isPage),
    ...(isPrivate(request.url) ? ownersOnly : "cache-control" in response.headers ? {} : revalidated),
    ...(response.status === 401 ? { "www-authenticate": "Bearer" } : {}),
    ...(response.status === 503 ? { "retry-after": "5" } : {})
  })
}

/** The answer to what no handler has answered: a failure that says how, a bug as a plain 500 that tells nothing. */
const answerTo = Effect.fnUntraced(function* (cause: Cause.Cause<unknown>) {
  const error = Cause.squash(cause)
  // Every path is answered, with each of the usual methods.
  if (error instanceof HttpServerError.RouteNotFound)
    return yield* HttpServerRespondable.toResponse(new NotImplemented())
  if (error instanceof HttpServerError.RequestError)
    return yield* HttpServerRespondable.toResponse(new BadRequest())
  if (HttpServerRespondable.isRespondable(error)) return yield* HttpServerRespondable.toResponse(error)
  const id = crypto.randomUUID()
  const request = yield* HttpServerRequest.HttpServerRequest
  yield* Effect.annotateLogs(
    Effect.logError(`${request.method} ${pathOf(request.url)} failed`, cause),
    "request",
    id
  )
  return yield* HttpServerRespondable.toResponse(
    new Internal(`Something went wrong here. The log knows it as ${id}.`)
  )
})

type Answer = HttpServerResponse.HttpServerResponse

const answered = <E, R>(
  handler: Effect.Effect<Answer, E, R>
): Effect.Effect<Answer, E, R | HttpServerRequest.HttpServerRequest> =>
  Effect.catchAllCause(handler, (cause) =>
    Cause.isInterruptedOnly(cause) ? Effect.failCause(cause) : Effect.orDie(answerTo(cause))
  )

/** Around every route: failures become the contract's bodies, every answer gets its security headers and is counted. */
export const layer = HttpLayerRouter.middleware(
  (handler) => measured(Effect.zipWith(HttpServerRequest.HttpServerRequest, answered(handler), dressed)),
  { global: true }
)
