import { HttpClient, HttpMiddleware } from "@effect/platform"
import { Layer } from "effect"

/**
 * Without the framework's own spans of requests, in and out: they hold whole addresses and headers, and with those
 * queries, tokens and the bot's credential. What is traced of requests is in `http/RequestMetrics.ts`.
 */
export const withoutRequestSpans = <A, E, R>(layer: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  layer.pipe(
    HttpMiddleware.withTracerDisabledWhen(() => true),
    Layer.locally(HttpClient.currentTracerDisabledWhen, () => true)
  )

/** Without spans, of requests or of anything else: while nobody reads them they are a good part of what a request costs. */
export const withoutSpans = <A, E, R>(layer: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  withoutRequestSpans(layer).pipe(Layer.provide(Layer.setTracerEnabled(false)))
