import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { CurrentAuthor } from "../domain/Author.ts"
import { Programs, withToken } from "../gates/Programs.ts"
import { OWNERS_API } from "./api/Scopes.ts"
import { groups, pathOf } from "./RouteGroups.ts"

type Request = HttpServerRequest.HttpServerRequest

export const V1 = `${groups.programs.place}/v1`

/** Requests below `/api/v1` that have routes of their own. */
const own: ReadonlySet<string> = new Set(["POST /links"])

/** Returns the path at which a request of a program is answered; `path` begins below `/api/v1`. */
export const innerPath = (method: string, path: string): string =>
  `${own.has(`${method} ${pathOf(path)}`) ? V1 : OWNERS_API}${path}`

/** The description of the API, which is open to everyone. */
export const V1_DOCUMENT = `${V1}/openapi.json`

/** The answer to a CORS preflight request, which needs no token. */
const preflight = HttpServerResponse.empty({
  status: 204,
  headers: {
    "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
    "access-control-allow-headers": "authorization, content-type, idempotency-key, if-none-match",
    "access-control-max-age": "86400"
  }
})

/** The request to the owner's API that one of a program stands for. */
const inward = (request: Request): Request =>
  request.modify({ url: innerPath(request.method, request.url.slice(V1.length)) })

/** Admits a request by its token and hands it to the owner's API, whose endpoints check the scopes (`passScope`). */
export const makeProgramDoor = Effect.map(
  Programs,
  ({ admit }) =>
    <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const path = pathOf(request.url)
        if (request.method === "OPTIONS") return preflight
        if (!path.startsWith(`${V1}/`) || path === V1_DOCUMENT) return yield* handler
        const token = yield* admit(request)
        return yield* handler.pipe(
          Effect.updateService(HttpServerRequest.HttpServerRequest, () => withToken(inward(request), token)),
          Effect.provideService(CurrentAuthor, `token:${token.name}`)
        )
      })
)
