import { FetchHttpClient, HttpClient, HttpClientRequest, type HttpClientResponse } from "@effect/platform"
import { Clock, Config, Data, type Duration, Effect, Equal, Option, Redacted, Ref, Schema } from "effect"
import { Setting } from "../../config/Configuration.ts"
import type { Repository } from "../../domain/Link.ts"
import { boundedText } from "../../runtime/BoundedBody.ts"
import { type Answer, directOptions, isRateLimited, rateLimitPauseMillis } from "../fetch/DirectFetch.ts"
import { ProbeError, probe, ServerDates, statusFailed } from "../fetch/Probe.ts"
import { isLasting, type RepositoryAddress, RepositoryError } from "./RepositoryAddress.ts"
import { repositoryIn } from "./RepositoryJson.ts"

const MAX_REDIRECTS = 3
/** In bytes; a longer response is not read. */
const MAX_BYTES = 1_048_576

/** The URL of GitHub's API and the token, compared by value. */
const account = Config.all({ api: Setting.githubApiUrl.config, token: Setting.githubToken.config }).pipe(
  Config.map(({ api, token }) => Data.struct({ api: api.replace(/\/+$/, ""), token })),
  Effect.mapError(() => new RepositoryError({ reason: "GitHub's settings cannot be read" }))
)
type Account = Effect.Effect.Success<typeof account>

/** The web host of a GitHub Enterprise API (`https://host/api/v3`, `https://api.host`); undefined for public GitHub. */
export const enterpriseHost = account.pipe(
  Effect.map(({ api }) =>
    api === Setting.githubApiUrl.default ? undefined : URL.parse(api)?.host.replace(/^api\./, "")
  ),
  Effect.orElseSucceed(() => undefined)
)

/** `since` is in milliseconds since the epoch. */
interface Pause {
  readonly account: Account
  readonly since: number
  readonly millis: number
}

// A clock that is set back must not prolong the pause.
const isOver = ({ since, millis }: Pause, now: number) => now < since || now - since >= millis

const read = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<Answer, RepositoryError> =>
  response.stream.pipe(
    boundedText(MAX_BYTES, () => "too long" as const),
    Effect.map((body) => ({ status: response.status, headers: response.headers, body })),
    // A redirect or an error may have no body, and one that is too long describes no repository.
    Effect.orElseSucceed(() => ({ status: response.status, headers: response.headers, body: "" }))
  )

/** After a rate limit, sends no request until GitHub allows it, one hour at most. */
export const make = Effect.fnUntraced(function* (timeout: Duration.DurationInput) {
  const http = HttpClient.withTracerPropagation(yield* HttpClient.HttpClient, false)
  const pause = yield* Ref.make(Option.none<Pause>())

  const get = (url: string, { token }: Account) => {
    const request = HttpClientRequest.get(url).pipe(
      HttpClientRequest.accept("application/vnd.github+json"),
      HttpClientRequest.setHeaders({ "user-agent": "linkbower", "x-github-api-version": "2022-11-28" })
    )
    return http
      .execute(
        Option.match(token, {
          onNone: () => request,
          onSome: (_) => HttpClientRequest.bearerToken(request, _)
        })
      )
      .pipe(
        Effect.provideService(FetchHttpClient.RequestInit, directOptions),
        Effect.mapError(() => new RepositoryError({ reason: "GitHub cannot be reached" })),
        Effect.flatMap(read)
      )
  }

  /** Redirects of renamed repositories stay within the API's origin, so that the token goes nowhere else. */
  const follow = (
    url: string,
    account: Account,
    left = MAX_REDIRECTS
  ): Effect.Effect<Answer, RepositoryError> =>
    Effect.flatMap(get(url, account), (answer) => {
      if (![301, 302, 307, 308].includes(answer.status)) return Effect.succeed(answer)
      const next = URL.parse(answer.headers["location"] ?? "", url)
      return next !== null && next.origin === URL.parse(url)?.origin && left > 0
        ? follow(next.href, account, left - 1)
        : new RepositoryError({ reason: "GitHub redirects elsewhere", lasting: true })
    })

  const judge = Effect.fnUntraced(function* (answer: Answer, address: RepositoryAddress, account: Account) {
    if (isRateLimited(answer)) {
      const now = yield* Clock.currentTimeMillis
      yield* Ref.set(pause, Option.some({ account, since: now, millis: rateLimitPauseMillis(answer, now) }))
      return yield* new RepositoryError({ reason: "GitHub's rate limit is used up", unavailable: true })
    }
    if (answer.status === 404 || answer.status === 410) return Option.none<Repository>()
    if (answer.status !== 200)
      return yield* new RepositoryError({
        reason: `GitHub answered ${answer.status}`,
        lasting: isLasting(answer.status)
      })
    const found = repositoryIn(address, answer.body)
    if (found === undefined)
      return yield* new RepositoryError({ reason: "GitHub sent an unexpected response", lasting: true })
    return Option.some(found)
  })

  const find = Effect.fn("GitHub.find")(function* (address: RepositoryAddress) {
    const current = yield* account
    const now = yield* Clock.currentTimeMillis
    const paused = Option.exists(
      yield* Ref.get(pause),
      (_) => Equal.equals(_.account, current) && !isOver(_, now)
    )
    if (paused)
      return yield* new RepositoryError({ reason: "GitHub's rate limit is used up", unavailable: true })
    const answer = yield* Effect.timeoutFail(follow(`${current.api}/repos/${address.path}`, current), {
      duration: timeout,
      onTimeout: () => new RepositoryError({ reason: "GitHub did not answer in time" })
    })
    return yield* judge(answer, address, current)
  })
  return { find }
})

/** https://docs.github.com/en/rest/rate-limit; `reset` is in Unix seconds. */
const Limits = Schema.Struct({
  resources: Schema.Struct({
    core: Schema.Struct({ limit: Schema.Int, remaining: Schema.Int, reset: Schema.Number })
  })
})
const decode = Schema.decodeUnknown(Schema.parseJson(Limits))

/** Uses the token if one is set; this request does not count against the limit. */
export const rateLimit = Effect.fn("GitHub.rateLimit")(function* (timeout: number) {
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
  yield* (yield* ServerDates).record(url, headers)
  if (status !== 200) return yield* statusFailed(status)
  const { resources } = yield* Effect.mapError(decode(body), () => new ProbeError({ reason: "garbage" }))
  return resources.core
})
