import { HttpLayerRouter, type HttpMethod, type HttpServerResponse } from "@effect/platform"
import { Deferred, Effect } from "effect"

type Handler = Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, HttpLayerRouter.Provided>

/** A route without its handler. */
export interface Place {
  readonly method: HttpMethod.HttpMethod
  readonly path: HttpLayerRouter.PathInput
}

const keyOf = ({ method, path }: { readonly method: string; readonly path: string }) => `${method} ${path}`

/**
 * Adds routes whose handlers `add` makes at the first request for any of them: making them all, with their gates, decoders
 * and encoders, took most of a start. `add` adds them to the router that it is given, at most once, and in the scope and
 * with the priority of the caller.
 */
export const addLater = Effect.fnUntraced(function* <R>(
  places: ReadonlyArray<Place>,
  add: Effect.Effect<unknown, never, R>
) {
  const router = yield* HttpLayerRouter.HttpRouter
  const wanted = yield* Deferred.make<void>()
  const added = yield* Deferred.make<unknown>()
  const handlers = new Map<string, Handler>()

  const addAll: HttpLayerRouter.HttpRouter["addAll"] = (routes) =>
    Effect.sync(() => {
      for (const route of routes) handlers.set(keyOf(route), route.handler)
    })
  yield* Effect.zipRight(Deferred.await(wanted), add).pipe(
    Effect.provideService(HttpLayerRouter.HttpRouter, {
      ...router,
      addAll,
      add: (...route) => addAll([HttpLayerRouter.route(...route)])
    }),
    Effect.intoDeferred(added),
    Effect.forkScoped
  )

  const awaitAdded = Effect.zipRight(Deferred.succeed(wanted, undefined), Deferred.await(added))
  yield* router.addAll(
    places.flatMap((place) => {
      const key = keyOf(place)
      const found = (otherwise: Handler) => Effect.suspend(() => handlers.get(key) ?? otherwise)
      const handler = found(Effect.zipRight(awaitAdded, found(Effect.dieMessage(`No handler for ${key}`))))
      // The router answers HEAD with the route for GET.
      return place.method === "HEAD" ? [] : [HttpLayerRouter.route(place.method, place.path, handler)]
    })
  )
})
