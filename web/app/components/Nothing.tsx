import type { Meta } from "../api.ts"
import { needsService } from "../state/connection.ts"
import { showsTrash } from "../state/list.ts"
import { meta } from "../state/meta.ts"
import { currentFilters, everything, hrefOf, isNarrowed, withoutSort } from "../state/route.ts"
import { removeCollection } from "../state/things.ts"
import { FirstRun } from "./FirstRun.tsx"

type Collection = Meta["collections"][number]

const NothingFound = () => {
  const filters = currentFilters()
  const { q } = filters
  const narrowedOtherwise = isNarrowed({ ...filters, q: "" })
  return (
    <div class="notice">
      <h2>{q.trim() === "" ? "Nothing here" : `Nothing found for “${q.trim()}”`}</h2>
      <p>
        {q.trim() !== "" && narrowedOtherwise
          ? "Only part of the library was searched."
          : "No links match these filters."}
      </p>
      <p class="row">
        {q.trim() !== "" && narrowedOtherwise ? (
          <a class="button" href={hrefOf({ q })}>
            Search the whole library
          </a>
        ) : null}
        <a class="button" href={hrefOf(everything)}>
          Clear {q.trim() === "" || !narrowedOtherwise ? "" : "all "}filters
        </a>
      </p>
    </div>
  )
}

/** The shown collection, if it is empty. */
const emptyCollection = () => {
  const { collection, ...rest } = withoutSort(currentFilters())
  return isNarrowed(rest)
    ? undefined
    : meta.value?.collections.find(({ count, id }) => id === collection && count === 0)
}

const EmptyCollection = ({ collection }: { readonly collection: Collection }) => (
  <div class="notice">
    <h2>This collection is empty</h2>
    <p>File links here, or delete it.</p>
    <p class="row">
      <button
        type="button"
        class="button"
        {...needsService()}
        onClick={() => void removeCollection(collection)}
      >
        Delete the collection
      </button>
      <a class="button" href={hrefOf(everything)}>
        Show all links
      </a>
    </p>
  </div>
)

const EmptyTrash = () => (
  <div class="notice">
    <h2>The trash is empty</h2>
    <p class="row">
      <a class="button" href={hrefOf(everything)}>
        Show all links
      </a>
    </p>
  </div>
)

/** What is said where there are no links. */
export const Nothing = () => {
  const filters = currentFilters()
  if (showsTrash(filters)) return <EmptyTrash />
  const collection = emptyCollection()
  if (collection !== undefined) return <EmptyCollection collection={collection} />
  return meta.value?.total === 0 && !isNarrowed(filters) ? <FirstRun /> : <NothingFound />
}
