import { MAX_PAGE_TEXT } from "../../../shared/Limits.ts"
import { articleOfMarkup } from "../article/Articles.ts"
import type { Content } from "../article/ReadableText.ts"
import { joinNames } from "../fields/Bylines.ts"
import { readDate } from "../fields/Dates.ts"
import { languageOf } from "../fields/Language.ts"
import { markupText } from "../Markup.ts"
import { fileMetadata, proseContent, type ReadFile, type TextFile } from "./FileReader.ts"

/** In UTF-16 units: rendering can lengthen a text many times. */
const MAX_READ = MAX_PAGE_TEXT * 2
const MAX_MATTER = 200

interface Divided {
  readonly matter: ReadonlyMap<string, string>
  readonly body: string
}

const unquoted = (value: string) => /^(["'])(.*)\1$/.exec(value)?.[2] ?? value

/** YAML between `---` or TOML between `+++`, as Jekyll and Hugo write it: top-level keys with one-line values. */
const divided = (text: string): Divided => {
  const matter = new Map<string, string>()
  const fence = /^\ufeff?(---|\+\+\+)[ \t]*\n/.exec(text)
  const end = fence === null ? -1 : text.indexOf(`\n${fence[1]}`, fence[0].length - 1)
  if (fence === null || end === -1) return { matter, body: text }
  for (const line of text.slice(fence[0].length, end).split("\n", MAX_MATTER)) {
    const [, name, value = ""] = /^([A-Za-z][\w-]{0,40})[ \t]*[:=][ \t]*(.*)$/.exec(line) ?? []
    if (name !== undefined && value.trim() !== "") matter.set(name.toLowerCase(), unquoted(value.trim()))
  }
  const after = text.indexOf("\n", end + 1)
  return { matter, body: after === -1 ? "" : text.slice(after + 1) }
}

/** The items of a list on one line (`[a, "b"]`), or the value itself. */
const itemsOf = (value: string): ReadonlyArray<string> =>
  (/^\[(.*)\]$/.exec(value)?.[1]?.split(",", 50) ?? [value]).map((item) => unquoted(item.trim()))

const headingOf = (html: string): string | undefined => {
  for (const level of ["h1", "h2"]) {
    const start = html.indexOf(`<${level}>`)
    const end = html.indexOf(`</${level}>`, start)
    if (start !== -1 && end !== -1) {
      const heading = markupText(html.slice(start, Math.min(end, start + 4_096)), 2_000).trim()
      if (heading !== "") return heading
    }
  }
  return undefined
}

/** Reads CommonMark with tables; the front matter's title comes before the first heading. */
export const readMarkdown = (file: TextFile): ReadFile<Content> => {
  const { body, matter } = divided(file.text.slice(0, MAX_READ).replaceAll(/\r\n?/g, "\n"))
  const html = Bun.markdown.html(body)
  return {
    metadata: fileMetadata(file, {
      title: matter.get("title") ?? headingOf(html),
      description: matter.get("description") ?? matter.get("summary") ?? matter.get("excerpt"),
      author: joinNames(itemsOf(matter.get("author") ?? matter.get("authors") ?? "")),
      publishedAt: readDate(matter.get("date") ?? ""),
      language: languageOf(matter.get("lang") ?? matter.get("language") ?? ""),
      type: "article"
    }),
    content: () => {
      const article = articleOfMarkup(html, file.url)
      return proseContent(article.text, article)
    }
  }
}
