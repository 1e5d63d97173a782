import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { FetchHttpClient, HttpLayerRouter } from "@effect/platform"
import { BunHttpServer } from "@effect/platform-bun"
import { Effect, Layer, Logger } from "effect"
import { application } from "./Application.ts"
import * as Telegram from "./bot/Telegram.ts"
import { Setting } from "./domain/Configuration.ts"
import { Enricher } from "./enrich/Enricher.ts"
import { Fetcher } from "./enrich/Fetcher.ts"
import { LanguageModel } from "./enrich/LanguageModel.ts"
import { Repositories } from "./enrich/Repositories.ts"
import { Resolver } from "./enrich/Resolver.ts"
import { Scraper } from "./enrich/Scraper.ts"
import { Summarizer } from "./enrich/Summarizer.ts"
import { AccessKeys } from "./gates/AccessKeys.ts"
import * as Routes from "./http/Routes.ts"
import * as Database from "./store/Database.ts"
import { untraced } from "./Untraced.ts"
import * as Worker from "./Worker.ts"

/** A connection that says nothing for so long is closed, in seconds; live answers say something more often. */
const IDLE_SECONDS = 30
/** Beyond this many bytes Bun refuses a body by itself; what is smaller is refused with an explanation. */
const BUN_MAX_BODY = 16 * 1024 * 1024

const server = Layer.unwrapEffect(
  Effect.gen(function* () {
    const hostname = yield* Setting.host.config
    const port = yield* Setting.port.config
    return BunHttpServer.layer({
      hostname,
      port,
      idleTimeout: IDLE_SECONDS,
      maxRequestBodySize: BUN_MAX_BODY
    })
  })
)

const database = Layer.unwrapEffect(
  Effect.map(Setting.dataDir.config, (folder) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return Database.layer(join(folder, "library.db"))
  })
)

const enrichment = Enricher.layer.pipe(
  Layer.provide([Scraper.layer, Repositories.layer, Summarizer.layer]),
  Layer.provide([Fetcher.layer, LanguageModel.layer]),
  Layer.provide(Resolver.layer)
)

const logger = Layer.unwrapEffect(Effect.sync(() => (process.stdout.isTTY ? Logger.pretty : Logger.json)))

/** The service, until it is stopped. */
export const serve = HttpLayerRouter.serve(Routes.layer, { disableLogger: true }).pipe(
  Layer.merge(Worker.layer),
  Layer.provide(application),
  Layer.provide([enrichment, Telegram.layer, AccessKeys.layer, database]),
  Layer.provide([FetchHttpClient.layer, server]),
  Layer.provide(logger),
  untraced,
  Layer.launch
)
