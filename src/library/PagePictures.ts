import { Effect } from "effect"
import { Setting } from "../config/Configuration.ts"
import { pictureAddresses, withPictures } from "../domain/ArticlePictures.ts"
import type { LinkId } from "../domain/Link.ts"
import { Service } from "../runtime/Services.ts"
import { MAX_PAGE_PICTURES, PagePictureStore } from "../store/pages/PagePictureStore.ts"

/** In bytes. An invalid setting keeps none. */
export const pictureLimit = Effect.orElseSucceed(Setting.keepPictures.config, () => 0)

const picturePath = (id: LinkId, picture: number) => `/dashboard/api/links/${id}/page/pictures/${picture}`

const make = Effect.gen(function* () {
  const store = yield* PagePictureStore
  return {
    /** Runs in the transaction that keeps the page; for an unchanged page, queues what failed or was never queued. */
    queue: Effect.fn("PagePictures.queue")(function* (id: LinkId, html: string) {
      if ((yield* pictureLimit) > 0) yield* store.queue(id, pictureAddresses(html, MAX_PAGE_PICTURES))
    }),
    /** Kept pictures get an address of this service (`pathOf`), all others none; changes no text. */
    show: Effect.fn("PagePictures.show")(function* (
      id: LinkId,
      html: string,
      pathOf: (picture: number) => string = (picture) => picturePath(id, picture)
    ) {
      const known = new Map((yield* store.ofPage(id)).map((picture) => [picture.address, picture]))
      return withPictures(html, (address) => {
        const picture = known.get(address)
        if (picture === undefined) return "failed"
        if (picture.state !== "kept") return picture.state
        return { path: pathOf(picture.id), width: picture.width, height: picture.height }
      })
    }),
    usage: Effect.all({ bytes: store.bytes, limit: pictureLimit, waiting: store.waiting }).pipe(
      Effect.withSpan("PagePictures.usage")
    )
  }
})

/** The pictures of kept pages: which ones a page has, and how its article is shown with them. */
export class PagePictures extends Service<PagePictures>()("PagePictures", make) {}
