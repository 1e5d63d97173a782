import { Command } from "@effect/cli"
import { Clock, Console, Effect, Option, Redacted, Schema } from "effect"
import { Setting, type TelegramMode } from "../config/Configuration.ts"
import { SettingWriter } from "../config/SettingWriter.ts"
import { makeHexSecret } from "../runtime/Secret.ts"
import { BotApi, deleteWebhook, sentenceOf, setWebhook } from "../telegram/BotApi.ts"
import { flag, optionalText } from "./Input.ts"
import { CommandFailed } from "./Program.ts"
import {
  adviceOn,
  registrableUrl,
  report,
  WebhookInfo,
  webhookUrlFor,
  webhookUrlFromOption
} from "./WebhookReport.ts"

const refuse = (message: string) => new CommandFailed({ message })

const advice = {
  withoutToken: "TELEGRAM_BOT_TOKEN is unset. Get one from @BotFather.",
  client: "this machine",
  onRefusal: adviceOn
}

const callFailed = (error: Parameters<typeof sentenceOf>[0]) => refuse(sentenceOf(error, advice))

const call = (method: string, body: object) =>
  Effect.mapError(
    Effect.flatMap(BotApi, (api) => api.call(method, body)),
    callFailed
  )

const describe = (method: string, body: object) =>
  Effect.mapError(
    Effect.flatMap(BotApi, (api) => api.describe(method, body)),
    callFailed
  ).pipe(Effect.flatMap((reply) => Console.log(`Telegram says: ${reply || "done"}.`)))

/** Whether BotFather has switched on searching the bot from other chats (https://core.telegram.org/bots/inline). */
const decodeInline = (bot: unknown) =>
  Effect.map(
    Schema.decodeUnknown(Schema.Struct({ supports_inline_queries: Schema.optional(Schema.Boolean) }))(bot),
    ({ supports_inline_queries }) => supports_inline_queries === true
  )

const secretOf = Effect.map(Setting.webhookSecret.config, Option.map(Redacted.value))

/** Generates a 128-bit secret and writes it to a settings file, where the service reads it at once. */
const makeSecret = Effect.gen(function* () {
  const secret = Redacted.value(makeHexSecret(16))
  const file = yield* (yield* SettingWriter).write(Setting.webhookSecret.name, secret)
  if (!Option.contains(yield* secretOf, secret))
    return yield* refuse(
      `A secret was written to ${file}, but another source of settings unsets WEBHOOK_SECRET. Set it there.`
    )
  yield* Console.log(`WEBHOOK_SECRET was unset: generated one and wrote it to ${file}.`)
  return secret
})

const url = optionalText("url", "url", "The service's public address, if it differs from PUBLIC_URL.")

const set = Command.make("set", { url }, (given) =>
  Effect.gen(function* () {
    const publicUrl = yield* Setting.publicUrl.config
    const address = Option.getOrUndefined(
      Option.orElse(Option.map(given.url, webhookUrlFromOption), () => Option.map(publicUrl, webhookUrlFor))
    )
    if (address === undefined)
      return yield* refuse("The public address is unknown: set PUBLIC_URL or pass --url.")
    const known = yield* secretOf
    if (Option.exists(known, (secret) => !/^[A-Za-z0-9_-]{1,256}$/.test(secret)))
      return yield* refuse("WEBHOOK_SECRET must be 1 to 256 of A-Z, a-z, 0-9, _ and -.")
    const wanted = yield* Effect.mapError(
      registrableUrl(address, yield* Setting.telegramApiUrl.config),
      refuse
    )
    if (Option.isNone(yield* Setting.telegramBotToken.config))
      return yield* callFailed({ reason: "not-configured" })
    const mode = yield* Setting.telegramMode.config
    if (mode === "polling")
      return yield* refuse(
        "TELEGRAM_MODE is polling, so a running service would remove the webhook. Set TELEGRAM_MODE to auto or webhook first."
      )
    const secret = yield* Option.match(known, { onNone: () => makeSecret, onSome: Effect.succeed })
    const isInline = yield* Effect.orElseSucceed(Effect.flatMap(call("getMe", {}), decodeInline), () => false)
    yield* describe("setWebhook", setWebhook(wanted, secret, isInline))
    yield* Console.log(`Address: ${wanted}`)
    if (mode === "auto") yield* Console.log("A running service stops fetching updates by itself.")
  })
).pipe(
  Command.withDescription(
    "Tells Telegram to send the bot's updates here; generates WEBHOOK_SECRET if it is unset."
  )
)

const info = Command.make("info", {}, () =>
  Effect.gen(function* () {
    const found = yield* Effect.mapError(
      Effect.flatMap(call("getWebhookInfo", {}), Schema.decodeUnknown(WebhookInfo)),
      (error) => (error instanceof CommandFailed ? error : refuse("Telegram sent an unexpected response."))
    )
    const publicUrl = yield* Setting.publicUrl.config
    const { facts, problems } = report(
      found,
      {
        address: Option.getOrUndefined(Option.map(publicUrl, webhookUrlFor)),
        hasSecret: Option.isSome(yield* secretOf),
        mode: yield* Setting.telegramMode.config
      },
      yield* Clock.currentTimeMillis
    )
    for (const fact of facts) yield* Console.log(fact)
    if (problems.length > 0) return yield* refuse(problems.join("\n"))
    yield* Console.log("No problems found.")
  })
).pipe(Command.withDescription("Shows the webhook's state, its last error and how to fix it."))

const afterDelete: Record<TelegramMode, string> = {
  auto: "A running service starts fetching updates within ten seconds.",
  polling: "A running service fetches updates.",
  webhook:
    "TELEGRAM_MODE is webhook, so no update arrives until a webhook is set. Telegram keeps them for a day."
}

const dropPending = flag("drop-pending", "Discards waiting updates.")

const remove = Command.make("delete", { dropPending }, (given) =>
  Effect.gen(function* () {
    yield* describe("deleteWebhook", deleteWebhook(given.dropPending))
    yield* Console.log(afterDelete[yield* Setting.telegramMode.config])
  })
).pipe(
  Command.withDescription(
    "Removes the webhook; unless TELEGRAM_MODE is webhook, a running service then fetches updates."
  )
)

export const command = Command.make("webhook").pipe(
  Command.withDescription("Sets, shows or deletes the bot's webhook."),
  Command.withSubcommands([set, info, remove])
)
