import { type Duration, Effect, Option, Predicate } from "effect"
import type { Repository } from "../../domain/Link.ts"
import { Service } from "../../runtime/Services.ts"
import { Measure } from "../../telemetry/Metrics.ts"
import { type FetchError, Fetcher } from "../fetch/Fetcher.ts"
import * as GitHub from "./GitHub.ts"
import { isLasting, type RepositoryAddress, RepositoryError, repositoryOf } from "./RepositoryAddress.ts"
import { mainLanguage, repositoryIn } from "./RepositoryJson.ts"

const json = {
  accept: "application/json",
  readable: (mediaType: string) => mediaType === "application/json" || mediaType.endsWith("+json"),
  // Ten times a long response. A list of 60,000 topics, the most expensive content to validate, takes 30 ms.
  maxBytes: 262_144
}

const isMissing = ({ reason, status }: FetchError) =>
  reason === "status" && (status === 404 || status === 410)

const failed = (what: string, lasting: boolean) =>
  new RepositoryError({ reason: `The repository's host ${what}`, lasting })

const unanswered = ({ reason, status }: FetchError) =>
  failed(
    `gave no answer: ${status ?? reason}`,
    status === undefined ? reason !== "unreachable" && reason !== "timeout" : isLasting(status)
  )

/** Without credentials, and through the `Fetcher`, because the addresses come from saved links. */
const makeForges = Effect.fnUntraced(function* (timeout: Duration.DurationInput) {
  const fetcher = yield* Fetcher

  const get = (address: RepositoryAddress, path: string) =>
    fetcher
      .fetch(new URL(`${address.origin}${path}`), json)
      .pipe(Effect.map(({ body }) => new TextDecoder().decode(body)))

  const found = (
    address: RepositoryAddress,
    path: string
  ): Effect.Effect<Option.Option<Repository>, RepositoryError> =>
    get(address, path).pipe(
      Effect.map((answer) => repositoryIn(address, answer)),
      Effect.filterOrFail(Predicate.isNotUndefined, () => failed("sent an unexpected response", true)),
      Effect.asSome,
      Effect.catchTag("FetchError", (error) => (isMissing(error) ? Effect.succeedNone : unanswered(error))),
      Effect.timeoutFail({ duration: timeout, onTimeout: () => failed("did not answer in time", false) })
    )

  const gitLab = Effect.fn("GitLab.find")(function* (address: RepositoryAddress) {
    const project = `/api/v4/projects/${encodeURIComponent(address.path)}`
    const language = get(address, `${project}/languages`).pipe(
      Effect.map(mainLanguage),
      Effect.timeout(timeout),
      Effect.orElseSucceed(() => null)
    )
    const [answer, main] = yield* Effect.all([found(address, `${project}?license=true`), language], {
      concurrency: 2
    })
    return Option.map(answer, (_) => ({ ..._, language: main }))
  })

  const forgejo = Effect.fn("Forgejo.find")((address: RepositoryAddress) =>
    found(address, `/api/v1/repos/${address.path}`)
  )
  return { gitLab, forgejo }
})

const counted =
  (kind: RepositoryAddress["kind"]) =>
  <R>(find: Effect.Effect<Option.Option<Repository>, RepositoryError, R>) => {
    const count = (outcome: string) => Measure.repositoryCalls.count(kind, outcome)
    return Effect.tapBoth(find, {
      onSuccess: (found) => count(Option.isSome(found) ? "ok" : "none"),
      onFailure: () => count("failed")
    })
  }

/** Each host has `timeout` to answer. */
export const make = Effect.fnUntraced(function* (timeout: Duration.DurationInput) {
  const gitHub = yield* GitHub.make(timeout)
  const forges = yield* makeForges(timeout)
  const ask = { github: gitHub.find, gitlab: forges.gitLab, forgejo: forges.forgejo }

  /** None if the URL is not in a repository of a known host, or the host has no such repository. */
  const find = Effect.fn("Repositories.find")(function* (url: URL) {
    const address = repositoryOf(url, yield* GitHub.enterpriseHost)
    if (Option.isNone(address)) return Option.none<Repository>()
    const { kind } = address.value
    return yield* counted(kind)(ask[kind](address.value))
  })
  return { find }
})

export class Repositories extends Service<Repositories>()("Repositories", make("5 seconds")) {}
