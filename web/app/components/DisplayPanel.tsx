import type { Sort } from "../../../src/shared/ListParameters.ts"
import { isDisplayChosen, resetDisplay, setGrouping, setLayout, setSort } from "../state/chooseDisplay.ts"
import { groupingOf, isRanked, layoutOf, sortOf } from "../state/display.ts"
import { type Grouping, groupings, type Layout, layouts } from "../state/preferences.ts"
import { currentFilters } from "../state/route.ts"
import { Button } from "./Button.tsx"
import { Segments, Select } from "./Fields.tsx"

const layoutNames: Readonly<Record<Layout, string>> = { cards: "Cards", rows: "Rows", grid: "Grid" }
const layoutIcons = { cards: "cards", rows: "rows", grid: "grid" } as const

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
    <Select value={chosen} choices={choices.map((one) => [one, names[one]])} onChoose={choose} />
  </label>
)

/** The display menu: how the links of this kind of view are laid out, grouped and sorted. */
export const DisplayPanel = () => {
  const filters = currentFilters()
  const sort = sortOf(filters)
  const offered = new Set<Sort>([...(isRanked(filters) ? (["relevance"] as const) : []), ...plainSorts, sort])
  return (
    <>
      <Segments
        legend="View"
        isLegendHidden
        chosen={layoutOf(filters)}
        choices={layouts}
        names={layoutNames}
        icons={layoutIcons}
        onChoose={setLayout}
      />
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
          <Button icon="shuffle" onClick={() => setSort("random")}>
            Shuffle again
          </Button>
        ) : null}
        {isDisplayChosen(filters) ? (
          <Button kind="quiet" onClick={resetDisplay}>
            Reset
          </Button>
        ) : null}
      </p>
    </>
  )
}
