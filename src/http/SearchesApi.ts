import { Effect } from "effect"
import type { SavedSearch } from "../domain/SavedSearch.ts"
import { SavedSearches } from "../library/SavedSearches.ts"
import { oneLine } from "../shared/Text.ts"
import { SearchStore } from "../store/links/SearchStore.ts"
import type { NewSearch, SearchEdit } from "./api/Bodies.ts"
import { savedFeedAddress } from "./SavedFeed.ts"

const shown = Effect.fnUntraced(function* (search: SavedSearch) {
  const { createdAt: _, token: __, ...fields } = search
  return { ...fields, feed: yield* savedFeedAddress(search) }
})

export const makeSearchesApi = Effect.gen(function* () {
  const searches = yield* SavedSearches
  const { all } = yield* SearchStore
  return {
    list: Effect.flatMap(all, (found) =>
      Effect.map(Effect.forEach(found, shown), (searches) => ({ searches }))
    ),
    create: Effect.fn("SearchesApi.create")(function* (given: NewSearch) {
      const { search, undo } = yield* searches.create({ ...given, name: oneLine(given.name) })
      return { search: yield* shown(search), undo }
    }),
    edit: Effect.fn("SearchesApi.edit")(function* (id: number, given: SearchEdit) {
      const name = given.name && oneLine(given.name)
      const { search, undo } = yield* searches.edit(id, { ...given, name })
      return { search: yield* shown(search), undo }
    }),
    remove: (id: number) => Effect.map(searches.remove(id), (undo) => ({ undo }))
  }
})
