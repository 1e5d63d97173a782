import { useEffect } from "preact/hooks"
import { outage } from "../state/connection.ts"
import { lazyParts, loadLazyParts } from "../state/lazy.ts"
import { arrived, failure, listing, loading, showArrived } from "../state/list.ts"
import { currentFilters, isNarrowed } from "../state/route.ts"
import { splitQuery, views } from "../views.ts"
import { Button } from "./Button.tsx"
import { LinkList } from "./LinkList.tsx"
import { ListHeader } from "./ViewHeader.tsx"

const Waiting = () => (
  <div class="skeletons" aria-hidden="true">
    {[0, 1, 2, 3, 4].map((n) => (
      <div class="skeleton" key={n} />
    ))}
  </div>
)

/** What is said where there are no links, or where they could not be loaded; loaded on demand. */
const Nothing = () => {
  const parts = lazyParts.value
  useEffect(() => void loadLazyParts(), [])
  return parts === null ? <Waiting /> : <parts.Nothing />
}

/** What can be read while the service cannot be reached, loaded on demand. */
const Offline = () => {
  const parts = lazyParts.value
  useEffect(() => void loadLazyParts(), [])
  return parts === null ? <Waiting /> : <parts.OfflineArticles />
}

const Content = () => {
  const now = listing.value
  if (outage.value !== undefined && now === null) return <Offline />
  if (failure.value !== null) return <Nothing />
  if (now === null) return <Waiting />
  if (now.ids.length > 0) return <LinkList />
  if (loading.value === "first" || now.cursor !== null) return <Waiting />
  return <Nothing />
}

/** The bar about incomplete links, loaded on demand. */
const ViewBar = () => {
  const parts = lazyParts.value
  const filters = currentFilters()
  const isReview = splitQuery(filters.q).view === views.incomplete
  useEffect(() => void (isReview && loadLazyParts()), [isReview])
  return parts !== null && (isReview || !isNarrowed(filters)) ? (
    <parts.Incomplete isReview={isReview} />
  ) : null
}

/** The list of links of the current address. */
export const Library = () => (
  <>
    <ListHeader />
    <ViewBar />
    {arrived.value.length === 0 ? null : (
      <Button class="button arrivals" kind="primary" onClick={showArrived}>
        {arrived.value.length} new
      </Button>
    )}
    <div class="library" aria-busy={loading.value === "first"} data-loading={loading.value}>
      <Content />
    </div>
  </>
)
