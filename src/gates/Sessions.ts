import { type Cookies, HttpApp, HttpServerResponse } from "@effect/platform"
import { Data, DateTime, Duration, Effect, Option } from "effect"
import type { Session, SignInWay } from "../domain/SignIn.ts"
import { makeSecret, secretDigest } from "../runtime/Secret.ts"
import { Service } from "../runtime/Services.ts"
import { SessionStore, type StoredSession } from "../store/signin/SessionStore.ts"
import { type BrowserChannel, browserChannel } from "./BrowserChannel.ts"
import { Callers } from "./Callers.ts"
import { clientOf } from "./ClientAddress.ts"
import { deviceName } from "./Device.ts"
import { PasswordWrong } from "./OwnerPassword.ts"
import { cookieName, cookieSecret, makeCookie, makeExpiredCookie, SESSION } from "./SessionCookie.ts"
import { type Request, TokenRefused } from "./Verifier.ts"

const LIFETIME = Duration.days(90)
/** How long a session lasts that began with a one-time code. */
const SETUP_LIFETIME = Duration.hours(1)
/** Minimum time between two recorded uses of a session, which move its end. */
const USE_INTERVAL = Duration.days(1)
/** A session that ends this much later than its lifetime allows began while the clock was ahead, and is shortened. */
const CLOCK_TOLERANCE = Duration.days(1)
/** With an end that is later still, the clock is wrong now: the session waits. */
const MAX_AHEAD = Duration.days(90)

const lifetimeOf = (way: SignInWay) => (way === "code" ? SETUP_LIFETIME : LIFETIME)

/** Sign-in over plain HTTP to a public host, where others could read the session's cookie. */
export class ConnectionExposed extends Data.TaggedError("ConnectionExposed") {
  override get message() {
    return (
      "Signing in needs HTTPS on this address, because others on the network could read the session's cookie. " +
      "Behind a proxy that ends TLS, let it send X-Forwarded-Proto: https, or set PUBLIC_URL to the https address."
    )
  }
}

export const sendCookie = (cookie: Cookies.Cookie): Effect.Effect<void> =>
  HttpApp.appendPreResponseHandler((_, response) =>
    Effect.orDie(HttpServerResponse.setCookie(response, cookie.name, cookie.value, cookie.options))
  )

const refused = (reason: string) => new TokenRefused({ reason })

const isoAfter = (time: DateTime.Utc, duration: Duration.Duration) =>
  DateTime.formatIso(DateTime.addDuration(time, duration))

const hasExpired = ({ expiresAt }: StoredSession, now: DateTime.Utc) => expiresAt <= DateTime.formatIso(now)

const endsLater = ({ expiresAt, way }: StoredSession, now: DateTime.Utc, by: Duration.Duration) =>
  expiresAt > isoAfter(now, Duration.sum(lifetimeOf(way), by))

/** Whether a session has not expired, and did not begin in a future that only a wrong clock could have shown. */
const isValid = (session: StoredSession, now: DateTime.Utc) =>
  !hasExpired(session, now) && !endsLater(session, now, MAX_AHEAD)

interface Found {
  readonly stored: StoredSession
  readonly secret: string
  readonly channel: Exclude<BrowserChannel, "exposed">
}

const withoutEnd = ({ expiresAt: _, ...session }: StoredSession): Session => session

