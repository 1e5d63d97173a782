import { Effect, Option } from "effect"
import type { LinkId } from "../domain/Link.ts"
import { Service } from "../runtime/Services.ts"
import { ChangeStore } from "../store/links/ChangeStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { SnapshotStore } from "../store/pages/SnapshotStore.ts"
import { LikelyTags } from "./LikelyTags.ts"

const MAX_HISTORY = 50

const make = Effect.gen(function* () {
  const changes = yield* ChangeStore
  const links = yield* LinkStore
  const likely = yield* LikelyTags
  const snapshots = yield* SnapshotStore
  return {
    of: Effect.fn("LinkDetails.of")(function* (id: LinkId) {
      const link = yield* links.get(id)
      return {
        link,
        ...(yield* links.details(id)),
        history: yield* changes.history(id, MAX_HISTORY),
        likelyTags: yield* likely.of(link),
        snapshotAt: Option.getOrNull(Option.map(yield* snapshots.about(id), ({ savedAt }) => savedAt)),
        earlierSnapshots: yield* snapshots.earlier(id)
      }
    })
  }
})

export class LinkDetails extends Service<LinkDetails>()("LinkDetails", make) {}
