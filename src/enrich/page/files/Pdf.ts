import { getResolvedPDFJS } from "unpdf"
import type { PDFDocumentProxy, PDFPageProxy } from "unpdf/pdfjs"
import { isObject, type Json } from "../../../domain/Json.ts"
import { MAX_PAGE_NAME, MAX_PAGE_TEXT, MAX_TITLE } from "../../../shared/Limits.ts"
import { cleanLine } from "../../../shared/Text.ts"
import { articleOfParagraphs } from "../article/Articles.ts"
import { joinNames } from "../fields/Bylines.ts"
import { readDate } from "../fields/Dates.ts"
import { languageOf } from "../fields/Language.ts"
import { type FetchedFile, fileMetadata, proseContent, type ReadFile } from "./FileReader.ts"

const MAX_PAGES = 30
/** How many pieces of text are read of a page; a dense page has a few thousand. */
const MAX_PIECES = 20_000

interface Line {
  readonly text: string
  readonly size: number
  readonly y: number
}

interface Piece {
  readonly str: string
  readonly height: number
  readonly transform: ReadonlyArray<unknown>
  readonly hasEOL: boolean
}

const isPiece = (item: object): item is Piece => "str" in item

type TextContent = Awaited<ReturnType<PDFPageProxy["getTextContent"]>>

/** Up to the limit: PDF.js reads only as much as is requested. */
const piecesOf = async (page: PDFPageProxy): Promise<ReadonlyArray<object>> => {
  const reader: ReadableStreamDefaultReader<TextContent> = page.streamTextContent().getReader()
  const pieces: Array<object> = []
  while (pieces.length < MAX_PIECES) {
    const { done, value } = await reader.read()
    if (done) break
    pieces.push(...value.items.slice(0, MAX_PIECES))
  }
  return pieces.slice(0, MAX_PIECES)
}

const linesOf = async (document: PDFDocumentProxy, number: number): Promise<ReadonlyArray<Line>> => {
  const page = await document.getPage(number)
  const lines: Array<Line> = []
  let text = ""
  let size = 0
  let y = 0
  const end = () => {
    const clean = cleanLine(text, MAX_PAGE_TEXT)
    if (clean !== "") lines.push({ text: clean, size, y })
    text = ""
    size = 0
  }
  for (const item of await piecesOf(page)) {
    if (!isPiece(item)) continue
    const baseline = Number(item.transform[5])
    if (item.str !== "" && text !== "" && Math.abs(baseline - y) > Math.max(size, item.height) / 2) end()
    if (item.str !== "") y = baseline
    text += item.str
    size = Math.max(size, item.str.trim() === "" ? 0 : item.height)
    if (item.hasEOL) end()
  }
  end()
  page.cleanup()
  return lines
}

/** Whether a line goes on with the paragraph of the line above it: the same font, at the usual distance. */
const continues = (above: Line, line: Line): boolean => {
  const gap = above.y - line.y
  return Math.abs(above.size - line.size) < 0.5 && gap > 0 && gap < line.size * 1.7
}

/** Joins two lines of a paragraph; a word divided at the end of the first is one word again. */
const joined = (above: string, line: string): string =>
  /\p{L}-$/u.test(above.slice(-3)) && /^\p{Ll}/u.test(line) ? above.slice(0, -1) + line : `${above} ${line}`

const paragraphsOf = (lines: ReadonlyArray<Line>): ReadonlyArray<Line> => {
  const paragraphs: Array<Line> = []
  for (const line of lines) {
    const above = paragraphs.at(-1)
    if (above === undefined || !continues(above, line)) paragraphs.push(line)
    else paragraphs[paragraphs.length - 1] = { ...line, text: joined(above.text, line.text) }
  }
  return paragraphs
}

/** Titles that programs write by themselves: a file's name, or a placeholder. */
const generated =
  /^(?:microsoft (?:word|powerpoint|excel) ?-|untitled|title$|document\s*\d*$|powerpoint presentation$|slide \d+$|pdf$|null$|[\w-]{0,200}\.(?:docx?|dvi|tex|pdf|indd|qxd|pptx?|xlsx?|odt|rtf|ps|eps|pages|md|html?|cdr|pmd|fm)$)/i

const statedTitle = (title: unknown): string | undefined => {
  const clean = typeof title === "string" ? cleanLine(title.slice(0, 2_000), MAX_TITLE) : ""
  return generated.test(clean) || !/\p{L}{2}/u.test(clean) ? undefined : clean
}

