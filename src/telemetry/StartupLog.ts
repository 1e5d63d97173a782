import { HttpServer } from "@effect/platform"
import { Clock, type Config, Effect, Layer, Option } from "effect"
import { Setting } from "../config/Configuration.ts"
import { VERSION } from "../version.ts"

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
  [Setting.anthropicApiKey, "links get no summary and tags"]
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

const addressOf = (address: HttpServer.Address) => {
  if (address._tag !== "TcpAddress") return address.path
  const host = address.hostname.includes(":") ? `[${address.hostname}]` : address.hostname
  return `http://${host}:${address.port}`
}

/**
 * Logs one line when the service has started, with a warning that lists unset settings, and one when it stops. The
 * lines name settings and gates, and never contain a secret value.
 */
export const layer = Layer.scopedDiscard(
  Effect.gen(function* () {
    const server = yield* HttpServer.HttpServer
    const folder = yield* Setting.dataDir.config
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
    const opened = Object.keys(gates).filter((gate) => !closed.includes(gate))
    yield* Effect.logInfo(
      `Linkbower ${VERSION} listens on ${addressOf(server.address)} with its library in ${folder}; ` +
        `gates open: ${listed(opened)}; closed: ${listed(closed)}`
    )
    if (unset.length > 0) yield* Effect.logWarning(`Unset: ${unset.join(", ")}`)
    const started = yield* Clock.currentTimeMillis
    yield* Effect.addFinalizer(() =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.logInfo(`Linkbower is stopping after ${Math.round((now - started) / 1000)} s`)
      )
    )
  })
)
