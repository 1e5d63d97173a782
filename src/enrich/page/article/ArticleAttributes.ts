import { isArticleAttribute } from "../../../domain/Article.ts"
import { escapeText } from "../../../shared/Text.ts"
import { webAddress } from "../WebAddress.ts"

/** Names are in lower case. */
export type Attributes = (name: string) => string | null | undefined

export const escapeAttribute = (value: string) => escapeText(value).replaceAll('"', "&quot;")

/** In pixels. */
const MAX_WIDTH = 1_600
/** In UTF-16 units. */
export const MAX_SET = 8_192

interface Candidate {
  readonly address: string
  readonly size: number
  readonly unit: "w" | "x"
}

/** The pictures that a `srcset` offers (https://html.spec.whatwg.org/#parsing-a-srcset-attribute), in linear time. */
const candidatesOf = (set: string): ReadonlyArray<Candidate> => {
  const words = set.slice(0, MAX_SET).split(/\s+/)
  // The last word may be the beginning of a longer one.
  if (set.length > MAX_SET) words.pop()
  const candidates: Array<Candidate> = []
  let address = ""
  const add = (descriptor: string) => {
    const [, size = "1", unit] = /^([\d.]+)([wx])$/.exec(descriptor) ?? []
    if (address !== "") candidates.push({ address, size: Number(size), unit: unit === "w" ? "w" : "x" })
    address = ""
  }
  const begin = (word: string) => {
    address = word.replace(/^,+/, "").replace(/(?<!,),+$/, "")
    if (word.endsWith(",")) add("")
  }
  for (const word of words) {
    const comma = word.indexOf(",")
    if (address === "") begin(word)
    else {
      add(comma === -1 ? word : word.slice(0, comma))
      if (comma !== -1) begin(word.slice(comma + 1))
    }
  }
  add("")
  return candidates
}

/** The widest picture up to `MAX_WIDTH`, or the narrowest; undefined if the set states no widths. */
const byWidth = (candidates: ReadonlyArray<Candidate>): string | undefined => {
  const wide = candidates.filter(({ unit }) => unit === "w").toSorted((one, other) => one.size - other.size)
  return (wide.findLast(({ size }) => size <= MAX_WIDTH) ?? wide[0])?.address
}

export const setAddress = (set: string): string | undefined => {
  const candidates = candidatesOf(set)
  return byWidth(candidates) ?? candidates[0]?.address
}

const setOfPicture = (attribute: Attributes) =>
  candidatesOf(attribute("data-srcset") ?? attribute("data-lazy-srcset") ?? attribute("srcset") ?? "")

/** Pages that load a picture late keep its address in another attribute and a placeholder in `src`. */
export const pictureAddress = (attribute: Attributes, base: URL | undefined): string | null => {
  const set = setOfPicture(attribute)
  for (const candidate of [
    byWidth(set),
    attribute("data-src"),
    attribute("data-original"),
    attribute("data-lazy-src"),
    attribute("src"),
    set[0]?.address
  ]) {
    const address = webAddress(candidate, base)
    if (address !== null) return address
  }
  return null
}

export const isPixel = (attribute: Attributes) =>
  ["width", "height"].some((side) => /^\s*[0-3](?:px)?\s*$/.test(attribute(side) ?? ""))

const numberIn = (attribute: Attributes, name: string): number | undefined => {
  const [, digits] = /^\s*(\d{1,6})(?:\.\d*)?(?:px)?\s*$/.exec(attribute(name) ?? "") ?? []
  return digits === undefined ? undefined : Number(digits)
}

const numbered = (attribute: Attributes, name: string, from: number, to: number) => {
  const value = numberIn(attribute, name)
  return value !== undefined && value >= from && value <= to ? ` ${name}="${value}"` : ""
}

export const sizesOf = (attribute: Attributes) => {
  const [width, height] = ["width", "height"].map((side) => numbered(attribute, side, 1, 20_000))
  return width && height ? width + height : ""
}

/** The language and the direction of an element's text, if it states them in the form that articles have. */
const textAttributes = (attribute: Attributes) =>
  ["lang", "dir"]
    .map((name): [string, string] => [name, attribute(name)?.trim() ?? ""])
    .map(([name, value]) => (isArticleAttribute("p", name, value) ? ` ${name}="${value}"` : ""))
    .join("")

const ownAttributes = (name: string, attribute: Attributes) => {
  if (name === "td" || name === "th")
    return numbered(attribute, "colspan", 2, 1_000) + numbered(attribute, "rowspan", 2, 1_000)
  if (name !== "ol") return ""
  return numberIn(attribute, "start") === 1 ? "" : numbered(attribute, "start", 0, 999_999)
}

export const attributesOf = (name: string, attribute: Attributes) =>
  ownAttributes(name, attribute) + textAttributes(attribute)

export const nameOf = (element: string, attribute: Attributes): string => {
  const name = attribute("id") || (element === "a" ? attribute("name") : "") || ""
  return name.length <= 200 ? name : ""
}
