import { HttpServer } from "@effect/platform"
import { Clock, type Config, Console, Effect, Layer, Option } from "effect"
import { Setting } from "./config/Configuration.ts"
import { localUrlOf } from "./config/LocalUrl.ts"
import { modelChoice } from "./config/ModelChoice.ts"
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
const readState = Effect.gen(function* () {
  const open = yield* Setting.devNoAuth.config
  const closed: Array<string> = []
  const unset: Array<string> = []
  for (const [gate, settings] of Object.entries(gates)) {
    const names = gate === "dashboard" && open ? [] : yield* unsetAmong(settings)
    if (names.length > 0) closed.push(gate)
    unset.push(...names.map((name) => `${name} (keeps the gate ${gate} closed)`))
  }
  for (const [setting, effect] of effectsWhenUnset)
    if (yield* isUnset(setting)) unset.push(`${setting.name} (${effect})`)
  return { opened: Object.keys(gates).filter((gate) => !closed.includes(gate)), closed, unset }
})

/** What the owner does next: opens the dashboard, or first a gate that leads to it. */
const nextStep = (address: string, isOpen: boolean) =>
  Effect.map(Effect.orElseSucceed(Setting.publicUrl.config, Option.none), (publicUrl) => {
    const base = Option.getOrElse(publicUrl, () => address).replace(/\/+$/, "")
    return isOpen
      ? `Dashboard at ${base}/dashboard`
      : `Nobody can sign in yet: ${address}/docs/start says how to open the dashboard.`
  })

/**
 * Says that the service has started, and logs that it stops. A terminal shows three lines: the version, the address, and
 * the next step. Elsewhere one line is logged, with a warning that lists unset settings. The lines name settings and
 * gates, and never contain a secret value.
 */
export const layer = Layer.scopedDiscard(
  Effect.gen(function* () {
    const server = yield* HttpServer.HttpServer
    const folder = yield* Setting.dataDir.config
    const { address } = server
    const isTcp = address._tag === "TcpAddress"
    const local = isTcp ? localUrlOf(address.hostname, address.port) : address.path
    const { closed, opened, unset } = yield* readState
    const started = yield* Clock.currentTimeMillis
    if (process.stdout.isTTY) {
      yield* Console.log(styled("bold", `Linkbower ${VERSION}`))
      yield* Console.log(`Listens on ${local}, with its library in ${folder}`)
      yield* Console.log(yield* nextStep(local, opened.includes("dashboard")))
    } else {
      yield* Effect.logInfo(
        `Linkbower ${VERSION} listens on ${isTcp ? addressOf(address) : address.path} with its library in ${folder}; ` +
          `gates open: ${listed(opened)}; closed: ${listed(closed)}`
      )
      if (unset.length > 0) yield* Effect.logWarning(`Unset: ${unset.join(", ")}`)
    }
    yield* Effect.addFinalizer(() =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.logInfo(`Linkbower is stopping after ${Math.round((now - started) / 1000)} s`)
      )
    )
  })
)
