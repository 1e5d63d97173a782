import { Context, Effect, Layer, type Option, type Redacted } from "effect"
import type { SavedSearch, SearchNameTaken, SearchNotFound, TooManySearches } from "../domain/SavedSearch.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import {
  type ChangedSearch,
  type NewSearch,
  type SearchEdit,
  SearchStore
} from "../store/links/SearchStore.ts"
import { Events } from "./Events.ts"

/** The searches that the owner has saved. Every change can be undone with `EditLinks.undo`. */
export class SavedSearches extends Context.Tag("SavedSearches")<
  SavedSearches,
  {
    /** All saved searches, in order. */
    readonly all: Effect.Effect<ReadonlyArray<SavedSearch>>
    readonly create: (
      search: NewSearch
    ) => Effect.Effect<ChangedSearch, SearchNameTaken | TooManySearches | StoreUnavailable>
    readonly edit: (
      id: number,
      edit: SearchEdit
    ) => Effect.Effect<ChangedSearch, SearchNotFound | SearchNameTaken | StoreUnavailable>
    /** Deletes a saved search, and with it its feed; returns the token that undoes this. */
    readonly remove: (id: number) => Effect.Effect<string, SearchNotFound | StoreUnavailable>
    /** Returns the saved search whose feed has this token, in the same time for any token. */
    readonly withToken: (token: Redacted.Redacted) => Effect.Effect<Option.Option<SavedSearch>>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* SearchStore
      const events = yield* Events
      /** Tells the owner's open pages to read the saved searches again. */
      const announced = <A, E>(change: Effect.Effect<A, E>) => Effect.zipLeft(change, events.reloadAll)
      return {
        all: store.all,
        create: (search) => announced(store.create(search)),
        edit: (id, edit) => announced(store.edit(id, edit)),
        remove: (id) => announced(store.remove(id)),
        withToken: store.withToken
      }
    })
  )
}
