import {
  FetchHttpClient,
  HttpClient,
  HttpClientResponse,
  HttpLayerRouter,
  HttpServer,
  HttpServerRequest,
  HttpServerResponse
} from "@effect/platform"
import { Context, Effect, Layer, Option, Scope } from "effect"
import { application } from "./Application.ts"
import { libraryDatabase } from "./cli/Library.ts"
import { Health } from "./domain/Health.ts"
import { Sandbox } from "./enrich/page/Sandbox.ts"
import { TerminalKey } from "./gates/TerminalKey.ts"
import * as Routes from "./http/Routes.ts"
import { CaptureLink } from "./library/CaptureLink.ts"
import { Inbox } from "./library/Inbox.ts"
import { Background } from "./runtime/Background.ts"
import { makeSecret } from "./runtime/Secret.ts"
import { sandboxCommand } from "./SandboxCommand.ts"
import { surroundings } from "./Serve.ts"
import { publicSearch } from "./search/PublicSearch.ts"
import { readerLayer } from "./search/Reader.ts"
import { Bot } from "./telegram/Bot.ts"

/**
 * Answers requests to the programs' API from the library itself, in this process and without a port: for commands about
 * links while no service runs. Nothing works behind, but what a request has saved is read before the scope closes.
 */
export const openLocal = Effect.gen(function* () {
  const scope = yield* Effect.scope
  const secret = makeSecret()
  const library = application.pipe(
    Layer.provideMerge(surroundings),
    Layer.provide(Sandbox.layer(sandboxCommand)),
    Layer.provideMerge(Layer.merge(readerLayer, publicSearch)),
    Layer.provideMerge(libraryDatabase("refuse")),
    Layer.provideMerge(Layer.mergeAll(Health.layer, FetchHttpClient.layer, HttpServer.layerContext))
  )
  const context = yield* Layer.build(library)
  const routes = Layer.provide(Routes.layer, [
    Layer.succeedContext(context),
    Layer.succeed(TerminalKey, Option.some(secret))
  ])
  const app = yield* HttpLayerRouter.toHttpEffect(routes)
  const [bot, capture] = [Context.get(context, Bot), Context.get(context, CaptureLink)]
  const { drain } = Context.get(context, Inbox)
  yield* Effect.addFinalizer(() => Context.get(context, Background).settled)
  /** Reads the pages of what is saved; started with the first save, because it takes up what else waits too. */
  const reading = yield* Effect.cached(Effect.forkIn(drain({ chat: bot.work, capture: capture.work }), scope))
  const client = HttpClient.make((request, url) =>
    Effect.gen(function* () {
      const { body, headers, method } = request
      if (method === "POST" && url.pathname.endsWith("/links")) yield* reading
      const path = url.pathname + url.search
      const sent = body._tag === "Uint8Array" ? { body: new Uint8Array(body.body) } : {}
      const web = new Request(`http://localhost${path}`, { method, headers, ...sent })
      const answer = yield* Effect.orDie(
        Effect.provideService(
          app,
          HttpServerRequest.HttpServerRequest,
          HttpServerRequest.fromWeb(web).modify({ url: path })
        )
      )
      return HttpClientResponse.fromWeb(request, HttpServerResponse.toWeb(answer))
    }).pipe(Effect.provideService(Scope.Scope, scope))
  )
  return { client, secret }
})
