import type { Sort } from "../../../src/shared/ListParameters.ts"
import { isDisplayChosen, resetDisplay, setGrouping, setLayout, setSort } from "../state/chooseDisplay.ts"
import { groupingOf, isRanked, layoutOf, sortOf } from "../state/display.ts"
import { type Grouping, groupings, type Layout, layouts } from "../state/preferences.ts"
import { currentFilters } from "../state/route.ts"
import { Icon, type IconName } from "./Icon.tsx"

const layoutNames: Readonly<Record<Layout, { readonly name: string; readonly icon: IconName }>> = {
  cards: { name: "Cards", icon: "cards" },
  rows: { name: "Rows", icon: "rows" },
  grid: { name: "Grid", icon: "grid" }
}

const groupingNames: Readonly<Record<Grouping, string>> = {
  none: "None",
  site: "Site",
  collection: "Collection",
  month: "Month saved"
}

const sortNames: Readonly<Record<Sort, string>> = {
  relevance: "Best match",
  newest: "Newest",
  oldest: "Oldest",
  title: "Title",
  site: "Site",
  collection: "Collection",
  changed: "Recently changed",
  random: "Random"
}
const plainSorts: ReadonlyArray<Sort> = ["newest", "oldest", "title", "site", "changed", "random"]

interface ChoiceProps<A extends string> {
  readonly label: string
  readonly chosen: A
  readonly choices: ReadonlyArray<A>
  readonly names: Readonly<Record<A, string>>
  readonly choose: (choice: A) => void
}

const Choice = <A extends string>({ choices, choose, chosen, label, names }: ChoiceProps<A>) => (
  <label class="display-choice">
    {label}
    <select
      class="input"
      value={chosen}
      onChange={({ currentTarget }) => {
        const choice = choices.find((one) => one === currentTarget.value)
        if (choice !== undefined) choose(choice)
      }}
    >
      {choices.map((one) => (
        <option key={one} value={one}>
          {names[one]}
        </option>
      ))}
    </select>
  </label>
)

/** The display menu: how the links of this kind of view are laid out, grouped and sorted. */
export const DisplayPanel = () => {
  const filters = currentFilters()
  const layout = layoutOf(filters)
  const sort = sortOf(filters)
  const offered = new Set<Sort>([...(isRanked(filters) ? (["relevance"] as const) : []), ...plainSorts, sort])
  return (
    <>
      <fieldset class="display-layouts">
        <legend class="visually-hidden">View</legend>
        {layouts.map((one) => (
          <label key={one} class="display-layout">
            <input
              type="radio"
              name="layout"
              class="visually-hidden"
              checked={layout === one}
              onChange={() => setLayout(one)}
            />
            <Icon name={layoutNames[one].icon} />
            {layoutNames[one].name}
          </label>
        ))}
      </fieldset>
      {/* Similar links are always in the order of their similarity. */}
      {filters.like === undefined ? (
        <>
          <Choice
            label="Group by"
            choices={groupings}
            names={groupingNames}
            chosen={groupingOf(filters)}
            choose={setGrouping}
          />
          <Choice label="Sort" choices={[...offered]} names={sortNames} chosen={sort} choose={setSort} />
        </>
      ) : null}
      <p class="row end">
        {sort === "random" ? (
          <button type="button" class="button" onClick={() => setSort("random")}>
            <Icon name="shuffle" />
            Shuffle again
          </button>
        ) : null}
        {isDisplayChosen(filters) ? (
          <button type="button" class="button" data-kind="quiet" onClick={resetDisplay}>
            Reset
          </button>
        ) : null}
      </p>
    </>
  )
}
