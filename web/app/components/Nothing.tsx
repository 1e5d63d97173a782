import { useEffect } from "preact/hooks"
import { readableHost } from "../../../src/shared/HostName.ts"
import { ageOf } from "../age.ts"
import type { ApiError, Collection } from "../api.ts"
import { offlineArticles, refreshOffline } from "../reader/offline.ts"
import { failure, reload } from "../state/list.ts"
import { meta } from "../state/meta.ts"
import { currentFilters, everything, hrefOf, isNarrowed, readerHref, withoutSort } from "../state/route.ts"
import { removeCollection } from "../state/things.ts"
import { baseOf, isNarrowedFurther, splitQuery, type View, views } from "../views.ts"
import { Button } from "./Button.tsx"
import { FirstRun } from "./Dialogs.tsx"
import { Notice } from "./Notice.tsx"

const NothingFound = () => {
  const filters = currentFilters()
  const { rest, view } = splitQuery(filters.q)
  const words = rest.trim()
  const isPart = words !== "" && (view !== undefined || isNarrowed({ ...filters, q: "" }))
  return (
    <Notice
      icon="search"
      title={words === "" ? "Nothing here" : `Nothing found for “${words}”`}
      actions={
        <>
          {isPart ? (
            <a class="button" href={hrefOf({ q: words })}>
              Search the whole library
            </a>
          ) : null}
          <a class="button" href={hrefOf(everything)}>
            Clear {isPart ? "all " : ""}filters
          </a>
        </>
      }
    >
      {isPart ? "Only part of the library was searched." : "No links match these filters."}
    </Notice>
  )
}

/** The shown collection, if it is empty. */
const emptyCollection = () => {
  const { collection, ...rest } = withoutSort(currentFilters())
  return isNarrowed(rest)
    ? undefined
    : meta.value?.collections.find(({ count, id }) => id === collection && count === 0)
}

const showAll = (
  <a class="button" href={hrefOf(everything)}>
    Show all links
  </a>
)

/** What is said where a view shows nothing. */
const empty = new Map<View, readonly [title: string, advice: string]>([
  [views.all, ["Every link is archived", "The archive has them, and searches find them."]],
  [views.favorites, ["No favorites yet", "Give a link a star, and it is found here."]],
  [views.shared, ["Nothing is shared", "A link or a collection that you share stands on the public list."]],
  [views.unfiled, ["Everything is filed", "New links without a collection wait here."]],
  [views.unread, ["You have read everything", "New links wait here until you mark them as read."]],
  [
    views.archive,
    ["The archive is empty", "Archive a link to take it out of your lists without deleting it."]
  ],
  [views.trash, ["The trash is empty", "Deleted links wait here, and can be restored."]]
])

const EmptyView = ({ view }: { readonly view: View }) => {
  const [title, advice] = empty.get(view) ?? ["Nothing here", "No links match these filters."]
  return (
    <Notice icon={view.icon} title={title} actions={showAll}>
      {advice}
    </Notice>
  )
}

const EmptyCollection = ({ collection }: { readonly collection: Collection }) => (
  <Notice
    icon="folder"
    title="This collection is empty"
    actions={
      <>
        <Button needsService onClick={() => void removeCollection(collection)}>
          Delete the collection
        </Button>
        {showAll}
      </>
    }
  >
    File links here, or delete it.
  </Notice>
)

const Failure = ({ error }: { readonly error: ApiError }) => (
  <Notice
    isFailure
    title="The links could not be loaded"
    actions={
      error.status === 403 ? (
        <Button kind="primary" onClick={() => location.reload()}>
          Sign in again
        </Button>
      ) : (
        <Button onClick={reload}>Try again</Button>
      )
    }
  >
    {error.message}
  </Notice>
)

/** What is said where there are no links, or where they could not be loaded. */
export const Nothing = () => {
  if (failure.value !== null) return <Failure error={failure.value} />
  const filters = currentFilters()
  const collection = emptyCollection()
  if (collection !== undefined) return <EmptyCollection collection={collection} />
  if (meta.value?.total === 0 && !isNarrowed(filters)) return <FirstRun />
  return isNarrowedFurther(filters) ? <NothingFound /> : <EmptyView view={baseOf(filters)} />
}

/** Said where no page has the address. */
export const Missing = () => (
  <Notice
    title="There is no such page"
    actions={
      <a class="button" href="/dashboard">
        Open the library
      </a>
    }
  >
    Check the address.
  </Notice>
)

/** The articles that this browser keeps, shown in place of the list while the service cannot be reached. */
export const OfflineArticles = () => {
  useEffect(() => void refreshOffline(), [])
  const articles = offlineArticles.value
  if (articles === null) return null
  return (
    <section class="offline-articles prose stack" aria-label="Articles to read offline">
      <h2>{articles.length === 0 ? "Nothing to read offline" : "To read offline"}</h2>
      <p class="hint">
        {articles.length === 0
          ? "Articles that you open in the reader are kept in this browser, for when the library cannot be reached."
          : "You have opened these articles in this browser. Your library appears as soon as it can be reached."}
      </p>
      <ul class="divided">
        {articles.map(({ host, id, openedAt, title }) => (
          <li key={id}>
            <a href={readerHref(id)}>
              <span dir="auto">{title}</span>
              <span class="hint">
                {readableHost(host)} · opened {ageOf(openedAt)}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
