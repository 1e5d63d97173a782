import { setOf, walkMarkup } from "../../../domain/Markup.ts"
import { type Article, ArticleWriter, type DensestArticle } from "./ArticleWriter.ts"
import { EMBED_LINK, type Embed, embedOf, lostAddress, MAX_SOURCES, mayEmbed } from "./Media.ts"

const unseen = "title script style noscript template svg iframe object select button textarea"
const unseenElements = setOf(unseen)
const besideArticle = setOf(`${unseen} nav footer aside`)

const noAttributes = () => null

/** Writes the link that stands for media, as a paragraph. */
const writeEmbed = (writer: ArticleWriter, { address, label, picture }: Embed) => {
  if (picture !== undefined) writer.open("img", (name) => (name === "src" ? picture : ""))
  writer.open("p", noAttributes)
  writer.open(EMBED_LINK, (name) => (name === "href" ? address : undefined))
  writer.text(label)
  writer.close(EMBED_LINK)
  writer.close("p")
}

const writeMarkup = (writer: ArticleWriter, html: string, skipped: ReadonlySet<string>): void => {
  /** The outermost skipped element, and how many elements of that name are open. */
  let muted = ""
  let depth = 0
  /** The `<source>` elements of the picture that is open, and a film or a recording that states its address in one. */
  let sources: Array<ReadonlyMap<string, string>> = []
  let played: ReadonlyMap<string, string> | undefined
  const embedAt = (name: string, attributes: ReadonlyMap<string, string>) => {
    const isSource = name === "source" && played !== undefined
    const embed = isSource
      ? embedOf("video", new Map([...(played ?? []), ...attributes]))
      : mayEmbed(name)
        ? embedOf(name, attributes)
        : undefined
    if (embed !== undefined) played = undefined
    else if (name === "video" || name === "audio") played = attributes
    return embed
  }
  walkMarkup(html, {
    open: (name, attributes, isClosed) => {
      const embed = muted === "" ? embedAt(name, attributes) : undefined
      if (embed !== undefined) writeEmbed(writer, embed)
      if (name === "picture") sources = []
      else if (name === "source" && sources.length < MAX_SOURCES) sources.push(attributes)
      if (muted === name) depth++
      else if (muted === "" && skipped.has(name) && !(isClosed && name === "svg")) {
        muted = name
        depth = 1
      } else if (muted === "") {
        const lost = name === "img" ? lostAddress(attributes, sources) : undefined
        writer.open(name, (attribute) =>
          attribute === "src" && lost !== undefined ? lost : attributes.get(attribute)
        )
      }
    },
    close: (name) => {
      if (name === "video" || name === "audio") played = undefined
      if (muted === name) {
        if (--depth === 0) muted = ""
      } else if (muted === "") writer.close(name)
    },
    text: (piece) => {
      if (muted === "") writer.text(piece)
      return !writer.isFull
    }
  })
}

export const densestArticle = (html: string, url: URL): DensestArticle => {
  const writer = new ArticleWriter(url)
  writeMarkup(writer, html, besideArticle)
  return writer.finishDensest()
}

/** Addresses are relative to `url`. */
export const articleOfMarkup = (html: string, url: URL): Article => {
  const writer = new ArticleWriter(url)
  writeMarkup(writer, html, unseenElements)
  return writer.finish()
}

export const addElement = (writer: ArticleWriter, name: string, text: string): void => {
  writer.open(name, noAttributes)
  writer.text(text)
  writer.close(name)
}

export const articleOfParagraphs = (paragraphs: Iterable<string>): Article => {
  const writer = new ArticleWriter()
  for (const paragraph of paragraphs) {
    if (writer.isFull) break
    addElement(writer, "p", paragraph)
  }
  return writer.finish()
}

export const preformatted = (text: string): Article => {
  const writer = new ArticleWriter()
  addElement(writer, "pre", text)
  return writer.finish()
}
