import { HttpApiBuilder } from "@effect/platform"
import { Effect, Option } from "effect"
import type { PageDamaged, PageNotKept } from "../domain/KeptPage.ts"
import { LinkId } from "../domain/Link.ts"
import { KeepPages } from "../library/KeepPages.ts"
import { PagePictures } from "../library/PagePictures.ts"
import { HighlightStore } from "../store/pages/HighlightStore.ts"
import { PagePictureStore } from "../store/pages/PagePictureStore.ts"
import { PageStore } from "../store/pages/PageStore.ts"
import { PositionStore } from "../store/pages/PositionStore.ts"
import { SnapshotStore } from "../store/pages/SnapshotStore.ts"
import { Api } from "./api/Api.ts"
import { DamagedPage, NotKept, Unavailable } from "./api/Failures.ts"
import { pagePicture } from "./Images.ts"

const asFailure = {
  PageNotKept: ({ message }: PageNotKept) => new NotKept(message),
  PageDamaged: ({ message }: PageDamaged) => new DamagedPage(message)
}

const notKept = (id: number) => new NotKept(`No page is kept for #${id}.`)

/** Handles the owner's API for the kept pages of links. */
export const layer = HttpApiBuilder.group(
  Api,
  "pages",
  Effect.fn(function* (handlers) {
    const keeper = yield* KeepPages
    const pages = yield* PageStore
    const shown = yield* PagePictures
    const pictures = yield* PagePictureStore
    const snapshots = yield* SnapshotStore
    const positions = yield* PositionStore
    const highlights = yield* HighlightStore
    return (
      handlers
        .handle("read", ({ path, urlParams }) =>
          Effect.gen(function* () {
            const id = LinkId.make(path.id)
            const page = yield* Effect.catchTags(pages.read(id, urlParams.version), asFailure)
            const html = yield* shown.show(id, page.html)
            const snapshot = yield* snapshots.about(id)
            return {
              page: { ...page, html },
              position: Option.getOrNull(yield* positions.read(id)),
              highlights: yield* highlights.ofLink(id),
              snapshotAt: Option.getOrNull(Option.map(snapshot, ({ savedAt }) => savedAt))
            }
          })
        )
        .handle("versions", ({ path }) =>
          Effect.flatMap(pages.versions(LinkId.make(path.id)), (versions) =>
            versions.length === 0 ? notKept(path.id) : Effect.succeed({ versions })
          )
        )
        .handle("forgetAll", () =>
          Effect.mapBoth(keeper.forgetAll, {
            onFailure: () => new Unavailable(),
            onSuccess: (forgotten) => ({ forgotten })
          })
        )
        .handle("forget", ({ path }) =>
          Effect.matchEffect(keeper.forget(LinkId.make(path.id)), {
            onFailure: () => new Unavailable(),
            onSuccess: (found) => (found ? Effect.succeed({ kept: false as const }) : notKept(path.id))
          })
        )
        // Raw: a picture with its own media type and headers.
        .handleRaw("picture", ({ path }) => pagePicture(pictures, LinkId.make(path.id), path.picture))
    )
  })
)
