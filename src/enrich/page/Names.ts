import { cleanLine } from "../../shared/Text.ts"
import { MAX_NAME } from "./Metadata.ts"

/** How a list ends that names the first authors only. */
const OTHERS = " et al."

/**
 * Joins the names of authors with commas; skips what is no text. A list that is too long for an author's field ends after
 * a whole name.
 */
export const joinNames = (names: ReadonlyArray<unknown>): string => {
  let joined = ""
  for (const name of names) {
    const next = typeof name === "string" ? cleanLine(name.slice(0, MAX_NAME * 8), MAX_NAME) : ""
    if (next === "") continue
    const longer = joined === "" ? next : `${joined}, ${next}`
    if (longer.length > MAX_NAME - OTHERS.length) return joined === "" ? next : joined + OTHERS
    joined = longer
  }
  return joined
}
