import {
  HttpApiError,
  HttpLayerRouter,
  HttpServerError,
  HttpServerRequest,
  HttpServerRespondable,
  type HttpServerResponse
} from "@effect/platform"
import { Cause, Effect } from "effect"
import { Health } from "../domain/Health.ts"
import { reportStorageFailure } from "../domain/StoreUnavailable.ts"
import { withUrgentPriority } from "../runtime/Scheduling.ts"
import {
  BadRequest,
  type Forbidden,
  Internal,
  type MethodNotAllowed,
  type NotFound,
  NotImplemented,
  type RequestTimeout,
  type TooLarge,
  type TooManyRequests,
  type Unauthorized,
  Unavailable,
  type UnsupportedMediaType
} from "./api/Failures.ts"
import { declaredLength } from "./Body.ts"
import { compressResponse } from "./EmbeddedFile.ts"
import { admit, type IsHttps, makeIsHttps } from "./FrontDoor.ts"
import { makeMcpDoor, makeProgramDoor } from "./ProgramDoor.ts"
import { withRequestMetrics } from "./RequestMetrics.ts"
import { groups, isFromPerson, isPage, loggedPath, pathOf, withGroupHeaders } from "./RouteGroups.ts"
import { makeSignInPage } from "./SignInPage.tsx"

/** The place of a response that does not fit its schema; the framework's error repeats the values, which are anyone's. */
const withoutValues = ({ issues }: HttpApiError.HttpApiDecodeError) =>
  Cause.die(
    new Error(`The response does not fit its schema at "${(issues[0]?.path ?? []).map(String).join(".")}".`)
  )

/** A respondable failure as itself, an unreadable library as 503, a bug as a plain 500. */
const answerTo = Effect.fnUntraced(function* (cause: Cause.Cause<unknown>) {
  const error = Cause.squash(cause)
  // Every path has a route for all usual methods, so this method is unknown.
  if (error instanceof HttpServerError.RouteNotFound)
    return yield* HttpServerRespondable.toResponse(new NotImplemented())
  if (error instanceof HttpServerError.RequestError)
    return yield* HttpServerRespondable.toResponse(new BadRequest())
  if (HttpServerRespondable.isRespondable(error)) return yield* HttpServerRespondable.toResponse(error)
  if (yield* reportStorageFailure(cause)) return yield* HttpServerRespondable.toResponse(new Unavailable())
  const id = crypto.randomUUID()
  const request = yield* HttpServerRequest.HttpServerRequest
  yield* Effect.annotateLogs(
    Effect.logError(
      `${request.method} ${loggedPath(pathOf(request.url))} failed`,
      error instanceof HttpApiError.HttpApiDecodeError ? withoutValues(error) : cause
    ),
    "request",
    id
  )
  return yield* HttpServerRespondable.toResponse(
    new Internal(`Something went wrong. The log has the details under ${id}.`)
  )
})

type Answer = HttpServerResponse.HttpServerResponse

const answerFailures = <E, R>(
  handler: Effect.Effect<Answer, E, R>,
  health: Health["Type"]
): Effect.Effect<Answer, E, R | HttpServerRequest.HttpServerRequest> =>
  Effect.catchAllCause(handler, (cause) =>
    Cause.isInterruptedOnly(cause)
      ? Effect.failCause(cause)
      : Effect.provideService(Effect.orDie(answerTo(cause)), Health, health)
  )

/** What every response needs. */
interface Parts {
  readonly throughDoor: Effect.Effect.Success<typeof makeProgramDoor>
  readonly throughMcp: Effect.Effect.Success<typeof makeMcpDoor>
  readonly isHttps: IsHttps
  readonly health: Health["Type"]
  readonly signInPage: Effect.Effect.Success<typeof makeSignInPage>
}

const bringsBody = (request: HttpServerRequest.HttpServerRequest) =>
  declaredLength(request) > 0 || request.headers["transfer-encoding"] !== undefined

/** Why the front door or a door for programs refuses a request. */
type Refusal =
  | BadRequest
  | Forbidden
  | MethodNotAllowed
  | NotFound
  | RequestTimeout
  | TooLarge
  | TooManyRequests
  | Unauthorized
  | UnsupportedMediaType

/** Admits or refuses a request, and gives the response the headers of its group. */
const serve = <E, R>(
  routes: Effect.Effect<Answer, E, R>,
  { health, isHttps, signInPage, throughDoor, throughMcp }: Parts
) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const { group, host, refusal } = admit(request)
    const handler: Effect.Effect<Answer, E | Refusal, R | HttpServerRequest.HttpServerRequest> =
      group === groups.programs
        ? throughDoor(routes)
        : group === groups.mcp
          ? throughMcp(answerFailures(routes, health))
          : routes
    // Limits how many requests of a burst, read from the network at once, start in one turn of the event loop. One that
    // brings a body starts at once: until a gate refuses it, the server keeps in memory what arrives.
    const inTurn: Effect.Effect<Answer, E | Refusal, R | HttpServerRequest.HttpServerRequest> =
      refusal ?? (bringsBody(request) ? handler : Effect.zipRight(Effect.yieldNow(), handler))
    const answered = answerFailures(group.isUrgent ? withUrgentPriority(inTurn) : inTurn, health)
    // A person whom gate 4 refuses gets the page for signing in, at every address alike.
    const mayShowPage = refusal === undefined && group.isOwners === true && isFromPerson(request)
    const answering = mayShowPage
      ? Effect.flatMap(answered, (answer) =>
          answer.status === 403
            ? answerFailures(signInPage.respond(403, false), health)
            : Effect.succeed(answer)
        )
      : answered
    return Effect.zipWith(answering, isHttps(request, host), (answer, overHttps) =>
      withGroupHeaders(group, request, isPage(answer) ? compressResponse(request, answer) : answer, overHttps)
    )
  })

/** Front door, failures as the contract's bodies, headers of the group, a count of every response. */
export const layer = HttpLayerRouter.middleware(
  Effect.map(
    Effect.all({
      isHttps: makeIsHttps,
      health: Health,
      signInPage: makeSignInPage,
      throughDoor: makeProgramDoor,
      throughMcp: makeMcpDoor
    }),
    (parts) =>
      <E, R>(handler: Effect.Effect<Answer, E, R>) =>
        withRequestMetrics(serve(handler, parts))
  ),
  { global: true }
)
