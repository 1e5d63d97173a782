import { Cause, Clock, Data, Duration, Effect, Either, Equal, Option, Random, Redacted, Schema } from "effect"
import { Setting, type TelegramMode } from "../config/Configuration.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { ChatClaims } from "../library/ChatClaims.ts"
import { ChatDelivery, type DeliveryWay } from "../library/ChatDelivery.ts"
import { Service } from "../runtime/Services.ts"
import { makeWorkLoop } from "../runtime/WorkLoop.ts"
import { Measure } from "../telemetry/Metrics.ts"
import { BotApi, ChatError, deleteWebhook, getUpdates } from "./BotApi.ts"
import { sendMessage } from "./Chat.ts"
import { codeMessage } from "./ChatGreeting.ts"
import { integer } from "./MessageText.ts"
import { Pace } from "./Pace.ts"
import { ReceiveUpdate } from "./ReceiveUpdate.ts"
import { chatNameOf, privateChatOf, updateIdOf } from "./Update.ts"

/** How long Telegram holds a request while there are no updates: its maximum, in seconds. */
const HOLD_SECONDS = 50
/** Bounds of such a request. Telegram sends at most 4 MiB of updates at once. */
const BOUNDS = { timeout: Duration.seconds(HOLD_SECONDS + 10), maxBytes: 8_388_608 }
const MAX_UPDATES = 100
/** Minimum time from one request to the next if it brought nothing new, for servers that answer at once. */
const MIN_CYCLE = Duration.seconds(1)
/** How often to look whether a registered webhook is still there. */
const LOOK_INTERVAL = Duration.seconds(10)
/** Delay before the first look at a service with a webhook's secret, which probably has a webhook. */
const START_DELAY = Duration.seconds(5)
/** How often the settings are read for changes. */
const WATCH_INTERVAL = Duration.seconds(1)
/** The first and the longest pause after a failure, and while another program fetches the bot's updates. */
const BACKOFF = { first: Duration.seconds(1), most: Duration.minutes(1) }
/** Longest pause that Telegram may request. */
const MAX_REQUESTED_PAUSE = Duration.hours(1)
/** How long a code may wait for its turn to be sent. */
const CODE_PATIENCE = Duration.seconds(10)

/** The settings that decide where updates come from; compared by value. */
interface Source {
  readonly mode: TelegramMode
  readonly token: Option.Option<Redacted.Redacted>
  readonly server: string
  /** Whether ALLOWED_CHAT_ID is unset or names a chat. */
  readonly isChatUsable: boolean
}

const currentSource: Effect.Effect<Source> = Effect.map(
  Effect.all([
    Effect.orElseSucceed(Setting.telegramMode.config, (): TelegramMode => "auto"),
    Effect.orElseSucceed(Setting.telegramBotToken.config, Option.none),
    Effect.orElseSucceed(Setting.telegramApiUrl.config, () => ""),
    Effect.isSuccess(Setting.allowedChatId.config)
  ]),
  ([mode, token, server, isChatUsable]) => Data.struct({ mode, token, server, isChatUsable })
)

/** Returns when the settings no longer name this source. */
const changeFrom = (source: Source) =>
  currentSource.pipe(
    Effect.delay(WATCH_INTERVAL),
    Effect.repeat({ until: (now) => !Equal.equals(now, source) })
  )

/** The bot's number, with which its token begins. */
const botOf = (token: Redacted.Redacted): number | undefined => {
  const [, digits = ""] = /^(\d{1,15}):/.exec(Redacted.value(token)) ?? []
  return digits === "" ? undefined : Number(digits)
}

const unusable = new ChatError({ reason: "unavailable" })

const decodeWebhook = Schema.decodeUnknown(Schema.Struct({ url: Schema.String }))
const decodeUpdates = Schema.decodeUnknown(Schema.Array(Schema.Unknown))

/** Whether a webhook is registered or another program fetches the bot's updates (409). */
const isConflict = ({ description = "", reason }: ChatError) =>
  reason === "rejected" && /^conflict/i.test(description)

const nextAfter = (updates: ReadonlyArray<unknown>): Option.Option<number> => {
  const ids = updates.flatMap((update) => updateIdOf(update) ?? []).filter((id) => id > 0)
  return ids.length === 0 ? Option.none() : Option.some(Math.max(...ids) + 1)
}

