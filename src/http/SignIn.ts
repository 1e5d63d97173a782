import { HttpApiBuilder, HttpApp, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import type { SignInWay } from "../domain/SignIn.ts"
import { Access } from "../gates/AccessGate.ts"
import { GUESSES, makeAttempts, type TooManyAttempts } from "../gates/Attempts.ts"
import { OneTimeCodes } from "../gates/OneTimeCodes.ts"
import { OwnerPassword } from "../gates/OwnerPassword.ts"
import { Passkeys } from "../gates/Passkeys.ts"
import { Sessions, sendCookie } from "../gates/Sessions.ts"
import { SignInWays } from "../gates/SignInWays.ts"
import { count } from "../shared/Format.ts"
import type { QuestionRefused } from "../telegram/SignInQuestions.ts"
import { Api } from "./api/Api.ts"
import { tooManyRequests } from "./api/Failures.ts"
import { GivenAssertion, GivenCode, GivenPassword, type WaysAnswer } from "./api/SignInApi.ts"
import { OpenBody } from "./Body.ts"

const waitText = (seconds: number) =>
  seconds < 60 ? count(seconds, "second") : count(Math.ceil(seconds / 60), "minute")

const tooMany = (seconds: number, problem: string) =>
  tooManyRequests(seconds, `${problem} Try again in ${waitText(seconds)}.`)

const closeConnection = HttpApp.appendPreResponseHandler((_, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "connection", "close"))
)

/** The connection closes, because the body that may follow is not waited for. */
export const tooManyAttempts = ({ seconds }: TooManyAttempts) =>
  Effect.zipRight(closeConnection, tooMany(seconds, "There were too many attempts."))

export const questionRefused = ({ because, seconds }: QuestionRefused) =>
  tooMany(
    seconds,
    because === "waiting"
      ? "Another browser is already asking in the chat. If it is not yours, deny it there."
      : "The bot has asked too often."
  )

/** Makes the browser forget the pictures that it may keep for a day (W3C Clear Site Data). */
const clearCache = ["clear-site-data", '"cache"'] as const

const done = HttpServerResponse.empty({ status: 204 })

const currentRequest = HttpServerRequest.HttpServerRequest

export const beginSession = (sessions: Sessions["Type"], way: Exclude<SignInWay, "password">) =>
  currentRequest.pipe(
    Effect.flatMap((request) => sessions.begin(way, request)),
    Effect.flatMap(sendCookie)
  )

export const beginPasswordSession = (sessions: Sessions["Type"], hash: string) =>
  currentRequest.pipe(
    Effect.flatMap((request) => sessions.beginWithPassword(hash, request)),
    Effect.flatMap(sendCookie)
  )

/** Signs the owner in and out with the service's own credentials. */
export const layer = HttpApiBuilder.group(
  Api,
  "signin",
  Effect.fn(function* (handlers) {
    const access = yield* Access
    // Counted apart from passwords, so that strangers who try those cannot keep the owner from entering a code.
    const attemptCode = yield* makeAttempts({ perClient: GUESSES })
    const body = yield* OpenBody
    const codes = yield* OneTimeCodes
    const passkeys = yield* Passkeys
    const password = yield* OwnerPassword
    const sessions = yield* Sessions
    const signInWays = yield* SignInWays

    const ways = Effect.gen(function* () {
      const request = yield* currentRequest
      // The page that asks shows how to find the code.
      yield* Effect.ignore(signInWays.logCode("needed"))
      const answer: WaysAnswer = {
        ways: yield* signInWays.ways(request),
        isSetUp: yield* signInWays.isSetUp,
        isSignedIn: yield* access.admits,
        isSettingUp: Option.isSome(yield* sessions.settingUp(request))
      }
      return answer
    })

    const redeem = Effect.gen(function* () {
      const { code } = yield* body.read(GivenCode)
      yield* codes.redeem(code, yield* signInWays.isSetUp)
    })

    return handlers
      .handle("ways", () => ways)
      .handleRaw("code", () =>
        Effect.gen(function* () {
          const request = yield* currentRequest
          // First: a code whose cookie the browser cannot keep must not be used up.
          yield* sessions.requireProtected(request)
          yield* attemptCode(request, redeem)
          yield* beginSession(sessions, "code")
          return done
        }).pipe(Effect.catchTag("TooManyAttempts", tooManyAttempts))
      )
      .handleRaw("password", () =>
        Effect.gen(function* () {
          const request = yield* currentRequest
          yield* sessions.requireProtected(request)
          const given = Effect.map(body.read(GivenPassword), (one) => one.password)
          yield* beginPasswordSession(sessions, yield* password.check(request, given))
          return done
        }).pipe(Effect.catchTag("TooManyAttempts", tooManyAttempts))
      )
      .handle("passkeyOptions", () =>
        Effect.gen(function* () {
          const { cookie, options } = yield* passkeys.ask(yield* currentRequest)
          yield* sendCookie(cookie)
          return { ...options }
        }).pipe(Effect.catchTag("TooManyAttempts", tooManyAttempts))
      )
      .handleRaw("passkey", () =>
        Effect.gen(function* () {
          const given = Effect.map(body.read(GivenAssertion), ({ response }) => response)
          yield* passkeys.verify(yield* currentRequest, given)
          yield* beginSession(sessions, "passkey")
          return done
        })
      )
      .handle("signOut", () =>
        Effect.gen(function* () {
          const cleared = yield* sessions.endCurrent(yield* currentRequest)
          if (Option.isSome(cleared)) yield* sendCookie(cleared.value)
          yield* HttpApp.appendPreResponseHandler((_, response) =>
            Effect.succeed(HttpServerResponse.setHeader(response, ...clearCache))
          )
        })
      )
  })
)
