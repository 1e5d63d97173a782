import { HttpApiBuilder } from "@effect/platform"
import { Effect, Option, Redacted } from "effect"
import { EReaders } from "../library/EReaders.ts"
import { EReaderStore } from "../store/signin/EReaderStore.ts"
import { Api } from "./api/Api.ts"
import { baseAddress } from "./BaseAddress.ts"
import { groups } from "./RouteGroups.ts"

export const layer = HttpApiBuilder.group(
  Api,
  "ereaders",
  Effect.fn(function* (handlers) {
    const ereaders = yield* EReaders
    const { current } = yield* EReaderStore
    const shown = Effect.gen(function* () {
      const access = yield* current
      if (Option.isNone(access)) return { ereaders: null }
      const { createdAt, token } = access.value
      const catalog = `${yield* baseAddress}${groups.opds.place}`
      const password = Redacted.value(token)
      return { ereaders: { address: `${catalog}/${password}`, catalog, password, createdAt } }
    })
    return handlers
      .handle("access", () => shown)
      .handle("renew", () => Effect.zipRight(ereaders.renew, shown))
      .handle("revoke", () => ereaders.revoke)
  })
)
