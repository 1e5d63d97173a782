import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Predicate, Stream } from "effect"
import { CurrentAuthor } from "../domain/Author.ts"
import { isObject } from "../domain/Json.ts"
import type { Scope } from "../domain/Token.ts"
import { Programs, requireOneOf, withToken } from "../gates/Programs.ts"
import { boundedBytes } from "../runtime/BoundedBody.ts"
import { BadRequest, NotFound, TooLarge } from "./api/Failures.ts"
import { bodyStream } from "./Body.ts"
import { pathOf } from "./RouteGroups.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** Maximum size of a body without a file, in bytes. */
const MAX_BODY = 1024 * 1024

export const json = (body: unknown, status = 200): Response => HttpServerResponse.unsafeJson(body, { status })
export const nothing = HttpServerResponse.empty({ status: 204 })

export const paramsOf = ({ url }: Request) => new URL(url, "http://localhost").searchParams

/** The status of each error that has no other meaning in such an API. */
const statuses: Readonly<Record<string, number>> = {
  BadRequest: 400,
  LabelRefused: 400,
  KeyReused: 400,
  Unauthorized: 401,
  Forbidden: 403,
  InsufficientScope: 403,
  NotFound: 404,
  HighlightNotFound: 404,
  LinkNotFound: 404,
  PageNotKept: 404,
  SearchNotFound: 404,
  LabelNotFound: 404,
  RequestTimeout: 408,
  ChangedSince: 409,
  UrlTaken: 409,
  TooLarge: 413,
  UnsupportedMediaType: 415,
  TooManyRequests: 429,
  TooManySearches: 400,
  PageDamaged: 503,
  PublicListBusy: 503,
  ReaderUnavailable: 503,
  StoreUnavailable: 503,
  Unavailable: 503
}

/** An error of a handler; one without a status is a defect. */
export interface Refusable {
  readonly _tag: string
  readonly message?: string
}

type Refusal = (status: number, message: string) => Response

const answerTo = (refusal: Refusal) => (error: Refusable) => {
  const status = statuses[error._tag]
  if (status === undefined) return Effect.die(error)
  const unavailable = "The service cannot do this right now."
  const message = error._tag === "Unauthorized" ? "Invalid token." : (error.message ?? "")
  const headers = Predicate.hasProperty(error, "headers") && isObject(error.headers) ? error.headers : {}
  const retry = headers["retry-after"]
  return Effect.succeed(
    HttpServerResponse.setHeaders(
      refusal(status, status === 503 ? unavailable : message),
      typeof retry === "string" ? { "retry-after": retry } : {}
    )
  )
}

const formOf = (bytes: Uint8Array<ArrayBuffer>, type: string) =>
  Effect.tryPromise({
    try: () => new globalThis.Response(bytes, { headers: { "content-type": type } }).formData(),
    catch: () => new BadRequest("Multipart form parse error.")
  })

/** Reads a body of at most `most` bytes, as JSON or as a form. */
export const readBody = Effect.fnUntraced(function* (request: Request, most = MAX_BODY) {
  const type = request.headers["content-type"] ?? ""
  const chunks = yield* Stream.runCollect(boundedBytes(most, () => new TooLarge())(bodyStream(request))).pipe(
    Effect.mapError((error) =>
      error._tag === "RequestTimeout" || error._tag === "TooLarge"
        ? error
        : new BadRequest("The body could not be read.")
    )
  )
  const bytes = new Uint8Array(Buffer.concat([...chunks]))
  if (/^(multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(type))
    return Object.fromEntries([...(yield* formOf(bytes, type))])
  if (bytes.length === 0) return {}
  const parsed = yield* Effect.try({
    try: (): unknown => JSON.parse(new TextDecoder().decode(bytes)),
    catch: () => new BadRequest("JSON parse error.")
  })
  return isObject(parsed) ? parsed : yield* new BadRequest("Invalid data. Expected a dictionary.")
})

/** Reads a number of a page; anything else, such as `undefined`, is the default. */
export const countIn = (params: URLSearchParams, name: string, otherwise: number) => {
  const given = params.get(name) ?? ""
  const count = /^\d{1,9}$/.test(given) ? Number(given) : otherwise
  return name === "limit" && count === 0 ? otherwise : count
}

/** A route such as `GET /api/bookmarks/:n`, the scope that it needs, and its handler; `:n` stands for a number. */
export type ForeignRoute = readonly [
  route: string,
  scope: Scope | "anyone",
  handler: (request: Request, id: number, more: number) => Effect.Effect<Response, Refusable, Request>
]

/** Behind the tokens of this service; `refusal` writes errors as the other program does. */
export const makeForeignApi = (routes: ReadonlyArray<ForeignRoute>, refusal: Refusal) => {
  const patterns = routes.map(([route, scope, handler]) => {
    const [method = "", path = ""] = route.split(" ")
    return { method, path: new RegExp(`^${path.replaceAll(":n", "([1-9]\\d{0,14})")}/?$`), scope, handler }
  })
  return Effect.map(Programs, ({ admit }) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const path = pathOf(request.url)
      const method = request.method === "HEAD" ? "GET" : request.method
      const here = patterns.filter((route) => route.path.test(path))
      const route = here.find((one) => one.method === method)
      if (route?.scope === "anyone") return yield* route.handler(request, 0, 0)
      if (request.headers["authorization"] === undefined)
        return refusal(401, "Authentication credentials were not provided.")
      const token = yield* admit(request)
      if (route === undefined)
        return here.length === 0
          ? yield* new NotFound("Not found.")
          : refusal(405, `Method "${request.method}" not allowed.`)
      const marked = withToken(request, token)
      const [, id = 0, more = 0] = (route.path.exec(path) ?? []).map(Number)
      return yield* Effect.zipRight(requireOneOf([route.scope]), route.handler(marked, id, more)).pipe(
        Effect.provideService(HttpServerRequest.HttpServerRequest, marked),
        Effect.provideService(CurrentAuthor, `token:${token.name}`)
      )
    }).pipe(Effect.catchAll(answerTo(refusal)))
  )
}
