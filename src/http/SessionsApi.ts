import { HttpApiBuilder, HttpServerRequest } from "@effect/platform"
import { Effect, Option } from "effect"
import { Sessions } from "../gates/Sessions.ts"
import { Api } from "./api/Api.ts"
import { NotFound } from "./api/Failures.ts"

const currentRequest = HttpServerRequest.HttpServerRequest

/** Lists and ends the owner's sessions. */
export const layer = HttpApiBuilder.group(
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
