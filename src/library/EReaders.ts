import { Effect } from "effect"
import type { LinkQuery } from "../domain/LinkQuery.ts"
import { Service } from "../runtime/Services.ts"
import { EReaderStore } from "../store/signin/EReaderStore.ts"
import { SearchLinks } from "./SearchLinks.ts"

const PAGE = 50

const make = Effect.gen(function* () {
  const { renew, revoke } = yield* EReaderStore
  const list = yield* SearchLinks

  /** A page may have fewer than 50 links, even none, and still a next page. */
  const shelf = Effect.fn("EReaders.shelf")(function* (query: LinkQuery) {
    // One more shows whether another page follows.
    const { links, next } = yield* list.kept({ ...query, sort: "newest" }, PAGE + 1)
    const last = links[PAGE - 1]
    return last === undefined || links.length === PAGE
      ? { links, next }
      : { links: links.slice(0, PAGE), next: { sort: "newest" as const, value: last.createdAt, id: last.id } }
  })

  return { renew, revoke, shelf }
})

export class EReaders extends Service<EReaders>()("EReaders", make) {}
