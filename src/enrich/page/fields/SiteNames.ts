import { folded } from "../../../shared/Text.ts"

/** Tells a page's title from the name of its site, which pages write before or after it ("Kestrel - Wikipedia"). */

const separator =
  /\s+(?:[|·•–—‒―»«›‹:~/\\>-]|::|\|\||--)\s+|\s*[|｜·•»]\s*|:\s+|\s+—|—\s+|(?<=\p{Lo}\s?)[_-](?=\p{Lo})/gu

/** A name for comparison: letters and digits in lower case, without the article and the domain. */
const bare = (name: string): string =>
  folded(name)
    .replace(/^(?:https?:\/\/)?(?:www\.)?/, "")
    .replace(/\.(?:com|org|net|co\.uk|io|dev|fr|de|es|it|cz|jp)$/, "")
    .replace(/&/g, "and")
    .replace(/^the\s+/, "")
    .replace(/[^\p{L}\p{N}]+/gu, "")

const common: ReadonlySet<string> = new Set(
  "www m mobile amp en de fr es it blog blogs news docs doc web app old new open edition uk us".split(" ")
)
const secondLevel: ReadonlySet<string> = new Set("co com org net ac gov edu or ne go".split(" "))

/** The labels of a host that may name its site, the registered one first, in lower case. */
const labelsOf = (host: string): ReadonlyArray<string> => {
  if (/^[\d.]+$|[:[]/.test(host)) return []
  const labels = host.toLowerCase().split(".").slice(0, -1)
  if (labels.length > 1 && secondLevel.has(labels.at(-1) ?? "")) labels.pop()
  return labels.toReversed().filter((label) => !common.has(label))
}

interface Cut {
  readonly title: string
  readonly site: string
  readonly isFirst: boolean
  readonly mark: string
}

/** Every way to divide a title in two, the shortest sites first; sites after the title come before those in front. */
const cutsOf = (title: string): ReadonlyArray<Cut> => {
  const found = [...title.matchAll(separator)].slice(0, 40)
  const ends = found.toReversed().map(
    (match): Cut => ({
      title: title.slice(0, match.index).trim(),
      site: title.slice(match.index + match[0].length).trim(),
      isFirst: false,
      mark: match[0].trim()
    })
  )
  const starts = found.map(
    (match): Cut => ({
      title: title.slice(match.index + match[0].length).trim(),
      site: title.slice(0, match.index).trim(),
      isFirst: true,
      mark: match[0].trim()
    })
  )
  return [...ends, ...starts].filter(({ site, title: rest }) => /[\p{L}\p{N}]/u.test(rest) && site !== "")
}

interface Named {
  readonly sites: ReadonlyArray<string>
  readonly host: string
  readonly others: ReadonlyArray<string>
}

const namesOf = ({ host, sites }: Pick<Named, "sites" | "host">): ReadonlySet<string> =>
  new Set([...sites, host, ...labelsOf(host)].map(bare).filter((name) => name !== ""))

/** Whether another statement of the title says that the rest of a cut is all of it. */
const isAgreed = ({ isFirst, mark, title }: Cut, others: ReadonlySet<string>) =>
  // A chapter or a series may stand before a colon.
  !(isFirst && mark === ":") && bare(title).length > 3 && others.has(bare(title))

const othersOf = ({ others }: Named): ReadonlySet<string> =>
  new Set(others.map(bare).filter((other) => other !== ""))

export const withoutSite = (title: string, named: Named): string => {
  const names = namesOf(named)
  const others = othersOf(named)
  for (const cut of cutsOf(title)) {
    if (names.has(bare(cut.site))) return withoutSite(cut.title, { ...named, others: [] })
    if (isAgreed(cut, others)) return cut.title
  }
  return title
}

export const isSiteName = (text: string, named: Named): boolean => namesOf(named).has(bare(text))

/** How many other statements of a title must leave a name out that is not the host's. */
const ENOUGH = 2
const MAX_SITE = 40

/** Undefined if the title names no site. */
export const siteInTitle = (title: string, named: Named): string | undefined => {
  const labels = labelsOf(named.host)
  const names = namesOf({ ...named, sites: [] })
  const others = othersOf(named)
  const isLike = (site: string) =>
    site.length > 2 &&
    labels.some((label) => label.length > 2 && (label.includes(site) || site.includes(label)))
  const isSite = (cut: Cut) =>
    isLike(bare(cut.site)) || named.others.filter((other) => bare(other) === bare(cut.title)).length >= ENOUGH
  for (const cut of cutsOf(title)) {
    if (names.has(bare(cut.site))) return cut.site
    if (!isAgreed(cut, others) || !isSite(cut)) continue
    // A section may stand between the title and the site.
    const parts = cut.site.split(separator).filter((part) => part !== "")
    const name = (cut.isFirst ? parts[0] : parts.at(-1))?.trim() ?? ""
    return /\p{L}/u.test(name) && name.length <= MAX_SITE ? name : undefined
  }
  return undefined
}
