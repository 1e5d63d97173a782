import { join } from "node:path"
import { builtIn } from "../../../src/enrich/embedding/BuiltIn.ts"
import { readLinks, textOf, withoutBadges } from "../embedding/Links.ts"
import { random } from "../vectors/data.ts"

/** A link of a curated list with its vector and section number. */
export interface Listed {
  readonly id: number
  readonly url: string
  readonly title: string
  readonly description: string
  readonly section: string
  readonly vector: Float32Array
}

/** Links with their sections; a link without one has a unique negative number. */
export interface Library {
  readonly links: ReadonlyArray<Listed>
  readonly truth: ReadonlyMap<number, number>
}

const SECTIONS = 25
const STRANGERS = 150
/** Smaller sections have no clear topic. */
const LEAST_SECTION = 8

/** The links of the folder's JSON lines whose titles are no badges, embedded by title and description. */
export const listedLinks = async (
  folder: string,
  files: ReadonlyArray<string>
): Promise<ReadonlyArray<Listed>> => {
  const links = await Promise.all(files.map((file) => readLinks(join(folder, file))))
  return links.flatMap(withoutBadges).map((link, i) => ({
    id: i + 1,
    url: link.url,
    title: link.title,
    description: link.description,
    section: `${link.list}: ${link.section}`,
    vector: builtIn.embed(textOf(link))
  }))
}

/** The links by section, without small sections. */
export const bySection = (links: ReadonlyArray<Listed>): ReadonlyArray<ReadonlyArray<Listed>> =>
  [...Map.groupBy(links, ({ section }) => section).values()].filter(
    (section) => section.length >= LEAST_SECTION
  )

/** A generator of integers below `count`. */
export const picker = (seed: number) => {
  const next = random(seed)
  for (let i = 0; i < 8; i++) next()
  return (count: number) => Math.min(count - 1, Math.floor((next() + 0.5) * count))
}

/** The items in an order chosen by `pick`. */
export const shuffled = <A>(items: ReadonlyArray<A>, pick: (count: number) => number): ReadonlyArray<A> => {
  const left = [...items]
  return items.flatMap(() => left.splice(pick(left.length), 1))
}

/** Twenty-five sections of five to thirty links, and one link each of 150 other sections. */
export const sampledLibrary = (links: ReadonlyArray<Listed>, seed: number): Library => {
  const pick = picker(seed)
  const sections = shuffled(bySection(links), pick)
  const truth = new Map<number, number>()
  const chosen: Array<Listed> = []
  const take = (link: Listed, section: number) => {
    truth.set(link.id, section)
    chosen.push(link)
  }
  sections.forEach((section, number) => {
    const mixed = shuffled(section, pick)
    if (number < SECTIONS) for (const link of mixed.slice(0, 5 + pick(26))) take(link, number)
    else if (number < SECTIONS + STRANGERS) for (const link of mixed.slice(0, 1)) take(link, -number)
  })
  return { links: chosen, truth }
}

/** The first links of all lists, with the section of each. */
export const wholeLibrary = (links: ReadonlyArray<Listed>, count: number): Library => {
  const some = shuffled(links, picker(5)).slice(0, count)
  const numbers = new Map<string, number>()
  const truth = new Map(
    some.map(({ id, section }) => {
      const number = numbers.get(section) ?? numbers.size
      numbers.set(section, number)
      return [id, number] as const
    })
  )
  return { links: some, truth }
}
