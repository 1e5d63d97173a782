import type { Filters } from "./state/route.ts"

/** Quotes an operator's value if it needs it; a value cannot contain a quotation mark. */
const valueOf = (text: string): string => (/[\s()"]/.test(text) ? `"${text.replaceAll('"', " ")}"` : text)

/** Writes the filters of a view as one search text, which finds the same links. */
export const searchTextOf = (
  { category, collection, favorite, q, shareable, tag }: Filters,
  collections: ReadonlyArray<{ readonly id: number; readonly name: string }>
): string => {
  const name = collections.find(({ id }) => id === collection)?.name
  const text = q.trim()
  const operators = [
    tag === undefined ? "" : `tag:${valueOf(tag)}`,
    category === undefined ? "" : `category:${valueOf(category)}`,
    collection === "none" ? "is:unfiled" : name === undefined ? "" : `collection:${valueOf(name)}`,
    favorite === true ? "is:favorite" : "",
    shareable === true ? "is:shareable" : ""
  ].filter((operator) => operator !== "")
  // A choice in the text would otherwise reach over the operators that follow it.
  const grouped = operators.length > 0 && /(^|\s)or(\s|$)/i.test(text) ? `(${text})` : text
  return [grouped, ...operators].filter((part) => part !== "").join(" ")
}
