import type { Link } from "../../domain/Link.ts"
import { styled, widthOf, withoutControls, wrapped } from "../../runtime/Terminal.ts"
import { dayText } from "../../shared/Format.ts"
import { lazily } from "../../shared/Lazily.ts"

/** The fields of a link that a terminal shows. Titles, notes and tags come from pages and programs. */
export type ShownLink = Pick<
  Link,
  | (
      | "id"
      | "url"
      | "host"
      | "title"
      | "note"
      | "summary"
      | "description"
      | "tags"
      | "category"
      | "collection"
    )
  | ("favorite" | "shareable" | "inShared" | "state" | "createdAt")
>

const graphemes = lazily(() => new Intl.Segmenter("en", { granularity: "grapheme" }))

/** A text on one line of at most `columns`, without control characters. */
export const fitted = (text: string, columns: number): string => {
  const line = withoutControls(text).trim()
  if (widthOf(line) <= columns) return line
  let kept = ""
  let width = 0
  for (const { segment } of graphemes().segment(line)) {
    width += widthOf(segment)
    if (width > columns - 1) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

const padded = (text: string, columns: number) => text + " ".repeat(Math.max(0, columns - widthOf(text)))

const MAX_SIDE = 24
/** Terminals narrower than these show no tags, and no hosts. */
const WITH_TAGS = 72
const WITH_HOSTS = 48

const widest = (texts: ReadonlyArray<string>, most = MAX_SIDE) =>
  Math.max(0, ...texts.map((text) => Math.min(widthOf(text), most)))

export const tableOf = (links: ReadonlyArray<ShownLink>, columns: number): ReadonlyArray<string> => {
  const rows = links.map(({ host, id, tags, title }) => ({
    id: `#${id}`,
    title,
    host: columns < WITH_HOSTS ? "" : fitted(host.replace(/^www\./, ""), MAX_SIDE),
    tags: columns < WITH_TAGS ? "" : fitted(tags.join(", "), MAX_SIDE)
  }))
  const [ids, hosts, sides] = [
    widest(rows.map(({ id }) => id)),
    widest(rows.map(({ host }) => host)),
    widest(rows.map(({ tags }) => tags))
  ]
  const titles = columns - ids - 2 - (hosts === 0 ? 0 : hosts + 2) - (sides === 0 ? 0 : sides + 2)
  return rows.map(({ host, id, tags, title }) =>
    [
      styled("faint", padded(id, ids)),
      padded(fitted(title, titles), titles),
      ...(hosts === 0 ? [] : [styled("faint", padded(host, hosts))]),
      ...(sides === 0 ? [] : [tags])
    ]
      .join("  ")
      .trimEnd()
  )
}

const paragraphs = (text: string, columns: number) =>
  text.split(/\r?\n/).flatMap((line) => {
    const lines = wrapped(withoutControls(line), columns)
    return lines.length === 0 ? [""] : lines
  })

const labelled = (label: string, text: string, columns: number) =>
  text === "" ? [] : ["", styled("faint", label), ...paragraphs(text, columns)]

/** A link with what is known of it, and the kept text of its page. */
export const detailsOf = (link: ShownLink, text: string, columns: number): ReadonlyArray<string> => {
  const { category, collection, createdAt, favorite, id, inShared, shareable, state, tags, url } = link
  const facts = [
    `saved ${dayText(createdAt)}`,
    state,
    ...(favorite ? ["favorite"] : []),
    ...(shareable || inShared ? ["shared"] : []),
    category,
    ...(collection === null ? [] : [`in ${collection.name}`])
  ]
  return [
    styled("bold", withoutControls(`#${id} ${link.title}`)),
    withoutControls(url),
    ...wrapped(withoutControls(facts.join(" · ")), columns),
    ...(tags.length === 0 ? [] : wrapped(withoutControls(`tags: ${tags.join(", ")}`), columns)),
    ...labelled("Note", link.note, columns),
    ...labelled("Summary", link.summary === "" ? link.description : link.summary, columns),
    ...labelled("Text of the page", text, columns)
  ]
}

export const changedLine = ({ id, tags, title }: Pick<ShownLink, "id" | "tags" | "title">): string =>
  `#${id} ${withoutControls(title)}${tags.length === 0 ? "" : `  [${withoutControls(tags.join(", "))}]`}`
