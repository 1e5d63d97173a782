import { FetchHttpClient, HttpLayerRouter, HttpServer } from "@effect/platform"
import { BunFileSystem, BunHttpServer } from "@effect/platform-bun"
import { Clock, Config, ConfigProvider, Effect, Layer, Option } from "effect"
import * as Work from "./Application.ts"
import { application } from "./Application.ts"
import { Setting } from "./config/Configuration.ts"
import { modelChoice } from "./config/ModelChoice.ts"
import { Health } from "./domain/Health.ts"
import { Enricher } from "./enrich/Enricher.ts"
import { Embedder } from "./enrich/embedding/Embedder.ts"
import { Resolver } from "./enrich/fetch/Destination.ts"
import { Fetcher } from "./enrich/fetch/Fetcher.ts"
import { Categorizer } from "./enrich/model/Categorizer.ts"
import { GroupNamer } from "./enrich/model/GroupNamer.ts"
import { LanguageModel } from "./enrich/model/LanguageModel.ts"
import { Summarizer } from "./enrich/model/Summarizer.ts"
import { Images } from "./enrich/page/Images.ts"
import { Sandbox } from "./enrich/page/Sandbox.ts"
import { Scraper } from "./enrich/page/Scraper.ts"
import { Repositories } from "./enrich/repository/Repositories.ts"
import { AccessKeys } from "./gates/AccessKeys.ts"
import * as OwnSignIn from "./gates/OwnSignIn.ts"
import { SignInWays } from "./gates/SignInWays.ts"
import { IDLE_SECONDS } from "./http/Body.ts"
import * as MetricsPage from "./http/MetricsPage.ts"
import * as Routes from "./http/Routes.ts"
import { SearchLinks } from "./library/SearchLinks.ts"
import { makeDnsResolver } from "./runtime/Names.ts"
import { removeAbandonedTemporaries } from "./runtime/ReplaceFile.ts"
import { lockProbeCommand, sandboxCommand } from "./SandboxCommand.ts"
import * as PublicThread from "./search/PublicSearch.ts"
import * as RemoteReader from "./search/Reader.ts"
import { MAX_UPLOAD } from "./shared/Limits.ts"
import * as Database from "./store/Database.ts"
import { dataFolder } from "./store/DataFolder.ts"
import { Lock } from "./store/Lock.ts"
import { librarySize } from "./store/maintenance/Inspection.ts"
import { BotApi } from "./telegram/BotApi.ts"
import { Chat } from "./telegram/Chat.ts"
import { Pace } from "./telegram/Pace.ts"
import { Polling } from "./telegram/Polling.ts"
import { Profile } from "./telegram/Profile.ts"
import { Gauges } from "./telemetry/Gauges.ts"
import * as Logging from "./telemetry/Logging.ts"
import * as Otlp from "./telemetry/Otlp.ts"
import * as RemoteImportReader from "./transfer/ImportReader.ts"
import { VERSION } from "./version.ts"

/** Body size, in bytes, above which Bun itself rejects a request; smaller oversized bodies get an explanation. */
const BUN_MAX_BODY = MAX_UPLOAD + 1024 * 1024

/** Starts listening once the library is ready; until then connections are refused, and senders retry. */
const server = Layer.unwrapEffect(
  Effect.gen(function* () {
    yield* SearchLinks
    const hostname = yield* Setting.host.config
    const port = yield* Setting.port.config
    return Layer.provideMerge(
      Routes.unavailableLayer,
      BunHttpServer.layer({
        hostname,
        port,
        idleTimeout: IDLE_SECONDS,
        maxRequestBodySize: BUN_MAX_BODY
      })
    )
  })
)

// Resolved next to the program itself: in a compiled binary this module's own URL is meaningless.
const threadFile = (file: string) => new URL(file, Bun.pathToFileURL(Bun.main)).href
const thread =
  (file: string, ...argv: Array<string>) =>
  () =>
    new Worker(threadFile(file), { argv })

