import { MAX_ARTICLE_HTML, MAX_PAGE_TEXT, MAX_TITLE } from "../../../shared/Limits.ts"
import { cleanLine, cutText, escapeText } from "../../../shared/Text.ts"
import { languageOfText, openingOf } from "../Derived.ts"
import { MAX_DESCRIPTION, MAX_NAME, type Metadata } from "../Metadata.ts"
import type { Content } from "../ReadableText.ts"

/** A file as it was fetched; it may be longer than what was fetched of it. */
export interface FetchedFile {
  readonly url: URL
  /** Its name (`fileNameOf`), or an empty string. */
  readonly name: string
  readonly bytes: Uint8Array
  /** Whether `bytes` are only its beginning. */
  readonly isCut: boolean
}

/** A text file, decoded. */
export interface TextFile extends Omit<FetchedFile, "bytes" | "isCut"> {
  readonly text: string
}

/**
 * What a file gives, in two steps, so that its metadata is known before its text is extracted. Every reader takes
 * a file that strangers wrote and may throw or run for ever on it: the sandbox limits it.
 */
export interface ReadFile<Read extends Content | Promise<Content> = Content | Promise<Content>> {
  readonly metadata: Metadata
  readonly content: () => Read
}

/** The fields that a reader found, as they are written in the file. */
export type FileFields = {
  readonly [Field in Exclude<keyof Metadata, "canonicalUrl" | "favicon" | "oembed">]?:
    | Metadata[Field]
    | null
    | undefined
}

const line = (text: string | null | undefined, limit: number): string =>
  cleanLine((text ?? "").slice(0, limit * 8), limit)

/** A file's metadata: its fields within their limits, and its name as the last resort for a title. */
export const fileMetadata = (
  { name, url }: Pick<FetchedFile, "name" | "url">,
  fields: FileFields
): Metadata => ({
  title: line(fields.title, MAX_TITLE) || name || null,
  description: line(fields.description, MAX_DESCRIPTION),
  canonicalUrl: null,
  image: fields.image ?? null,
  favicon: URL.parse("/favicon.ico", url)?.href ?? null,
  siteName: line(fields.siteName, MAX_NAME) || null,
  author: line(fields.author, MAX_NAME) || null,
  publishedAt: fields.publishedAt ?? null,
  language: fields.language ?? null,
  type: fields.type ?? null,
  facts: fields.facts ?? {},
  oembed: null
})

/** Joins lines or paragraphs to a text within its limit, each cleaned. */
export const joinLines = (lines: Iterable<string>): string => {
  const clean: Array<string> = []
  let length = 0
  for (const one of lines) {
    const cleaned = cleanLine(one, MAX_PAGE_TEXT)
    if (cleaned === "") continue
    clean.push(cleaned)
    length += cleaned.length + 1
    if (length > MAX_PAGE_TEXT) break
  }
  return cutText(clean.join("\n"), MAX_PAGE_TEXT)
}

/** Joins elements of HTML up to the limit of an article, without cutting one. */
export const joinElements = (elements: Iterable<string>): string => {
  const kept: Array<string> = []
  let length = 0
  for (const element of elements) {
    length += element.length + 1
    if (length > MAX_ARTICLE_HTML) break
    kept.push(element)
  }
  return kept.join("\n")
}

/** An element that shows text as it is written, with its lines and indentation. */
export const preformatted = (text: string): string => {
  // A character of text is at most five of HTML.
  const bounded = cutText(text, MAX_PAGE_TEXT).toWellFormed()
  const escaped = escapeText(bounded)
  return escaped.trim() === "" || escaped.length > MAX_ARTICLE_HTML - 20 ? "" : `<pre>${escaped}</pre>`
}

/** What a file's text gives. */
export const fileContent = (text: string, article = ""): Content => ({
  text,
  article,
  author: null,
  description: "",
  language: null
})

/** The same for text that people wrote: its opening describes it, and its language is recognized. */
export const proseContent = (text: string, article: string): Content => ({
  ...fileContent(text, article),
  description: openingOf(text),
  language: languageOfText(text)
})
