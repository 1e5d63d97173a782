import { HttpApiBuilder } from "@effect/platform"
import { Clock, Effect } from "effect"
import { Setting } from "../config/Configuration.ts"
import { OAuth } from "../gates/OAuth.ts"
import { Programs } from "../gates/Programs.ts"
import { Jobs } from "../library/Jobs.ts"
import { UndoAuthor } from "../library/UndoAuthor.ts"
import { TokenStore } from "../store/signin/TokenStore.ts"
import { jobAnswer } from "./Actions.ts"
import { Api } from "./api/Api.ts"
import { BadRequest, Forbidden } from "./api/Failures.ts"
import { requireIssuer } from "./OAuth.ts"

const ISO_TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/

/** Reads the time at which something expires, which must lie ahead. */
export const expiryOf = Effect.fnUntraced(function* (given: string | null | undefined) {
  if (given == null) return null
  const millis = ISO_TIME.test(given) ? Date.parse(given) : Number.NaN
  if (!(millis > (yield* Clock.currentTimeMillis)))
    return yield* new BadRequest('The field "expiresAt" must be an ISO 8601 time in the future.')
  return new Date(millis).toISOString()
})

/** Handles the owner's API for the tokens of programs. */
export const layer = HttpApiBuilder.group(
  Api,
  "tokens",
  Effect.fn(function* (handlers) {
    const programs = yield* Programs
    const oauth = yield* OAuth
    const store = yield* TokenStore
    const jobs = yield* Jobs
    const undos = yield* UndoAuthor
    const isOpen = yield* Effect.orElseSucceed(Setting.devNoAuth.config, () => false)
    return handlers
      .handle("list", () => Effect.map(store.all, (tokens) => ({ tokens })))
      .handle("add", ({ payload: { expiresAt, name, scopes } }) =>
        // Every program on this machine could make one that outlives the setting.
        isOpen
          ? new Forbidden("With DEV_NO_AUTH, tokens are made on the command line: linkbower token add.")
          : Effect.flatMap(expiryOf(expiresAt), (expiry) => programs.issue(name, scopes, expiry))
      )
      .handle("revoke", ({ path }) => store.revoke(path.id))
      .handle("authorize", ({ payload: { request, scopes } }) =>
        Effect.gen(function* () {
          const base = yield* requireIssuer
          const asked = yield* oauth.ask(new URLSearchParams(request), base)
          return { location: yield* oauth.allow(asked, base, scopes) }
        }).pipe(Effect.catchTag("OAuthRefused", ({ message }) => new BadRequest(message)))
      )
      .handle("undo", ({ path, payload }) =>
        Effect.gen(function* () {
          const name = yield* store.nameOf(path.id)
          return yield* jobAnswer(jobs, yield* undos.start(`token:${name}`, payload))
        })
      )
  })
)
