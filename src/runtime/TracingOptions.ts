import { HttpClient, HttpMiddleware } from "@effect/platform"
import { Layer } from "effect"

/**
 * Disables the framework's spans for incoming and outgoing requests: they record whole URLs and headers, and so
 * queries, tokens and the bot's credential. `http/RequestMetrics.ts` traces requests instead.
 */
export const withoutRequestSpans = <A, E, R>(layer: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  layer.pipe(
    HttpMiddleware.withTracerDisabledWhen(() => true),
    Layer.locally(HttpClient.currentTracerDisabledWhen, () => true)
  )

/** Disables all spans: they dominate the cost of a request, and without an exporter nobody reads them. */
export const withoutSpans = <A, E, R>(layer: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  withoutRequestSpans(layer).pipe(Layer.provide(Layer.setTracerEnabled(false)))
