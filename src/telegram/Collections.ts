import { Effect } from "effect"
import type { Link } from "../domain/Link.ts"
import { count } from "../shared/Format.ts"
import { shortened } from "../shared/Truncate.ts"
import { FacetStore, type Facets } from "../store/links/CollectionStore.ts"
import { type ButtonAction, button, rowsOf } from "./Buttons.ts"
import { cardOf } from "./Card.ts"
import type { Button } from "./Chat.ts"
import { bold, type Content, lines, text } from "./Content.ts"

/** Collections per message, buttons per row, and maximum label length in UTF-16 units. */
const PAGE = 8
const BUTTONS_PER_ROW = 2
const MAX_LABEL = 24

type Collection = Facets["collections"][number]

const pagesOf = (all: ReadonlyArray<unknown>) => Math.max(1, Math.ceil(all.length / PAGE))
/** Clamps a page to the last one, because collections may have been deleted since. */
const clampPage = (all: ReadonlyArray<unknown>, page: number) => Math.min(page, pagesOf(all) - 1)

const pageButtons = (
  all: ReadonlyArray<unknown>,
  page: number,
  to: (page: number) => ButtonAction
): ReadonlyArray<Button> => [
  ...(page > 0 ? [button("‹ Back", to(page - 1))] : []),
  ...(page < pagesOf(all) - 1 ? [button("More ›", to(page + 1))] : [])
]

const rows = (...all: ReadonlyArray<ReadonlyArray<Button>>) => all.filter((row) => row.length > 0)

/** Shows the collections, largest first. */
export const makeCollections = Effect.gen(function* () {
  const facets = yield* FacetStore
  const all: Effect.Effect<ReadonlyArray<Collection>> = Effect.map(facets.facets, ({ collections }) =>
    [...collections].sort((a, b) => b.count - a.count)
  )

  return {
    all,
    /** The link's card with a page of collections to move it to. */
    picker: Effect.fn("Collections.picker")(function* (link: Link, wanted: number) {
      const collections = yield* all
      const page = clampPage(collections, wanted)
      const { id } = link
      const offered = collections.slice(page * PAGE, (page + 1) * PAGE).map((one) =>
        button(`${one.id === link.collection?.id ? "✓ " : ""}${shortened(one.name, MAX_LABEL)}`, {
          _tag: "Move",
          id,
          collection: one.id
        })
      )
      const content: Content = {
        ...cardOf(link),
        buttons: rows(
          ...rowsOf(offered, BUTTONS_PER_ROW),
          pageButtons(collections, page, (next) => ({ _tag: "Collections", id, page: next })),
          [
            button(link.collection === null ? "✓ None" : "None", { _tag: "Move", id, collection: null }),
            button("✏️ Another…", { _tag: "AskCollection", id }),
            button("Cancel", { _tag: "Card", id })
          ]
        )
      }
      return content
    }),
    /** A page of all collections with their sizes; each button lists a collection's links. */
    overview: Effect.fn("Collections.overview")(function* (wanted: number) {
      const collections = yield* all
      const page = clampPage(collections, wanted)
      const shown = collections.slice(page * PAGE, (page + 1) * PAGE)
      const content: Content = {
        html:
          collections.length === 0
            ? text("There is no collection yet. 📁 on a link’s card makes one.")
            : lines([
                bold(text(count(collections.length, "collection"))),
                ...shown.map((one) => text(`📁 ${shortened(one.name, 100)} · ${count(one.count, "link")}`))
              ]),
        buttons: rows(
          ...rowsOf(
            shown.map((one) =>
              button(shortened(one.name, MAX_LABEL), { _tag: "OpenCollection", collection: one.id })
            ),
            BUTTONS_PER_ROW
          ),
          pageButtons(collections, page, (next) => ({ _tag: "AllCollections", page: next }))
        )
      }
      return content
    })
  }
})
