import { HttpApiBuilder, HttpServerRequest } from "@effect/platform"
import { Effect, Option, type Redacted } from "effect"
import { Access } from "../gates/AccessGate.ts"
import { deviceName } from "../gates/Device.ts"
import { OwnerPassword, PasswordWrong } from "../gates/OwnerPassword.ts"
import { Passkeys } from "../gates/Passkeys.ts"
import { Sessions, sendCookie } from "../gates/Sessions.ts"
import { type Removal, SignInWays } from "../gates/SignInWays.ts"
import { Api } from "./api/Api.ts"
import { LastWay, NotFound } from "./api/Failures.ts"
import { beginPasswordSession, beginSession, tooManyAttempts } from "./SignIn.ts"

const currentRequest = HttpServerRequest.HttpServerRequest

export const newCredentialsLayer = HttpApiBuilder.group(
  Api,
  "newCredentials",
  Effect.fn(function* (handlers) {
    const access = yield* Access
    const passkeys = yield* Passkeys
    const password = yield* OwnerPassword
    const sessions = yield* Sessions

    /** None if the owner comes in another way. Passed again: the session may have ended while the body was read. */
    const asker = Effect.gen(function* () {
      const session = yield* sessions.currentId(yield* currentRequest)
      if (Option.isNone(session)) yield* access.pass
      return session
    })

    /** The owner must know the current password to change it; a one-time code shows as much. */
    const requireCurrent = Effect.fnUntraced(function* (given: Redacted.Redacted | undefined) {
      const request = yield* currentRequest
      if (Option.isSome(yield* sessions.settingUp(request)) || !(yield* password.isSet)) return
      if (given === undefined) return yield* new PasswordWrong()
      yield* password.check(request, Effect.succeed(given))
    })

    return handlers
      .handle("setPassword", ({ payload }) =>
        Effect.gen(function* () {
          const request = yield* currentRequest
          yield* sessions.requireProtected(request)
          const session = yield* asker
          yield* requireCurrent(payload.current)
          const hash = yield* password.set(payload.password, request.headers["host"] ?? "", session)
          yield* beginPasswordSession(sessions, hash)
        }).pipe(Effect.catchTag("TooManyAttempts", tooManyAttempts))
      )
      .handle("newPasskeyOptions", () =>
        Effect.gen(function* () {
          const { cookie, options } = yield* passkeys.askNew(yield* currentRequest)
          yield* sendCookie(cookie)
          return { ...options }
        })
      )
      .handle("addPasskey", ({ payload }) =>
        Effect.gen(function* () {
          const request = yield* currentRequest
          const name = payload.name ?? deviceName(request.headers["user-agent"])
          const session = yield* asker
          const id = yield* passkeys.add(request, payload.response, name, session)
          yield* beginSession(sessions, "passkey")
          return { id, name }
        })
      )
  })
)

export const credentialsLayer = HttpApiBuilder.group(
  Api,
  "credentials",
  Effect.fn(function* (handlers) {
    const passkeys = yield* Passkeys
    const ways = yield* SignInWays

    const remove = (removal: Removal) =>
      currentRequest.pipe(
        Effect.flatMap((request) => ways.remove(removal, request)),
        Effect.flatMap((removed): Effect.Effect<void, LastWay | NotFound> => {
          if (removed === "last") return new LastWay()
          return removed === "removed" ? Effect.void : new NotFound("There is no such credential.")
        })
      )

    return handlers
      .handle("removePassword", () => remove("password"))
      .handle("passkeys", () =>
        Effect.map(passkeys.list, (all) => ({
          passkeys: all.map(({ createdAt, host, id, name, usedAt }) => ({
            id,
            name,
            host,
            createdAt,
            usedAt
          }))
        }))
      )
      .handle("renamePasskey", ({ path: { id }, payload: { name } }) =>
        Effect.flatMap(passkeys.rename(id, name), (found) =>
          found ? Effect.succeed({ id, name }) : new NotFound("No passkey has this number.")
        )
      )
      .handle("removePasskey", ({ path }) => remove({ passkey: path.id }))
  })
)

/** Lists and ends the owner's sessions. */
export const sessionsLayer = HttpApiBuilder.group(
  Api,
  "sessions",
  Effect.fn(function* (handlers) {
    const sessions = yield* Sessions
    return handlers
      .handle("list", () =>
        Effect.gen(function* () {
          const own = yield* sessions.currentId(yield* currentRequest)
          return {
            sessions: (yield* sessions.list).map((session) => ({
              ...session,
              current: Option.contains(own, session.id)
            }))
          }
        })
      )
      .handle("end", ({ path }) =>
        Effect.flatMap(sessions.end(path.id), (found) =>
          found ? Effect.void : new NotFound("No session has this number.")
        )
      )
      .handle("endOthers", () => currentRequest.pipe(Effect.flatMap(sessions.endOthers)))
  })
)
