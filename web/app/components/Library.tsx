import { useEffect } from "preact/hooks"
import { outage } from "../state/connection.ts"
import { lazyParts, loadLazyParts } from "../state/lazy.ts"
import { arrived, failure, listing, loading, showArrived } from "../state/list.ts"
import { currentFilters, isNarrowed } from "../state/route.ts"
import { splitQuery, views } from "../views.ts"
import { Button } from "./Button.tsx"
import { Lazily, Waiting } from "./Lazily.tsx"
import { LinkList } from "./LinkList.tsx"
import { ListHeader } from "./ViewHeader.tsx"

const Content = () => {
  const now = listing.value
  if (outage.value !== undefined && now === null) return <Lazily part="OfflineArticles" />
  if (failure.value !== null) return <Lazily part="Nothing" />
  if (now !== null && now.ids.length > 0) return <LinkList />
  return now === null || loading.value === "first" || now.cursor !== null ? (
    <Waiting />
  ) : (
    <Lazily part="Nothing" />
  )
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
