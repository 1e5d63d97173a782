import { Effect, Option } from "effect"
import type { LinkId } from "../domain/Link.ts"
import { Service } from "../runtime/Services.ts"
import { SnapshotStore } from "../store/pages/SnapshotStore.ts"
import { KeepPages } from "./KeepPages.ts"
import { pictureLimit } from "./PagePictures.ts"

/** Elements that run, load, connect, lead elsewhere or change how the rest is read. */
const active =
  /<(?=(?:script|link|meta|base|iframe|frame|frameset|fencedframe|portal|object|embed|applet|noscript|audio|video|source|track)(?![\w-]))/gi

/**
 * Makes active elements into unknown ones. It reads no structure: whatever a browser takes for such an element begins
 * like this. The first wall is the document's policy, which does not stop a browser from connecting to the host of a
 * `link`.
 */
const withoutActiveElements = (html: string): string => html.replace(active, "<x-")

/** Comments and elements that are not shown, up to their ends or the document's. */
const notShown =
  /<!--[\s\S]*?(?:-->|$)|<(head|style|script|template|noscript|title)(?![\w-])[\s\S]*?(?:<\/\1(?![\w-])[^<>]*>?|$)/gi
const picture = /<(?:img|image|picture|svg|canvas|video)(?![\w-])|url\(/i

/** Neither text nor picture. */
export const isBlank = (html: string): boolean => {
  const body = html.replace(notShown, " ")
  return !picture.test(html) && body.replace(/<[^<>]*>|&nbsp;/g, " ").trim() === ""
}

const make = Effect.gen(function* () {
  const store = yield* SnapshotStore
  const pages = yield* KeepPages
  return {
    /** `packed` is compressed HTML. Kept, or logged, as `KEEP_PAGES` (`article`) and `KEEP_PICTURES` allow. */
    keep: Effect.fn("Snapshots.keep")(function* (id: LinkId, url: string, packed: Uint8Array) {
      const isKept =
        (yield* pages.mode) === "article" && (yield* store.keep(id, url, packed, yield* pictureLimit))
      if (!isKept)
        yield* Effect.logWarning(
          `the snapshot of #${id} is not kept: KEEP_PAGES or KEEP_PICTURES does not allow it`
        )
    }),
    /** Without active elements. It is still a stranger's, and needs its policy. */
    read: Effect.fn("Snapshots.read")(function* (id: LinkId, version?: number) {
      const packed = yield* store.read(id, version)
      if (Option.isNone(packed)) return Option.none()
      const html = yield* Effect.option(Effect.tryPromise(() => Bun.zstdDecompress(packed.value)))
      return Option.map(html, (html) => withoutActiveElements(new TextDecoder().decode(html)))
    })
  }
})

export class Snapshots extends Service<Snapshots>()("Snapshots", make) {}
