import type { Json } from "../../../domain/Json.ts"
import type { Facts, LinkType } from "../../../domain/Link.ts"
import type { Graph } from "./JsonLd.ts"
import { factsOfNode } from "./PageFacts.ts"

/** The main subject of a page by its schema.org nodes (https://schema.org, as JSON-LD or microdata). */
export interface Described {
  /** The title of a work that is the page's subject. */
  readonly subject: string | undefined
  readonly titles: ReadonlyArray<string>
  readonly descriptions: ReadonlyArray<string>
  readonly images: ReadonlyArray<string>
  readonly authors: ReadonlyArray<string>
  readonly siteNames: ReadonlyArray<string>
  readonly published: ReadonlyArray<string>
  readonly languages: ReadonlyArray<string>
  readonly type: LinkType | null
  readonly facts: Facts
}

const MAX_PEOPLE = 100

/** Types have no vocabulary's address. */
const typesOf = (node: Json): ReadonlyArray<string> =>
  [node["@type"]]
    .flat()
    .slice(0, 20)
    .filter((type) => typeof type === "string")
    .map((type) => type.slice(type.lastIndexOf("/") + 1))

const pageTypes = /(?:WebPage|AboutPage|ItemPage|ProfilePage|CollectionPage|QAPage|FAQPage|Review)$/

/** The most likely types come first. */
const subjects: ReadonlyArray<RegExp> = [
  /(?:Article|Posting|NewsItem|Report|Recipe|HowTo|Thesis)$/,
  /(?:Product|ProductGroup|Book|Audiobook|Movie|Application|VideoGame|Event|Course|Episode|Series|Playlist|Dataset|Chapter|Question|CreativeWork|SourceCode)$|^Music(?:Album|Recording)$/,
  /^(?:VideoObject|AudioObject|Clip)$/,
  pageTypes,
  // Most pages describe their pictures beside themselves.
  /^(?:ImageObject|Photograph)$/
]

/** Ranks how directly a node describes the page: 0 for the most likely subjects; infinite for anything else. */
const rank = (node: Json): number => {
  const types = typesOf(node)
  const index = subjects.findIndex((pattern) => types.some((type) => pattern.test(type)))
  return index === -1 ? Number.POSITIVE_INFINITY : index
}

const kinds: ReadonlyArray<readonly [types: RegExp, kind: LinkType]> = [
  [/(?:ScholarlyArticle|Thesis)$/, "paper"],
  [/^(?:SocialMediaPosting|DiscussionForumPosting)$/, "post"],
  [/^(?:Book|Audiobook)$/, "book"],
  [/^(?:Product|ProductGroup|ProductModel|IndividualProduct)$/, "product"],
  [
    /^(?:Music(?:Album|Recording|Playlist|VideoObject)|AudioObject|Podcast\w{1,20}|RadioEpisode|RadioSeries)$/,
    "audio"
  ],
  [/^(?:VideoObject|Movie|Clip|TV\w{1,20}|Episode)$/, "video"],
  [/^(?:ImageObject|Photograph)$/, "image"],
  [/(?:Article|BlogPosting|NewsItem|Report|Recipe|HowTo)$/, "article"]
]

const kindOf = (node: Json): LinkType | null => {
  const types = typesOf(node)
  return kinds.find(([pattern]) => types.some((type) => pattern.test(type)))?.[1] ?? null
}

/** The properties that name a work's makers, and those that date it, the most direct first. */
const makers = ["author", "creator", "byArtist", "director"]
const dates = ["datePublished", "uploadDate", "dateCreated", "releaseDate"]

/** `isAbout`: whether an address is the page's own. */
export const readDescribed = (graph: Graph, isAbout: (address: string) => boolean): Described => {
  const { nodes, nodesIn, textsIn } = graph
  const isOwn = (node: Json) =>
    ["url", "@id", "mainEntityOfPage"].some((name) => textsIn(node[name], "@id", "url").some(isAbout))
  const ranked = nodes
    .map((node) => ({ node, rank: rank(node), isOwn: isOwn(node) }))
    .filter((one) => one.rank < Number.POSITIVE_INFINITY)
    .toSorted((one, other) => one.rank - other.rank || Number(other.isOwn) - Number(one.isOwn))
  const main = ranked[0]?.node
  const pages = ranked.filter((one) => one.rank === subjects.indexOf(pageTypes)).map(({ node }) => node)
  const about = main === undefined || pages.includes(main) ? pages : [main, ...pages]

  const firstTexts = (name: string) => about.flatMap((node) => textsIn(node[name]).slice(0, 1))
  const personNames = (value: unknown): ReadonlyArray<string> =>
    [value]
      .flat(2)
      .slice(0, MAX_PEOPLE)
      .flatMap((one) => {
        const named = textsIn(one, "name")
        if (named.length > 0) return named
        return nodesIn(one).flatMap((node) => {
          const parts = ["givenName", "familyName"].flatMap((part) => textsIn(node[part]).slice(0, 1))
          return parts.length > 0 ? [parts.join(" ")] : textsIn(node, "alternateName")
        })
      })
  const makersOf = (node: Json): ReadonlyArray<string> =>
    makers.map((name) => personNames(node[name])).find((names) => names.length > 0) ?? []
  const series = about.flatMap((node) => nodesIn(node["partOfSeries"]))
  const authors = [...about, ...series].map(makersOf).find((names) => names.length > 0) ?? []

  const sites = nodes.filter((node) => typesOf(node).includes("WebSite"))
  const kind = main === undefined ? null : kindOf(main)
  return {
    subject:
      main === undefined || pages.includes(main) ? undefined : textsIn(main["headline"] ?? main["name"])[0],
    titles: [...firstTexts("headline"), ...firstTexts("name")],
    descriptions: firstTexts("description"),
    images: [
      ...about.flatMap((node) => textsIn(node["image"], "url", "contentUrl", "@id").slice(0, 1)),
      ...firstTexts("thumbnailUrl")
    ],
    authors,
    siteNames: [
      ...about.flatMap((node) => textsIn(node["publisher"], "name").slice(0, 1)),
      ...sites.flatMap((node) => textsIn(node["name"]).slice(0, 1))
    ],
    published: dates.flatMap(firstTexts),
    languages: firstTexts("inLanguage"),
    type: kind,
    facts: main === undefined ? {} : factsOfNode(main, kind, graph)
  }
}
