import { DateTime, Duration, Effect } from "effect"
import { makeSecret, secretDigest } from "../runtime/Secret.ts"
import { Service } from "../runtime/Services.ts"
import { SessionStore } from "../store/signin/SessionStore.ts"
import { browserChannel } from "./BrowserChannel.ts"
import { clientOf } from "./ClientAddress.ts"
import { cookieName, cookieSecret, makeCookie, type Secure } from "./SessionCookie.ts"
import type { Request } from "./Verifier.ts"

/** The name of the cookie by which a browser is known again, without the prefix that it has over HTTPS. */
const BROWSER = "linkbower_browser"
/** How long a browser is known after a sign-in: as long as browsers keep a cookie (RFC 6265bis, 5.5). */
const LIFETIME = Duration.days(400)

const MAX_PROXIES = 10

const make = Effect.gen(function* () {
  const store = yield* SessionStore
  const unnamed = new Set<string>()

  const tell = (address: string) =>
    Effect.suspend(() => {
      if (unnamed.has(address) || unnamed.size >= MAX_PROXIES) return Effect.void
      unnamed.add(address)
      return Effect.logWarning(
        `All callers through ${address} share one limit of attempts to sign in, because no setting names it. ` +
          `If it is your proxy or tunnel, set TRUSTED_FORWARDERS=${address}`
      )
    })

  const knownSecret = Effect.fnUntraced(function* (request: Request) {
    const channel = yield* browserChannel(request)
    const secret = channel === "exposed" ? undefined : cookieSecret(request, cookieName(BROWSER, channel))
    return secret !== undefined && (yield* store.knowsBrowser(secretDigest(secret))) ? secret : undefined
  })

  return {
    find: Effect.fn("Callers.find")(function* (request: Request) {
      const client = yield* clientOf(request)
      if (client.isUnnamedProxy) yield* tell(client.address)
      const secret = yield* knownSecret(request)
      return secret === undefined
        ? { key: client.key, isKnown: false }
        : { key: secretDigest(secret), isKnown: true }
    }),
    /** Remembers the browser in which the owner signs in; the caller must send the returned cookie (`sendCookie`). */
    remember: Effect.fn("Callers.remember")(function* (request: Request, channel: Secure) {
      const secret = (yield* knownSecret(request)) ?? makeSecret()
      yield* store.rememberBrowser(secretDigest(secret), DateTime.formatIso(yield* DateTime.now))
      return makeCookie(BROWSER, secret, channel, LIFETIME)
    }),
    unnamedProxies: Effect.sync(() => [...unnamed])
  }
})

/** A browser in which the owner signed in is counted by a cookie that opens nothing, so strangers cannot lock it out. */
export class Callers extends Service<Callers>()("Callers", make) {}
