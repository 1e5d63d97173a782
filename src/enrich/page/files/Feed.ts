import { walkMarkup } from "../../../domain/Markup.ts"
import { MAX_DESCRIPTION, MAX_TITLE } from "../../../shared/Limits.ts"
import { cleanLine } from "../../../shared/Text.ts"
import { addElement } from "../article/Articles.ts"
import { ArticleWriter } from "../article/ArticleWriter.ts"
import { languageOf } from "../fields/Language.ts"
import { markupText } from "../Markup.ts"
import { webAddress } from "../WebAddress.ts"
import { fileContent, fileMetadata, type ReadFile, type TextFile } from "./FileReader.ts"

export interface Entry {
  readonly title: string
  readonly link: string
  /** RFC 822 in RSS, ISO 8601 in Atom and JSON. */
  readonly date: string
}

export interface Feed {
  readonly title: string | undefined
  readonly description: string | undefined
  readonly author: string | undefined
  readonly language: string | null
  readonly image: string | undefined
  readonly entries: ReadonlyArray<Entry>
}

/** Titles are kept of so many entries, and so many are read to find the newest. */
const MAX_ENTRIES = 100
const MAX_READ_ENTRIES = 2_000
/** In UTF-16 units. */
const MAX_FIELD = 8_192

/** A field may hold HTML. */
const plain = (field: string, limit: number) =>
  cleanLine(/[<&]/.test(field) ? markupText(field, MAX_FIELD) : field, limit)

/** In the feed's own order if an entry has no date. */
const newestFirst = (entries: ReadonlyArray<Entry>): ReadonlyArray<Entry> => {
  const dated = entries.map((entry) => ({ entry, at: Date.parse(entry.date) }))
  return dated.some(({ at }) => Number.isNaN(at))
    ? entries
    : dated.toSorted((one, other) => other.at - one.at).map(({ entry }) => entry)
}

/** The text is the feed's description and the titles of its newest entries. */
export const feedFile = (file: TextFile, feed: Feed): ReadFile => {
  const description = plain(feed.description ?? "", MAX_DESCRIPTION)
  return {
    metadata: fileMetadata(file, {
      title: plain(feed.title ?? "", MAX_TITLE),
      description,
      author: plain(feed.author ?? "", MAX_FIELD),
      language: feed.language,
      image: webAddress(feed.image, file.url)
    }),
    content: () => {
      const entries = newestFirst(feed.entries)
        .map(({ link, title }) => ({ link, title: plain(title, MAX_TITLE) }))
        .filter(({ title }) => title !== "")
      const writer = new ArticleWriter(file.url)
      addElement(writer, "p", description)
      writer.open("ul", () => null)
      for (const { link, title } of entries.slice(0, MAX_ENTRIES)) {
        writer.open("li", () => null)
        writer.open("a", () => link)
        writer.text(title)
        writer.close("a")
        writer.close("li")
      }
      const article = writer.finish()
      return fileContent(article.text, article)
    }
  }
}

/** Elements that hold a feed's own fields, and elements that are its entries. */
const containers: ReadonlySet<string> = new Set(["channel", "feed"])
const items: ReadonlySet<string> = new Set(["item", "entry"])

/** Names of a feed's own fields: RSS 2.0, RSS 1.0 with Dublin Core, Atom (RFC 4287) and Apple's podcasts. */
const fieldNames: ReadonlySet<string> = new Set(
  "title description subtitle tagline language itunes:author itunes:summary managingeditor dc:creator dc:language url logo icon name".split(
    " "
  )
)
const entryNames: ReadonlySet<string> = new Set("title link pubdate published updated dc:date".split(" "))

/** Reads RSS, RDF and Atom in one pass without a tree. Entities that a document declares are not expanded. */
export const readFeed = (file: TextFile): ReadFile => {
  const fields = new Map<string, string>()
  const entries: Array<Entry> = []
  const path: Array<string> = []
  let depth = 0
  let entry: Map<string, string> | undefined
  let entryDepth = 0
  /** The field being read: its key, and the depth of its element. */
  let key = ""
  let keyDepth = 0
  let value = ""

  /** The key of an element that holds a field of the feed; the picture's address and the author's name are nested. */
  const fieldKey = (name: string): string => {
    const parent = path[depth - 2] ?? ""
    if (containers.has(parent)) return fieldNames.has(name) && name !== "url" && name !== "name" ? name : ""
    const isNested = containers.has(path[depth - 3] ?? "")
    if (isNested && parent === "image" && name === "url") return "image"
    return isNested && parent === "author" && name === "name" ? "author" : ""
  }
  const keep = (into: Map<string, string>, name: string, text: string) => {
    if (text.trim() !== "" && !into.has(name)) into.set(name, text.trim())
  }
  const endEntry = (found: ReadonlyMap<string, string>) => {
    entry = undefined
    if (entries.length >= MAX_READ_ENTRIES) return
    const date =
      found.get("pubdate") ?? found.get("published") ?? found.get("dc:date") ?? found.get("updated") ?? ""
    entries.push({ title: found.get("title") ?? "", link: found.get("link") ?? "", date })
  }

  walkMarkup(
    file.text,
    {
      open: (name, attributes, isClosed) => {
        depth++
        if (depth < 8) path[depth - 1] = name
        if (key === "") {
          if (entry === undefined && items.has(name)) {
            entry = new Map()
            entryDepth = depth
          } else if (entry !== undefined && depth === entryDepth + 1 && entryNames.has(name)) {
            const relation = attributes.get("rel") ?? "alternate"
            if (name === "link" && relation === "alternate") keep(entry, name, attributes.get("href") ?? "")
            key = name
          } else if (entry === undefined) {
            key = fieldKey(name)
            if (name === "itunes:image") keep(fields, "image", attributes.get("href") ?? "")
          }
          keyDepth = depth
          value = ""
        }
        if (isClosed) {
          if (depth === keyDepth) key = ""
          depth--
        }
      },
      close: (name) => {
        if (key !== "" && depth <= keyDepth) {
          keep(entry ?? fields, key, value)
          key = ""
        }
        if (entry !== undefined && items.has(name)) endEntry(entry)
        if (depth > 0) depth--
      },
      text: (piece) => {
        if (key !== "" && value.length < MAX_FIELD) value += piece.slice(0, MAX_FIELD)
        return true
      }
    },
    { xml: true }
  )
  if (entry !== undefined) endEntry(entry)

  const first = (...names: ReadonlyArray<string>) =>
    names.map((name) => fields.get(name)).find((text) => text !== undefined)
  return feedFile(file, {
    title: first("title"),
    description: first("description", "subtitle", "tagline", "itunes:summary"),
    author: first("itunes:author", "author", "dc:creator", "managingeditor"),
    language: languageOf(first("language", "dc:language") ?? rootLanguage(file.text) ?? ""),
    image: first("image", "logo", "icon"),
    entries
  })
}

/** The language that an Atom feed states on its root element. */
const rootLanguage = (text: string): string | undefined =>
  /<feed\s[^>]{0,2000}?xml:lang=["']([^"']{1,35})["']/.exec(text.slice(0, 10_000))?.[1]
