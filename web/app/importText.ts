import type { ImportResult } from "./api.ts"

/** Where in a file something stands, such as `Line 12`. */
export const placeText = (place: number, { counts }: Pick<ImportResult, "counts">): string =>
  `${counts === "line" ? "Line" : "Item"} ${place.toLocaleString("en")}`

/** What was rejected, a line for each, to be kept or sent on. */
export const rejectsText = (result: Pick<ImportResult, "counts" | "rejects">): string =>
  result.rejects.map(({ place, reason }) => `${placeText(place, result)}: ${reason}\n`).join("")
