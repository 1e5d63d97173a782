import { FetchHttpClient, HttpServer } from "@effect/platform"
import { BunFileSystem, BunHttpServer } from "@effect/platform-bun"
import { Config, ConfigProvider, Context, Effect, Layer, Option } from "effect"
import { application, Work } from "./Application.ts"
import { localUrlOf } from "./config/Addresses.ts"
import { Setting } from "./config/Configuration.ts"
import { Health } from "./domain/Health.ts"
import { WaybackMachine } from "./enrich/archive/WaybackMachine.ts"
import * as ClientDocuments from "./enrich/ClientDocuments.ts"
import { Enricher } from "./enrich/Enricher.ts"
import { Resolver } from "./enrich/fetch/Destination.ts"
import { Fetcher } from "./enrich/fetch/Fetcher.ts"
import { Categorizer } from "./enrich/model/Categorizer.ts"
import { GroupNamer } from "./enrich/model/GroupNamer.ts"
import { LanguageModel } from "./enrich/model/LanguageModel.ts"
import { Summarizer } from "./enrich/model/Summarizer.ts"
import { PageCheck } from "./enrich/PageCheck.ts"
import { Images } from "./enrich/page/Images.ts"
import { Sandbox } from "./enrich/page/Sandbox.ts"
import { Scraper } from "./enrich/page/Scraper.ts"
import { Repositories } from "./enrich/repository/Repositories.ts"
import { AccessKeys, JwtKeys } from "./gates/AccessKeys.ts"
import * as OwnSignIn from "./gates/OwnSignIn.ts"
import { announce, TerminalKey } from "./gates/TerminalKey.ts"
import { IDLE_SECONDS } from "./http/Body.ts"
import * as MetricsPage from "./http/MetricsPage.ts"
import * as Routes from "./http/Routes.ts"
import { ownEmbedder } from "./library/OwnEmbedder.ts"
import { SearchLinks } from "./library/SearchLinks.ts"
import { SetUp } from "./library/SetUp.ts"
import { makeDnsResolver } from "./runtime/Names.ts"
import { removeAbandonedTemporaries } from "./runtime/ReplaceFile.ts"
import { releaseMemory } from "./runtime/Rest.ts"
import { withBackgroundPriority, withUrgentPriority } from "./runtime/Scheduling.ts"
import { makeSecret } from "./runtime/Secret.ts"
import { and, andLayer, none } from "./runtime/Services.ts"
import { threadOf } from "./runtime/Thread.ts"
import { lockProbeCommand, sandboxCommand } from "./SandboxCommand.ts"
import * as StartupLog from "./StartupLog.ts"
import * as PublicThread from "./search/PublicSearch.ts"
import * as RemoteReader from "./search/Reader.ts"
import { MAX_UPLOAD } from "./shared/Limits.ts"
import * as Database from "./store/Database.ts"
import { dataFolder } from "./store/DataFolder.ts"
import { Lock } from "./store/Lock.ts"
import * as BackgroundCheck from "./store/maintenance/BackgroundCheck.ts"
import { CheckHelper } from "./store/maintenance/CheckHelper.ts"
import { librarySize } from "./store/maintenance/Inspection.ts"
import * as BackupThread from "./store/maintenance/PackedBackup.ts"
import { reserveLayer } from "./store/Reserve.ts"
import { BotApi } from "./telegram/BotApi.ts"
import { BotSetUp } from "./telegram/BotSetUp.ts"
import { Chat } from "./telegram/Chat.ts"
import { Pace } from "./telegram/Pace.ts"
import { Polling } from "./telegram/Polling.ts"
import { Profile } from "./telegram/Profile.ts"
import { Gauges } from "./telemetry/Gauges.ts"
import * as Logging from "./telemetry/Logging.ts"
import * as Otlp from "./telemetry/Otlp.ts"
import * as RemoteBookWriter from "./transfer/books/BookWriter.ts"
import * as RemoteImportReader from "./transfer/ImportReader.ts"

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

/** Lets the terminal of this machine in, as long as the service listens. */
const terminal = Layer.scoped(
  TerminalKey,
  Effect.gen(function* () {
    const { address } = yield* HttpServer.HttpServer
    if (address._tag !== "TcpAddress") return Option.none()
    const secret = makeSecret()
    const url = localUrlOf(address.hostname, address.port)
    yield* announce(dataFolder(yield* Setting.dataDir.config).running, { url, secret })
    return Option.some(secret)
  })
)

