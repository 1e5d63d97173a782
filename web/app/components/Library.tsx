import { useEffect } from "preact/hooks"
import type { ApiError, Meta } from "../api.ts"
import { removeCollection } from "../state/changes.ts"
import { lazyParts, loadLazyParts } from "../state/lazy.ts"
import { arrived, failure, listing, loading, reload, showArrived } from "../state/list.ts"
import { meta } from "../state/meta.ts"
import { currentFilters, everything, hrefOf, isNarrowed } from "../state/route.ts"
import { FilterBar } from "./FilterBar.tsx"
import { Incomplete } from "./Incomplete.tsx"
import { LinkList } from "./LinkList.tsx"

type Collection = Meta["collections"][number]

const Failure = ({ error }: { readonly error: ApiError }) => (
  <div class="notice" role="alert">
    <h2>The links could not be loaded</h2>
    <p>{error.message}</p>
    <p>
      {error.status === 403 ? (
        <button type="button" class="button" data-kind="primary" onClick={() => location.reload()}>
          Sign in again
        </button>
      ) : (
        <button type="button" class="button" onClick={reload}>
          Try again
        </button>
      )}
    </p>
  </div>
)

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
      <p class="notice-actions">
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
  const { collection, sort: _, ...rest } = currentFilters()
  return isNarrowed(rest)
    ? undefined
    : meta.value?.collections.find(({ count, id }) => id === collection && count === 0)
}

const EmptyCollection = ({ collection }: { readonly collection: Collection }) => (
  <div class="notice">
    <h2>This collection is empty</h2>
    <p>File links here, or delete it.</p>
    <p class="notice-actions">
      <button type="button" class="button" onClick={() => void removeCollection(collection)}>
        Delete the collection
      </button>
      <a class="button" href={hrefOf(everything)}>
        Show all links
      </a>
    </p>
  </div>
)

const Waiting = () => (
  <div class="skeletons" aria-hidden="true">
    {[0, 1, 2, 3, 4].map((n) => (
      <div class="skeleton" key={n} />
    ))}
  </div>
)

/** The first-run page, loaded on demand. */
const Beginning = () => {
  const pages = lazyParts.value
  useEffect(() => void loadLazyParts(), [])
  return pages === null ? <Waiting /> : <pages.FirstRun />
}

const Content = () => {
  const now = listing.value
  if (failure.value !== null) return <Failure error={failure.value} />
  if (now === null) return <Waiting />
  if (now.ids.length > 0) return <LinkList />
  if (loading.value === "first" || now.cursor !== null) return <Waiting />
  const collection = emptyCollection()
  if (collection !== undefined) return <EmptyCollection collection={collection} />
  return meta.value?.total === 0 && !isNarrowed(now.filters) ? <Beginning /> : <NothingFound />
}

/** The list of links of the current address. */
export const Library = () => (
  <>
    <FilterBar />
    <Incomplete />
    {arrived.value.length === 0 ? null : (
      <button type="button" class="button arrivals" data-kind="primary" onClick={showArrived}>
        {arrived.value.length} new
      </button>
    )}
    <div class="library" aria-busy={loading.value === "first"}>
      <Content />
    </div>
  </>
)
