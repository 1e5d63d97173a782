import { useState } from "preact/hooks"
import type { SavedSearch } from "../api.ts"
import { copyText } from "../copyText.ts"
import { searchTextOf } from "../searchText.ts"
import { close } from "../state/dialogs.ts"
import { meta } from "../state/meta.ts"
import { currentFilters, hrefOf } from "../state/route.ts"
import { changeSearch, loadSearches, removeSearch, saveSearch } from "../state/things.ts"
import { tell, tellFailure } from "../state/toasts.ts"
import { CheckBox, TextField } from "./Fields.tsx"
import { FormDialog } from "./FormDialog.tsx"
import { ThingMenu, ThingsPage } from "./ThingsPage.tsx"
import { useLoaded } from "./useLoaded.tsx"

const MAX_NAME = 100
const MAX_QUERY = 2_000

interface FormProps {
  readonly title: string
  readonly before: Pick<SavedSearch, "name" | "query" | "pinned" | "feedText">
  readonly onSave: (search: FormProps["before"]) => Promise<boolean>
  readonly onClose: () => void
}

const SearchForm = ({ before, onClose, onSave, title }: FormProps) => {
  const [name, setName] = useState(before.name)
  const [query, setQuery] = useState(before.query)
  const [pinned, setPinned] = useState(before.pinned)
  const [feedText, setFeedText] = useState(before.feedText)
  return (
    <FormDialog
      title={title}
      confirm="Save"
      isReady={name.trim() !== "" && query.trim() !== ""}
      onSubmit={() => onSave({ name: name.trim(), query: query.trim(), pinned, feedText })}
      onClose={onClose}
    >
      <TextField label="Name" maxLength={MAX_NAME} value={name} onValue={setName} />
      <TextField label="Search" maxLength={MAX_QUERY} value={query} onValue={setQuery} />
      <CheckBox checked={pinned} onChange={setPinned}>
        Show it in the sidebar
      </CheckBox>
      <CheckBox checked={feedText} onChange={setFeedText}>
        Put the kept text of its pages into its feed
      </CheckBox>
    </FormDialog>
  )
}

/** The dialog that saves the shown view as a search. */
export const SaveSearchDialog = () => {
  const filters = currentFilters()
  const query = searchTextOf(filters, meta.value?.collections ?? [])
  return (
    <SearchForm
      title="Save this search"
      before={{ name: "", query, pinned: true, feedText: false }}
      onSave={(search) => saveSearch({ ...search, sort: filters.sort ?? null })}
      onClose={close}
    />
  )
}

interface RowProps {
  readonly search: SavedSearch
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onEdit: () => void
  readonly onChanged: () => void
}

const Row = ({ isFirst, isLast, onChanged, onEdit, search }: RowProps) => {
  const { feed, name, pinned, query, sort } = search
  const move = (order: number) => void changeSearch(search, { order }, `Moved “${name}”`).then(onChanged)
  const copyFeed = async () => {
    try {
      await copyText(new URL(feed, location.href).href)
      tell("Copied the feed's address. Whoever has it can read this search's links.")
    } catch (error) {
      tellFailure("Not copied.", error)
    }
  }
  return (
    <li class="thing">
      <a class="thing-name plain" href={hrefOf({ q: query, ...(sort === null ? {} : { sort }) })} dir="auto">
        {name}
      </a>
      <span class="thing-facts hint" dir="auto">
        {query}
        {pinned ? "" : ", not in the sidebar"}
      </span>
      <ThingMenu
        of={name}
        actions={[
          { icon: "edit", name: "Edit…", run: onEdit },
          { icon: "up", name: "Move up", disabled: isFirst, run: () => move(search.order - 1) },
          { icon: "down", name: "Move down", disabled: isLast, run: () => move(search.order + 1) },
          { icon: "feed", name: "Copy the feed’s address", run: () => void copyFeed() },
          {
            icon: "refresh",
            name: "Give the feed a new address",
            run: () =>
              void changeSearch(
                search,
                { renewFeed: true },
                `The feed of “${name}” has a new address; the old one no longer works`
              ).then(onChanged)
          },
          {
            icon: "trash",
            isDangerous: true,
            name: "Delete",
            run: () => void removeSearch(search).then(onChanged)
          }
        ]}
      />
    </li>
  )
}

export const SearchesPage = () => {
  const loaded = useLoaded(loadSearches, [meta.value])
  const { reload, value: searches = [] } = loaded
  const [edited, setEdited] = useState<SavedSearch | null>(null)
  return (
    <>
      <ThingsPage
        page="searches"
        loaded={loaded}
        isEmpty={searches.length === 0}
        none="No search is saved yet. Search for something, then choose “Save this search”."
      >
        <ul class="things">
          {searches.map((search, at) => (
            <Row
              key={search.id}
              search={search}
              isFirst={at === 0}
              isLast={at === searches.length - 1}
              onEdit={() => setEdited(search)}
              onChanged={() => void reload()}
            />
          ))}
        </ul>
      </ThingsPage>
      {edited === null ? null : (
        <SearchForm
          title={`Edit “${edited.name}”`}
          before={edited}
          onSave={async (search) => {
            const done = await changeSearch(edited, search)
            await reload()
            return done
          }}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  )
}
