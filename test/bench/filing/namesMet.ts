import { type collectionNamer, stem, wordsIn } from "../../../src/organize/CollectionName.ts"
import { mostly } from "./measures.ts"

/** Where each link comes from: its section's number, below zero for a stranger, and its section's name. */
export interface Sections {
  readonly truth: ReadonlyMap<number, number>
  readonly sectionOf: (id: number) => string
}

const LEAST_KIN = 5

/** Whether two words are of one root: `tunneling` and `tunnel`. */
const areKin = (a: string, b: string): boolean =>
  a === b ||
  (Math.min(a.length, b.length) >= LEAST_KIN &&
    (a.startsWith(b.slice(0, -1)) || b.startsWith(a.slice(0, -1))))

/** The share of the groups whose name has a word of the name of the section that most of the group come from. */
export const namesMet = (
  groups: ReadonlyArray<ReadonlyArray<number>>,
  namer: ReturnType<typeof collectionNamer>,
  { sectionOf, truth }: Sections
): number => {
  const taken: Array<string> = []
  let [met, all] = [0, 0]
  for (const group of groups) {
    const name = namer.name(group, taken)
    taken.push(name)
    const [section] = mostly(group, truth)
    const member = group.find((id) => truth.get(id) === section)
    if (section < 0 || member === undefined) continue
    // What is before the colon is the list's name.
    const words = wordsIn(
      sectionOf(member)
        .replace(/^[^:]*: /, "")
        .replaceAll("-", " ")
    ).map(stem)
    all++
    if (wordsIn(name).some((word) => words.some((one) => areKin(stem(word), one)))) met++
  }
  return met / Math.max(all, 1)
}
