import { Effect, Either, Option } from "effect"
import { localUrlOf } from "../../config/Addresses.ts"
import { Setting } from "../../config/Configuration.ts"
import { explanations, type HealthReport } from "../../domain/Health.ts"
import type { FetchError, Fetcher } from "../../enrich/fetch/Fetcher.ts"
import { fetchHealth, fetchPublicHealth, type ProbeError, ServerDates } from "../../enrich/fetch/Probe.ts"
import { VERSION } from "../../version.ts"
import { adviceOn, registrableUrl, webhookUrlFor } from "../WebhookReport.ts"
import {
  type Check,
  fail,
  type Line,
  lineOf,
  notUsable,
  off,
  ok,
  type Row,
  SERVER_TIMEOUT,
  warn
} from "./Finding.ts"

const NOT_STARTED = "Start it with `linkbower serve`, unless it is stopped on purpose."
const OTHER_PROGRAM = "Another program uses this port: set PORT to a free one."

const failed = (base: string, { reason, status }: ProbeError): Row => {
  if (reason === "unreachable") return ["warn", `no service responds at ${base}`, NOT_STARTED]
  if (reason === "timeout")
    return [
      "fail",
      `the program listening at ${base} does not respond`,
      "Restart the service and check its log."
    ]
  const said = status === undefined ? "" : ` (${status})`
  return ["fail", `${base} responds, but not like Linkbower${said}`, OTHER_PROGRAM]
}

const versionLine = (base: string, version: string): Line =>
  version === VERSION
    ? ok("service", `version ${version} runs at ${base}`)
    : warn(
        "service",
        `version ${version} runs at ${base}, this program is ${VERSION}`,
        "Restart the service to run the installed version."
      )

const unnamedLine = (address: string): Line =>
  warn(
    Setting.trustedForwarders.name,
    `does not name ${address}, through which people come`,
    `If that is your proxy or tunnel, set TRUSTED_FORWARDERS=${address}: until then, all of them share one limit of attempts to sign in.`
  )

const reportLines = (
  base: string,
  { problems = [], unnamedProxies = [], version }: HealthReport
): ReadonlyArray<Line> => [
  versionLine(base, version),
  ...unnamedProxies.map(unnamedLine),
  ...problems.map((problem) => fail("health", explanations[problem].detail, explanations[problem].advice))
]

export const service: Check<never> = Effect.gen(function* () {
  const host = yield* Setting.host.config
  const port = yield* Setting.port.config
  if (port === 0)
    return [off("service", "PORT=0 means any free port", "Set PORT to a fixed port to check it.")]
  const base = localUrlOf(host, port)
  return yield* Effect.match(fetchHealth(base, SERVER_TIMEOUT), {
    onFailure: (error): ReadonlyArray<Line> => [lineOf("service", failed(base, error))],
    onSuccess: (report) => reportLines(base, report)
  })
}).pipe(
  Effect.catchTag("ConfigError", () =>
    Effect.succeed([off("service", "not checked: HOST or PORT is not usable", "Correct it first.")])
  )
)

const NAME = "address"

/** Something in front of the service, such as a login, blocks the check, perhaps on purpose. */
const closed = (detail: string): Row => [
  "warn",
  detail,
  "If that is a login, exempt /webhook, /capture and /healthz: they have their own gates."
]

const PRIVATE = "Telegram can only reach addresses on the internet, unless you host the Bot API server."

const addressFailed = (base: string, { reason, status }: FetchError): Row => {
  switch (reason) {
    case "refused-address":
      return ["off", `${base} is in a private network, which is not checked`, PRIVATE]
    case "unreachable":
      return ["fail", `${base} cannot be reached`, adviceOn("connection refused")]
    case "timeout":
      return ["fail", `${base} does not answer in time`, adviceOn("timeout")]
    case "status":
      return status === 401 || status === 403
        ? closed(`${base} answers ${status}`)
        : ["fail", `${base} answers ${status}`, adviceOn(`${status}`)]
    default:
      return ["fail", `${base} does not respond like Linkbower`, adviceOn("404")]
  }
}

const answered = (base: string, at: URL, version: Option.Option<string>): Row => {
  if (Option.isSome(version)) return ["ok", `${base}: version ${version.value} answers`, ""]
  return new URL(base).origin === at.origin
    ? ["fail", `${base} does not respond like Linkbower`, adviceOn("404")]
    : closed(`${base} redirects to ${at.host}`)
}

/** Explains why Telegram cannot call the webhook below `base`, if a bot is configured that does without polling. */
const uncallable = Effect.fnUntraced(function* (base: string) {
  const token = yield* Effect.orElseSucceed(Setting.telegramBotToken.config, Option.none)
  const apiUrl = yield* Effect.orElseSucceed(Setting.telegramApiUrl.config, () => "")
  const mode = yield* Effect.orElseSucceed(Setting.telegramMode.config, () => "auto" as const)
  const address = registrableUrl(webhookUrlFor(base), apiUrl)
  return mode === "webhook" && Option.isSome(token) && Either.isLeft(address)
    ? [warn("webhook address", address.left, "Set PUBLIC_URL to an https address on the internet.")]
    : []
})

export const publicAddress: Check<Fetcher> = Effect.gen(function* () {
  const set = yield* Effect.option(Setting.publicUrl.config)
  if (Option.isNone(set)) return [notUsable(NAME, "PUBLIC_URL")]
  if (Option.isNone(set.value)) return [off(NAME, "PUBLIC_URL is unset", Setting.publicUrl.meaning)]
  const base = set.value.value.replace(/\/+$/, "")
  const row = yield* Effect.match(fetchPublicHealth(new URL(`${base}/healthz`), SERVER_TIMEOUT), {
    onFailure: (error) => addressFailed(base, error),
    onSuccess: ({ url, version }) => answered(base, url, version)
  })
  return [lineOf(NAME, row), ...(yield* uncallable(base))]
})

/** Maximum clock difference without a warning, in milliseconds: beyond it, token checks soon reject valid tokens. */
const MAX_CLOCK_DIFFERENCE = 30_000

/** Compares this machine's clock with the clocks of the servers that have answered so far. */
export const serverClock: Check<ServerDates> = Effect.gen(function* () {
  const { differences } = yield* ServerDates
  const [worst] = (yield* differences).toSorted((a, b) => Math.abs(b.millis) - Math.abs(a.millis))
  if (worst === undefined)
    return [off("clock", "no server reported its time", "Run doctor again when one of them is reachable.")]
  const seconds = (Math.abs(worst.millis) / 1000).toFixed(1)
  const detail = `${seconds} seconds ${worst.millis > 0 ? "ahead of" : "behind"} ${worst.host}`
  return Math.abs(worst.millis) <= MAX_CLOCK_DIFFERENCE
    ? [ok("clock", detail)]
    : [warn("clock", detail, "Synchronize the system clock by NTP: sign-in tokens depend on it.")]
})
