import { cleanLine, cutText } from "../../../shared/Text.ts"
import { type SitePage, type Stated, sitePageOf } from "./SitePage.ts"

/** How much of a post stands in its title, in UTF-16 units. */
const OPENING = 100

/** The first words of a text on one line, ending in `…` if it goes on. */
const firstWords = (text: string): string => {
  const line = cleanLine(text.slice(0, OPENING * 8), OPENING * 2)
  if (line.length <= OPENING) return line
  const start = cutText(line, OPENING)
  // Languages without spaces have no word to end at.
  const end = start.lastIndexOf(" ")
  const words = end < OPENING / 2 ? start : start.slice(0, end)
  return `${words.trimEnd().replace(/[\s,;:.–—-]+$/u, "")}…`
}

/**
 * A post without a title, as a page: its title is its author and its first words, its description is its text. Undefined
 * if it has neither.
 */
export const postPage = (
  post: Omit<Stated, "title" | "description" | "type" | "author"> & { readonly author?: string | undefined }
): SitePage | undefined => {
  const text = (post.text ?? post.article?.text ?? "").trim()
  const opening = firstWords(text)
  const title = [post.author, opening].filter(Boolean).join(": ")
  if (opening !== "") return sitePageOf({ ...post, title, description: text, type: "post" })
  return post.author === undefined
    ? undefined
    : sitePageOf({ ...post, title: `A post by ${post.author}`, type: "post" })
}
