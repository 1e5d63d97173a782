import { type Filter, type Mark, tokensOf, withoutToken } from "../../../src/shared/SearchSyntax.ts"
import { linkOf } from "../state/entities.ts"
import { meta } from "../state/meta.ts"
import { type Filters, filtersOf, paramsOf } from "../state/place.ts"

/** A filter that is on, and the view without it. */
export interface ActiveFilter {
  readonly label: string
  readonly without: Filters
}

const collectionLabel = (collection: number | "none") =>
  collection === "none"
    ? "unfiled"
    : `collection: ${meta.value?.collections.find(({ id }) => id === collection)?.name ?? collection}`

const marks: Readonly<Record<Mark, string>> = {
  favorite: "favorite",
  shareable: "shared",
  partial: "incomplete"
}

const labelOf = (filter: Filter): string => {
  const plain = "value" in filter ? `${filter.field}: ${filter.value}` : marks[filter.field]
  return filter.negated ? `not ${plain}` : plain
}

const dropped = (filters: Filters, name: Exclude<keyof Filters, "q">): Filters => {
  const params = paramsOf(filters)
  params.delete(name)
  return filtersOf(params)
}

/** Every filter that is on: those of the address, then the operators of the search text. */
export const activeFilters = (filters: Filters): ReadonlyArray<ActiveFilter> => {
  const { category, collection, favorite, like, q, shareable, tag } = filters
  const one = (name: Exclude<keyof Filters, "q">, label: string | undefined): ReadonlyArray<ActiveFilter> =>
    label === undefined ? [] : [{ label, without: dropped(filters, name) }]
  return [
    ...one("like", like === undefined ? like : `similar to: ${linkOf(like)?.value.title ?? `link ${like}`}`),
    ...one("collection", collection === undefined ? collection : collectionLabel(collection)),
    ...one("category", category && `category: ${category}`),
    ...one("tag", tag && `tag: ${tag}`),
    ...one("favorite", favorite && "favorite"),
    ...one("shareable", shareable && "shared"),
    ...tokensOf(q).flatMap((token) =>
      token.kind === "filter"
        ? [{ label: labelOf(token.filter), without: { ...filters, q: withoutToken(q, token) } }]
        : []
    )
  ]
}
