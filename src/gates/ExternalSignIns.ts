import { Effect } from "effect"
import { isAccessSetUp } from "./AccessToken.ts"
import { isJwtSetUp } from "./JwtToken.ts"
import { providerHost } from "./OpenIdConnect.ts"
import { isHeaderSetUp } from "./TrustedHeader.ts"

/** How each way to sign in that belongs to another program is called, and whether it is set up. */
const ways: ReadonlyArray<readonly [name: string, isSetUp: Effect.Effect<boolean>]> = [
  ["Cloudflare Access", isAccessSetUp],
  ["a gateway's signed tokens", isJwtSetUp],
  ["a trusted proxy", isHeaderSetUp],
  ["an OpenID Connect provider", Effect.map(providerHost, ({ _tag }) => _tag === "Some")]
]

/** Decided by the settings alone; the names are for people. */
export const externalSignIns: Effect.Effect<ReadonlyArray<string>> = Effect.map(
  Effect.filter(ways, ([, isSetUp]) => isSetUp),
  (found) => found.map(([name]) => name)
)
