import { Effect, Option, Redacted, Schema } from "effect"
import { Setting } from "../domain/Configuration.ts"
import { ProbeFailed, statusFailed } from "./ProbeFailed.ts"
import { probe } from "./ProbeRequest.ts"
import { ServerDates } from "./ServerDates.ts"

/** https://docs.github.com/en/rest/rate-limit; `reset` is in Unix seconds. */
const Limits = Schema.Struct({
  resources: Schema.Struct({
    core: Schema.Struct({ limit: Schema.Int, remaining: Schema.Int, reset: Schema.Number })
  })
})
const decode = Schema.decodeUnknown(Schema.parseJson(Limits))

/** What is left of GitHub's hourly limit, for the token in the settings or without one; asking does not count. */
export const rateLimit = Effect.fn("GitHubProbe.rateLimit")(function* (timeout: number) {
  const api = yield* Setting.githubApiUrl.config
  const token = yield* Setting.githubToken.config
  const url = `${api.replace(/\/+$/, "")}/rate_limit`
  const { body, headers, status } = yield* probe(
    url,
    {
      accept: "application/vnd.github+json",
      "user-agent": "linkbower",
      ...Option.match(token, {
        onNone: () => ({}),
        onSome: (secret) => ({ authorization: `Bearer ${Redacted.value(secret)}` })
      })
    },
    timeout
  )
  yield* (yield* ServerDates).saw(url, headers)
  if (status !== 200) return yield* statusFailed(status)
  const { resources } = yield* Effect.mapError(decode(body), () => new ProbeFailed({ reason: "garbage" }))
  return resources.core
})
