import { HttpApiBuilder } from "@effect/platform"
import { Effect, Option } from "effect"
import { LinkId } from "../domain/Link.ts"
import { KeepPages } from "../library/KeepPages.ts"
import { PagePictures } from "../library/PagePictures.ts"
import { HighlightStore } from "../store/pages/HighlightStore.ts"
import { PagePictureStore } from "../store/pages/PagePictureStore.ts"
import { PageStore } from "../store/pages/PageStore.ts"
import { PositionStore } from "../store/pages/PositionStore.ts"
import { SnapshotStore } from "../store/pages/SnapshotStore.ts"
import { Api } from "./api/Api.ts"
import { NotKept } from "./api/Failures.ts"
import { pagePicture } from "./Images.ts"

const notKept = (id: number) => new NotKept(`No page is kept for #${id}.`)

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
            const page = yield* pages.read(id, urlParams.version)
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
        .handle("forgetAll", () => Effect.map(keeper.forgetAll, (forgotten) => ({ forgotten })))
        .handle("forget", ({ path }) =>
          Effect.flatMap(keeper.forget(LinkId.make(path.id)), (found) =>
            found ? Effect.succeed({ kept: false as const }) : notKept(path.id)
          )
        )
        // Raw: a picture with its own media type and headers.
        .handleRaw("picture", ({ path }) => pagePicture(pictures, LinkId.make(path.id), path.picture))
    )
  })
)
