import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Predicate, Stream } from "effect"
import { CurrentAuthor } from "../domain/Author.ts"
import { isObject } from "../domain/Json.ts"
import type { Conditions } from "../domain/LinkQuery.ts"
import type { Scope } from "../domain/Token.ts"
import { Programs, requireOneOf, withToken } from "../gates/Programs.ts"
import type { SearchLinks } from "../library/SearchLinks.ts"
import { boundedBytes } from "../runtime/BoundedBody.ts"
import { yieldToEventLoop } from "../runtime/Scheduling.ts"
import type { Sort } from "../shared/ListParameters.ts"
import { BadRequest, NotFound, statuses, TooLarge } from "./api/Failures.ts"
import { bodyStream } from "./Body.ts"
import { pathOf } from "./RouteGroups.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** Maximum size of a body without a file, in bytes. */
const MAX_BODY = 1024 * 1024

export const json = (body: unknown, status = 200): Response => HttpServerResponse.unsafeJson(body, { status })
export const nothing = HttpServerResponse.empty({ status: 204 })

export const paramsOf = ({ url }: Request) => new URL(url, "http://localhost").searchParams

/** The status of each error, which differs from that in the owner's API for a few. */
const statusOf = (tag: string): number | undefined => otherStatuses[tag] ?? statuses.get(tag)
const otherStatuses: Readonly<Record<string, number>> = {
  KeyReused: 400,
  TooManySearches: 400,
  PageDamaged: 503,
  PublicListBusy: 503
}

/** An error of a handler; one without a status is a defect. */
export interface Refusable {
  readonly _tag: string
  readonly message?: string
}

type Refusal = (status: number, message: string) => Response

const answerTo = (refusal: Refusal) => (error: Refusable) => {
  const status = statusOf(error._tag)
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
const countIn = (params: URLSearchParams, name: string, otherwise: number) => {
  const given = params.get(name) ?? ""
  const count = /^\d{1,9}$/.test(given) ? Number(given) : otherwise
  return name === "limit" && count === 0 ? otherwise : count
}

/** The part of a list that a request asks for. */
export const partIn = (params: URLSearchParams, otherwise: number, most = Number.POSITIVE_INFINITY) => {
  const limit = Math.min(countIn(params, "limit", otherwise), most)
  const offset = countIn(params, "offset", 0)
  return { limit, offset, upTo: offset + limit }
}

/** Orders by the names that the other program gives them; some are the reverse of one that the store has. */
export type Orders = Readonly<Record<string, readonly [sort: Sort, isReversed: boolean]>>

/** Links of a list that are decoded at a time. */
const CHUNK = 250

interface Listing<A> {
  readonly decode: (json: string) => A
  /** How many links are wanted, counted from the first; all of them if undefined. */
  readonly upTo?: number
  /** Which links stay, if the store cannot tell. */
  readonly keeps?: ((link: A) => boolean) | undefined
}

/** Makes a search for links in the order that a request names: by relevance or newest first if it names none. */
export const makeFindLinks =
  (search: SearchLinks["Type"], orders: Orders) =>
  <A>(order: string | null, conditions: Conditions, { decode, keeps, upTo }: Listing<A>) =>
    Effect.gen(function* () {
      const isWanted = conditions.terms.some(({ negated }) => !negated)
      const [sort, isReversed] = orders[order ?? ""] ?? [isWanted ? "relevance" : "newest", false]
      const isWhole = isReversed || keeps !== undefined
      const page = yield* search.page({ ...conditions, sort, limit: isWhole ? undefined : upTo })
      const all: Array<A> = []
      for (let at = 0; at < page.links.length; at += CHUNK) {
        all.push(...page.links.slice(at, at + CHUNK).map((text) => decode(text)))
        if (at > 0) yield* yieldToEventLoop
      }
      const links = keeps === undefined ? all : all.filter(keeps)
      return {
        links: isReversed ? links.reverse() : links,
        total: keeps === undefined ? page.total : links.length
      }
    })

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
