import type { ApiError, Meta } from "../api.ts"
import { failure, reload } from "../state/list.ts"
import { meta } from "../state/meta.ts"
import { currentFilters, everything, hrefOf, isNarrowed, withoutSort } from "../state/route.ts"
import { removeCollection } from "../state/things.ts"
import { baseOf, isNarrowedFurther, splitQuery, type View } from "../views.ts"
import { Button } from "./Button.tsx"
import { FirstRun } from "./Dialogs.tsx"
import { Notice } from "./Notice.tsx"

type Collection = Meta["collections"][number]

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

const EmptyView = ({ view }: { readonly view: View }) => {
  const [title, advice] = view.empty ?? ["Nothing here", "No links match these filters."]
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
