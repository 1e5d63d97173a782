import { cleanLine } from "../../../shared/Text.ts"
import { MAX_NAME } from "../Metadata.ts"

/** The end of a list of names that is too long. */
const OTHERS = " et al."

/** Joins the names of authors with commas; a list longer than a name may be ends after a whole name, in `et al.`. */
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
