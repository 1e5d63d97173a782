import type { ListedHighlight } from "../domain/Highlight.ts"
import { oneLine } from "../shared/Text.ts"

const escaped = (text: string) => text.replace(/[\\`*_[\]<>#|]/g, "\\$&")

/** Quotes every line, so that nothing in it begins another block. */
const quoted = (text: string) =>
  text
    .split(/\r\n?|\n/)
    .map((line) => (line.trim() === "" ? ">" : `> ${escaped(line.trim())}`))
    .join("\n")

const address = (url: string) => `<${url.replaceAll("<", "%3C").replaceAll(">", "%3E")}>`

export const highlightsMarkdown = (highlights: ReadonlyArray<ListedHighlight>): string => {
  let last = 0
  return highlights
    .map(({ colour, createdAt, isLost, link, note, quote }) => {
      const heading = link.id === last ? "" : `## ${escaped(oneLine(link.title))}\n\n${address(link.url)}\n\n`
      last = link.id
      const about = [colour, createdAt.slice(0, 10), ...(isLost ? ["no longer in the text"] : [])].join(", ")
      const said = note.trim() === "" ? "" : `\n\n${escaped(note.trim())}`
      return `${heading}${quoted(quote)}${said}\n\n*${about}*\n\n`
    })
    .join("")
}

/** https://www.w3.org/TR/annotation-model/; only the quotation selects, as positions count in the kept text. */
export const annotationOf = (base: string, one: ListedHighlight) => ({
  id: `${base}/dashboard/read/${one.link.id}#highlight-${one.id}`,
  type: "Annotation",
  motivation: one.note === "" ? "highlighting" : "commenting",
  created: one.createdAt,
  modified: one.updatedAt,
  ...(one.note === ""
    ? {}
    : { body: { type: "TextualBody", value: one.note, format: "text/plain", purpose: "commenting" } }),
  target: {
    source: one.link.url,
    styleClass: one.colour,
    selector: {
      type: "TextQuoteSelector",
      exact: one.quote,
      ...(one.prefix === "" ? {} : { prefix: one.prefix }),
      ...(one.suffix === "" ? {} : { suffix: one.suffix })
    }
  }
})

export const annotationPage = (base: string): readonly [start: string, end: string] => [
  `{"@context":"http://www.w3.org/ns/anno.jsonld","id":${JSON.stringify(`${base}/dashboard/api/highlights.json`)},"type":"AnnotationPage","items":[`,
  "]}"
]
