import { MAX_DESCRIPTION, MAX_PAGE_NAME, MAX_PAGE_TEXT, MAX_TITLE } from "../../../shared/Limits.ts"
import { cleanLine, cutText } from "../../../shared/Text.ts"
import type { Article } from "../article/ArticleWriter.ts"
import { languageOfText, openingOf } from "../article/Derived.ts"
import type { Content } from "../article/ReadableText.ts"
import type { Metadata } from "../fields/Metadata.ts"

/** The file may be longer than what was fetched of it. */
export interface FetchedFile {
  readonly url: URL
  /** The result of `fileNameOf`; may be empty. */
  readonly name: string
  readonly bytes: Uint8Array
  readonly isCut: boolean
}

export interface TextFile extends Omit<FetchedFile, "bytes" | "isCut"> {
  readonly text: string
}

/** The metadata is known before the text is extracted. A reader may throw or never end: the sandbox limits it. */
export interface ReadFile<Read extends Content | Promise<Content> = Content | Promise<Content>> {
  readonly metadata: Metadata
  readonly content: () => Read
}

type FileFields = {
  readonly [Field in Exclude<keyof Metadata, "canonicalUrl" | "favicon" | "oembed">]?:
    | Metadata[Field]
    | null
    | undefined
}

const line = (text: string | null | undefined, limit: number): string =>
  cleanLine((text ?? "").slice(0, limit * 8), limit)

export const fileMetadata = (
  { name, url }: Pick<FetchedFile, "name" | "url">,
  fields: FileFields
): Metadata => ({
  title: line(fields.title, MAX_TITLE) || name || null,
  description: line(fields.description, MAX_DESCRIPTION),
  canonicalUrl: null,
  image: fields.image ?? null,
  favicon: URL.parse("/favicon.ico", url)?.href ?? null,
  siteName: line(fields.siteName, MAX_PAGE_NAME) || null,
  author: line(fields.author, MAX_PAGE_NAME) || null,
  publishedAt: fields.publishedAt ?? null,
  language: fields.language ?? null,
  type: fields.type ?? null,
  facts: fields.facts ?? {},
  oembed: null
})

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

export const fileContent = (text: string, article?: Article): Content => ({
  text,
  article: article?.html ?? "",
  author: null,
  description: "",
  language: null
})

/** Content that people wrote: its opening describes it, and its language is recognized. */
export const proseContent = (text: string, article: Article): Content => ({
  ...fileContent(text, article),
  description: openingOf(text),
  language: languageOfText(text)
})
