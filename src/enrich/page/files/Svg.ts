import { walkMarkup } from "../../../domain/Markup.ts"
import { MAX_PAGE_TEXT } from "../../../shared/Limits.ts"
import { fileContent, fileMetadata, joinLines, type ReadFile, type TextFile } from "./FileReader.ts"

/** Undefined if the length is relative or in another unit. */
const pixels = (length: string | undefined): number | undefined => {
  const written = /^\s*(\d{1,6}(?:\.\d{1,9})?)(?:px)?\s*$/.exec(length ?? "")?.[1]
  return written === undefined || Number(written) < 1 ? undefined : Math.round(Number(written))
}

const sizeOf = (root: ReadonlyMap<string, string>): string | undefined => {
  const [, , boxWidth, boxHeight] = (root.get("viewbox") ?? "").trim().split(/[\s,]+/, 4)
  const width = pixels(root.get("width")) ?? pixels(boxWidth)
  const height = pixels(root.get("height")) ?? pixels(boxHeight)
  return width === undefined || height === undefined ? undefined : `${width} x ${height}`
}

/** `title` and `desc` of the drawing itself come before those of its parts. */
const read: ReadonlySet<string> = new Set(["title", "desc", "text"])

/** Reads SVG (https://www.w3.org/TR/SVG2); the labels are its text. */
export const readSvg = (file: TextFile): ReadFile => {
  let root: ReadonlyMap<string, string> | undefined
  const first = new Map<string, string>()
  const labels: Array<string> = []
  let length = 0
  let reading = ""
  let text = ""
  walkMarkup(
    file.text,
    {
      open: (name, attributes, isClosed) => {
        if (name === "svg") root ??= attributes
        if (reading !== "" || isClosed || !read.has(name)) return
        reading = name
        text = ""
      },
      close: (name) => {
        if (reading === "" || name !== reading) return
        if (name === "text") labels.push(text)
        else if (!first.has(name)) first.set(name, text)
        reading = ""
      },
      text: (piece) => {
        if (reading === "") return true
        text += piece
        length += piece.length
        return length < MAX_PAGE_TEXT * 2
      }
    },
    { xml: true }
  )
  const size = sizeOf(root ?? new Map())
  return {
    metadata: fileMetadata(file, {
      title: first.get("title"),
      description: first.get("desc"),
      type: "image",
      facts: size === undefined ? {} : { size }
    }),
    content: () => fileContent(joinLines([first.get("title") ?? "", first.get("desc") ?? "", ...labels]))
  }
}
