import { Clock, Data, Duration, Effect, Equal, Option, type Redacted, Ref, Schema } from "effect"
import { Setting } from "../config/Configuration.ts"
import { allowedChat } from "../library/ChatClaims.ts"
import { Service } from "../runtime/Services.ts"
import { BotApi, type BotCommand, setMyCommands } from "./BotApi.ts"
import { Pace } from "./Pace.ts"

const LOOKUP_TIMEOUT = Duration.seconds(2)
/** Delay before the first registration, so that a service in a crash loop does not call the platform. */
const START_DELAY = Duration.seconds(5)
/** How often the token and the chat are checked for changes, and the first backoff after a failure. */
const CHECK_INTERVAL = Duration.minutes(1)
const MAX_BACKOFF = Duration.hours(1)

const decodeBot = Schema.decodeUnknown(
  Schema.Struct({
    username: Schema.NonEmptyString,
    supports_inline_queries: Schema.optionalWith(Schema.Boolean, { default: () => false })
  })
)

type Token = Option.Option<Redacted.Redacted>

interface FoundBot {
  readonly username: string
  /** Whether BotFather has switched inline mode on. */
  readonly isInline: boolean
}

/** A cached lookup of the bot; times are in milliseconds since the epoch. */
interface CachedBot {
  readonly token: Token
  readonly bot: Option.Option<FoundBot>
  readonly at: number
}

/** The state of command registration; times are in milliseconds since the epoch. */
interface Registered {
  /** The token and the chat that the commands are registered with. */
  readonly place: readonly [Token, Option.Option<number>]
  readonly failures: number
  readonly nextAt: number
}

const currentToken: Effect.Effect<Token> = Effect.orElseSucceed(Setting.telegramBotToken.config, Option.none)

const make = Effect.gen(function* () {
  const api = yield* BotApi
  const pace = yield* Pace
  const cached = yield* Ref.make<CachedBot>({ token: Option.none(), bot: Option.none(), at: 0 })
  const lookupLock = yield* Effect.makeSemaphore(1)

  const lookUp = pace
    .paced({ patience: LOOKUP_TIMEOUT })(api.call("getMe", {}))
    .pipe(
      Effect.flatMap(decodeBot),
      Effect.map(
        ({ supports_inline_queries, username }): FoundBot => ({
          username,
          isInline: supports_inline_queries
        })
      ),
      Effect.timeout(LOOKUP_TIMEOUT),
      Effect.option
    )

  /** The bot; what is known of it is looked up again after a minute if `isRecent` is asked for. */
  const bot = Effect.fn("Profile.bot")(function* (isRecent: boolean) {
    const token = yield* currentToken
    if (Option.isNone(token)) return Option.none()
    const known = yield* Ref.get(cached)
    const at = yield* Clock.currentTimeMillis
    const same = Equal.equals(known.token, token)
    const isNew = Math.abs(at - known.at) < Duration.toMillis(CHECK_INTERVAL)
    if (same && (isNew || (!isRecent && Option.isSome(known.bot)))) return known.bot
    const answer = Option.orElse(yield* lookUp, () => (same ? known.bot : Option.none()))
    yield* Ref.set(cached, { token, bot: answer, at })
    return answer
  }, lookupLock.withPermits(1))

  /** The bot's user name without `@`; none without a token, and for a minute after a failed lookup (timeout 2 s). */
  const username = Effect.map(
    bot(false),
    Option.map((found) => found.username)
  )

  /** The same name if the bot can be searched from other chats (inline mode), looked up once a minute at most. */
  const inlineName = Effect.map(
    bot(true),
    Option.flatMap((found) => (found.isInline ? Option.some(found.username) : Option.none()))
  )

  /** Registers the commands for the allowed chat only; does nothing while no chat is allowed. */
  const register = Effect.fn("Profile.register")(function* (commands: ReadonlyArray<BotCommand>) {
    const chat = yield* allowedChat
    if (Option.isSome(chat))
      yield* pace.paced({})(api.call("setMyCommands", setMyCommands(chat.value, commands)))
  })

  const registerIfDue = Effect.fnUntraced(function* (commands: ReadonlyArray<BotCommand>, last: Registered) {
    const place = Data.tuple(yield* currentToken, yield* allowedChat)
    const now = yield* Clock.currentTimeMillis
    const known = Equal.equals(place, last.place)
    if (Option.isNone(place[0]) || Option.isNone(place[1])) return { place, failures: 0, nextAt: 0 }
    if (known && now < last.nextAt) return last
    const failures = known ? last.failures : 0
    return yield* Effect.matchEffect(register(commands), {
      onSuccess: () => Effect.succeed({ place, failures: 0, nextAt: Number.POSITIVE_INFINITY }),
      onFailure: ({ description, reason }) =>
        Effect.as(
          failures > 0
            ? Effect.void
            : Effect.logWarning(
                `the bot's commands could not be registered, retrying: ${[reason, description].filter(Boolean).join(", ")}`
              ),
          {
            place,
            failures: failures + 1,
            nextAt:
              now +
              Math.min(Duration.toMillis(CHECK_INTERVAL) * 2 ** failures, Duration.toMillis(MAX_BACKOFF))
          }
        )
    })
  })

  return {
    username,
    inlineName,
    register,
    /** Keeps the commands registered: retries after failures and registers again when the token or the chat changes. */
    run: (commands: ReadonlyArray<BotCommand>) =>
      Effect.flatMap(
        Ref.make<Registered>({ place: Data.tuple(Option.none(), Option.none()), failures: 0, nextAt: 0 }),
        (state) =>
          Ref.get(state).pipe(
            Effect.flatMap((last) => registerIfDue(commands, last)),
            Effect.flatMap((next) => Ref.set(state, next)),
            Effect.zipRight(Effect.sleep(CHECK_INTERVAL)),
            Effect.forever,
            Effect.delay(START_DELAY)
          )
      )
  }
})

export class Profile extends Service<Profile>()("Profile", make) {}
