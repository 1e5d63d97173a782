import type { Highlights, Range } from "../domain/Highlights.ts"

/** How much of a page's text is shown around a part of it, in UTF-16 units to each side. */
const AROUND = 60

/** Case and accents taken away, unit by unit, so that a place in it is the place in the text. */
const folded = (text: string): string =>
  text
    .replace(/[^ -~]/g, (unit) => unit.normalize("NFD").charAt(0).toLowerCase().charAt(0) || unit)
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Where a part stands in a text, whatever its case and accents. */
export const placesOf = (text: string, part: string): ReadonlyArray<Range> => {
  const [within, wanted] = [folded(text), folded(part)]
  const ranges: Array<Range> = []
  if (wanted === "") return ranges
  for (let at = within.indexOf(wanted); at >= 0; at = within.indexOf(wanted, at + wanted.length))
    ranges.push([at, at + wanted.length])
  return ranges
}

/** Where the part stands in a list of tags. */
export const tagPlacesOf = (tags: ReadonlyArray<string>, part: string): NonNullable<Highlights["tags"]> =>
  tags.flatMap((tag, place) => placesOf(tag, part).map(([start, end]) => [place, start, end] as const))

/** The text around the first place of the part; none where it does not stand in it. */
export const excerptOf = (text: string, part: string): NonNullable<Highlights["excerpt"]> | undefined => {
  const [first] = placesOf(text, part)
  if (first === undefined) return undefined
  const start = Math.max(0, first[0] - AROUND)
  const end = Math.min(text.length, first[1] + AROUND)
  const shown = `${start > 0 ? "…" : ""}${text.slice(start, end).toWellFormed()}${end < text.length ? "…" : ""}`
  return { text: shown, ranges: placesOf(shown, part) }
}
