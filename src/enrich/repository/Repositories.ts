import { Context, type Duration, Effect, Layer, Option } from "effect"
import type { Repository } from "../../domain/Link.ts"
import { Measure } from "../../telemetry/Metrics.ts"
import * as Forges from "./Forges.ts"
import * as GitHub from "./GitHub.ts"
import { type RepositoryAddress, RepositoryError, repositoryOf } from "./RepositoryAddress.ts"

export { RepositoryError }

const counted =
  (kind: RepositoryAddress["kind"]) =>
  <R>(find: Effect.Effect<Option.Option<Repository>, RepositoryError, R>) => {
    const count = (outcome: string) => Measure.repositoryCalls.count(kind, outcome)
    return Effect.tapBoth(find, {
      onSuccess: (found) => count(Option.isSome(found) ? "ok" : "none"),
      onFailure: () => count("failed")
    })
  }

/** Makes a lookup that gives each repository host `timeout` to answer. */
export const make = Effect.fnUntraced(function* (timeout: Duration.DurationInput) {
  const gitHub = yield* GitHub.make(timeout)
  const forges = yield* Forges.make(timeout)
  const ask = { github: gitHub.find, gitlab: forges.gitLab, forgejo: forges.forgejo }

  const find = Effect.fn("Repositories.find")(function* (url: URL) {
    const address = repositoryOf(url, yield* GitHub.enterpriseHost)
    if (Option.isNone(address)) return Option.none<Repository>()
    const { kind } = address.value
    return yield* counted(kind)(ask[kind](address.value))
  })
  return { find }
})

/** Looks up the repository that a URL belongs to on GitHub, GitLab or Forgejo, within five seconds. */
export class Repositories extends Context.Tag("Repositories")<
  Repositories,
  {
    /** None if the URL is not in a repository of a known host, or the host has no such repository. */
    readonly find: (url: URL) => Effect.Effect<Option.Option<Repository>, RepositoryError>
  }
>() {
  static readonly layer = Layer.effect(this, make("5 seconds"))
}
