import { FetchHttpClient, HttpClient } from "@effect/platform"
import { Clock, Context, Effect, Layer, Ref } from "effect"

/** How far this machine's clock is from a server's, in milliseconds; positive where this one is ahead. */
export interface Difference {
  readonly host: string
  readonly millis: number
}

/** A `Date` header tells whole seconds: on average it is half of one behind. */
const HALF_A_SECOND = 500

/** The times that servers say it is, by the `Date` headers of their answers (RFC 9110, section 6.6.1). */
export class ServerDates extends Context.Tag("ServerDates")<
  ServerDates,
  {
    /** Notes an answer that has just come; one kept by a cache (`Age`), or without a date, says nothing. */
    readonly saw: (url: string, headers: Headers) => Effect.Effect<void>
    /** One for each answer that was noted. */
    readonly differences: Effect.Effect<ReadonlyArray<Difference>>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.map(Ref.make<ReadonlyArray<Difference>>([]), (all) => ({
      differences: Ref.get(all),
      saw: Effect.fnUntraced(function* (url, headers) {
        const said = Date.parse(headers.get("date") ?? "")
        const host = URL.parse(url)?.host
        if (host === undefined || Number.isNaN(said) || headers.has("age")) return
        const millis = (yield* Clock.currentTimeMillis) - (said + HALF_A_SECOND)
        yield* Ref.update(all, (before) => [...before, { host, millis }])
      })
    }))
  )
}

/** The client of the services that ask through one, which notes the dates of all their answers. */
const dated = Layer.effect(
  HttpClient.HttpClient,
  Effect.gen(function* () {
    const dates = yield* ServerDates
    return HttpClient.tap(yield* HttpClient.HttpClient, ({ headers, request }) =>
      dates.saw(request.url, new Headers(headers))
    )
  })
).pipe(Layer.provide(FetchHttpClient.layer))

/** What the probes of other servers need. */
export const probing = Layer.provideMerge(dated, ServerDates.layer)
