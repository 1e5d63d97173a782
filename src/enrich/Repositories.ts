import { Context, Data, type Effect, type Option } from "effect"
import type { Repository } from "../domain/Link.ts"

/** A repository host did not answer usefully; `reason` is safe to log. */
export class RepositoryError extends Data.TaggedError("RepositoryError")<{ readonly reason: string }> {}

/** Asks repository hosts (GitHub, GitLab, Forgejo) about the repository an address lies in. */
export class Repositories extends Context.Tag("Repositories")<
  Repositories,
  {
    /** None where the address lies in no repository of a known host. */
    readonly find: (url: URL) => Effect.Effect<Option.Option<Repository>, RepositoryError>
  }
>() {}
