import { Effect } from "effect"
import type { LinkId } from "../domain/Link.ts"
import { SHARED_PICTURES } from "../domain/SharedPage.ts"
import { makeSecret, secretDigest } from "../runtime/Secret.ts"
import { Service } from "../runtime/Services.ts"
import { withoutUser } from "../shared/WebAddress.ts"
import { PageStore } from "../store/pages/PageStore.ts"
import { ShareStore } from "../store/pages/ShareStore.ts"
import { PagePictures } from "./PagePictures.ts"

const make = Effect.gen(function* () {
  const pages = yield* PageStore
  const pictures = yield* PagePictures
  const { add, remove } = yield* ShareStore
  return {
    /** Shares the page that is kept now of a link; only this answer has the secret of its address. */
    share: Effect.fn("SharePages.share")(function* (linkId: LinkId, expiresAt: string | null) {
      const { html, linkId: _, version, words, ...page } = yield* pages.read(linkId)
      const shown: Array<number> = []
      const copy = yield* pictures.show(linkId, html, (picture) => {
        shown.push(picture)
        return `${SHARED_PICTURES}${picture}`
      })
      const secret = makeSecret()
      const share = yield* add({
        linkId,
        secret: secretDigest(secret),
        page: { ...page, url: withoutUser(page.url) },
        html: copy,
        pictures: shown,
        expiresAt
      })
      return { share, secret }
    }),
    end: remove
  }
})

export class SharePages extends Service<SharePages>()("SharePages", make) {}
