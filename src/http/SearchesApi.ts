import { Effect } from "effect"
import type { SavedSearch } from "../domain/SavedSearch.ts"
import { SavedSearches } from "../library/SavedSearches.ts"
import { SearchStore } from "../store/links/SearchStore.ts"
import type { NewSearch, SearchEdit } from "./api/Bodies.ts"
import { Conflict, NotFound, Unavailable } from "./api/Failures.ts"
import { savedFeedAddress } from "./SavedFeed.ts"

/** Returns a name in one line. */
const normalName = (name: string) => name.replace(/\s+/g, " ").trim()

const shown = Effect.fnUntraced(function* (search: SavedSearch) {
  const { createdAt: _, token: __, ...fields } = search
  return { ...fields, feed: yield* savedFeedAddress(search) }
})

const refusals = {
  SearchNotFound: ({ message }: { readonly message: string }) => new NotFound(message),
  SearchNameTaken: ({ message }: { readonly message: string }) => new Conflict(message),
  TooManySearches: ({ message }: { readonly message: string }) => new Conflict(message),
  StoreUnavailable: () => new Unavailable()
}

/** Lists, saves, changes and deletes the owner's saved searches. */
export const makeSearchesApi = Effect.gen(function* () {
  const searches = yield* SavedSearches
  const { all } = yield* SearchStore
  return {
    list: Effect.flatMap(all, (found) =>
      Effect.map(Effect.forEach(found, shown), (searches) => ({ searches }))
    ),
    create: Effect.fn("SearchesApi.create")(function* (given: NewSearch) {
      const made = searches.create({ ...given, name: normalName(given.name) })
      const { search, undo } = yield* Effect.catchTags(made, {
        SearchNameTaken: refusals.SearchNameTaken,
        TooManySearches: refusals.TooManySearches,
        StoreUnavailable: refusals.StoreUnavailable
      })
      return { search: yield* shown(search), undo }
    }),
    edit: Effect.fn("SearchesApi.edit")(function* (id: number, given: SearchEdit) {
      const edited = searches.edit(id, { ...given, name: given.name && normalName(given.name) })
      const { search, undo } = yield* Effect.catchTags(edited, {
        SearchNotFound: refusals.SearchNotFound,
        SearchNameTaken: refusals.SearchNameTaken,
        StoreUnavailable: refusals.StoreUnavailable
      })
      return { search: yield* shown(search), undo }
    }),
    remove: Effect.fn("SearchesApi.remove")(function* (id: number) {
      const undo = yield* Effect.catchTags(searches.remove(id), {
        SearchNotFound: refusals.SearchNotFound,
        StoreUnavailable: refusals.StoreUnavailable
      })
      return { undo }
    })
  }
})
