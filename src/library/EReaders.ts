import { Context, Effect, Layer } from "effect"
import type { LinkQuery } from "../domain/LinkQuery.ts"
import type { ReaderUnavailable } from "../search/Reader.ts"
import { EReaderStore } from "../store/signin/EReaderStore.ts"
import { type KeptLinks, SearchLinks } from "./SearchLinks.ts"

/** Number of links on a page of a shelf. */
const PAGE = 50

/** The access of the owner's e-readers, which cannot sign in, and what they list. */
export class EReaders extends Context.Tag("EReaders")<
  EReaders,
  EReaderStore["Type"] & {
    /**
     * Returns the links of a list that have a kept page, newest first, 50 a page. A page can have fewer links, or none, and
     * a next page, because the number of links searched for it is limited.
     */
    readonly shelf: (query: LinkQuery) => Effect.Effect<KeptLinks, ReaderUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* EReaderStore
      const list = yield* SearchLinks

      const shelf = Effect.fn("EReaders.shelf")(function* (query: LinkQuery) {
        // One more, to know whether another page follows.
        const { links, next } = yield* list.kept({ ...query, sort: "newest" }, PAGE + 1)
        const last = links[PAGE - 1]
        return last === undefined || links.length === PAGE
          ? { links, next }
          : {
              links: links.slice(0, PAGE),
              next: { sort: "newest" as const, value: last.createdAt, id: last.id }
            }
      })

      return { ...store, shelf }
    })
  )
}
