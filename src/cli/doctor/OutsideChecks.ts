import { Clock, Effect, Option, Schema } from "effect"
import { Setting } from "../../config/Configuration.ts"
import { type ModelChoice, modelChoice, modelLabel } from "../../config/ModelChoice.ts"
import { Embedder } from "../../enrich/embedding/Embedder.ts"
import type { ProbeError, ServerDates } from "../../enrich/fetch/Probe.ts"
import { probeModel } from "../../enrich/model/LanguageModel.ts"
import { explainProbe } from "../../enrich/model/ProbeReport.ts"
import { rateLimit } from "../../enrich/repository/GitHub.ts"
import { countUsableKeys, type KeysUnavailable, parseTeam } from "../../gates/AccessKeys.ts"
import { count } from "../../shared/Format.ts"
import { dataFolder } from "../../store/DataFolder.ts"
import { type StoredEmbedder, storedEmbedders } from "../../store/maintenance/Inspection.ts"
import { BotApi, type ChatError } from "../../telegram/BotApi.ts"
import { adviceOn, report, timeOf, WebhookInfo, webhookUrlFor } from "../WebhookReport.ts"
import {
  type Check,
  fail,
  type Line,
  lineOf,
  notUsable,
  off,
  ok,
  present,
  type Row,
  SERVER_TIMEOUT,
  warn,
  withTimeout
} from "./Finding.ts"
import { libraryFolder } from "./LibraryChecks.ts"

const NOT_A_TEAM = "Set ACCESS_TEAM_DOMAIN to your team's address, such as https://team.cloudflareaccess.com."
const UNREACHED =
  "Check that this server can connect to it. Until then, no new sign-in to the dashboard works."

const reasons: Record<KeysUnavailable["reason"], readonly [detail: string, advice: string]> = {
  unreachable: ["it cannot be reached", UNREACHED],
  timeout: ["it does not answer in time", UNREACHED],
  status: ["it responds with an error or a redirect", NOT_A_TEAM],
  "too-large": ["its response is too large for a key set", NOT_A_TEAM],
  "not-a-key-set": ["its response is not a key set", NOT_A_TEAM],
  "no-usable-key": ["it has no RS256 key", NOT_A_TEAM]
}

export const gateway = Effect.gen(function* () {
  const team = yield* Effect.option(Setting.accessTeamDomain.config)
  if (Option.isNone(team)) return [notUsable("key server", "ACCESS_TEAM_DOMAIN")]
  const audience = yield* Effect.orElseSucceed(Setting.accessAud.config, Option.none)
  if (Option.isNone(team.value) || Option.isNone(audience))
    return [
      off(
        "key server",
        "ACCESS_TEAM_DOMAIN and ACCESS_AUD are not both set",
        "Set both so that people admitted by Cloudflare Access can open the dashboard."
      )
    ]
  const parsed = parseTeam(team.value.value)
  if (Option.isNone(parsed))
    return [fail("key server", "ACCESS_TEAM_DOMAIN is not a team address", NOT_A_TEAM)]
  const { issuer } = parsed.value
  return yield* Effect.match(countUsableKeys(parsed.value), {
    onSuccess: (keys): ReadonlyArray<Line> => [ok("key server", `${issuer}: ${count(keys, "RS256 key")}`)],
    onFailure: ({ reason }) => {
      const [detail, advice] = reasons[reason]
      return [fail("key server", `${issuer}: ${detail}`, advice)]
    }
  })
})

const MEANWHILE = "until then, repositories are saved like other pages"

const gitHubFailures: Readonly<Record<ProbeError["reason"], Row>> = {
  unreachable: ["warn", "cannot be reached", `Check the network and GITHUB_API_URL; ${MEANWHILE}.`],
  timeout: ["warn", "does not answer in time", `Check the network and GITHUB_API_URL; ${MEANWHILE}.`],
  refused: ["warn", "denies access", "It may need a GITHUB_TOKEN; a token without permissions is enough."],
  missing: ["ok", "no rate limit", ""],
  limited: ["warn", "limits requests (429)", "Wait an hour, or set GITHUB_TOKEN."],
  status: ["warn", "answers", `Try again later; ${MEANWHILE}.`],
  garbage: [
    "warn",
    "sent an unexpected response",
    "Check that GITHUB_API_URL is the address of GitHub's API."
  ]
}

const gitHubFailed = ({ reason, status }: ProbeError, hasToken: boolean): Line => {
  if (reason === "refused" && hasToken)
    return fail("token", `rejected (${status})`, "Unset GITHUB_TOKEN, or set it to one that has not expired.")
  const [state, detail, advice] = gitHubFailures[reason]
  const said = reason === "refused" ? ` (${status})` : reason === "status" ? ` ${status}` : ""
  return lineOf("API", [state, detail + said, advice])
}

