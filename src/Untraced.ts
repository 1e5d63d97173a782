import { HttpMiddleware } from "@effect/platform"
import { Layer } from "effect"

/** Without spans, of requests or of anything else: while nobody reads them they are a good part of what a request costs. */
export const untraced = <A, E, R>(layer: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  layer.pipe(
    HttpMiddleware.withTracerDisabledWhen(() => true),
    Layer.provide(Layer.setTracerEnabled(false))
  )