/** The database, and the worker threads that read it beside the serving thread. */
const library = Layer.unwrapEffect(
  Effect.map(Setting.dataDir.config, (folder) => {
    const { imports, library: filename } = dataFolder(folder)
    const sweep = Layer.effectDiscard(
      Effect.forEach([folder, imports], (each) => removeAbandonedTemporaries(each, "library"))
    )
    return Layer.merge(
      RemoteReader.layer(thread("./ReaderThread.ts", filename)),
      PublicThread.layer(thread("./PublicThread.ts", filename))
    ).pipe(
      Layer.provide(Health.layer),
      Layer.provideMerge(Database.layer(filename)),
      Layer.provide(sweep),
      Layer.provide(Lock.layer(folder, lockProbeCommand))
    )
  })
)

const enrichment = Layer.mergeAll(Enricher.layer, Categorizer.layer, GroupNamer.layer).pipe(
  Layer.provide([Scraper.layer, Repositories.layer, Summarizer.layer]),
  Layer.provide([Fetcher.layer, LanguageModel.layer]),
  Layer.provide(Resolver.layer)
)

const importReader = RemoteImportReader.layer(thread("./ImportThread.ts"))

const images = Layer.provide(Images.layer, Resolver.layer)

const telegram = Layer.merge(Chat.layer, Profile.layer).pipe(
  Layer.provideMerge(Layer.merge(BotApi.layer, Pace.layer))
)

/** Fetches the bot's updates. It lies above the work that they cause, so that a shutdown ends it first. */
const polling = Layer.scopedDiscard(Effect.flatMap(Polling, ({ run }) => Effect.forkScoped(run))).pipe(
  Layer.provide(Polling.layer),
  Layer.provide(Work.layer)
)

/** Exports metrics through the metrics page and OTLP. */
const metrics = Layer.merge(MetricsPage.layer, Otlp.metrics()).pipe(
  Layer.provide(Gauges.layer),
  Layer.provide(librarySize)
)

/** Environment variables from which the runtime's `fetch` takes its proxy. */
const proxies = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"]

/** The `fetch` for the owner's own services: a hanging DNS lookup fails its request without blocking anything else. */
const fetching = Layer.effect(
  FetchHttpClient.Fetch,
  Effect.exists(proxies, (name) =>
    Effect.map(Effect.option(Config.nonEmptyString(name)), Option.isSome)
  ).pipe(
    Effect.withConfigProvider(ConfigProvider.fromEnv()),
    Effect.map((proxied) => makeDnsResolver({ proxied }).fetch)
  )
)

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

const addressOf = (address: HttpServer.Address) => {
  if (address._tag !== "TcpAddress") return address.path
  const host = address.hostname.includes(":") ? `[${address.hostname}]` : address.hostname
  return `http://${host}:${address.port}`
}

/**
 * Logs one line when the service has started, with a warning that lists unset settings, and one when it stops. The
 * lines name settings and gates, and never contain a secret value.
 */
const startupLog = Layer.scopedDiscard(
  Effect.gen(function* () {
    const server = yield* HttpServer.HttpServer
    const folder = yield* Setting.dataDir.config
    const signIn = yield* SignInWays
    const isOpen = yield* signIn.isSetUp
    const closed: Array<string> = []
    const unset: Array<string> = []
    for (const [gate, settings] of Object.entries(gates)) {
      const names = gate === "dashboard" && isOpen ? [] : yield* unsetAmong(settings)
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
    yield* Effect.ignore(signIn.offerCode)
    const started = yield* Clock.currentTimeMillis
    yield* Effect.addFinalizer(() =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.logInfo(`Linkbower is stopping after ${Math.round((now - started) / 1000)} s`)
      )
    )
  })
)

/** Runs the service until it is stopped. */
export const serve = startupLog.pipe(
  Layer.provide([
    HttpLayerRouter.serve(Routes.layer, {
      disableLogger: true,
      disableListenLog: true,
      routerConfig: Routes.routerConfig
    }),
    polling,
    OwnSignIn.layer,
    metrics
  ]),
  Layer.provide(server),
  Layer.provide(application),
  Layer.provide([
    enrichment,
    images,
    importReader,
    BunFileSystem.layer,
    Embedder.layer,
    telegram,
    AccessKeys.layer
  ]),
  Layer.provide(Sandbox.layer(sandboxCommand)),
  Layer.provide(library),
  Layer.provide(FetchHttpClient.layer),
  Otlp.withTelemetryExport,
  Layer.provide(fetching),
  Layer.provide(Logging.layer),
  Layer.launch
)
