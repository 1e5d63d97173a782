import { defaultSort, type Sort } from "../../../src/shared/ListParameters.ts"
import { hasWords } from "../../../src/shared/SearchSyntax.ts"
import { density, displayOf, type Grouping, type Layout } from "./preferences.ts"
import { type Filters, viewOf } from "./route.ts"

/** Whether a view has a best match. */
export const isRanked = ({ like, q }: Filters): boolean => like !== undefined || hasWords(q)

/** The order of a view. */
export const sortOf = (filters: Filters): Sort => {
  const ranked = isRanked(filters)
  const { sort } = filters
  // Without words there is no best match, even if the address asks for it.
  return sort === undefined || (sort === "relevance" && !ranked) ? defaultSort(ranked) : sort
}

/** The orders in which the links of a group are next to each other; the first is chosen with the group. */
export const sortsOfGroup: Readonly<
  Record<Exclude<Grouping, "none">, readonly [Sort, ...ReadonlyArray<Sort>]>
> = {
  site: ["site"],
  collection: ["collection"],
  month: ["newest", "oldest"]
}

/** Whether links of a group are together in this order. */
export const fits = (grouping: Grouping, sort: Sort) =>
  grouping === "none" || sortsOfGroup[grouping].includes(sort)

/** How the links of a view are laid out. */
export const layoutOf = (filters: Filters): Layout => displayOf(viewOf(filters)).layout ?? density.value

/** How the links of a view are grouped: as chosen, unless its order separates them. */
export const groupingOf = (filters: Filters): Grouping => {
  const { grouping = "none" } = displayOf(viewOf(filters))
  return fits(grouping, sortOf(filters)) ? grouping : "none"
}
