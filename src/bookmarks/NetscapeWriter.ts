import type { ExportedLink } from "./ExportedLink.ts"
import { GENERATOR } from "./NetscapeReader.ts"

const reference = (character: string) => `&#${character.codePointAt(0)};`

/** Text no part of which is markup, in elements and in quoted attributes. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, reference)

/**
 * Text as an element's content. White space that a reader would take for the layout of the file is written as character
 * references: at both ends, and where `lines` is false every break and every space after another.
 */
const content = (text: string, { lines }: { readonly lines: boolean }): string => {
  const from = text.length - text.trimStart().length
  const to = text.trimEnd().length
  return text.replace(/[&<>"'\s]/g, (character, at: number) => {
    if (/\S/.test(character) || at < from || at >= to || character === "\r") return reference(character)
    if (lines) return character
    const collapses = /[\t\n\f]/.test(character) || (character === " " && text[at - 1] === " ")
    return collapses ? reference(character) : character
  })
}

/** Seconds since 1970. */
const seconds = (time: string): number => Math.floor(Date.parse(time) / 1_000)

/** The start of a file of bookmarks written at `now`, an ISO time. What follows is folders and links. */
export const netscapeHead = (title: string, now: string): string => `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<!-- This file holds bookmarks in the form that browsers import. -->
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<META NAME="generator" CONTENT="${GENERATOR}">
<META NAME="date" CONTENT="${escaped(now)}">
<TITLE>${escaped(title)}</TITLE>
<H1>${escaped(title)}</H1>
<DL><p>
`

/** The start of a folder; what follows is in it, until `netscapeFolderEnd`. */
export const netscapeFolder = (name: string): string =>
  `<DT><H3>${content(name, { lines: false })}</H3>\n<DL><p>\n`

export const netscapeFolderEnd = "</DL><p>\n"

/**
 * A link with its note. The address stands for a title that is missing, so that browsers show something; a favorite
 * is marked as Raindrop marks it.
 */
export const netscapeLink = (link: ExportedLink): string => {
  const attributes = [
    `HREF="${escaped(link.url)}"`,
    `ADD_DATE="${seconds(link.createdAt)}"`,
    `LAST_MODIFIED="${seconds(link.updatedAt)}"`,
    `PRIVATE="${link.shareable ? 0 : 1}"`,
    ...(link.tags.length === 0 ? [] : [`TAGS="${escaped(link.tags.join(","))}"`]),
    ...(link.favorite ? ['DATA-IMPORTANT="true"'] : [])
  ]
  const title = content(link.title === "" ? link.url : link.title, { lines: false })
  const note = link.note === "" ? "" : `<DD>${content(link.note, { lines: true })}\n`
  return `<DT><A ${attributes.join(" ")}>${title}</A>\n${note}`
}

/** The end of the file. */
export const netscapeFoot = "</DL><p>\n"
