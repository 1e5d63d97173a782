import { Effect } from "effect"
import { Service } from "../runtime/Services.ts"
import { type NewSearch, type SearchEdit, SearchStore } from "../store/links/SearchStore.ts"
import { Events } from "./Events.ts"

const make = Effect.gen(function* () {
  const store = yield* SearchStore
  const events = yield* Events
  /** Open pages read the saved searches again. */
  const announced = <A, E>(change: Effect.Effect<A, E>) => Effect.zipLeft(change, events.reloadAll)
  return {
    create: (search: NewSearch) => announced(store.create(search)),
    edit: (id: number, edit: SearchEdit) => announced(store.edit(id, edit)),
    remove: (id: number) => announced(store.remove(id))
  }
})

/** Changes the owner's saved searches. `EditLinks.undo` undoes every change. */
export class SavedSearches extends Service<SavedSearches>()("SavedSearches", make) {}