const RAISE = "With a GITHUB_TOKEN, which needs no permissions, the limit is 5,000 an hour."

export const gitHub: Check<ServerDates> = Effect.gen(function* () {
  const token = yield* Effect.orElseSucceed(Setting.githubToken.config, Option.none)
  const hasToken = Option.isSome(token)
  return yield* Effect.match(rateLimit(SERVER_TIMEOUT), {
    onSuccess: ({ limit, remaining, reset }) => {
      const left = `${remaining} of ${limit} requests an hour left${hasToken ? ", with the token" : ""}`
      const until = new Date(reset * 1000).toISOString().slice(11, 16)
      return remaining > 0
        ? [ok("API", left, hasToken ? "" : RAISE)]
        : [warn("API", left, `The limit resets at ${until} UTC. ${hasToken ? "" : RAISE}`.trim())]
    },
    onFailure: (error) =>
      error._tag === "ProbeFailed"
        ? [gitHubFailed(error, hasToken)]
        : [warn("API", "not checked: GITHUB_API_URL is not usable", "Correct it first.")]
  })
})

const modelFailed = (name: string, choice: ModelChoice, error: ProbeError): Line => {
  const { advice, detail } = explainProbe(choice, error)
  return error.reason === "limited" ? warn(name, detail, advice) : fail(name, detail, advice)
}

export const model: Check<ServerDates> = Effect.gen(function* () {
  const choice = yield* Effect.option(modelChoice)
  if (Option.isNone(choice)) return [notUsable("model", "one of its settings")]
  const found = choice.value
  const name = modelLabel(found)
  if (Option.isNone(found)) return [off(name, "ANTHROPIC_API_KEY is unset", Setting.anthropicApiKey.meaning)]
  return yield* Effect.match(probeModel(found.value, SERVER_TIMEOUT), {
    onSuccess: () => [
      ok(
        name,
        Option.isSome(found.value.key)
          ? "its server accepts the key and has the model"
          : "its server answers and has the model"
      )
    ],
    onFailure: (error) => [modelFailed(name, found.value, error)]
  })
})

const ADVICE =
  "Check EMBEDDINGS_URL, EMBEDDINGS_MODEL and EMBEDDINGS_API_KEY; until then, search uses words only."

const EMBEDS_AGAIN =
  "The service recomputes them in the background once it runs with this embedder. To do it now, run `linkbower reindex`."

const storedVectorLines = (
  stored: ReadonlyArray<StoredEmbedder>,
  name: string,
  dimensions: number
): ReadonlyArray<Line> => {
  const others = stored.filter((one) => one.name !== name && one.vectors > 0)
  const own = stored.find((one) => one.name === name)
  if (own !== undefined && own.vectors > 0 && own.dimensions !== dimensions)
    return [
      warn(
        "vectors",
        `${count(own.vectors, "vector")} stored with ${own.dimensions} dimensions instead of ${dimensions}`,
        EMBEDS_AGAIN
      )
    ]
  if (others.length > 0)
    return [
      warn(
        "vectors",
        others.map((one) => `${count(one.vectors, "vector")} of ${one.name}`).join(", "),
        EMBEDS_AGAIN
      )
    ]
  return own === undefined ? [] : [ok("vectors", `${count(own.vectors, "vector")} stored`)]
}

/** Checks that the configured embedder answers, reports its dimensions, and compares the stored vectors with them. */
export const embeddings: Check<Embedder> = Effect.gen(function* () {
  const { current } = yield* Embedder
  const stored = yield* storedEmbedders(dataFolder(yield* libraryFolder).library)
  return yield* Effect.match(current.embed(["bower"]), {
    onSuccess: ([vector]) => {
      const dimensions = vector?.length ?? 0
      const built = current.isLocal ? "built in, " : ""
      return [
        ok("embedder", `${built}${current.name}, ${dimensions} dimensions`),
        ...storedVectorLines(stored, current.name, dimensions)
      ]
    },
    onFailure: ({ reason }) => [fail("embedder", `${current.name}: ${reason}`, ADVICE)]
  })
}).pipe((check) => withTimeout(check, fail("embedder", "does not answer in time", ADVICE), SERVER_TIMEOUT))

/** The fields of https://core.telegram.org/bots/api#user and #chat that are shown. */
const BotUser = Schema.Struct({ username: Schema.String })
const ChatInfo = Schema.Struct({
  type: Schema.String,
  title: Schema.optional(Schema.String),
  username: Schema.optional(Schema.String),
  first_name: Schema.optional(Schema.String)
})

const REACH =
  "Check that this server can connect to TELEGRAM_API_URL. Until then, Telegram keeps updates for a day."

