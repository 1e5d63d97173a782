import { type Duration, Effect, type Either, Option } from "effect"
import type { Repository } from "../../domain/Link.ts"
import { type FetchError, Fetcher } from "../fetch/Fetcher.ts"
import { isLasting, type RepositoryAddress, RepositoryError } from "./RepositoryAddress.ts"
import { fromForgejo, fromGitLab, mainLanguage } from "./RepositoryJson.ts"

const json = {
  accept: "application/json",
  readable: (mediaType: string) => mediaType === "application/json" || mediaType.endsWith("+json"),
  // Ten times a long response. A list of 60,000 topics, the most expensive content to validate, takes 30 ms.
  maxBytes: 262_144
}

const isMissing = ({ reason, status }: FetchError) =>
  reason === "status" && (status === 404 || status === 410)

const failed = (what: string, lasting: boolean) =>
  new RepositoryError({ reason: `the repository's host ${what}`, lasting })

const unanswered = ({ reason, status }: FetchError) =>
  failed(
    `gave no answer: ${status ?? reason}`,
    status === undefined ? reason !== "unreachable" && reason !== "timeout" : isLasting(status)
  )

/**
 * Looks up repositories on GitLab and Forgejo hosts, without credentials.
 *
 * Their addresses come from saved links, so every request goes through the `Fetcher`.
 */
export const make = Effect.fnUntraced(function* (timeout: Duration.DurationInput) {
  const fetcher = yield* Fetcher

  const get = (address: RepositoryAddress, path: string) =>
    fetcher
      .fetch(new URL(`${address.origin}${path}`), json)
      .pipe(Effect.map(({ body }) => new TextDecoder().decode(body)))

  const found = (
    answer: Effect.Effect<string, FetchError>,
    decode: (json: string) => Either.Either<Repository, unknown>
  ): Effect.Effect<Option.Option<Repository>, RepositoryError> =>
    answer.pipe(
      Effect.flatMap((text) => Effect.mapError(decode(text), () => failed("describes no repository", true))),
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
    const repository = found(get(address, `${project}?license=true`), fromGitLab(address.host))
    const [answer, main] = yield* Effect.all([repository, language], { concurrency: 2 })
    return Option.map(answer, (_) => ({ ..._, language: main }))
  })

  const forgejo = Effect.fn("Forgejo.find")((address: RepositoryAddress) =>
    found(get(address, `/api/v1/repos/${address.path}`), fromForgejo(address.host))
  )
  return { gitLab, forgejo }
})
