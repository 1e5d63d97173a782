import {
  Clock,
  Context,
  Data,
  Duration,
  Effect,
  Equal,
  Layer,
  Option,
  type Redacted,
  Ref,
  Schema
} from "effect"
import { Setting } from "../config/Configuration.ts"
import { BotApi } from "./BotApi.ts"
import type { ChatError } from "./Chat.ts"
import { Pace } from "./Pace.ts"
import { type BotCommand, setMyCommands } from "./Payloads.ts"
import { allowedChat } from "./Update.ts"

/** How long whoever wants the bot's name waits for it. */
const PATIENCE = Duration.seconds(2)
/** A service that ends soon after its start, over and over, is no reason to ask the platform anything. */
const SETTLED = Duration.seconds(5)
/** How often it is seen whether the token or the chat has changed, and how soon what failed is tried again. */
const LOOK = Duration.minutes(1)
const MAX_PAUSE = Duration.hours(1)

const decodeBot = Schema.decodeUnknown(Schema.Struct({ username: Schema.NonEmptyString }))

type Token = Option.Option<Redacted.Redacted>

/** What came of asking who the bot is; times are in milliseconds since the epoch. */
interface Asked {
  readonly token: Token
  readonly username: Option.Option<string>
  readonly at: number
}

/** What came of registering the commands; times are in milliseconds since the epoch. */
interface Registered {
  /** The token and the chat they are registered with. */
  readonly place: readonly [Token, Option.Option<number>]
  readonly failures: number
  readonly nextAt: number
}

const currentToken: Effect.Effect<Token> = Effect.orElseSucceed(Setting.telegramBotToken.config, Option.none)

/** Who the bot is, and the commands people see in its menu. */
export class Profile extends Context.Tag("Profile")<
  Profile,
  {
    /** The bot's user name without `@`; none without a token, and for a minute where it is not told within 2 seconds. */
    readonly username: Effect.Effect<Option.Option<string>>
    /** Shows the commands to the allowed chat alone; there is nothing to do while no chat is allowed. */
    readonly register: (commands: ReadonlyArray<BotCommand>) => Effect.Effect<void, ChatError>
    /** Registers the commands, and again where that failed or another token or chat is set, for ever. */
    readonly run: (commands: ReadonlyArray<BotCommand>) => Effect.Effect<never>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const api = yield* BotApi
      const pace = yield* Pace
      const asked = yield* Ref.make<Asked>({ token: Option.none(), username: Option.none(), at: 0 })
      const asking = yield* Effect.makeSemaphore(1)

      const ask = pace
        .paced({ patience: PATIENCE })(api.call("getMe", {}))
        .pipe(
          Effect.flatMap(decodeBot),
          Effect.map(({ username }) => username),
          Effect.timeout(PATIENCE),
          Effect.option
        )

      const username = Effect.gen(function* () {
        const token = yield* currentToken
        if (Option.isNone(token)) return Option.none()
        const known = yield* Ref.get(asked)
        const at = yield* Clock.currentTimeMillis
        const fresh = Option.isSome(known.username) || Math.abs(at - known.at) < Duration.toMillis(LOOK)
        if (fresh && Equal.equals(known.token, token)) return known.username
        const answer = yield* ask
        yield* Ref.set(asked, { token, username: answer, at })
        return answer
      }).pipe(asking.withPermits(1), Effect.withSpan("Profile.username"))

      const register = Effect.fn("Profile.register")(function* (commands: ReadonlyArray<BotCommand>) {
        const chat = yield* allowedChat
        if (Option.isSome(chat))
          yield* pace.paced({})(api.call("setMyCommands", setMyCommands(chat.value, commands)))
      })

      /** Registers the commands where it is time to. */
      const look = Effect.fnUntraced(function* (commands: ReadonlyArray<BotCommand>, last: Registered) {
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
                    `the bot's commands could not be registered, which is tried again: ${[reason, description].filter(Boolean).join(", ")}`
                  ),
              {
                place,
                failures: failures + 1,
                nextAt: now + Math.min(Duration.toMillis(LOOK) * 2 ** failures, Duration.toMillis(MAX_PAUSE))
              }
            )
        })
      })

      return {
        username,
        register,
        run: (commands) =>
          Effect.flatMap(
            Ref.make<Registered>({ place: Data.tuple(Option.none(), Option.none()), failures: 0, nextAt: 0 }),
            (state) =>
              Ref.get(state).pipe(
                Effect.flatMap((last) => look(commands, last)),
                Effect.flatMap((next) => Ref.set(state, next)),
                Effect.zipRight(Effect.sleep(LOOK)),
                Effect.forever,
                Effect.delay(SETTLED)
              )
          )
      }
    })
  )
}
