import { FetchHttpClient, HttpLayerRouter } from "@effect/platform"
import { BunFileSystem, BunHttpServer } from "@effect/platform-bun"
import { Config, ConfigProvider, Effect, Layer, Option } from "effect"
import { application } from "./Application.ts"
import * as RemoteImportReader from "./bookmarks/RemoteImportReader.ts"
import { Pace } from "./bot/Pace.ts"
import { Profile } from "./bot/Profile.ts"
import { BotApi } from "./bot/Telegram.ts"
import * as TelegramChat from "./bot/TelegramChat.ts"
import { Setting } from "./domain/Configuration.ts"
import { Health } from "./domain/Health.ts"
import { Categorizer } from "./enrich/Categorizer.ts"
import { Embedder } from "./enrich/Embedder.ts"
import { Enricher } from "./enrich/Enricher.ts"
import { Fetcher } from "./enrich/Fetcher.ts"
import { Images } from "./enrich/Images.ts"
import { LanguageModel } from "./enrich/LanguageModel.ts"
import { Repositories } from "./enrich/Repositories.ts"
import { Resolver } from "./enrich/Resolver.ts"
import { Sandbox } from "./enrich/Sandbox.ts"
import { Scraper } from "./enrich/Scraper.ts"
import { Summarizer } from "./enrich/Summarizer.ts"
import { AccessKeys } from "./gates/AccessKeys.ts"
import { IDLE_SECONDS } from "./http/Body.ts"
import * as OutsideRoutes from "./http/OutsideRoutes.ts"
import * as Routes from "./http/Routes.ts"
import { SearchLinks } from "./library/SearchLinks.ts"
import { MAX_UPLOAD } from "./library/Upload.ts"
import * as Announced from "./observability/Announced.ts"
import { Gauges } from "./observability/Gauges.ts"
import * as Logging from "./observability/Logging.ts"
import * as MetricsPage from "./observability/MetricsPage.ts"
import * as Otlp from "./observability/Otlp.ts"
import { makeNames } from "./runtime/Names.ts"
import { sweepTemporaries } from "./runtime/ReplaceFile.ts"
import { lockProbeCommand, sandboxCommand } from "./SandboxCommand.ts"
import * as PublicThread from "./search/PublicThread.ts"
import * as RemoteReader from "./search/RemoteReader.ts"
import * as Database from "./store/Database.ts"
import { dataFolder } from "./store/DataFolder.ts"
import { LibrarySize } from "./store/LibrarySize.ts"
import { Lock } from "./store/Lock.ts"
import * as Work from "./Worker.ts"

/** Beyond this many bytes Bun refuses a body by itself; what is smaller is refused with an explanation. */
const BUN_MAX_BODY = MAX_UPLOAD + 1024 * 1024

/** Listens once the library is there: until then a connection is refused, which whoever sends something tries again. */
const server = Layer.unwrapEffect(
  Effect.gen(function* () {
    yield* SearchLinks
    const hostname = yield* Setting.host.config
    const port = yield* Setting.port.config
    return Layer.provideMerge(
      OutsideRoutes.layer,
      BunHttpServer.layer({
        hostname,
        port,
        idleTimeout: IDLE_SECONDS,
        maxRequestBodySize: BUN_MAX_BODY
      })
    )
  })
)

// Beside the program itself: in a compiled one, where this module came from says nothing.
const threadFile = (file: string) => new URL(file, Bun.pathToFileURL(Bun.main)).href
const thread =
  (file: string, ...argv: Array<string>) =>
  () =>
    new Worker(threadFile(file), { argv })

/** The database, and the threads that read it beside the one that serves. */
const library = Layer.unwrapEffect(
  Effect.map(Setting.dataDir.config, (folder) => {
    const { imports, library: filename } = dataFolder(folder)
    const swept = Layer.effectDiscard(
      Effect.forEach([folder, imports], (each) => sweepTemporaries(each, "library"))
    )
    return Layer.merge(
      RemoteReader.layer(thread("./ReaderThread.ts", filename)),
      PublicThread.layer(thread("./PublicThread.ts", filename))
    ).pipe(
      Layer.provide(Health.layer),
      Layer.provideMerge(Database.layer(filename)),
      Layer.provide(swept),
      Layer.provide(Lock.layer(folder, lockProbeCommand))
    )
  })
)

const enrichment = Layer.merge(Enricher.layer, Categorizer.layer).pipe(
  Layer.provide([Scraper.layer, Repositories.layer, Summarizer.layer]),
  Layer.provide([Fetcher.layer, LanguageModel.layer]),
  Layer.provide(Resolver.layer)
)

const importReader = RemoteImportReader.layer(thread("./ImportThread.ts"))

const images = Layer.provide(Images.layer, Resolver.layer)

const telegram = Layer.merge(TelegramChat.layer, Profile.layer).pipe(
  Layer.provide(Layer.merge(BotApi.layer, Pace.layer))
)

/** The ways metrics leave the service. */
const metrics = Layer.merge(MetricsPage.layer, Otlp.metrics()).pipe(
  Layer.provide(Gauges.layer),
  Layer.provide(LibrarySize.layer)
)

/** The variables by which the runtime's fetch finds a proxy. */
const proxies = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"]

/** How the owner's own services are asked: a name whose look-up hangs fails the request and holds up nothing else. */
const fetching = Layer.effect(
  FetchHttpClient.Fetch,
  Effect.exists(proxies, (name) =>
    Effect.map(Effect.option(Config.nonEmptyString(name)), Option.isSome)
  ).pipe(
    Effect.withConfigProvider(ConfigProvider.fromEnv()),
    Effect.map((proxied) => makeNames({ proxied }).fetch)
  )
)

/** The service, until it is stopped. */
export const serve = Announced.layer.pipe(
  Layer.provide([
    HttpLayerRouter.serve(Routes.layer, {
      disableLogger: true,
      disableListenLog: true,
      routerConfig: Routes.routerConfig
    }),
    Work.layer,
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
  Otlp.exported,
  Layer.provide(fetching),
  Layer.provide(Logging.layer),
  Layer.launch
)