const checkHelper = CheckHelper.layer(threadOf("check"))

/** The database, and the worker threads that read it beside the serving thread. */
const library = Layer.scopedContext(
  Effect.flatMap(Setting.dataDir.config, (folder) => {
    const { imports, library: filename, outgoing, reserve } = dataFolder(folder)
    const sweep = Effect.forEach([folder, imports, outgoing], removeAbandonedTemporaries)
    return none.pipe(
      andLayer(Lock.layer(folder, lockProbeCommand)),
      andLayer(reserveLayer(reserve)),
      Effect.tap(sweep),
      andLayer(checkHelper),
      andLayer(Database.layer(filename)),
      andLayer(Health.layer),
      andLayer(RemoteReader.layer(threadOf("reader", filename))),
      andLayer(PublicThread.layer(threadOf("public", filename)))
    )
  })
)

/** Checks the library behind the running service. */
const backgroundCheck = Layer.unwrapEffect(
  Effect.map(Setting.dataDir.config, (folder) => BackgroundCheck.layer(dataFolder(folder).library))
).pipe(Layer.provide(checkHelper))

/** Fetches the bot's updates. It lies above the work that they cause, so that a shutdown ends it first. */
const polling = Layer.scopedDiscard(Effect.flatMap(Polling, ({ run }) => Effect.forkScoped(run))).pipe(
  Layer.provide(Polling.layer)
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

/**
 * Runs a layer until it is interrupted, and closes it before any background work goes on: otherwise each step of a
 * shutdown would wait for its turn among the work in hand.
 */
const launch = <A, E, R>(layer: Layer.Layer<A, E, R>): Effect.Effect<never, E, R> =>
  Layer.build(layer).pipe(
    withBackgroundPriority,
    Effect.zipRight(Effect.never),
    Effect.scoped,
    withUrgentPriority
  )

/** Everything that the application needs but a library and its readers. */
export const surroundings = Layer.scopedContext(
  none
    .pipe(
      andLayer(BunFileSystem.layer),
      andLayer(Resolver.layer),
      andLayer(Fetcher.layer),
      andLayer(LanguageModel.layer),
      andLayer(Scraper.layer),
      andLayer(Repositories.layer),
      andLayer(Summarizer.layer),
      andLayer(Enricher.layer),
      andLayer(Categorizer.layer),
      andLayer(GroupNamer.layer),
      andLayer(PageCheck.layer),
      andLayer(WaybackMachine.layer),
      andLayer(Images.layer),
      andLayer(ClientDocuments.layer)
    )
    .pipe(
      andLayer(RemoteBookWriter.layer(threadOf("book"))),
      andLayer(RemoteImportReader.layer(threadOf("import"))),
      andLayer(BackupThread.layer(threadOf("backup"))),
      andLayer(ownEmbedder),
      andLayer(BotApi.layer),
      andLayer(Pace.layer),
      andLayer(BotSetUp.layer),
      andLayer(Chat.layer),
      andLayer(Profile.layer),
      and(SetUp, SetUp.make),
      andLayer(AccessKeys.layer),
      andLayer(JwtKeys.layer)
    )
)

/** The running service, from the library up: each part is built upon those before it, and ends before them. */
const service = Layer.scopedDiscard(
  none.pipe(
    andLayer(FetchHttpClient.layer),
    andLayer(library),
    andLayer(Sandbox.layer(sandboxCommand)),
    andLayer(surroundings),
    andLayer(application),
    andLayer(server),
    andLayer(OwnSignIn.layer),
    andLayer(librarySize),
    andLayer(Gauges.layer),
    andLayer(MetricsPage.layer),
    andLayer(Otlp.metrics()),
    andLayer(terminal),
    andLayer(Work.layer),
    andLayer(polling),
    // Last: the service answers only when nothing that could still end its start is left.
    andLayer(Routes.served),
    andLayer(StartupLog.layer),
    andLayer(backgroundCheck),
    Effect.zipLeft(releaseMemory),
    Effect.zipLeft(Effect.sync(() => Bun.unsafe.setJITPolicy(1))),
    // Whoever waits for the service is answered first.
    Effect.tap((made) => Effect.forkScoped(Effect.delay(Context.get(made, Work).begin, "100 millis")))
  )
)

/** Runs the service until it is stopped. */
export const serve = service.pipe(
  Otlp.withTelemetryExport,
  Layer.provide(fetching),
  Layer.provide(Logging.layer),
  launch
)
