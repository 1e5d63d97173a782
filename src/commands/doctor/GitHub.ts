import { Effect, Option } from "effect"
import { Setting } from "../../domain/Configuration.ts"
import { rateLimit } from "../../enrich/GitHubProbe.ts"
import type { ProbeFailed } from "../../enrich/ProbeFailed.ts"
import type { ServerDates } from "../../enrich/ServerDates.ts"
import { type Check, fail, type Line, ok, PATIENCE, warn } from "./Finding.ts"

const MEANWHILE = "repositories are saved like other pages meanwhile"

const failed = ({ reason, status }: ProbeFailed, hasToken: boolean): Line => {
  switch (reason) {
    case "unreachable":
      return warn("API", "cannot be reached", `See the network and GITHUB_API_URL; ${MEANWHILE}.`)
    case "timeout":
      return warn("API", "does not answer in time", `See the network and GITHUB_API_URL; ${MEANWHILE}.`)
    case "refused":
      return hasToken
        ? fail("token", `refused (${status})`, "Unset GITHUB_TOKEN, or set it to one that has not run out.")
        : warn(
            "API",
            `refuses to answer (${status})`,
            "It may want a GITHUB_TOKEN; one without any permission does."
          )
    case "missing":
      return ok("API", "no rate limit")
    case "limited":
      return warn("API", "limits requests (429)", "Wait an hour, or set GITHUB_TOKEN.")
    case "status":
      return warn("API", `answers ${status}`, `Ask again later; ${MEANWHILE}.`)
    case "garbage":
      return warn("API", "its answer is not one", "See that GITHUB_API_URL is the address of GitHub's API.")
  }
}

const RAISE = "With a GITHUB_TOKEN, which needs no permission, it is 5,000 an hour."

/** What GitHub lets be asked, and whether the token counts. */
export const gitHub: Check<ServerDates> = Effect.gen(function* () {
  const token = yield* Effect.orElseSucceed(Setting.githubToken.config, Option.none)
  const hasToken = Option.isSome(token)
  return yield* Effect.match(rateLimit(PATIENCE), {
    onSuccess: ({ limit, remaining, reset }) => {
      const left = `${remaining} of ${limit} requests an hour left${hasToken ? ", with the token" : ""}`
      const until = new Date(reset * 1000).toISOString().slice(11, 16)
      return remaining > 0
        ? [ok("API", left, hasToken ? "" : RAISE)]
        : [warn("API", left, `There are more at ${until} UTC. ${hasToken ? "" : RAISE}`.trim())]
    },
    onFailure: (error) =>
      error._tag === "ProbeFailed"
        ? [failed(error, hasToken)]
        : [warn("API", "not asked: GITHUB_API_URL is not usable", "Correct it first.")]
  })
})
