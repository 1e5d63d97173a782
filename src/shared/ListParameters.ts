/** The orders of the public list. `collection` sorts by the collection's name, newest first in each; links without one come last. */
export const publicSorts = ["newest", "oldest", "title", "collection", "relevance"] as const
export type PublicSort = (typeof publicSorts)[number]

/** `site`: host without `www.`, newest first in each; `changed`: latest first; `random`: by the parameter `seed`. */
export const sorts = [...publicSorts, "site", "changed", "random"] as const
export type Sort = (typeof sorts)[number]

export const MAX_SEED = 2_147_483_646

export const MAX_LIMIT = 1_000
export const MAX_IDS = 500
/** Pages' keys are listed in blocks of this many numbers of links. */
export const KEYS_BLOCK = 5_000

/** The order of the owner's list if the address names none; a list is ranked if it has search words or a similar link. */
export const defaultSort = (isRanked: boolean): Sort => (isRanked ? "relevance" : "newest")

/** The parameters that narrow or sort the owner's list, beside its search text, in the order of addresses. */
export const filterNames = [
  "category",
  "collection",
  "tag",
  "favorite",
  "shareable",
  "like",
  "sort",
  "seed"
] as const

/** The query parameters of an address as sent; a repeated one has a list of values. */
export type Params = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** Returns a parameter's value, the last one if it is repeated; an empty value counts as absent. */
export const paramValue = (params: Params, name: string): string | undefined => {
  const value = params[name]
  const one = typeof value === "string" ? value : value?.at(-1)
  return one === "" ? undefined : one
}

/** A parameter that accepts only some values; `mustBe` completes the sentence "The parameter must be …". */
export interface Parameter<A> {
  readonly mustBe: string
  /** Returns the value that a text stands for; undefined if it stands for none. */
  readonly parse: (text: string) => A | undefined
}

export const choice = <A extends string>(
  words: ReadonlyArray<A>,
  mustBe = words.join(", ")
): Parameter<A> => ({ mustBe, parse: (text) => words.find((word) => word === text) })

export const flag: Parameter<boolean> = {
  mustBe: "true or false",
  parse: (text) => {
    if (text === "true" || text === "1") return true
    return text === "false" || text === "0" ? false : undefined
  }
}

/** The list parameters that accept only certain values, except the flags. */
const parameters = {
  like: {
    mustBe: "a link's number",
    parse: (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined)
  },
  sort: choice(sorts),
  publicSort: choice(publicSorts),
  seed: {
    mustBe: `a number from 0 to ${MAX_SEED}`,
    parse: (text: string) => {
      const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
      return number <= MAX_SEED ? number : undefined
    }
  },
  /** A collection's number; null for `none`. */
  collection: {
    mustBe: "a collection's number or none",
    parse: (text: string) => {
      if (text === "none") return null
      return /^\d{1,15}$/.test(text) ? Number(text) : undefined
    }
  },
  limit: {
    mustBe: `a number from 1 to ${MAX_LIMIT}`,
    parse: (text: string) => {
      const number = /^\d{1,6}$/.test(text) ? Number(text) : 0
      return number >= 1 && number <= MAX_LIMIT ? number : undefined
    }
  }
}

/** A parameter with a value that it does not accept. */
export interface RefusedParameter {
  readonly name: string
  readonly mustBe: string
}

/** Reads parameters one by one; one with an invalid value counts as absent and is noted in `refused`. */
const makeReader = (params: Params) => {
  const refused: Array<RefusedParameter> = []
  const read = <A>(name: string, { mustBe, parse }: Parameter<A>): A | undefined => {
    const text = paramValue(params, name)
    if (text === undefined) return undefined
    const value = parse(text)
    if (value === undefined) refused.push({ name, mustBe })
    return value
  }
  return { refused, read }
}

/** Reads the parameters of the owner's list; ignores all others. `collection` is null for links without one. */
export const readListParameters = (params: Params) => {
  const { read, refused } = makeReader(params)
  const values = {
    q: paramValue(params, "q"),
    category: paramValue(params, "category"),
    tag: paramValue(params, "tag"),
    like: read("like", parameters.like),
    sort: read("sort", parameters.sort),
    seed: read("seed", parameters.seed),
    favorite: read("favorite", flag),
    shareable: read("shareable", flag),
    collection: read("collection", parameters.collection),
    limit: read("limit", parameters.limit),
    cursor: paramValue(params, "cursor"),
    wait: read("wait", flag)
  }
  return { values, refused }
}

/** Reads the parameters of the public list; ignores all others. A collection is given by name; null is `none`. */
export const readPublicListParameters = (params: Params) => {
  const { read, refused } = makeReader(params)
  const collection = paramValue(params, "collection")
  const values = {
    q: paramValue(params, "q"),
    category: paramValue(params, "category"),
    tag: paramValue(params, "tag"),
    sort: read("sort", parameters.publicSort),
    collection: collection === "none" ? null : collection,
    limit: read("limit", parameters.limit),
    cursor: paramValue(params, "cursor")
  }
  return { values, refused }
}
