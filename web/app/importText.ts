import { count } from "../../src/shared/Format.ts"
import type { ImportResult, Job } from "./api.ts"

/** Formats a position in an imported file, such as `Line 12`. */
export const placeText = (place: number, { counts }: Pick<ImportResult, "counts">): string =>
  `${counts.charAt(0).toUpperCase()}${counts.slice(1)} ${place.toLocaleString("en")}`

/** Formats the rejected entries as text, one line each. */
export const rejectsText = (result: Pick<ImportResult, "counts" | "rejects">): string =>
  result.rejects.map(({ place, reason }) => `${placeText(place, result)}: ${reason}\n`).join("")

const addedText = (added: number) =>
  added === 0 ? "" : `${count(added, "link is", "links are")} deleted for good. `

const changedText = (changed: number) =>
  changed === 0
    ? ""
    : `${count(changed, "link that was there before gets its", "links that were there before get their")} former values back. `

/** What happens if this import is undone, as sentences. */
export const takeBackText = (job: Job): string => {
  const result = job.action === "import" ? job.result : null
  const links =
    result === null
      ? "The links that it added are deleted for good, and those that it changed get their former values back. "
      : `${addedText(result.created)}${changedText(result.changed)}`
  return `${links}Collections that it made go too, if nothing else is in them.`
}