/** The text in the largest font of the first page, if it looks like a title: a few words, larger than the rest. */
const titleOnPage = (lines: ReadonlyArray<Line>): string | undefined => {
  const paragraphs = paragraphsOf(lines)
  const words = paragraphs.filter(({ text }) => (text.match(/\p{L}/gu)?.length ?? 0) >= 4)
  const largest = words.toSorted((one, other) => other.size - one.size)[0]
  const characters = new Map<number, number>()
  for (const { size, text } of lines) characters.set(size, (characters.get(size) ?? 0) + text.length)
  const [body = 0] = [...characters].toSorted(([, one], [, other]) => other - one)[0] ?? []
  const isTitle =
    largest !== undefined && largest.text.length <= MAX_TITLE && (largest.size > body || words.length === 1)
  return isTitle ? largest.text : undefined
}

/** A date of a PDF (ISO 32000-1, 7.9.4): `D:YYYYMMDDHHmmSSOHH'mm`, of which everything after the year may be absent. */
const timeOf = (date: unknown): string | null => {
  const [
    ,
    year,
    month = "01",
    day = "01",
    hour = "00",
    minute = "00",
    second = "00",
    zone,
    hours = "00",
    minutes = "00"
  ] =
    /^\s*(?:D:)?(\d{4})(\d\d)?(\d\d)?(?:(\d\d)(\d\d)?(\d\d)?)?(?:([Z+-])(?:(\d\d)'?(\d\d)?)?)?/.exec(
      String(date).slice(0, 50)
    ) ?? []
  if (year === undefined) return null
  const offset = zone === undefined || zone === "Z" ? (zone ?? "") : `${zone}${hours}:${minutes}`
  return readDate(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`)
}

/** Authors as one line: XMP lists them (ISO 16684-1, dc:creator). */
const authorsOf = (names: unknown): string =>
  joinNames(
    [names]
      .flat()
      .filter((name) => typeof name === "string" && /\p{L}{2}/u.test(name.slice(0, MAX_PAGE_NAME)))
  )

const propertiesOf = async (document: PDFDocumentProxy) => {
  const { info, metadata } = await document.getMetadata()
  const entries: Json = isObject(info) ? info : {}
  return { info: entries, xmp: (name: string): unknown => metadata?.get(name) }
}

/** Leaves out scripts, forms, fonts and pictures. PDF.js runs on this thread, and has no address to load anything from. */
const open = async (bytes: Uint8Array): Promise<PDFDocumentProxy> => {
  const { getDocument } = await getResolvedPDFJS()
  return getDocument({
    // PDF.js rejects a Buffer and detaches the memory that it is given.
    data: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    useWasm: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    enableXfa: false,
    maxImageSize: 1,
    verbosity: 0
  }).promise
}

/** The title is the largest text of the first page where the document (ISO 32000) states none. */
export const readPdf = async (file: FetchedFile): Promise<ReadFile> => {
  const document = await open(file.bytes)
  const { info, xmp } = await propertiesOf(document)
  const stated = statedTitle(xmp("dc:title")) ?? statedTitle(info["Title"])
  const first = stated === undefined ? await linesOf(document, 1) : undefined
  return {
    metadata: fileMetadata(file, {
      title: stated ?? titleOnPage(first ?? []),
      author: authorsOf(xmp("dc:creator")) || authorsOf(info["Author"]),
      description: [xmp("dc:description"), info["Subject"]].find((one) => typeof one === "string"),
      publishedAt: timeOf(info["CreationDate"]),
      language: languageOf(typeof info["Language"] === "string" ? info["Language"] : ""),
      type: "pdf",
      facts: { pages: document.numPages }
    }),
    content: async () => {
      const paragraphs: Array<Line> = []
      let length = 0
      for (
        let number = 1;
        number <= Math.min(document.numPages, MAX_PAGES) && length < MAX_PAGE_TEXT;
        number++
      ) {
        const lines = number === 1 && first !== undefined ? first : await linesOf(document, number)
        const found = paragraphsOf(lines)
        length += found.reduce((total, { text }) => total + text.length + 1, 0)
        paragraphs.push(...found)
      }
      // Not awaited, because it waits for the pages that were not read to their end.
      document.loadingTask.destroy().catch(() => {})
      const article = articleOfParagraphs(paragraphs.map(({ text }) => text))
      return proseContent(article.text, article)
    }
  }
}
