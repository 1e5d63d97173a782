import { describe, expect } from "bun:test"
import { ConfigProvider, Effect, Exit, FastCheck as fc, LogLevel, Option } from "effect"
import { Setting } from "../../src/config/Configuration.ts"
import { always, strangeText } from "../support/strange.ts"

const value = fc.oneof(
  strangeText(4),
  fc.integer().map(String),
  fc.constantFrom(
    "0",
    "65535",
    "65536",
    "-1",
    "1e3",
    "0x10",
    " 1",
    "1 second",
    "-5 seconds",
    "Infinity",
    "nano",
    "9".repeat(40)
  )
)

describe("any value of a setting", () => {
  const secret = "s3cret-value"
  const read = <A>(name: string, text: string, effect: Effect.Effect<A, unknown>) =>
    Effect.runSyncExit(Effect.withConfigProvider(effect, ConfigProvider.fromMap(new Map([[name, text]]))))

  always("is parsed within its limits, or rejected without being repeated", value, (text) => {
    for (const setting of Object.values(Setting)) {
      const exit = read<unknown>(setting.name, `${text}${secret}`, setting.config)
      if (Exit.isFailure(exit)) expect(String(exit.cause)).not.toContain(secret)
    }
    const port = read("PORT", text, Setting.port.config)
    if (Exit.isSuccess(port))
      expect(Number.isInteger(port.value) && port.value >= 0 && port.value <= 65_535).toBe(true)
    const chat = read("ALLOWED_CHAT_ID", text, Setting.allowedChatId.config)
    if (Exit.isSuccess(chat)) expect(Option.getOrElse(chat.value, () => 1)).toSatisfy(Number.isSafeInteger)
    const open = read("DEV_NO_AUTH", text, Setting.devNoAuth.config)
    expect(Exit.isSuccess(open) && open.value).toBe(text === "1")
    const level = read("LOG_LEVEL", text, Setting.logLevel.config)
    if (Exit.isSuccess(level)) expect(LogLevel.allLevels).toContain(level.value)
  })
})
