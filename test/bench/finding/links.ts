import { type RealLink, realLinks } from "../realLinks.ts"

/** A link of the bench's library. */
export interface KnownLink {
  readonly url: string
  readonly title: string
  readonly description: string
  readonly list: string
  /** The name of its section as a tag, on every fourth link. */
  readonly tags: ReadonlyArray<string>
  /** What other lists, or the same list elsewhere, say about it. The library does not contain these. */
  readonly otherDescriptions: ReadonlyArray<string>
}

/**
 * The address without scheme, `www.`, the slash at its end and upper-case letters. The bench has a rule of its own for
 * what is one link, so that the labelled set does not change with the rules of the program.
 */
const identityOf = (url: string): string =>
  url
    .replace(/^https?:\/\/(?:www\.)?/i, "")
    .replace(/\/+$/, "")
    .toLowerCase()

/** A deterministic share of all links, by address: whether `url` is among the one in `n`. */
const isOneIn = (n: number, url: string): boolean => {
  let sum = 0
  for (const letter of url) sum = (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) >>> 0
  return (sum >>> 7) % n === 0
}

const tagOf = (section: string): string =>
  section
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")

const knownLink = (first: RealLink, again: ReadonlyArray<RealLink>): KnownLink => ({
  url: first.url,
  title: first.title,
  description: first.description,
  list: first.list,
  tags: tagOf(first.section) !== "" && isOneIn(4, first.url) ? [tagOf(first.section)] : [],
  otherDescriptions: [...new Set(again.map(({ description }) => description))].filter(
    (description) => description !== "" && description !== first.description
  )
})

/**
 * The real links beside the checkout, one for each address: titles and descriptions as the first list has them, without
 * page texts.
 */
export const knownLinks = (): ReadonlyArray<KnownLink> =>
  [...Map.groupBy(realLinks(), ({ url }) => identityOf(url)).values()].flatMap(([first, ...again]) =>
    first === undefined ? [] : [knownLink(first, again)]
  )
