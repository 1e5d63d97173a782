import { type Filter, type Mark, type SearchToken, tokensOf } from "../../src/shared/SearchSyntax.ts"

const marks: Readonly<Record<Mark, string>> = {
  favorite: "favorite",
  shareable: "shared by itself",
  shared: "shared",
  unread: "unread",
  read: "read",
  started: "begun",
  archived: "archived",
  trashed: "in the trash",
  partial: "incomplete",
  broken: "broken",
  moved: "moved",
  changed: "changed",
  untagged: "untagged",
  unfiled: "unfiled"
}

const labelOf = (filter: Filter): string => {
  const plain =
    filter.field === "tagPrefix"
      ? `tag: ${filter.value}*`
      : "value" in filter
        ? `${filter.field}: ${filter.value}`
        : marks[filter.field]
  return filter.negated ? `not ${plain}` : plain
}

/** A part of a search text that filters: an operator, or a choice that contains one. */
interface FilteringPart {
  readonly label: string
  readonly start: number
  readonly end: number
}

/** The parts of a search text that filter. A choice is one part, because its operators mean nothing apart. */
export const filteringParts = (text: string): ReadonlyArray<FilteringPart> => {
  const written = (start: number, end: number) => ({ label: text.slice(start, end), start, end })
  const tokens = tokensOf(text)
  const parts: Array<FilteringPart> = []
  let depth = 0
  let group: { readonly start: number; readonly filters: boolean } | undefined
  let isChoice = false
  for (const token of tokens) {
    const { end, kind, start } = token
    if (kind === "open" && depth++ === 0) group = { start, filters: false }
    if (kind === "or" && depth === 0) isChoice = true
    if (kind === "filter") {
      if (group !== undefined) group = { ...group, filters: true }
      else parts.push({ label: labelOf(token.filter), start, end })
    }
    if (kind === "close" && --depth === 0) {
      if (group?.filters === true) parts.push(written(group.start, end))
      group = undefined
    }
  }
  if (group?.filters === true) parts.push(written(group.start, text.length))
  return isChoice && parts.length > 0 ? [written(...extentOf(tokens))] : parts
}

const extentOf = (tokens: ReadonlyArray<SearchToken>) =>
  [tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0] as const