const telegramFailures: Readonly<Record<"ParseError" | "TimeoutException" | "unavailable" | "defect", Row>> =
  {
    ParseError: [
      "fail",
      "Telegram sent an unexpected response",
      "Check that TELEGRAM_API_URL is a Bot API server."
    ],
    TimeoutException: ["fail", "Telegram does not answer in time", REACH],
    unavailable: ["fail", "Telegram does not answer", REACH],
    defect: ["fail", "the request to Telegram failed", "Report this as a bug, with the version of Linkbower."]
  }

const telegramFailed = (error: ChatError | { readonly _tag: "ParseError" | "TimeoutException" }): Row => {
  if (error._tag !== "ChatError") return telegramFailures[error._tag]
  switch (error.reason) {
    case "not-configured":
      return ["off", "TELEGRAM_BOT_TOKEN was unset meanwhile", "Get one from @BotFather."]
    case "rate-limited":
      return ["warn", "Telegram limits requests", `Try again in ${error.retryAfterSeconds ?? 1} seconds.`]
    case "rejected":
      return ["fail", `Telegram says: ${error.description}`, adviceOnChat(error.description ?? "")]
    default:
      return telegramFailures[error.reason]
  }
}

const adviceOnChat = (said: string) => {
  if (/chat not found/i.test(said))
    return "Send the bot a message from that chat, and check that ALLOWED_CHAT_ID is its number."
  if (/blocked|kicked|not a member|deactivated/i.test(said))
    return "Unblock the bot there, or invite it again."
  if (/update ALLOWED_CHAT_ID/.test(said))
    return "The group became a supergroup with a new number: set ALLOWED_CHAT_ID to it."
  return adviceOn(said)
}

const ask = <A, I>(name: string, method: string, body: object, shape: Schema.Schema<A, I>) =>
  Effect.flatMap(BotApi, (api) => api.call(method, body)).pipe(
    Effect.flatMap(Schema.decodeUnknown(shape)),
    Effect.timeout(SERVER_TIMEOUT),
    Effect.mapError((error) => lineOf(name, telegramFailed(error)))
  )

const asLines = <R>(lines: Effect.Effect<ReadonlyArray<Line>, Line, R>) =>
  Effect.catchAll(lines, (line) => Effect.succeed([line]))

const bot = Effect.map(ask("bot", "getMe", {}, BotUser), ({ username }) => [ok("bot", `@${username}`)])

const webhook = Effect.gen(function* () {
  const info = yield* ask("webhook", "getWebhookInfo", {}, WebhookInfo)
  const publicUrl = yield* Effect.orElseSucceed(Setting.publicUrl.config, Option.none)
  const secret = yield* Effect.orElseSucceed(Setting.webhookSecret.config, Option.none)
  const mode = yield* Effect.orElseSucceed(Setting.telegramMode.config, () => "auto" as const)
  const { problems } = report(
    info,
    {
      address: Option.getOrUndefined(Option.map(publicUrl, webhookUrlFor)),
      hasSecret: Option.isSome(secret),
      mode
    },
    yield* Clock.currentTimeMillis
  )
  const waiting = `${count(info.pending_update_count, "update")} waiting`
  if (info.url === "" && mode !== "webhook")
    return [ok("updates", `fetched by the running service, because no webhook is registered; ${waiting}`)]
  const found = info.url === "" ? "none" : `${info.url}, ${waiting}`
  if (problems.length > 0) return [fail("webhook", found, problems.join(" "))]
  return present(
    ok("webhook", found),
    info.last_error_message !== undefined &&
      ok("last error", `${info.last_error_message} (${timeOf((info.last_error_date ?? 0) * 1000)}), past`)
  )
})

const chat = Effect.gen(function* () {
  const id = yield* Effect.orElseSucceed(Setting.allowedChatId.config, Option.none)
  if (Option.isNone(id)) return [off("chat", "ALLOWED_CHAT_ID is unset", Setting.allowedChatId.meaning)]
  const found = yield* ask("chat", "getChat", { chat_id: id.value }, ChatInfo)
  const name = found.title ?? found.username ?? found.first_name ?? "without a name"
  return [ok("chat", `${id.value}: ${found.type} chat, ${name}`)]
})

/** Checks the bot, its webhook and the owner's chat; if the bot's check fails, reports only that. */
export const telegram: Check<BotApi> = Effect.gen(function* () {
  const token = yield* Effect.orElseSucceed(Setting.telegramBotToken.config, Option.none)
  if (Option.isNone(token)) return [off("bot", "TELEGRAM_BOT_TOKEN is unset", "Get one from @BotFather.")]
  const [first, ...others] = yield* Effect.all([asLines(bot), asLines(webhook), asLines(chat)], {
    concurrency: 3
  })
  return first.some(({ state }) => state === "fail") ? first : [first, ...others].flat()
})
