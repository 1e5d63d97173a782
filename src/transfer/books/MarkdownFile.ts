import { parseArticle } from "../../domain/ArticleTree.ts"
import type { BookArticle, QuotedHighlight } from "./Book.ts"
import { markdownOf } from "./Markdown.ts"

export const MARKDOWN = "text/markdown; charset=utf-8"

export interface NotedArticle extends BookArticle {
  readonly createdAt: string
  readonly tags: ReadonlyArray<string>
  readonly collection: string | null
  readonly note: string
  readonly quotes: ReadonlyArray<QuotedHighlight>
}

/** Such a scalar of YAML is a JSON string of printable characters (https://yaml.org/spec/1.2.2/, 5.1 and 7.3.1). */
export const yamlText = (text: string): string =>
  JSON.stringify(text.toWellFormed()).replace(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`
  )

const yamlList = (texts: ReadonlyArray<string>) => `[${texts.map(yamlText).join(", ")}]`

const frontMatter = (article: NotedArticle): string => {
  const fields: ReadonlyArray<readonly [name: string, value: string | null]> = [
    ["title", yamlText(article.title)],
    ["url", yamlText(article.url)],
    ["author", article.author && yamlText(article.author)],
    ["site", article.siteName && yamlText(article.siteName)],
    ["published", article.publishedAt && yamlText(article.publishedAt)],
    ["saved", yamlText(article.createdAt)],
    ["language", article.language && yamlText(article.language)],
    ["collection", article.collection && yamlText(article.collection)],
    ["tags", article.tags.length === 0 ? null : yamlList(article.tags)],
    ["note", article.note === "" ? null : yamlText(article.note)],
    ["linkbower", String(article.id)]
  ]
  const lines = fields.flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []))
  return ["---", ...lines, "---"].join("\n")
}

const textNode = (text: string) => ({ name: "#text", text, start: 0 }) as const
const paragraphOf = (text: string) => markdownOf([textNode(text)])

const quoted = (text: string) =>
  text
    .split(/\r\n?|\n/)
    .map((line) => paragraphOf(line))
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n")

const highlightsOf = (quotes: ReadonlyArray<QuotedHighlight>): string =>
  quotes
    .map(({ note, quote }) => [quoted(quote), ...(note === "" ? [] : [paragraphOf(note)])].join("\n\n"))
    .join("\n\n")

/** Front matter, the title as a heading, the text, and the highlights as quotations under a heading of their own. */
export const markdownFile = (article: NotedArticle): string => {
  const nodes = parseArticle(article.html)
  const title = paragraphOf(article.title)
  const [first] = nodes
  const isTitled = first?.name === "h1"
  const parts = [
    frontMatter(article),
    ...(isTitled || title === "" ? [] : [`# ${title}`]),
    markdownOf(nodes),
    ...(article.quotes.length === 0 ? [] : ["## Highlights", highlightsOf(article.quotes)])
  ]
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`
}

const MAX_NAME = 80

/** A name without ending: letters, digits and hyphens, after the link's number, which no other file has. */
export const fileNameOf = ({ id, title }: Pick<BookArticle, "id" | "title">): string => {
  const words = title
    .toWellFormed()
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .slice(0, MAX_NAME)
    .replace(/^-+|-+$/g, "")
    .toWellFormed()
    .replace(/\ufffd/g, "")
  return words === "" ? String(id) : `${id}-${words}`
}
