import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, FiberSet, Option, Ref, Schema } from "effect"
import { CurrentAuthor } from "../domain/Author.ts"
import { isObject } from "../domain/Json.ts"
import { Scope, type Token } from "../domain/Token.ts"
import { USUAL_SCOPES } from "../gates/OAuth.ts"
import { Programs, withToken } from "../gates/Programs.ts"
import { type ApiRequest, ProgramsApi, ToolFailure } from "../mcp/ProgramsApi.ts"
import { BadRequest, InsufficientScope, MethodNotAllowed, NotFound, Unauthorized } from "./api/Failures.ts"
import { OWNERS_API } from "./api/Scopes.ts"
import { parseJson, readText, requireJson } from "./Body.ts"
import { mcpChallenge } from "./OAuth.ts"
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

type Answer = HttpServerResponse.HttpServerResponse

/** The request that a tool makes, as one of the program with this token. */
const toolRequest = (outer: Request, token: Token, { body, method, path }: ApiRequest): Request => {
  const url = innerPath(method, path)
  const sent =
    body === undefined
      ? { method }
      : { method, body: JSON.stringify(body), headers: { "content-type": "application/json" } }
  const request = HttpServerRequest.fromWeb(new globalThis.Request(`http://localhost${url}`, sent))
  const from = Option.match(outer.remoteAddress, {
    onNone: () => ({}),
    onSome: (remoteAddress) => ({ remoteAddress })
  })
  return withToken(request.modify({ url, ...from }), token)
}

const isScope = Schema.is(Scope)

const failureIn = (answer: unknown) => {
  const { message, needs } = isObject(answer) ? answer : {}
  return new ToolFailure({
    message: typeof message === "string" ? message : "The service refused this.",
    needs: isScope(needs) ? needs : undefined
  })
}

/** Reads the JSON of an answer; a refusal fails with its sentence. */
const jsonOf = (answer: Answer) => {
  const web = HttpServerResponse.toWeb(answer)
  return Effect.filterOrFail(
    Effect.promise((): Promise<unknown> => web.json()),
    () => web.ok,
    failureIn
  )
}

/** Tells a program which scopes to ask the owner for: those that it has, and the one that it lacks. */
const refuseScope = Effect.fnUntraced(function* ({ scopes }: Token, needs: Scope) {
  const challenge = yield* mcpChallenge([...scopes, needs], "insufficient_scope")
  return HttpServerResponse.unsafeJson(new InsufficientScope({ needs }).body, {
    status: 403,
    headers: { "www-authenticate": challenge }
  })
})

/**
 * Makes the door of `/mcp`, the Model Context Protocol over streamable HTTP (https://modelcontextprotocol.io). A tool
 * sends requests to the programs' API in this process, so a program may do there what its token allows, and no more. The
 * protocol's library is loaded for the first program that comes in.
 */
export const makeMcpDoor = Effect.map(
  Programs,
  ({ admit }) =>
    <E, R>(routes: Effect.Effect<Answer, E, R>) =>
      Effect.scoped(
        Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          if (pathOf(request.url) !== groups.mcp.place) return yield* new NotFound()
          const token = yield* Effect.catchTag(admit(request), "Unauthorized", () =>
            Effect.flatMap(mcpChallenge(USUAL_SCOPES), (challenge) => new Unauthorized(challenge))
          )
          // Without sessions, there is no stream to open and nothing to end.
          if (request.method !== "POST") return yield* new MethodNotAllowed(["POST"])
          yield* requireJson
          const text = yield* readText
          const sent = yield* parseJson(text)
          // A batch, which the protocol has dropped, would count as one request of the token's rate.
          if (Array.isArray(sent)) return yield* new BadRequest("Send one message in each request.")
          const run = yield* FiberSet.makeRuntimePromise()
          const context = yield* Effect.context<R | HttpServerRequest.HttpServerRequest>()
          const api = (asked: ApiRequest) =>
            routes.pipe(
              Effect.updateService(HttpServerRequest.HttpServerRequest, () =>
                toolRequest(request, token, asked)
              ),
              Effect.orDie,
              Effect.provide(context),
              Effect.flatMap(jsonOf)
            )
          const { answer, MissingScope } = yield* Effect.promise(() => import("../mcp/Server.ts"))
          const missing = yield* Ref.make(Option.none<Scope>())
          const web = new globalThis.Request(`http://localhost${groups.mcp.place}`, {
            method: request.method,
            headers: request.headers,
            body: text
          })
          const answered = yield* Effect.promise(() =>
            answer(
              (work) =>
                run(
                  work.pipe(
                    Effect.provideService(ProgramsApi, api),
                    Effect.provideService(MissingScope, (scope) => Ref.set(missing, Option.some(scope))),
                    Effect.provideService(CurrentAuthor, `token:${token.name}`)
                  )
                ),
              web,
              sent
            )
          )
          const lacks = yield* Ref.get(missing)
          if (Option.isSome(lacks)) return yield* refuseScope(token, lacks.value)
          return HttpServerResponse.text(yield* Effect.promise(() => answered.text()), {
            status: answered.status,
            contentType: answered.headers.get("content-type") ?? "application/json"
          })
        })
      )
)
