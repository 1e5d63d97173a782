import { cleanLine } from "../../../shared/Text.ts"
import { MAX_NAME } from "../Metadata.ts"

/** How a list ends that names the first authors only. */
const OTHERS = " et al."

/** Joins the names of authors with commas. A list that is too long for an author's field ends after a whole name. */
export const joinNames = (names: ReadonlyArray<string | undefined>): string | undefined => {
  let joined = ""
  for (const name of names) {
    const next = cleanLine(name ?? "", MAX_NAME)
    if (next === "") continue
    const longer = joined === "" ? next : `${joined}, ${next}`
    if (longer.length > MAX_NAME - OTHERS.length) return joined === "" ? next : joined + OTHERS
    joined = longer
  }
  return joined || undefined
}
