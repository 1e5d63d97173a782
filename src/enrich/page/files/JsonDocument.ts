import { isObject, type Json } from "../../../domain/Json.ts"
import { MAX_PAGE_TEXT } from "../../../shared/Limits.ts"
import { languageOf } from "../Language.ts"
import { joinNames } from "../Names.ts"
import { parseJson } from "./BoundedJson.ts"
import { type Entry, feedFile } from "./Feed.ts"
import {
  fileContent,
  fileMetadata,
  joinLines,
  preformatted,
  type ReadFile,
  type TextFile
} from "./FileReader.ts"

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined

/** The first of `names` that has text. */
const firstText = (object: Json, ...names: ReadonlyArray<string>): string | undefined => {
  for (const name of names) {
    const text = textOf(object[name])
    if (text !== undefined) return text
  }
  return undefined
}

/** The name of an author: a text or an object with a name, as in package.json and JSON Feed; or a list of them. */
const authorOf = (object: Json): string =>
  joinNames(
    [object["authors"] ?? object["author"]]
      .flat()
      .slice(0, 50)
      .map((author) => (isObject(author) ? author["name"] : author))
  )

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value.slice(0, 1_000) : [])

/** A JSON Feed (https://www.jsonfeed.org/version/1.1). */
const readJsonFeed = (file: TextFile, feed: Json): ReadFile =>
  feedFile(file, {
    title: textOf(feed["title"]),
    description: textOf(feed["description"]),
    author: authorOf(feed),
    language: languageOf(textOf(feed["language"]) ?? ""),
    image: textOf(feed["icon"]),
    entries: listOf(feed["items"])
      .filter(isObject)
      .map(
        (item): Entry => ({
          title: firstText(item, "title", "summary", "content_text") ?? "",
          link: firstText(item, "url", "external_url") ?? "",
          date: firstText(item, "date_published", "date_modified") ?? ""
        })
      )
  })

/** Reads a JSON document: the title, name and description that its top level states, in `info` as OpenAPI has them. */
export const readJson = (file: TextFile): ReadFile => {
  const value = parseJson(file.text)
  const top = isObject(value) ? value : {}
  if (textOf(top["version"])?.startsWith("https://jsonfeed.org/version/")) return readJsonFeed(file, top)
  const stated = isObject(top["info"]) ? { ...top["info"], ...top } : top
  const version = textOf(stated["version"])
  return {
    metadata: fileMetadata(file, {
      title: firstText(stated, "title", "displayName", "name", "$id"),
      description: firstText(stated, "description", "summary"),
      author: authorOf(stated),
      facts: version === undefined || version.length > 50 ? {} : { version }
    }),
    content: () => {
      const text = file.text.slice(0, MAX_PAGE_TEXT)
      return fileContent(joinLines(text.split("\n")), preformatted(text))
    }
  }
}
