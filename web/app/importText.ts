import type { ImportResult } from "./api.ts"
import { count } from "./jobText.ts"

const inUnit = (unit: "kilobyte" | "megabyte", maximumFractionDigits: number) =>
  new Intl.NumberFormat("en", { style: "unit", unit, maximumFractionDigits })

/** How large something is, in the unit that fits, such as `3.1 MB`. */
export const sizeText = (bytes: number): string => {
  if (bytes < 1_000) return count(bytes, "byte")
  return bytes < 999_500
    ? inUnit("kilobyte", bytes < 9_950 ? 1 : 0).format(bytes / 1_000)
    : inUnit("megabyte", 1).format(bytes / 1_000_000)
}

/** Where in a file something stands, such as `Line 12`. */
export const placeText = (place: number, { counts }: Pick<ImportResult, "counts">): string =>
  `${counts === "line" ? "Line" : "Item"} ${place.toLocaleString("en")}`

/** What was rejected, a line for each, to be kept or sent on. */
export const rejectsText = (result: Pick<ImportResult, "counts" | "rejects">): string =>
  result.rejects.map(({ place, reason }) => `${placeText(place, result)}: ${reason}\n`).join("")
