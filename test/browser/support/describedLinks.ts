import { existsSync } from "node:fs"
import { join } from "node:path"
import type { SizedPicture } from "../../../src/domain/ArticlePictures.ts"
import type { Enrichment } from "../../../src/domain/Enrichment.ts"
import type { NewPage } from "../../../src/domain/KeptPage.ts"
import type { Repository } from "../../../src/domain/Link.ts"
import { normalizeTags } from "../../../src/shared/Tags.ts"
import { normalizeUrl } from "../../../src/shared/UrlIdentity.ts"
import { type RealLink, realLinks } from "../../bench/realLinks.ts"
import { DATA } from "../../support/data.ts"
import { found } from "../../support/links.ts"
import { randomOf } from "../../support/randomLibrary.ts"
import { madeUpLinks, oddLinks } from "./madeUpLinks.ts"
import type { Pictures } from "./pictures.ts"

/** A link of a library that has been used for a while. */
export interface DescribedLink {
  readonly url: string
  readonly note: string
  readonly tags: ReadonlyArray<string>
  readonly collection: string | null
  readonly favorite: boolean
  readonly shareable: boolean
  readonly createdAt: string
  /** The result of its enrichment; undefined while that is pending. */
  readonly found: Enrichment | undefined
  /** Its kept page, and the pictures of that page by their addresses. */
  readonly page?: NewPage
  /** Its earlier versions, the first one first. */
  readonly earlierPages?: ReadonlyArray<NewPage>
  readonly pictures?: ReadonlyMap<string, SizedPicture>
}

/** The age of the oldest link, in milliseconds. */
const AGE = 400 * 24 * 3_600_000
/** The number of sections, the largest ones, that become collections. */
const COLLECTIONS = 14

const notes = [
  "Read this again before the next release.",
  "Anna's suggestion, from dinner on Sunday.",
  "The second half is the interesting one.",
  "Try this at home",
  "For the talk in spring: the figure in the middle, and the numbers below it.",
  "Compare with what we use",
  "Good introduction to send to others\nThe appendix is worth it too.",
  "?"
]

const endings = [
  "The page explains how it came about, what it is good for, and where its limits lie.",
  "It comes with worked examples and a short list of alternatives.",
  "Most useful to those who already know the basics and want to see it done well.",
  "Actively maintained, with a changelog and a guide for newcomers."
]

const languages: Readonly<Record<string, string>> = {
  "awesome-go": "Go",
  "awesome-cpp": "C++",
  "awesome-nodejs": "JavaScript",
  "awesome-python": "Python",
  "open-source-ios-apps": "Swift",
  "awesome-mac": "Swift"
}

const lastOf = (path: string) => path.split("/").at(-1) ?? path
const topOf = (section: string) => section.split(/ [/>-] /)[0] ?? section
const categoryOf = (list: string) =>
  lastOf(list)
    .replace(/^awesome-|-data$/g, "")
    .replaceAll("-", " ")
    .toLowerCase()

const repositoryOf = ({ description, list, url }: RealLink, chance: number): Repository | null => {
  const name = /^https?:\/\/github\.com\/([^/]+\/[^/?#]+)/.exec(url)?.[1]
  return name === undefined
    ? null
    : {
        host: "github.com",
        fullName: name,
        description,
        language: languages[lastOf(list)] ?? "TypeScript",
        stars: Math.round(10 ** (chance * 5)),
        topics: [],
        license: chance < 0.6 ? "MIT" : chance < 0.9 ? "Apache-2.0" : null,
        archived: chance < 0.04
      }
}

/** The real links in a shuffled order, each page once; without those, the made-up ones. */
const sources = (next: () => number): ReadonlyArray<RealLink> => {
  const all = existsSync(join(DATA, "links.jsonl")) ? realLinks() : madeUpLinks
  return [...new Map(all.map((link) => [normalizeUrl(new URL(link.url)), link])).values()]
    .map((link) => ({ link, place: next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ link }) => link)
}

/**
 * `size` links, the oldest first and the same in every run. The odd ones are among the newest, three are still being
 * enriched. If there are not enough pages, they appear again at other addresses.
 */
export const describedLinks = (size: number, pictures: Pictures): ReadonlyArray<DescribedLink> => {
  const next = randomOf(size)
  const pool = sources(next)
  const now = Date.now()
  const chosen = Array.from({ length: size }, (_, n) => {
    const fromEnd = size - 1 - n
    const odd = oddLinks[(fromEnd - 4) / 3]
    const link = odd ?? pool[n % pool.length]
    if (link === undefined) throw new Error("there are no links to choose from")
    const url = new URL(link.url)
    if (n >= pool.length) url.searchParams.set("again", String(n))
    return { ...link, url: url.href, fromEnd }
  })
  const sections = Map.groupBy(chosen, ({ section }) => topOf(section))
  const busiest = [...sections].sort((a, b) => b[1].length - a[1].length).slice(0, COLLECTIONS)
  const collections = new Set(busiest.map(([name]) => name))

  return chosen.map(({ fromEnd, ...link }) => {
    const { description, list, section, title, url } = link
    const { host } = new URL(url)
    const category = categoryOf(list)
    const repository = repositoryOf(link, next())
    const hasSummary = next() < 0.6
    const tags = normalizeTags(
      [...section.split(/ [/>-] |, /), ...(repository === null ? [] : ["open source"])],
      category
    )
    const page = {
      url,
      title,
      description,
      favicon: next() < 0.9 ? pictures.favicon(host) : null,
      image: next() < 0.5 ? pictures.preview(`${host}-${title}`.slice(0, 60)) : null,
      text: `${title}. ${description}`
    }
    const ending = endings[Math.floor(next() * endings.length)] ?? ""
    const summary = {
      // An English ending would not fit a text in another script.
      summary: hasSummary ? [description, ...(list === "odd" ? [] : [ending])].join(" ") : "",
      tags: hasSummary ? tags : [],
      category: next() < 0.94 ? category : null
    }
    const name = topOf(section)
    return {
      url,
      note: next() < 0.12 ? (notes[Math.floor(next() * notes.length)] ?? "") : "",
      tags: next() < 0.1 ? ["to-read"] : [],
      collection: collections.has(name) && next() < 0.8 ? name : null,
      favorite: next() < 0.09,
      shareable: next() < 0.25,
      createdAt: new Date(now - AGE * (fromEnd / size) ** 2 - fromEnd * 1_000).toISOString(),
      found:
        fromEnd < 3 && size > 3
          ? undefined
          : found(page, { repository, summary, fellBack: hasSummary ? [] : ["model"] })
    }
  })
}
