import { isObject, type Json } from "../../../domain/Json.ts"
import { MAX_FACT, MAX_PAGE_TEXT } from "../../../shared/Limits.ts"
import { cleanLine } from "../../../shared/Text.ts"
import { preformatted } from "../article/Articles.ts"
import { joinNames } from "../fields/Bylines.ts"
import { languageOf } from "../fields/Language.ts"
import { objectsAt, parseJson, textAt } from "../UntrustedJson.ts"
import { type Entry, feedFile } from "./Feed.ts"
import { fileContent, fileMetadata, joinLines, type ReadFile, type TextFile } from "./FileReader.ts"

const firstText = (object: Json, ...names: ReadonlyArray<string>): string | undefined =>
  names.map((name) => textAt(object, name)).find((text) => text !== undefined && text.trim() !== "")

/** A text, an object with a name, as in package.json and JSON Feed, or a list of them. */
const authorOf = (object: Json): string =>
  joinNames(
    [object["authors"] ?? object["author"]]
      .flat()
      .slice(0, 50)
      .map((author) => (isObject(author) ? author["name"] : author))
  )

const MAX_ITEMS = 1_000

/** A JSON Feed (https://www.jsonfeed.org/version/1.1). */
const readJsonFeed = (file: TextFile, feed: Json): ReadFile =>
  feedFile(file, {
    title: textAt(feed, "title"),
    description: textAt(feed, "description"),
    author: authorOf(feed),
    language: languageOf(textAt(feed, "language") ?? ""),
    image: textAt(feed, "icon"),
    entries: objectsAt(feed, "items", MAX_ITEMS).map(
      (item): Entry => ({
        title: firstText(item, "title", "summary", "content_text") ?? "",
        link: firstText(item, "url", "external_url") ?? "",
        date: firstText(item, "date_published", "date_modified") ?? ""
      })
    )
  })

/** Reads the top level; OpenAPI states title and description in `info`. */
export const readJson = (file: TextFile): ReadFile => {
  const value = parseJson(file.text)
  const top = isObject(value) ? value : {}
  if (textAt(top, "version")?.startsWith("https://jsonfeed.org/version/")) return readJsonFeed(file, top)
  const stated = isObject(top["info"]) ? { ...top["info"], ...top } : top
  const version = cleanLine(textAt(stated, "version") ?? "", MAX_FACT)
  return {
    metadata: fileMetadata(file, {
      title: firstText(stated, "title", "displayName", "name", "$id"),
      description: firstText(stated, "description", "summary"),
      author: authorOf(stated),
      facts: version === "" ? {} : { version }
    }),
    content: () => {
      const text = file.text.slice(0, MAX_PAGE_TEXT)
      return fileContent(joinLines(text.split("\n")), preformatted(text))
    }
  }
}
