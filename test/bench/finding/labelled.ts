import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Option } from "effect"
import { recordedScraper } from "../enrichment/Linkbower.ts"
import { readPages } from "../enrichment/Pages.ts"
import { realLinks } from "../realLinks.ts"
import type { GivenLink } from "./engine.ts"

/** A query of the labelled set, with the addresses of all links that are right answers. */
export interface Labelled {
  readonly kind: string
  readonly query: string
  readonly expected: ReadonlyArray<string>
}

/** The half of the set that one may tune with, and the half that claims are made from. */
export const halves = ["tune", "held"] as const
export type Half = (typeof halves)[number]

/** The half of a query, by its hash. */
export const halfOf = (query: string): Half =>
  (createHash("sha256").update(query).digest()[0] ?? 0) % 2 === 0 ? "tune" : "held"

const read = (name: string): ReadonlyArray<Labelled> =>
  readFileSync(join(import.meta.dir, name), "utf8")
    .trim()
    .split("\n")
    .map((line): Labelled => JSON.parse(line))

/**
 * The kinds whose queries share few words with their links: synonyms, other languages, questions as people ask them.
 * Word search alone cannot answer them, so they do not count in the macro average.
 */
export const BEYOND_WORDS = new Set(["paraphrased", "languages", "everyday"])

/** The labelled set over the real links. */
export const linkQueries = (): ReadonlyArray<Labelled> =>
  ["generated.jsonl", "written.jsonl", "paraphrased.jsonl", "languages.jsonl", "everyday.jsonl"].flatMap(read)

/** Questions that a passage of a recorded page answers; `expected` has the ids of the pages. */
export const pageQuestions = (): ReadonlyArray<Labelled> => read("pageQuestions.jsonl")

/**
 * The address without scheme, `www.`, the slash at its end and upper-case letters. The bench has a rule of its own for
 * what is one link, so that the labelled set does not change with the rules of the program.
 */
const identityOf = (url: string): string =>
  url
    .replace(/^https?:\/\/(?:www\.)?/i, "")
    .replace(/\/+$/, "")
    .toLowerCase()

/** Whether a link is among the fourth of all, chosen by address, that have the name of their section as a tag. */
const isTagged = (url: string): boolean => {
  let sum = 0
  for (const letter of url) sum = (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) >>> 0
  return (sum >>> 7) % 4 === 0
}

const tagOf = (section: string): string =>
  section
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")

/**
 * The real links beside the checkout, one for each address: titles and descriptions as the first list has them, without
 * page texts.
 */
export const knownLinks = (): ReadonlyArray<GivenLink> =>
  [...Map.groupBy(realLinks(), ({ url }) => identityOf(url)).values()].flatMap((same) =>
    same.slice(0, 1).map(({ description, section, title, url }) => ({
      url,
      title,
      description,
      tags: tagOf(section) !== "" && isTagged(url) ? [tagOf(section)] : [],
      text: "",
      article: ""
    }))
  )

/** A recorded page as this checkout reads it, with its set and name. */
interface ReadPage extends GivenLink {
  readonly id: string
}

/** The pages beside the checkout, with the texts that its page reader extracts. */
export const pages = async (): Promise<ReadonlyArray<ReadPage>> => {
  const open = recordedScraper()
  const all: Array<ReadPage> = []
  for (const page of readPages()) {
    const { id, url } = page
    const nothing = { title: null, description: "", text: "", article: "" }
    const { article, description, text, title } = Option.getOrElse(await open(page)(), () => nothing)
    all.push({ id, url, title: title ?? url, description, tags: [], text, article })
  }
  return all
}
