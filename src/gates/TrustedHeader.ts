import { Effect, Option } from "effect"
import { Setting } from "../config/Configuration.ts"
import { isInRanges } from "../runtime/AddressRanges.ts"
import { isPrivateHost } from "./BrowserChannel.ts"
import { parseHost } from "./RequestHost.ts"
import { type Request, TokenRefused, type Verifier } from "./Verifier.ts"

const refused = (reason: string) => new TokenRefused({ reason })

const settings = Effect.all({
  header: Effect.flatten(Setting.trustedHeader.config),
  proxies: Effect.flatten(Setting.trustedProxy.config)
}).pipe(Effect.mapError(() => refused("not set up")))

export const isHeaderSetUp: Effect.Effect<boolean> = Effect.isSuccess(settings)

const publicHost = Effect.match(Setting.publicUrl.config, {
  onFailure: () => undefined,
  onSuccess: (url) => parseHost(URL.parse(Option.getOrElse(url, () => ""))?.host ?? "")?.name
})

/**
 * Whether no page of another site can have sent the request. A site whose own name it points at this machine (DNS
 * rebinding) can send any header from the browser's machine, which may be the proxy's too, but only over plain HTTP and
 * only under a public name; there, browsers send no `Sec-Fetch-Site`, which scripts cannot set (Fetch Metadata, W3C).
 */
const isOwnHost = (headers: Request["headers"]) => {
  const host = parseHost(headers["host"] ?? "")
  if (host === undefined) return Effect.succeed(false)
  if (host.isAddress || isPrivateHost(host) || headers["sec-fetch-site"] !== undefined)
    return Effect.succeed(true)
  return Effect.map(publicHost, (name) => name === host.name)
}

/** TRUSTED_HEADER, on connections from TRUSTED_PROXY. Sent twice it has a comma, which no allowed user has. */
export const headerVerifier: Verifier = {
  name: "header",
  verify: Effect.fn("TrustedHeader.verify")(function* ({ headers, remoteAddress }: Request) {
    const { header, proxies } = yield* settings
    if (!Option.exists(remoteAddress, (peer) => isInRanges(peer, proxies)))
      return yield* refused("not from the trusted proxy")
    if (headers[header.header] !== header.user) return yield* refused("the proxy names another user, or none")
    if (!(yield* isOwnHost(headers)))
      return yield* refused("a host that is not that of PUBLIC_URL, over plain HTTP")
  })
}
