import { stem, wordsIn } from "../../../src/organize/Words.ts"
import { mostly } from "./measures.ts"

/** The section of each link: its number, negative if it has none, and its name. */
interface Sections {
  readonly truth: ReadonlyMap<number, number>
  readonly sectionOf: (id: number) => string
}

const LEAST_KIN = 5

/** Whether two words share a root: `tunneling` and `tunnel`. */
const areKin = (a: string, b: string): boolean =>
  a === b ||
  (Math.min(a.length, b.length) >= LEAST_KIN &&
    (a.startsWith(b.slice(0, -1)) || b.startsWith(a.slice(0, -1))))

/** The share of groups whose name shares a word with the name of their majority section. */
export const shareMet = (
  groups: ReadonlyArray<ReadonlyArray<number>>,
  names: ReadonlyArray<string>,
  { sectionOf, truth }: Sections
): number => {
  let [met, all] = [0, 0]
  groups.forEach((group, at) => {
    const [section] = mostly(group, truth)
    const member = group.find((id) => truth.get(id) === section)
    if (section < 0 || member === undefined) return
    // The list's name precedes the colon.
    const words = wordsIn(
      sectionOf(member)
        .replace(/^[^:]*: /, "")
        .replaceAll("-", " ")
    ).map(stem)
    all++
    if (wordsIn(names[at] ?? "").some((word) => words.some((one) => areKin(stem(word), one)))) met++
  })
  return met / Math.max(all, 1)
}
