import { HttpServer } from "@effect/platform"
import { Clock, type Config, Console, Effect, Layer, Option, Redacted } from "effect"
import { browserUrlOf, ownersAddress } from "./config/Addresses.ts"
import { Setting } from "./config/Configuration.ts"
import { modelChoice } from "./config/ModelChoice.ts"
import { settingMistakes } from "./config/SettingMistakes.ts"
import { SignInWays } from "./gates/SignInWays.ts"
import { styled } from "./runtime/Terminal.ts"
import { VERSION } from "./version.ts"

/** The setting of each gate but the dashboard's: while it is unset, the gate rejects every request. */
const gates = {
  webhook: Setting.webhookSecret,
  chat: Setting.allowedChatId,
  extension: Setting.extensionToken
} as const

/** The effect of each other setting being unset. */
const effectsWhenUnset = [
  [Setting.telegramBotToken, "no replies are sent"],
  [{ name: Setting.anthropicApiKey.name, config: modelChoice }, "links get no summary and tags"]
] as const

/** Whether the bot's updates may come without the webhook, so that its secret may be unset. */
const mayPoll = Effect.match(Setting.telegramMode.config, {
  onFailure: () => true,
  onSuccess: (mode) => mode !== "webhook"
})

interface Named {
  readonly name: string
  readonly config: Config.Config<Option.Option<unknown>>
}

/** Whether a setting is unset; an invalid value counts as unset, because the code that uses it reports the error. */
const isUnset = ({ config }: Named) => Effect.map(Effect.orElseSucceed(config, Option.none), Option.isNone)

const listed = (names: ReadonlyArray<string>) => (names.length === 0 ? "none" : names.join(", "))

const addressOf = ({ hostname, port }: HttpServer.TcpAddress) =>
  `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`

/** Which gates are open and closed, and each unset setting that is missed, with what that means. */
const readState = Effect.fnUntraced(function* (isDashboardOpen: boolean) {
  const closed: Array<string> = []
  const unset: Array<string> = []
  for (const [gate, setting] of Object.entries(gates)) {
    if (!(yield* isUnset(setting))) continue
    closed.push(gate)
    if (gate === "webhook" && (yield* mayPoll)) continue
    unset.push(`${setting.name} (keeps the gate ${gate} closed)`)
  }
  // Which of its settings is missed depends on the way that the owner chooses; the one-time code leads there.
  if (!isDashboardOpen) closed.push("dashboard")
  for (const [setting, effect] of effectsWhenUnset)
    if (yield* isUnset(setting)) unset.push(`${setting.name} (${effect})`)
  const all = [...Object.keys(gates), "dashboard"]
  return { opened: all.filter((gate) => !closed.includes(gate)), closed, unset }
})

/**
 * What the owner does next: opens the dashboard, or enters a new one-time code on the set-up page while there is no way
 * to sign in.
 */
const nextStep = Effect.fnUntraced(function* (local: string) {
  const address = yield* ownersAddress(local)
  return yield* Effect.match((yield* SignInWays).newCode, {
    onFailure: () => `Open ${address}/setup and enter the code that \`linkbower setup\` prints`,
    onSuccess: Option.match({
      onNone: () => `Dashboard at ${address}/dashboard`,
      onSome: (code) => `Open ${address}/setup and enter the code ${Redacted.value(code)}`
    })
  })
})

/** The three lines on a terminal: the version, the address, and the next step. */
const greet = Effect.fnUntraced(function* (address: string, folder: string) {
  yield* Console.log(styled("bold", `Linkbower ${VERSION}`))
  yield* Console.log(`Listens on ${address}, with its library in ${folder}`)
  yield* Console.log(yield* nextStep(address))
})

/** The same for a log: one line, a warning that lists unset settings, and a new one-time code while no way to sign in is set up. */
const report = Effect.fnUntraced(function* (address: string, folder: string) {
  const ways = yield* SignInWays
  const { closed, opened, unset } = yield* readState(yield* ways.isSetUp)
  yield* Effect.logInfo(
    `Linkbower ${VERSION} listens on ${address} with its library in ${folder}; ` +
      `gates open: ${listed(opened)}; closed: ${listed(closed)}`
  )
  if (unset.length > 0) yield* Effect.logWarning(`Unset: ${unset.join(", ")}`)
  yield* Effect.ignore(ways.logCode("always"))
})

/**
 * Says that the service has started, on a terminal or in the log, and logs that it stops. The lines name settings and
 * gates, and contain no secret but the one-time code.
 */
export const layer = Layer.scopedDiscard(
  Effect.gen(function* () {
    const { address } = yield* HttpServer.HttpServer
    const folder = yield* Setting.dataDir.config
    const isTcp = address._tag === "TcpAddress"
    const told = process.stdout.isTTY
      ? greet(isTcp ? browserUrlOf(address.hostname, address.port) : address.path, folder)
      : report(isTcp ? addressOf(address) : address.path, folder)
    // It reads the library, which may have become unreadable since; the service goes on and says so.
    yield* Effect.catchAllCause(told, (cause) => Effect.logError("The start could not be described", cause))
    yield* Effect.forEach(yield* settingMistakes, (mistake) => Effect.logWarning(mistake), { discard: true })
    const started = yield* Clock.currentTimeMillis
    yield* Effect.addFinalizer(() =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.logInfo(`Linkbower is stopping after ${Math.round((now - started) / 1000)} s`)
      )
    )
  })
)
