import { Context, Effect, Layer } from "effect"
import type {
  Highlight,
  HighlightEdit,
  HighlightId,
  HighlightNotFound,
  ListedHighlight,
  NewHighlight,
  TooManyHighlights
} from "../domain/Highlight.ts"
import type { LinkId, LinkNotFound } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { type ChangedHighlight, type HighlightQuery, HighlightStore } from "../store/pages/HighlightStore.ts"
import { afterCommit } from "../store/Transaction.ts"
import { Events } from "./Events.ts"

/**
 * The owner's highlights: passages of kept pages, with a colour and a note. Every change can be undone with
 * `EditLinks.undo`, and is announced to the owner's open pages as a change of its link.
 */
export class Highlights extends Context.Tag("Highlights")<
  Highlights,
  {
    /** Adds a highlight and looks for its passage in the kept page. */
    readonly add: (
      id: LinkId,
      highlight: NewHighlight
    ) => Effect.Effect<ChangedHighlight, LinkNotFound | TooManyHighlights | StoreUnavailable>
    readonly change: (
      link: LinkId,
      id: HighlightId,
      edit: HighlightEdit
    ) => Effect.Effect<ChangedHighlight, HighlightNotFound | StoreUnavailable>
    /** Deletes a highlight; returns the token that undoes this. */
    readonly remove: (
      link: LinkId,
      id: HighlightId
    ) => Effect.Effect<string, HighlightNotFound | StoreUnavailable>
    /** Returns the link's highlights in the order of the page's text; those without a place come last. */
    readonly ofLink: (id: LinkId) => Effect.Effect<ReadonlyArray<Highlight>>
    /** Returns highlights of all links, newest first, without those of links in the trash. */
    readonly list: (query: HighlightQuery) => Effect.Effect<ReadonlyArray<ListedHighlight>>
    readonly count: HighlightStore["Type"]["count"]
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* HighlightStore
      const links = yield* LinkStore
      const events = yield* Events

      const announced = (id: LinkId) =>
        afterCommit(Effect.flatMap(links.getAll([id]), (now) => events.links("changed", now)))

      return {
        add: Effect.fn("Highlights.add")(function* (id, highlight) {
          const added = yield* store.add(id, highlight, "unplaced")
          yield* announced(id)
          return added
        }),
        change: Effect.fn("Highlights.change")(function* (link, id, edit) {
          const changed = yield* store.change(link, id, edit)
          yield* announced(link)
          return changed
        }),
        remove: Effect.fn("Highlights.remove")(function* (link, id) {
          const undo = yield* store.remove(link, id)
          yield* announced(link)
          return undo
        }),
        ofLink: store.ofLink,
        list: store.list,
        count: store.count
      }
    })
  )
}
