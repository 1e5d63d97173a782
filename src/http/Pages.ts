import { HttpApiBuilder } from "@effect/platform"
import { Effect, Option } from "effect"
import type { PageDamaged, PageNotKept } from "../domain/KeptPage.ts"
import { LinkId } from "../domain/Link.ts"
import { Highlights } from "../library/Highlights.ts"
import { KeepPages } from "../library/KeepPages.ts"
import { PagePictures } from "../library/PagePictures.ts"
import { ReadingPositions } from "../library/ReadingPositions.ts"
import { Snapshots } from "../library/Snapshots.ts"
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
    const pages = yield* KeepPages
    const pictures = yield* PagePictures
    const snapshots = yield* Snapshots
    const positions = yield* ReadingPositions
    const highlights = yield* Highlights
    return (
      handlers
        .handle("read", ({ path, urlParams }) =>
          Effect.gen(function* () {
            const id = LinkId.make(path.id)
            const page = yield* Effect.catchTags(pages.read(id, urlParams.version), asFailure)
            const html = yield* pictures.show(id, page.html)
            const snapshot = yield* snapshots.about(id)
            return {
              page: { ...page, html },
              position: Option.getOrNull(yield* positions.of(id)),
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
          Effect.mapBoth(pages.forgetAll, {
            onFailure: () => new Unavailable(),
            onSuccess: (forgotten) => ({ forgotten })
          })
        )
        .handle("forget", ({ path }) =>
          Effect.matchEffect(pages.forget(LinkId.make(path.id)), {
            onFailure: () => new Unavailable(),
            onSuccess: (found) => (found ? Effect.succeed({ kept: false as const }) : notKept(path.id))
          })
        )
        // Raw: a picture with its own media type and headers.
        .handleRaw("picture", ({ path }) => pagePicture(pictures, LinkId.make(path.id), path.picture))
    )
  })
)
