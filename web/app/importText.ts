import type { ImportResult } from "./api.ts"

/** Formats a position in an imported file, such as `Line 12`. */
export const placeText = (place: number, { counts }: Pick<ImportResult, "counts">): string =>
  `${counts.charAt(0).toUpperCase()}${counts.slice(1)} ${place.toLocaleString("en")}`

/** Formats the rejected entries as text, one line each. */
export const rejectsText = (result: Pick<ImportResult, "counts" | "rejects">): string =>
  result.rejects.map(({ place, reason }) => `${placeText(place, result)}: ${reason}\n`).join("")
