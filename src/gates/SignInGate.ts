import { HttpServerRequest } from "@effect/platform"
import { Effect, Layer, Option } from "effect"
import { SignInGate } from "../http/api/Middleware.ts"
import { Access } from "./AccessGate.ts"
import { Sessions } from "./Sessions.ts"

/** Admits the owner, and a browser in which a one-time code was entered. */
export const layer = Layer.effect(
  SignInGate,
  Effect.gen(function* () {
    const access = yield* Access
    const sessions = yield* Sessions
    const pass = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      if (Option.isNone(yield* sessions.settingUp(request))) yield* access.pass
    })
    return { session: () => pass }
  })
)
