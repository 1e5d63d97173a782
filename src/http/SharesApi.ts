import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { LinkId } from "../domain/Link.ts"
import { requireOneOf } from "../gates/Programs.ts"
import { SharePages } from "../library/SharePages.ts"
import { ShareStore } from "../store/pages/ShareStore.ts"
import { Api } from "./api/Api.ts"
import { baseAddress } from "./BaseAddress.ts"
import { groups } from "./RouteGroups.ts"
import { expiryOf } from "./TokensApi.ts"

/** Handles the owner's API for pages under secret addresses. */
export const layer = HttpApiBuilder.group(
  Api,
  "shares",
  Effect.fn(function* (handlers) {
    const pages = yield* SharePages
    const store = yield* ShareStore
    return handlers
      .handle("share", ({ path, payload }) =>
        Effect.gen(function* () {
          yield* requireOneOf(["read"])
          const { secret, share } = yield* pages.share(
            LinkId.make(path.id),
            yield* expiryOf(payload.expiresAt)
          )
          const address = `${groups.shared.place}/${secret}`
          return { share, path: address, url: `${yield* baseAddress}${address}` }
        })
      )
      .handle("list", () => Effect.map(store.all, (shares) => ({ shares })))
      .handle("end", ({ path }) => pages.end(path.id))
  })
)
