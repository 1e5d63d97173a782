import { type MarkupHandler, MarkupText, readMarkup } from "./Markup.ts"

interface ListedLink {
  readonly place: number
  /** The anchor's attributes, its `title`, the `heading` above and the `time` in its item; empty without one. */
  readonly fields: Readonly<Record<string, string>>
}

const attributes = new Set(["href", "tags", "time_added"])

const headings = new Set(["h1", "h2", "h3"])

interface OpenLink {
  readonly given: ReadonlyMap<string, string>
  readonly place: number
  readonly title: MarkupText
  readonly time: MarkupText
}

class LinkListReader implements MarkupHandler {
  readonly links: Array<ListedLink> = []
  #link: OpenLink | null = null
  #heading = ""
  #text: MarkupText | null = null

  open(name: string, given: ReadonlyMap<string, string>, line: number): void {
    if (name === "a" || name === "li") this.end()
    if (headings.has(name)) this.#text = new MarkupText({ lines: false })
    if (name === "time") this.#text = this.#link?.time ?? null
    if (name !== "a") return
    const title = new MarkupText({ lines: false })
    this.#link = { given, place: line, title, time: new MarkupText({ lines: false }) }
    this.#text = title
  }

  close(name: string): void {
    if (headings.has(name)) this.#heading = this.#text?.value ?? ""
    if (headings.has(name) || name === "time" || name === "a") this.#text = null
    if (name === "li" || name === "ul" || name === "ol") this.end()
  }

  text(piece: string, referenced: boolean): void {
    this.#text?.add(piece, referenced)
  }

  end(): void {
    if (this.#link === null) return
    const { given, place, time, title } = this.#link
    this.#link = null
    this.#text = null
    const texts = { title: title.value, heading: this.#heading, time: time.value }
    this.links.push({ place, fields: { ...Object.fromEntries(given), ...texts } })
  }
}

/** End tags may be missing. */
export const readLinkList = (html: string): ReadonlyArray<ListedLink> => {
  const reader = new LinkListReader()
  readMarkup(html, attributes, reader)
  reader.end()
  return reader.links
}