const make = Effect.gen(function* () {
  const store = yield* SessionStore
  const callers = yield* Callers

  const find = Effect.fnUntraced(function* (request: Request) {
    const channel = yield* browserChannel(request)
    if (channel === "exposed") return Option.none()
    const secret = cookieSecret(request, cookieName(SESSION, channel))
    if (secret === undefined) return Option.none()
    const stored = yield* store.find(secretDigest(secret))
    if (Option.isNone(stored)) return Option.none()
    const now = yield* DateTime.now
    // Removed, so that it stays expired if the clock is set back.
    if (hasExpired(stored.value, now)) yield* Effect.ignore(store.remove(stored.value.id))
    if (!isValid(stored.value, now)) return Option.none()
    if (endsLater(stored.value, now, CLOCK_TOLERANCE))
      yield* Effect.ignore(
        store.use(stored.value.id, DateTime.formatIso(now), isoAfter(now, lifetimeOf(stored.value.way)))
      )
    const found: Found = { stored: stored.value, secret, channel }
    return Option.some(found)
  })

  /** Records a use and renews the cookie, at most once a day. The owner is admitted even if the library cannot be written. */
  const recordUse = Effect.fnUntraced(function* ({ channel, secret, stored }: Found) {
    const now = yield* DateTime.now
    if (DateTime.formatIso(DateTime.subtractDuration(now, USE_INTERVAL)) < stored.usedAt) return
    yield* Effect.ignore(store.use(stored.id, DateTime.formatIso(now), isoAfter(now, LIFETIME)))
    yield* sendCookie(makeCookie(SESSION, secret, channel, LIFETIME))
  })

  /** Ends the session of a request, if any; returns the cookie that removes its own. */
  const endCurrent = Effect.fn("Sessions.endCurrent")(function* (request: Request) {
    const found = yield* find(request)
    if (Option.isSome(found)) yield* store.remove(found.value.stored.id)
    const channel = yield* browserChannel(request)
    return channel === "exposed" ? Option.none() : Option.some(makeExpiredCookie(SESSION, channel))
  })

  const protectedChannel = Effect.fnUntraced(function* (request: Request) {
    const channel = yield* browserChannel(request)
    return channel === "exposed" ? yield* new ConnectionExposed() : channel
  })

  const begin = Effect.fn("Sessions.begin")(function* (
    way: SignInWay,
    request: Request,
    password: Option.Option<string>
  ) {
    const channel = yield* protectedChannel(request)
    yield* endCurrent(request)
    const secret = makeSecret()
    const now = yield* DateTime.now
    const session = {
      secret: secretDigest(secret),
      way,
      device: deviceName(request.headers["user-agent"]),
      address: (yield* clientOf(request)).address,
      createdAt: DateTime.formatIso(now),
      expiresAt: isoAfter(now, lifetimeOf(way))
    }
    const cookie = makeCookie(SESSION, secret, channel, lifetimeOf(way))
    if (!(yield* store.add(session, password))) return Option.none()
    if (way !== "code") yield* sendCookie(yield* callers.remember(request, channel))
    return Option.some(cookie)
  })

  return {
    requireProtected: protectedChannel,
    /** Ends the browser's earlier session. The caller must send the returned cookie (`sendCookie`). */
    begin: (way: SignInWay, request: Request) =>
      Effect.flatMap(begin(way, request, Option.none()), Effect.orDie),
    /** The same with the password that was verified with this hash; fails if the owner has another one by now. */
    beginWithPassword: (hash: string, request: Request) =>
      Effect.flatMap(
        begin("password", request, Option.some(hash)),
        Effect.mapError(() => new PasswordWrong())
      ),
    /** Returns the owner's session of a request, and records its use; fails for one that can only set up a sign-in. */
    verify: Effect.fn("Sessions.verify")(function* (request: Request) {
      const found = yield* find(request)
      if (Option.isNone(found)) return yield* refused("no session")
      if (found.value.stored.way === "code") return yield* refused("a session that can only set up a sign-in")
      yield* recordUse(found.value)
      return withoutEnd(found.value.stored)
    }),
    /** Returns the session with which a request may set up a way to sign in, if it has one. */
    settingUp: Effect.fn("Sessions.settingUp")((request: Request) =>
      Effect.map(find(request), (found) =>
        Option.map(
          Option.filter(found, ({ stored }) => stored.way === "code"),
          ({ stored }) => withoutEnd(stored)
        )
      )
    ),
    currentId: Effect.fn("Sessions.currentId")((request: Request) =>
      Effect.map(
        find(request),
        Option.map(({ stored }) => stored.id)
      )
    ),
    list: Effect.gen(function* () {
      const now = yield* DateTime.now
      return (yield* store.all)
        .filter((session) => session.way !== "code" && isValid(session, now))
        .map(withoutEnd)
    }).pipe(Effect.withSpan("Sessions.list")),
    end: Effect.fn("Sessions.end")((id: number) => store.remove(id)),
    endCurrent,
    endOthers: Effect.fn("Sessions.endOthers")(function* (request: Request) {
      const found = yield* find(request)
      yield* Option.match(found, {
        onNone: () => store.removeAll,
        onSome: ({ stored }) => store.removeOthers(stored.id)
      })
    }),
    endAll: store.removeAll
  }
})

/**
 * The owner's sessions. A session is a cookie with 256 random bits, whose SHA-256 the database stores; nothing is
 * cached, so a session that ends in any process ends at once.
 *
 * @effect-expect-leaking HttpServerRequest
 */
export class Sessions extends Service<Sessions>()("Sessions", make) {}
