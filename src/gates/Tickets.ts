import type { Cookies } from "@effect/platform"
import { Duration, Effect, Option } from "effect"
import { LruMap } from "../runtime/LruMap.ts"
import { makeSecret, secretDigest } from "../runtime/Secret.ts"
import { monotonicMillis } from "../runtime/Throttle.ts"
import { browserChannel } from "./BrowserChannel.ts"
import { cookieName, cookieSecret, makeCookie } from "./SessionCookie.ts"
import { ConnectionExposed } from "./Sessions.ts"
import type { Request } from "./Verifier.ts"

/** Maximum number of values kept; the least recently used one is evicted first. */
const MAX_TICKETS = 10_000

/** A value belongs to the browser with its cookie, expires after `lifetime`, is taken once, and ends with the process. */
export const makeTickets = <A>(cookie: string, lifetime: Duration.DurationInput) => {
  const kept = new LruMap<string, { readonly value: A; readonly until: number }>(MAX_TICKETS)

  const digestOf = Effect.fnUntraced(function* (request: Request) {
    const channel = yield* browserChannel(request)
    const secret = channel === "exposed" ? undefined : cookieSecret(request, cookieName(cookie, channel))
    return secret === undefined ? undefined : secretDigest(secret)
  })

  /** Returns the value of the request's browser, if it has not expired, and leaves it there. */
  const peek = Effect.fnUntraced(function* (request: Request) {
    const digest = yield* digestOf(request)
    const found = digest === undefined ? undefined : kept.get(digest)
    return found !== undefined && (yield* monotonicMillis) < found.until
      ? Option.some(found.value)
      : Option.none()
  })

  return {
    /** Keeps a value for the browser of the request, which needs the returned cookie (`sendCookie`). */
    issue: Effect.fnUntraced(function* (
      request: Request,
      value: A
    ): Effect.fn.Return<Cookies.Cookie, ConnectionExposed> {
      const channel = yield* browserChannel(request)
      if (channel === "exposed") return yield* new ConnectionExposed()
      const secret = makeSecret()
      kept.set(secretDigest(secret), {
        value,
        until: (yield* monotonicMillis) + Duration.toMillis(lifetime)
      })
      return makeCookie(cookie, secret, channel, lifetime)
    }),
    peek,
    take: Effect.fnUntraced(function* (request: Request) {
      const value = yield* peek(request)
      const digest = yield* digestOf(request)
      if (digest !== undefined) kept.delete(digest)
      return value
    })
  }
}
