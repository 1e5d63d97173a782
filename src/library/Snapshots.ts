import { Context, Effect, Layer, Option } from "effect"
import type { LinkId } from "../domain/Link.ts"
import { SnapshotStore } from "../store/pages/SnapshotStore.ts"
import { KeepPages } from "./KeepPages.ts"
import { pictureLimit } from "./PagePictures.ts"

/** Elements that run, load, connect, lead elsewhere or change how the rest is read. */
const active =
  /<(?=(?:script|link|meta|base|iframe|frame|frameset|fencedframe|portal|object|embed|applet|noscript|audio|video|source|track)(?![\w-]))/gi

/**
 * Makes the active elements of a document into unknown ones, wherever they stand. It reads no structure: whatever a
 * browser takes for the start of such an element begins like this. It is the second wall; the first one is the policy of
 * its document, which does not stop a browser from connecting to the host of a `link`.
 */
const withoutActiveElements = (html: string): string => html.replace(active, "<x-")

/** Comments, and elements whose content is not shown, up to their ends or that of the document. */
const notShown =
  /<!--[\s\S]*?(?:-->|$)|<(head|style|script|template|noscript|title)(?![\w-])[\s\S]*?(?:<\/\1(?![\w-])[^<>]*>?|$)/gi
const picture = /<(?:img|image|picture|svg|canvas|video)(?![\w-])|url\(/i

/** Whether a document shows nothing: neither a text nor a picture. */
export const isBlank = (html: string): boolean => {
  const body = html.replace(notShown, " ")
  return !picture.test(html) && body.replace(/<[^<>]*>|&nbsp;/g, " ").trim() === ""
}

const make = Effect.gen(function* () {
  const store = yield* SnapshotStore
  const pages = yield* KeepPages
  return {
    /**
     * Keeps a snapshot, which is compressed HTML, in the caller's transaction, beside the earlier ones of the link.
     * Keeps none, and says so in the log, unless `KEEP_PAGES` is `article` and `KEEP_PICTURES` has room for it.
     */
    keep: Effect.fn("Snapshots.keep")(function* (id: LinkId, url: string, packed: Uint8Array) {
      const isKept =
        (yield* pages.mode) === "article" && (yield* store.keep(id, url, packed, yield* pictureLimit))
      if (!isKept)
        yield* Effect.logWarning(
          `the snapshot of #${id} is not kept: KEEP_PAGES or KEEP_PICTURES does not allow it`
        )
    }),
    /**
     * Returns the HTML of a link's newest or an earlier snapshot without active elements. It is still a stranger's, and
     * needs its policy.
     */
    read: Effect.fn("Snapshots.read")(function* (id: LinkId, version?: number) {
      const packed = yield* store.read(id, version)
      if (Option.isNone(packed)) return Option.none()
      const html = yield* Effect.option(Effect.tryPromise(() => Bun.zstdDecompress(packed.value)))
      return Option.map(html, (html) => withoutActiveElements(new TextDecoder().decode(html)))
    })
  }
})

/** Snapshots of pages: whole pages with their styles and pictures, as the owner's browser showed them. */
export class Snapshots extends Context.Tag("Snapshots")<Snapshots, Effect.Effect.Success<typeof make>>() {
  static readonly make = make
  static readonly layer = Layer.effect(this, this.make)
}
