import { describe, expect } from "bun:test"
import { parseEnv } from "node:util"
import { ConfigProvider, Effect, Exit, FastCheck as fc, LogLevel, Option } from "effect"
import { allSettings, Setting } from "../../src/config/Configuration.ts"
import { withSetting } from "../../src/config/SettingSources.ts"
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

describe("any dotenv file", () => {
  const line = fc.oneof(
    strangeText(4),
    fc
      .tuple(fc.constantFrom(...allSettings.map(({ name }) => name), "OTHER", "export OTHER"), strangeText(3))
      .map(([name, text]) => `${name}=${text}`),
    fc.constantFrom("# a comment", "", "A='quoted", 'B="also', "'", "PORT = 1 # why", "export PORT=2")
  )
  const token = fc.string({ unit: fc.constantFrom(..."abcXYZ019_-"), minLength: 1, maxLength: 40 })

  always(
    "keeps its other lines when a setting is written",
    fc.tuple(
      fc.array(line, { maxLength: 8 }),
      fc.constantFrom("\n", "\r\n"),
      fc.constantFrom("PORT", "WEBHOOK_SECRET"),
      token
    ),
    ([lines, end, name, text]) => {
      const before = lines.join(end)
      const after = withSetting(before, name, text)
      if (after !== undefined) expect({ ...parseEnv(after) }).toEqual({ ...parseEnv(before), [name]: text })
    },
    600
  )
})