const reasonOf = (cause: Cause.Cause<ChatError | StoreUnavailable>) => {
  const error = Option.getOrUndefined(Cause.failureOption(cause))
  if (error === undefined) return { label: "defect", detail: Cause.pretty(cause) }
  if (error._tag !== "ChatError") return { label: "storage", detail: "the library cannot be written" }
  const detail = error.description === undefined ? error.reason : `Telegram says: ${error.description}`
  return { label: error.reason, detail }
}

const make = Effect.gen(function* () {
  const api = yield* BotApi
  const claims = yield* ChatClaims
  const delivery = yield* ChatDelivery
  const pace = yield* Pace
  const receive = yield* ReceiveUpdate
  const scope = yield* Effect.scope

  const announce = (way: DeliveryWay, line: string) =>
    Effect.flatMap(delivery.changeTo(way), (isNew) => (isNew ? Effect.logInfo(line) : Effect.void))

  /** Answers a chat that writes to a bot without an owner. */
  const offerCode = Effect.fnUntraced(function* (update: unknown) {
    const chat = privateChatOf(update)
    const chatId = integer(chat, "id")
    if (chatId === null) return
    const code = yield* claims.ask(chatId, chatNameOf(chat))
    if (Option.isNone(code)) return
    yield* pace
      .paced({ patience: CODE_PATIENCE })(
        api.call("sendMessage", sendMessage(codeMessage(chatId, code.value)))
      )
      .pipe(
        Effect.catchAll(({ reason }) => Effect.logInfo(`a code could not be sent: ${reason}`)),
        Effect.forkIn(scope)
      )
  })

  const receiveOne = (update: unknown) =>
    Either.match(
      // Text that is nested too deeply can be parsed, but not written again.
      Either.try(() => JSON.stringify(update)),
      {
        onLeft: () =>
          Effect.as(Effect.logError(`update ${updateIdOf(update)} cannot be stored and is skipped`), []),
        onRight: (payload) =>
          Effect.map(receive("polling", update, payload), (received) =>
            received === "unclaimed" ? [update] : []
          )
      }
    )

  /** Returns once all are on disk. They are handed over in order and at once, to share one commit. */
  const store = Effect.fn("Polling.store")(function* (updates: ReadonlyArray<unknown>) {
    const unclaimed = yield* Effect.forEach(updates, receiveOne, { concurrency: "unbounded" })
    yield* Effect.forEach(unclaimed.flat(), offerCode, { discard: true })
  })

  const registeredWebhook = api.call("getWebhookInfo", {}).pipe(
    Effect.flatMap((info) => Effect.mapError(decodeWebhook(info), () => unusable)),
    Effect.map(({ url }) => url)
  )

  /** Fetches the updates of one bot for as long as the settings stay the same. */
  const follow = Effect.fnUntraced(function* (bot: number, mode: TelegramMode) {
    const { run } = yield* makeWorkLoop
    /** Whether no webhook is registered, as far as is known. */
    let isFree = false
    /** Consecutive conflicts. */
    let conflicts = 0
    let isFailing = false
    let isRivalKnown = false

    const removeWebhook = Effect.fnUntraced(function* (url: string) {
      const done = yield* api.call("deleteWebhook", deleteWebhook(false))
      if (done !== true) return yield* unusable
      yield* Effect.logInfo(`TELEGRAM_MODE is polling: removed the webhook at ${hostOf(url)}`)
    })

    const look = Effect.gen(function* () {
      const url = yield* registeredWebhook
      if (url !== "" && mode === "auto") {
        conflicts = 0
        yield* announce("webhook", `Telegram sends the bot's updates to the webhook at ${hostOf(url)}`)
        return LOOK_INTERVAL
      }
      if (url !== "") yield* removeWebhook(url)
      else if (conflicts > 0 && !isRivalKnown) {
        isRivalKnown = true
        yield* Effect.logWarning(
          "another program fetches this bot's updates: stop it, or give it a different bot"
        )
      }
      isFree = true
      yield* announce("polling", "Fetching the bot's updates from Telegram by long polling")
      return Duration.zero
    })

    /** Fetches a batch, stores it, and moves on, so that the next request confirms it. */
    const poll = Effect.gen(function* () {
      const begun = yield* Clock.currentTimeMillis
      const offset = yield* delivery.offset(bot)
      const answer = yield* api.call("getUpdates", getUpdates(offset, MAX_UPDATES, HOLD_SECONDS), BOUNDS)
      const updates = (yield* Effect.mapError(decodeUpdates(answer), () => unusable)).slice(0, MAX_UPDATES)
      conflicts = 0
      yield* store(updates)
      const next = nextAfter(updates)
      if (Option.isSome(next) && !Option.contains(offset, next.value)) {
        yield* delivery.advance(bot, next.value)
        return Duration.zero
      }
      const passed = (yield* Clock.currentTimeMillis) - begun
      return Duration.clamp(Duration.millis(Duration.toMillis(MIN_CYCLE) - passed), {
        minimum: Duration.zero,
        maximum: MIN_CYCLE
      })
    })

    const afterConflict = Effect.gen(function* () {
      isFree = false
      const wait = Math.min(
        Duration.toMillis(BACKOFF.first) * 2 ** conflicts,
        Duration.toMillis(BACKOFF.most)
      )
      conflicts++
      yield* Measure.pollingErrors.count("conflict")
      // Two programs that back off in step would meet again.
      return Duration.millis(wait * (yield* Random.nextRange(0.5, 1)))
    })

    const afterRateLimit = Effect.fnUntraced(function* ({ retryAfterSeconds = 1 }: ChatError) {
      yield* Measure.pollingErrors.count("rate-limited")
      return Duration.min(Duration.seconds(retryAfterSeconds), MAX_REQUESTED_PAUSE)
    })

    const recovered = Effect.suspend(() => {
      if (!isFailing) return Effect.void
      isFailing = false
      return Effect.logInfo("Telegram answers requests for updates again")
    })

    const pass = Effect.suspend(() => (isFree ? poll : look)).pipe(
      Effect.tap(recovered),
      Effect.catchIf(
        (error) => error._tag === "ChatError" && isConflict(error),
        () => afterConflict
      ),
      Effect.catchIf(
        (error): error is ChatError => error._tag === "ChatError" && error.reason === "rate-limited",
        afterRateLimit
      )
    )

    const report = Effect.fnUntraced(function* (cause: Cause.Cause<ChatError | StoreUnavailable>) {
      const { detail, label } = reasonOf(cause)
      yield* Measure.pollingErrors.count(label)
      if (isFailing) return
      isFailing = true
      yield* Effect.logWarning(`Telegram's updates cannot be fetched, retrying: ${detail}`)
    })

    return yield* run(pass, { name: "fetching updates", backoff: BACKOFF, onFailure: report })
  })

  const start = Effect.fnUntraced(function* ({ isChatUsable, mode, token }: Source) {
    yield* delivery.changeTo("off")
    if (mode === "webhook") {
      yield* announce("webhook", "TELEGRAM_MODE is webhook: updates are not fetched")
      return yield* Effect.never
    }
    if (Option.isNone(token)) return yield* Effect.never
    const bot = botOf(token.value)
    if (bot === undefined) {
      yield* Effect.logWarning(
        "updates cannot be fetched: TELEGRAM_BOT_TOKEN must have the form 123456:ABC-DEF, as @BotFather shows it"
      )
      return yield* Effect.never
    }
    if (!isChatUsable) {
      // Fetching would confirm the owner's messages as a stranger's. Telegram keeps them for a day.
      yield* Effect.logWarning("updates are not fetched: ALLOWED_CHAT_ID is not a chat number")
      return yield* Effect.never
    }
    const hasSecret = yield* Effect.orElseSucceed(Setting.webhookSecret.config, Option.none)
    if (mode === "auto" && Option.isSome(hasSecret)) yield* Effect.sleep(START_DELAY)
    return yield* follow(bot, mode)
  })

  return {
    /** Fetches updates continuously, as the current settings ask for; stops at once when interrupted. */
    run: currentSource.pipe(
      Effect.flatMap((source) => Effect.raceFirst(start(source), changeFrom(source))),
      Effect.forever
    )
  }
})

/**
 * Fetches the bot's updates by long polling (https://core.telegram.org/bots/api#getupdates), so that the service needs no
 * public address.
 *
 * Telegram repeats updates until a later request confirms them. A request confirms a batch only after all of it is on
 * disk, so a crash, a full disk or a lost answer loses none, and the inbox recognizes what comes twice. An update that
 * cannot be read is skipped.
 *
 * Telegram serves either a webhook or one program that fetches. With `TELEGRAM_MODE=auto` a registered webhook stops the
 * polling, and its removal starts it again.
 */
export class Polling extends Service<Polling>()("Polling", make) {}

/** The host of a webhook's address; its path may be secret. */
const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : "an unreadable address")
