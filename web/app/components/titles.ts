import { meta } from "../state/meta.ts"
import { type Filters, isNarrowed, type Place } from "../state/place.ts"

const collectionName = (id: number) =>
  meta.value?.collections.find((one) => one.id === id)?.name ?? "Collection"

const filtersTitle = (filters: Filters): string => {
  const parts = [
    filters.q.trim() === "" ? "" : `“${filters.q.trim()}”`,
    filters.like === undefined ? "" : `Like #${filters.like}`,
    filters.favorite ? "Favorites" : "",
    filters.shareable ? "Shared" : "",
    filters.collection === undefined
      ? ""
      : filters.collection === "none"
        ? "Unfiled"
        : collectionName(filters.collection),
    filters.category ?? "",
    filters.tag === undefined ? "" : `#${filters.tag}`
  ]
  return isNarrowed(filters) ? parts.filter((part) => part !== "").join(", ") : ""
}

/** Returns the name of a place; empty for the whole library. */
export const titleOf = (place: Place): string => {
  switch (place.page) {
    case "library":
      return filtersTitle(place.filters)
    case "duplicates":
      return "Duplicates"
    case "job":
      return `Job ${place.id}`
    case "add":
      return "Add a link"
  }
}
