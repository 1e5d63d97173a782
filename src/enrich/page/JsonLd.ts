/** What a page's JSON-LD (https://www.w3.org/TR/json-ld11/, schema.org) says of the page's main thing. */
export interface JsonLd {
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly image?: string | undefined
  readonly author?: string | undefined
  readonly siteName?: string | undefined
  readonly publishedAt?: string | undefined
}

/** How deep things may lie in lists, graphs and one another. */
const MAX_DEPTH = 4

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** What real pages put before their JSON. */
const opening = /^\s*(?:\/\*[\s\S]*?\*\/|\/\/[^\n]*|<!--|<!\[CDATA\[)/
/** The end of a comment or of a CDATA section. */
const closing = /(?:-->|\]\]>)$/

/** The text without a comment on its last line. */
const withoutLastComment = (text: string): string => {
  const comment = text.indexOf("//", text.lastIndexOf("\n") + 1)
  return comment === -1 ? text : text.slice(0, comment)
}

/** Real pages put comments, raw line breaks and CDATA marks around and into their JSON. */
const parse = (text: string): unknown => {
  const bare = text.replace(opening, "").trimEnd().replace(closing, "").trimEnd()
  const uncommented = withoutLastComment(bare)
  const onOneLine = [bare, uncommented].map((one) => one.replace(/\p{Cc}+/gu, " "))
  for (const candidate of [text, bare, uncommented, ...onOneLine])
    try {
      return JSON.parse(candidate)
    } catch {
      // The next, more forgiving reading may do.
    }
  return undefined
}

/** The nodes of a document: what it is, and what its lists and graphs hold. */
const nodesOf = (value: unknown, depth = 0): ReadonlyArray<Node> => {
  if (depth > MAX_DEPTH) return []
  if (Array.isArray(value)) return value.slice(0, 100).flatMap((one) => nodesOf(one, depth + 1))
  if (!isNode(value)) return []
  return [value, ...nodesOf(value["@graph"], depth + 1), ...nodesOf(value["mainEntity"], depth + 1)]
}

const typesOf = (node: Node) => [node["@type"]].flat().filter((type) => typeof type === "string")

const articles =
  /(Article|Posting|NewsItem|Report|Recipe|Product|Book|Movie|VideoObject|SoftwareApplication|Event|Course|HowTo)$/

/** How much a node is about the page itself. */
const rank = (node: Node) => {
  const types = typesOf(node)
  if (types.some((type) => articles.test(type))) return 2
  return types.some((type) => /(WebPage|CreativeWork|AboutPage|ItemPage|ProfilePage)$/.test(type)) ? 1 : 0
}

/** A text, the name or address of a thing, or the first such of a list. */
const textOf = (value: unknown, names: ReadonlyArray<string> = [], depth = 0): string | undefined => {
  if (typeof value === "string") return value
  if (depth > MAX_DEPTH) return undefined
  if (Array.isArray(value)) return textOf(value[0], names, depth + 1)
  if (!isNode(value)) return undefined
  for (const name of names) {
    const text = textOf(value[name], [], depth + 1)
    if (text !== undefined) return text
  }
  return undefined
}

/** Reads the JSON-LD of a page's scripts; what is no JSON, or about something else, is passed over. */
export const readJsonLd = (scripts: ReadonlyArray<string>): JsonLd => {
  const nodes = scripts.slice(0, 20).flatMap((script) => nodesOf(parse(script)))
  const [node] = nodes.filter((one) => rank(one) > 0).sort((a, b) => rank(b) - rank(a))
  if (node === undefined) return {}
  return {
    title: textOf(node["headline"]) ?? textOf(node["name"]),
    description: textOf(node["description"]),
    image: textOf(node["image"], ["url", "contentUrl"]) ?? textOf(node["thumbnailUrl"]),
    author: textOf(node["author"], ["name"]),
    siteName: textOf(node["publisher"], ["name"]),
    publishedAt: textOf(node["datePublished"])
  }
}
