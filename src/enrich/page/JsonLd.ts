/** What a page's JSON-LD (https://www.w3.org/TR/json-ld11/, schema.org) says about the page's main subject. */
export interface JsonLd {
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly image?: string | undefined
  readonly author?: string | undefined
  readonly siteName?: string | undefined
  readonly publishedAt?: string | undefined
}

/** Maximum nesting depth of lists, graphs and nodes. */
const MAX_DEPTH = 4

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A comment or CDATA mark that real pages put before their JSON. */
const leadingNoise = /^\s*(?:\/\*[\s\S]*?\*\/|\/\/[^\n]*|<!--|<!\[CDATA\[)/
/** The end of a comment or CDATA section. */
const trailingNoise = /(?:-->|\]\]>)$/

/** Removes a `//` comment from the last line. */
const withoutLastComment = (text: string): string => {
  const comment = text.indexOf("//", text.lastIndexOf("\n") + 1)
  return comment === -1 ? text : text.slice(0, comment)
}

/** Parses JSON leniently: real pages add comments, raw line breaks and CDATA marks. Undefined if no reading parses. */
const parse = (text: string): unknown => {
  const bare = text.replace(leadingNoise, "").trimEnd().replace(trailingNoise, "").trimEnd()
  const uncommented = withoutLastComment(bare)
  const onOneLine = [bare, uncommented].map((one) => one.replace(/\p{Cc}+/gu, " "))
  for (const candidate of [text, bare, uncommented, ...onOneLine])
    try {
      return JSON.parse(candidate)
    } catch {
      // Try the next, more lenient reading.
    }
  return undefined
}

/** The nodes of a document: itself, its main entity, and the contents of its lists and graphs. */
const nodesOf = (value: unknown, depth = 0): ReadonlyArray<Node> => {
  if (depth > MAX_DEPTH) return []
  if (Array.isArray(value)) return value.slice(0, 100).flatMap((one) => nodesOf(one, depth + 1))
  if (!isNode(value)) return []
  return [value, ...nodesOf(value["@graph"], depth + 1), ...nodesOf(value["mainEntity"], depth + 1)]
}

const typesOf = (node: Node) => [node["@type"]].flat().filter((type) => typeof type === "string")

const contentTypes =
  /(Article|Posting|NewsItem|Report|Recipe|Product|Book|Movie|VideoObject|SoftwareApplication|Event|Course|HowTo)$/

/** Ranks how directly a node describes the page: 2 for its content, 1 for the page, 0 for anything else. */
const rank = (node: Node) => {
  const types = typesOf(node)
  if (types.some((type) => contentTypes.test(type))) return 2
  return types.some((type) => /(WebPage|CreativeWork|AboutPage|ItemPage|ProfilePage)$/.test(type)) ? 1 : 0
}

/** The value if it is text, the first of a node's `names` that has text, or the same of a list's first item. */
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

/** Reads the JSON-LD of a page's scripts; skips invalid JSON and nodes about something else. */
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
