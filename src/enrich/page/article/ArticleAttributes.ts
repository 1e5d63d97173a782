import { escapeText } from "../../../shared/Text.ts"
import { MAX_URL, webAddress } from "../WebAddress.ts"

/** The attributes of an element, by name in lower case. */
export type Attributes = (name: string) => string | null | undefined

/** Escapes the value of an attribute in double quotes. */
export const escapeAttribute = (value: string) => escapeText(value).replaceAll('"', "&quot;")

/** The first address of a `srcset`. */
const firstOfSet = (set: string | null | undefined) =>
  /^\s*([^\s,]\S*)/.exec(set?.slice(0, MAX_URL) ?? "")?.[1]

/** The address of a picture: pages that load it late keep it in another attribute and a placeholder in `src`. */
export const pictureAddress = (attribute: Attributes, base: URL | undefined): string | null => {
  for (const candidate of [
    attribute("data-src"),
    attribute("data-original"),
    attribute("data-lazy-src"),
    attribute("src"),
    firstOfSet(attribute("data-srcset")),
    firstOfSet(attribute("srcset"))
  ]) {
    const address = webAddress(candidate, base)
    if (address !== null) return address
  }
  return null
}

/** Whether a picture is a tracking pixel or a spacer. */
export const isPixel = (attribute: Attributes) =>
  ["width", "height"].some((side) => /^\s*[0-3](?:px)?\s*$/.test(attribute(side) ?? ""))

/** A number as an attribute; empty if it is not worth stating. */
const numbered = (attribute: Attributes, name: string) => {
  const value = Number.parseInt(attribute(name) ?? "", 10)
  return value > 1 && value <= 1_000 ? ` ${name}="${value}"` : ""
}

/** The attributes that an element keeps besides addresses, with a space before each. */
export const attributesOf = (name: string, attribute: Attributes) => {
  if (name === "td" || name === "th") return numbered(attribute, "colspan") + numbered(attribute, "rowspan")
  return name === "ol" ? numbered(attribute, "start") : ""
}
