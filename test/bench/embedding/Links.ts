/** A link of a public list and its section. */
export interface ListedLink {
  readonly url: string
  readonly title: string
  readonly description: string
  readonly list: string
  readonly section: string
}

/**
 * A title on more links of one list than this is a badge ("App Store") and describes none of them.
 */
const MOST_ALIKE = 20

const isText = (value: unknown): value is string => typeof value === "string"

const linkOf = (value: unknown): ReadonlyArray<ListedLink> => {
  if (typeof value !== "object" || value === null) return []
  const field = (name: keyof ListedLink): unknown => Reflect.get(value, name)
  const [url, title, description] = [field("url"), field("title"), field("description")]
  const [list, section] = [field("list"), field("section")]
  return isText(url) && isText(title) && isText(description) && isText(list) && isText(section)
    ? [{ url, title, description, list, section }]
    : []
}

/** All links of a file with one JSON object per line. */
export const readLinks = async (path: string): Promise<ReadonlyArray<ListedLink>> => {
  const text = await Bun.file(path).text()
  return text.split("\n").flatMap((line) => (line.trim() === "" ? [] : linkOf(JSON.parse(line))))
}

/** The links whose title is not a badge. */
export const withoutBadges = (links: ReadonlyArray<ListedLink>): ReadonlyArray<ListedLink> => {
  const name = ({ list, title }: ListedLink) => `${list}\n${title.trim()}`
  const groups = Map.groupBy(links, name)
  return links.filter((link) => (groups.get(name(link))?.length ?? 0) <= MOST_ALIKE)
}

/** The embedded text of a link. */
export const textOf = ({ description, title }: ListedLink): string => `${title}\n${description}`

/** The unique name of a link's section. */
export const sectionOf = ({ list, section }: ListedLink): string => `${list}\n${section}`

/** The link indexes of each section with at least `least` links. */
export const sectionsOf = (
  links: ReadonlyArray<ListedLink>,
  least: number
): ReadonlyArray<ReadonlyArray<number>> => {
  const groups = Map.groupBy(links.keys(), (at) => {
    const link = links[at]
    return link === undefined ? "" : sectionOf(link)
  })
  return [...groups.values()].filter((section) => section.length >= least)
}
