import { Clock, Duration, Effect, Either, Equal, Option, Redacted, Ref, Schema } from "effect"
import { Setting } from "../config/Configuration.ts"
import { withValues } from "../config/SettingValue.ts"
import { SettingWriter } from "../config/SettingWriter.ts"
import { cleanName } from "../library/ChatClaims.ts"
import { SetUpRefused } from "../library/SetUp.ts"
import { Service } from "../runtime/Services.ts"
import { BotApi, getUpdates, sentenceOf } from "./BotApi.ts"
import { integer } from "./MessageText.ts"
import { chatNameOf, privateChatOf } from "./Update.ts"

/** A bot as Telegram describes it (https://core.telegram.org/bots/api#user). */
export interface FoundBot {
  /** Without `@`. */
  readonly username: string
  readonly name: string
}

const decodeBot = Schema.decodeUnknown(Schema.Struct({ username: Schema.String, first_name: Schema.String }))

/** The form of a token. It becomes part of an address, so nothing else may be sent. */
const TOKEN = /^\d{1,15}:[\w-]{1,200}$/

/** How long a failed look-up of the bot is remembered. */
const FAILURE_AGE = Duration.seconds(10)

const NOT_A_TOKEN =
  "This is not a bot token. Copy the whole token from @BotFather, which looks like 123456:ABC-DEF."

const advice = {
  withoutToken: NOT_A_TOKEN,
  client: "the service",
  onRefusal: () => "Copy the whole token from @BotFather; a revoked one is no longer valid."
}

export interface WaitingChat {
  readonly chatId: number
  readonly name: string
}

/** Maximum number of updates looked at for chats. */
const MAX_UPDATES = 100

const decodeUpdates = Schema.decodeUnknown(Schema.Array(Schema.Unknown))

const chatsOf = (updates: ReadonlyArray<unknown>): ReadonlyArray<WaitingChat> => {
  const chats = updates.flatMap((update) => {
    const chat = privateChatOf(update)
    const chatId = integer(chat, "id")
    return chatId === null ? [] : [[chatId, cleanName(chatNameOf(chat)) || String(chatId)] as const]
  })
  return [...new Map(chats)].map(([chatId, name]) => ({ chatId, name })).reverse()
}

/** The result of a look-up, with its time in milliseconds since 1970. */
interface Looked {
  readonly token: Redacted.Redacted
  readonly found: Either.Either<FoundBot, SetUpRefused>
  readonly at: number
}

const make = Effect.gen(function* () {
  const api = yield* BotApi
  const writer = yield* SettingWriter
  const last = yield* Ref.make(Option.none<Looked>())

  const find = Effect.fn("BotSetUp.find")(function* (given: Redacted.Redacted) {
    const token = Redacted.value(given).trim()
    if (!TOKEN.test(token)) return yield* new SetUpRefused({ message: NOT_A_TOKEN })
    const answer = yield* Effect.mapError(
      withValues({ [Setting.telegramBotToken.name]: token })(api.call("getMe", {})),
      (error) => new SetUpRefused({ message: sentenceOf(error, advice) })
    )
    const { first_name, username } = yield* Effect.mapError(
      decodeBot(answer),
      () => new SetUpRefused({ message: "Telegram sent an unexpected response. Check TELEGRAM_API_URL." })
    )
    return { username, name: first_name }
  })

  /** Looks a token up, unless that was done before; a failure may pass, so it is repeated later. */
  const look = Effect.fnUntraced(function* (token: Redacted.Redacted) {
    const now = yield* Clock.currentTimeMillis
    const known = Option.filter(
      yield* Ref.get(last),
      ({ at, found, token: looked }) =>
        Equal.equals(token, looked) &&
        (Either.isRight(found) || Math.abs(now - at) < Duration.toMillis(FAILURE_AGE))
    )
    if (Option.isSome(known)) return known.value.found
    const found = yield* Effect.either(find(token))
    yield* Ref.set(last, Option.some({ token, found, at: now }))
    return found
  })

  return {
    find,
    /** Checks a token and writes it; the running service then uses this bot. */
    connect: Effect.fn("BotSetUp.connect")(function* (token: Redacted.Redacted) {
      const bot = yield* find(token)
      yield* writer.write(Setting.telegramBotToken.name, Redacted.value(token).trim())
      return bot
    }),
    /** For a set-up without a service. Confirms no update; fails with a webhook, or if another program fetches updates. */
    waitingChats: api.call("getUpdates", getUpdates(Option.none(), MAX_UPDATES, 0)).pipe(
      Effect.mapError((error) => new SetUpRefused({ message: sentenceOf(error, advice) })),
      Effect.flatMap((answer) => Effect.orElseSucceed(decodeUpdates(answer), () => [])),
      Effect.map(chatsOf),
      Effect.withSpan("BotSetUp.waitingChats")
    ),
    /** Telegram is asked once, and again after `forget`. */
    state: Effect.gen(function* () {
      const token = yield* Effect.orElseSucceed(Setting.telegramBotToken.config, Option.none)
      if (Option.isNone(token)) return { isSet: false, bot: Option.none(), error: Option.none() }
      const found = yield* look(token.value)
      return {
        isSet: true,
        bot: Either.getRight(found),
        error: Option.map(Either.getLeft(found), ({ message }) => message)
      }
    }).pipe(Effect.withSpan("BotSetUp.state")),
    forget: Ref.set(last, Option.none())
  }
})

/** Connects the bot: checks its token with Telegram before it is written. */
export class BotSetUp extends Service<BotSetUp>()("BotSetUp", make) {}
