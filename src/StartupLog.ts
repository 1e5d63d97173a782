import { HttpServer } from "@effect/platform"
import { Clock, type Config, Console, Effect, Layer, Option, Redacted } from "effect"
import { Setting } from "./config/Configuration.ts"
import { localUrlOf } from "./config/LocalUrl.ts"
import { modelChoice } from "./config/ModelChoice.ts"
import { OneTimeCodes } from "./gates/OneTimeCodes.ts"
import { SignInWays } from "./gates/SignInWays.ts"
import { styled } from "./runtime/Terminal.ts"
import { VERSION } from "./version.ts"

/** The settings of each gate: while one of them is unset, the gate rejects every request. */
const gates = {
  webhook: [Setting.webhookSecret],
  chat: [Setting.allowedChatId],
  extension: [Setting.extensionToken],
  dashboard: [Setting.accessAud, Setting.accessTeamDomain]
} as const

/** The effect of each other setting being unset. */
const effectsWhenUnset = [
  [Setting.telegramBotToken, "no replies are sent"],
  [{ name: Setting.anthropicApiKey.name, config: modelChoice }, "links get no summary and tags"]
] as const

interface Named {
  readonly name: string
  readonly config: Config.Config<Option.Option<unknown>>
}

/** Whether a setting is unset; an invalid value counts as unset, because the code that uses it reports the error. */
const isUnset = ({ config }: Named) => Effect.map(Effect.orElseSucceed(config, Option.none), Option.isNone)

const unsetAmong = (settings: ReadonlyArray<Named>) =>
  Effect.map(Effect.filter(settings, isUnset), (unset) => unset.map(({ name }) => name))

const listed = (names: ReadonlyArray<string>) => (names.length === 0 ? "none" : names.join(", "))

const addressOf = ({ hostname, port }: HttpServer.TcpAddress) =>
  `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`

/** Which gates are open and closed, and each unset setting with what that means. */
const readState = Effect.fnUntraced(function* (isDashboardOpen: boolean) {
  const closed: Array<string> = []
  const unset: Array<string> = []
  for (const [gate, settings] of Object.entries(gates)) {
    const names = gate === "dashboard" && isDashboardOpen ? [] : yield* unsetAmong(settings)
    if (names.length > 0) closed.push(gate)
    unset.push(...names.map((name) => `${name} (keeps the gate ${gate} closed)`))
  }
  for (const [setting, effect] of effectsWhenUnset)
    if (yield* isUnset(setting)) unset.push(`${setting.name} (${effect})`)
  return { opened: Object.keys(gates).filter((gate) => !closed.includes(gate)), closed, unset }
})

/**
 * What the owner does next: opens the dashboard, or enters a new one-time code on the set-up page while there is no way
 * to sign in.
 */
const nextStep = Effect.fnUntraced(function* (address: string) {
  if (yield* (yield* SignInWays).isSetUp) {
    const publicUrl = yield* Effect.orElseSucceed(Setting.publicUrl.config, Option.none)
    return `Dashboard at ${Option.getOrElse(publicUrl, () => address).replace(/\/+$/, "")}/dashboard`
  }
  const code = yield* Effect.option((yield* OneTimeCodes).make("log"))
  return Option.match(code, {
    onNone: () => `Open ${address}/setup and enter the code that \`linkbower setup\` prints`,
    onSome: (made) => `Open ${address}/setup and enter the code ${Redacted.value(made)}`
  })
})

/** The three lines on a terminal: the version, the address, and the next step. */
const greet = Effect.fnUntraced(function* (address: string, folder: string) {
  yield* Console.log(styled("bold", `Linkbower ${VERSION}`))
  yield* Console.log(`Listens on ${address}, with its library in ${folder}`)
  yield* Console.log(yield* nextStep(address))
})

/** The same for a log: one line, a warning that lists unset settings, and a one-time code while there is no other way in. */
const report = Effect.fnUntraced(function* (address: string, folder: string) {
  const ways = yield* SignInWays
  const { closed, opened, unset } = yield* readState(yield* ways.isSetUp)
  yield* Effect.logInfo(
    `Linkbower ${VERSION} listens on ${address} with its library in ${folder}; ` +
      `gates open: ${listed(opened)}; closed: ${listed(closed)}`
  )
  if (unset.length > 0) yield* Effect.logWarning(`Unset: ${unset.join(", ")}`)
  yield* Effect.ignore(ways.offerCode)
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
    yield* process.stdout.isTTY
      ? greet(isTcp ? localUrlOf(address.hostname, address.port) : address.path, folder)
      : report(isTcp ? addressOf(address) : address.path, folder)
    const started = yield* Clock.currentTimeMillis
    yield* Effect.addFinalizer(() =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.logInfo(`Linkbower is stopping after ${Math.round((now - started) / 1000)} s`)
      )
    )
  })
)
