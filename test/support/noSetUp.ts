import { Effect, Layer, Option } from "effect"
import { makeWriter, SettingWriter } from "../../src/config/SettingWriter.ts"
import { SetUp } from "../../src/library/SetUp.ts"
import { BotSetUp } from "../../src/telegram/BotSetUp.ts"

/** A set-up without a bot, and without a file that settings could be written to. */
export const noSetUp = Layer.merge(
  SetUp.layer,
  Layer.mock(BotSetUp, {
    state: Effect.succeed({ isSet: false, bot: Option.none(), error: Option.none() }),
    forget: Effect.void
  })
).pipe(
  Layer.provideMerge(
    Layer.effect(
      SettingWriter,
      makeWriter({
        envFile: "/nowhere/.env",
        secretsDir: undefined,
        secretFile: (name) => `/nowhere/${name}`,
        decidingFile: () => undefined,
        isSet: () => false
      })
    )
  )
)
