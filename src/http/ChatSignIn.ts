import { HttpApiBuilder, HttpServerRequest } from "@effect/platform"
import { DateTime, Duration, Effect, Option } from "effect"
import { GUESSES, makeAttempts } from "../gates/Attempts.ts"
import { Callers } from "../gates/Callers.ts"
import { clientOf } from "../gates/ClientAddress.ts"
import { deviceName } from "../gates/Device.ts"
import { Sessions, sendCookie } from "../gates/Sessions.ts"
import { SignInWays } from "../gates/SignInWays.ts"
import { makeTickets } from "../gates/Tickets.ts"
import { SignInQuestions } from "../telegram/SignInQuestions.ts"
import { Api } from "./api/Api.ts"
import { NotFound } from "./api/Failures.ts"
import { beginSession, questionRefused, tooManyAttempts } from "./SignIn.ts"

/** How long a browser keeps its question: as long as the question itself, and an answer in its last moment. */
const LIFETIME = Duration.minutes(5)

const currentRequest = HttpServerRequest.HttpServerRequest

export const layer = HttpApiBuilder.group(
  Api,
  "chatSignIn",
  Effect.fn(function* (handlers) {
    const attempt = yield* makeAttempts({ perClient: GUESSES, countsAll: true })
    const callers = yield* Callers
    const questions = yield* SignInQuestions
    const sessions = yield* Sessions
    const tickets = makeTickets<string>("linkbower_question", LIFETIME)
    const ways = yield* SignInWays

    return handlers
      .handle("ask", () =>
        Effect.gen(function* () {
          const request = yield* currentRequest
          const chat = yield* ways.botChat
          if (Option.isNone(chat)) return yield* new NotFound()
          // First: a question whose answer the browser cannot keep must not be sent.
          yield* sessions.requireProtected(request)
          const asking = {
            device: deviceName(request.headers["user-agent"]),
            address: (yield* clientOf(request)).address
          }
          const own = yield* tickets.peek(request)
          const { isKnown } = yield* callers.find(request)
          const sent = yield* attempt(request, questions.ask(chat.value, asking, own, isKnown))
          yield* sendCookie(yield* tickets.issue(request, sent.token))
          return { expiresAt: DateTime.formatIso(sent.expiresAt), number: sent.number }
        }).pipe(Effect.catchTags({ TooManyAttempts: tooManyAttempts, QuestionRefused: questionRefused }))
      )
      .handle("look", () =>
        Effect.gen(function* () {
          const request = yield* currentRequest
          const token = yield* tickets.peek(request)
          if (Option.isNone(token)) return { state: "expired" as const }
          const state = yield* questions.collect(token.value)
          if (state !== "waiting") yield* tickets.take(request)
          if (state === "allowed") yield* beginSession(sessions, "bot")
          return { state }
        })
      )
  })
)
