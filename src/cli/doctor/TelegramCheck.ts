import { Clock, Effect, Option, Schema } from "effect"
import { Setting } from "../../config/Configuration.ts"
import { count } from "../../shared/Format.ts"
import { BotApi } from "../../telegram/BotApi.ts"
import type { ChatError } from "../../telegram/Chat.ts"
import { adviceOn, report, timeOf, WebhookInfo, webhookUrlFor } from "../WebhookReport.ts"
import { type Check, fail, type Line, off, ok, SERVER_TIMEOUT, warn } from "./Finding.ts"

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

/** The line for a failed call to Telegram. */
const failed = (
  name: string,
  error: ChatError | { readonly _tag: "ParseError" | "TimeoutException" }
): Line => {
  if (error._tag !== "ChatError")
    return error._tag === "ParseError"
      ? fail(name, "Telegram sent an unexpected response", "Check that TELEGRAM_API_URL is a Bot API server.")
      : fail(name, "Telegram does not answer in time", REACH)
  switch (error.reason) {
    case "not-configured":
      return off(name, "TELEGRAM_BOT_TOKEN was unset meanwhile", "Get one from @BotFather.")
    case "rate-limited":
      return warn(name, "Telegram limits requests", `Try again in ${error.retryAfterSeconds ?? 1} seconds.`)
    case "unavailable":
      return fail(name, "Telegram does not answer", REACH)
    case "defect":
      return fail(
        name,
        "the request to Telegram failed",
        "Report this as a bug, with the version of Linkbower."
      )
    case "rejected":
      return fail(name, `Telegram says: ${error.description}`, adviceOnChat(error.description ?? ""))
  }
}

/** What to do about a rejection that concerns the chat, or else the bot. */
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
    Effect.mapError((error) => failed(name, error))
  )

/** The lines of a check, whether it succeeded or failed. */
const asLines = <R>(lines: Effect.Effect<ReadonlyArray<Line>, Line, R>) =>
  Effect.catchAll(lines, (line) => Effect.succeed([line]))

const bot = Effect.map(ask("bot", "getMe", {}, BotUser), ({ username }) => [ok("bot", `@${username}`)])

const webhook = Effect.gen(function* () {
  const info = yield* ask("webhook", "getWebhookInfo", {}, WebhookInfo)
  const publicUrl = yield* Effect.orElseSucceed(Setting.publicUrl.config, Option.none)
  const secret = yield* Effect.orElseSucceed(Setting.webhookSecret.config, Option.none)
  const { problems } = report(
    info,
    {
      address: Option.getOrUndefined(Option.map(publicUrl, webhookUrlFor)),
      hasSecret: Option.isSome(secret)
    },
    yield* Clock.currentTimeMillis
  )
  const found =
    info.url === "" ? "none" : `${info.url}, ${count(info.pending_update_count, "update")} waiting`
  if (problems.length > 0) return [fail("webhook", found, problems.join(" "))]
  return [
    ok("webhook", found),
    ...(info.last_error_message === undefined
      ? []
      : [
          ok("last error", `${info.last_error_message} (${timeOf((info.last_error_date ?? 0) * 1000)}), past`)
        ])
  ]
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
