import { Effect, Either, Option } from "effect"
import { Setting } from "../../domain/Configuration.ts"
import type { FetchError, Fetcher } from "../../enrich/Fetcher.ts"
import { healthOutside } from "../../enrich/HealthProbe.ts"
import { callable, webhookBelow } from "../WebhookAddress.ts"
import { adviceOn } from "../WebhookAdvice.ts"
import { type Check, fail, type Line, off, ok, PATIENCE, warn } from "./Finding.ts"

const NAME = "address"

/** Something in front does not let this be looked at, which may be meant so. */
const closed = (detail: string) =>
  warn(
    NAME,
    detail,
    "If that is a login, let /webhook, /capture and /healthz pass it: they have gates of their own."
  )

const failed = (base: string, { reason, status }: FetchError): Line => {
  switch (reason) {
    case "refused-address":
      return off(
        NAME,
        `${base} leads inside a network, which is not asked`,
        "Telegram reaches an address on the internet alone, unless the Bot API server is your own."
      )
    case "unreachable":
      return fail(NAME, `${base} cannot be reached`, adviceOn("connection refused"))
    case "timeout":
      return fail(NAME, `${base} does not answer in time`, adviceOn("timeout"))
    case "status":
      return status === 401 || status === 403
        ? closed(`${base} answers ${status}`)
        : fail(NAME, `${base} answers ${status}`, adviceOn(`${status}`))
    default:
      return fail(NAME, `${base} does not answer as Linkbower does`, adviceOn("404"))
  }
}

const answered = (base: string, at: URL, version: Option.Option<string>): Line => {
  if (Option.isSome(version)) return ok(NAME, `${base}: version ${version.value} answers`)
  return new URL(base).origin === at.origin
    ? fail(NAME, `${base} does not answer as Linkbower does`, adviceOn("404"))
    : closed(`${base} redirects to ${at.host}`)
}

/** Why Telegram does not call that address, where there is a bot. */
const uncallable = Effect.fnUntraced(function* (base: string) {
  const token = yield* Effect.orElseSucceed(Setting.telegramBotToken.config, Option.none)
  const apiUrl = yield* Effect.orElseSucceed(Setting.telegramApiUrl.config, () => "")
  const address = callable(webhookBelow(base), apiUrl)
  return Option.isSome(token) && Either.isLeft(address)
    ? [warn("webhook address", address.left, "Set PUBLIC_URL to an https address on the internet.")]
    : []
})

/** Whether the service answers where it is said to be reached from outside. */
export const publicAddress: Check<Fetcher> = Effect.gen(function* () {
  const set = yield* Effect.orElseSucceed(Setting.publicUrl.config, Option.none)
  if (Option.isNone(set)) return [off(NAME, "PUBLIC_URL is unset", Setting.publicUrl.meaning)]
  const base = set.value.replace(/\/+$/, "")
  const address = URL.parse(`${base}/healthz`)
  if (address === null)
    return [fail(NAME, "PUBLIC_URL is no address", "Make it like https://links.example.org.")]
  const line = yield* Effect.match(healthOutside(address, PATIENCE), {
    onFailure: (error) => failed(base, error),
    onSuccess: ({ url, version }) => answered(base, url, version)
  })
  return [line, ...(yield* uncallable(base))]
})
