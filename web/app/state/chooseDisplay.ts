import { defaultSort, type Sort } from "../../../src/shared/ListParameters.ts"
import { fits, groupingOf, isRanked, layoutOf, sortOf, sortsOfGroup } from "./display.ts"
import { type Display, density, displayOf, type Grouping, type Layout, setDisplay } from "./preferences.ts"
import { currentFilters, type Filters, show, sorted, viewOf } from "./route.ts"

/** Whether anything was chosen for this kind of view. */
export const isDisplayChosen = (filters: Filters): boolean =>
  Object.keys(displayOf(viewOf(filters))).length > 0

const change = (filters: Filters, part: Display) => {
  const { grouping = "none", layout, sort } = { ...displayOf(viewOf(filters)), ...part }
  setDisplay(viewOf(filters), {
    ...(layout === undefined ? {} : { layout }),
    ...(grouping === "none" ? {} : { grouping }),
    ...(sort === undefined || sort === defaultSort(isRanked(filters)) ? {} : { sort })
  })
}

const showSorted = (filters: Filters, sort: Sort) =>
  show(sorted(filters, sort === defaultSort(isRanked(filters)) ? undefined : sort))

/** Chooses the layout of the shown kind of view. */
export const setLayout = (layout: Layout): void => change(currentFilters(), { layout })

/** Chooses the order of the shown kind of view; a group that it would separate is dissolved. */
export const setSort = (sort: Sort): void => {
  const filters = currentFilters()
  const { grouping = "none" } = displayOf(viewOf(filters))
  change(filters, { sort, grouping: fits(grouping, sort) ? grouping : "none" })
  showSorted(filters, sort)
}

/** Chooses the groups of the shown kind of view, with an order in which they are together. */
export const setGrouping = (grouping: Grouping): void => {
  const filters = currentFilters()
  const now = sortOf(filters)
  const before = groupingOf(filters)
  // The order that came with a group goes with it.
  const usual = before === "site" || before === "collection" ? defaultSort(isRanked(filters)) : now
  const sort = grouping === "none" ? usual : fits(grouping, now) ? now : sortsOfGroup[grouping][0]
  change(filters, { grouping, sort })
  showSorted(filters, sort)
}

/** Forgets what was chosen for the shown kind of view. */
export const resetDisplay = (): void => {
  const filters = currentFilters()
  setDisplay(viewOf(filters), {})
  show(sorted(filters, undefined))
}

/** Shows cards or rows, in this view and in every view for which no layout was chosen. */
export const toggleDensity = (): void => {
  const filters = currentFilters()
  const { layout: _, ...rest } = displayOf(viewOf(filters))
  density.value = layoutOf(filters) === "rows" ? "cards" : "rows"
  setDisplay(viewOf(filters), rest)
}
