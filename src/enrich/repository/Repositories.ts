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

/** Repository hosts that are given up on after `timeout`. */
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

/** Asks repository hosts (GitHub, GitLab, Forgejo) about the repository an address lies in, within five seconds. */
export class Repositories extends Context.Tag("Repositories")<
  Repositories,
  {
    /** None where the address lies in no repository of a known host, or the host knows none there. */
    readonly find: (url: URL) => Effect.Effect<Option.Option<Repository>, RepositoryError>
  }
>() {
  static readonly layer = Layer.effect(this, make("5 seconds"))
}
