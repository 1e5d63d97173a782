import { Context, Effect, Layer } from "effect"
import { SearchStore } from "../store/links/SearchStore.ts"
import { Events } from "./Events.ts"

/** The searches that the owner has saved. Every change can be undone with `EditLinks.undo`. */
export class SavedSearches extends Context.Tag("SavedSearches")<SavedSearches, SearchStore["Type"]>() {
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
