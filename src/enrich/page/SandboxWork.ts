import type { ChildRequest, SendReply } from "../../runtime/ChildMain.ts"
import { MAX_TITLE } from "../../shared/Limits.ts"
import { cleanLine } from "../../shared/Text.ts"
import { deriveFields } from "./article/Derived.ts"
import { readContent } from "./article/ReadableText.ts"
import { withoutTitle } from "./article/TitleHeading.ts"
import { decodePage } from "./Charset.ts"
import { languageOf } from "./fields/Language.ts"
import { type Metadata, readMetadata } from "./fields/Metadata.ts"
import { readFeed } from "./files/Feed.ts"
import {
  type BinaryKind,
  binaryKindOf,
  isXml,
  recordingType,
  type TextKind,
  textKindOf
} from "./files/FileKind.ts"
import { fileNameOf } from "./files/FileName.ts"
import { type FetchedFile, fileMetadata, type ReadFile, type TextFile } from "./files/FileReader.ts"
import { pictureFields } from "./files/ImageSize.ts"
import { readJson } from "./files/JsonDocument.ts"
import { readMarkdown } from "./files/Markdown.ts"
import { readText as readPlainText } from "./files/PlainText.ts"
import { readSvg } from "./files/Svg.ts"
import { htmlOfXhtml } from "./Markup.ts"
import { refreshTarget } from "./Refresh.ts"
import type { SandboxReply, SandboxRequest } from "./Sandbox.ts"
import { shrinkPicture } from "./Shrink.ts"
import { lookAt, type PageProbe } from "./walls/PageProbe.ts"
import { type Wall, wallOf } from "./walls/Walls.ts"

type Send = (reply: SandboxReply, bytes?: Uint8Array) => Promise<void>

type PageRequest = Extract<SandboxRequest, { do: "page" }>

/** Readers are loaded when they are needed, so that a child for pages stays small. */
const readBinary = async (kind: Exclude<BinaryKind, "binary">, file: FetchedFile): Promise<ReadFile> => {
  switch (kind) {
    case "pdf":
      return (await import("./files/Pdf.ts")).readPdf(file)
    case "image":
      return (await import("./files/Image.ts")).readImage(file)
    case "recording":
      return (await import("./files/Recording.ts")).readRecording(file)
  }
}

const metadataBeforeOpening = (kind: Exclude<BinaryKind, "binary">, file: FetchedFile): Metadata => {
  switch (kind) {
    case "pdf":
      return fileMetadata(file, { type: kind })
    case "image":
      return fileMetadata(file, pictureFields(file))
    case "recording":
      return fileMetadata(file, { type: recordingType(file.bytes, file.name) })
  }
}

const readText = (kind: Exclude<TextKind, "html">, file: TextFile): ReadFile => {
  switch (kind) {
    case "feed":
      return readFeed(file)
    case "svg":
      return readSvg(file)
    case "json":
      return readJson(file)
    case "markdown":
      return readMarkdown(file)
    case "text":
      return readPlainText(file)
  }
}

const untitled = <A extends { readonly article?: string | undefined }>(
  found: A,
  title: string | null | undefined
): A => (found.article ? { ...found, article: withoutTitle(found.article, title) } : found)

/** In UTF-16 units: the head of nearly every page. */
const BEGINNING = 256 * 1024

/** Metadata first, because extraction may never finish; of a long page that of its beginning even before. */
const readHtml = async (html: string, url: URL, send: Send) => {
  if (html.length > BEGINNING)
    await send({ said: "metadata", metadata: readMetadata(html.slice(0, BEGINNING), url) })
  const metadata = readMetadata(html, url)
  await send({ said: "metadata", metadata })
  return send({ said: "content", content: untitled(readContent(html, url), metadata.title) })
}

const readSite = async (
  { site, url }: Extract<SandboxRequest, { do: "site" }>,
  bytes: Uint8Array,
  send: Send
) => {
  const { siteRuleNamed } = await import("./sites/Sites.ts")
  const stated = siteRuleNamed(site)?.read(new TextDecoder().decode(bytes), new URL(url))
  return send(
    stated === undefined ? { said: "no-site" } : { said: "site", site: untitled(stated, stated.title) }
  )
}

const sendFile = async ({ content, metadata }: ReadFile, send: Send) => {
  await send({ said: "metadata", metadata })
  return send({ said: "content", content: untitled(await content(), metadata.title) })
}

const refusal = (
  reason: Extract<SandboxReply, { said: "refused" }>["reason"],
  titles: ReadonlyArray<string> = []
): SandboxReply => ({ said: "refused", reason, titles })

/** A wall may have saved the link under these titles. A log-in often has the title of the page behind it. */
const wallTitles = (wall: Wall, look: PageProbe, html: string, url: URL): ReadonlyArray<string> =>
  wall === "login"
    ? []
    : [cleanLine(look.title, MAX_TITLE), readMetadata(html, url).title ?? ""].filter((title) => title !== "")

/**
 * The bytes decide what a document is, not the header. Of a response with an error status, only a wall is of interest.
 */
const readPage = async (request: PageRequest, bytes: Uint8Array, send: Send) => {
  const { contentType, isCut = false, status } = request
  const url = new URL(request.url)
  const name = fileNameOf(url, request.disposition)
  const kind = binaryKindOf(bytes, contentType)
  if (kind === "binary") return send(refusal("unreadable"))
  if (kind !== undefined) {
    if (status >= 400) return send(refusal("status"))
    const file = { url, name, bytes, isCut }
    // Opening such a file may take its whole time already.
    await send({ said: "metadata", metadata: metadataBeforeOpening(kind, file) })
    return sendFile(await readBinary(kind, file), send)
  }
  const decoded = decodePage(bytes, contentType)
  const isEmpty = decoded.trim() === ""
  const textKind = textKindOf(decoded, contentType, name)
  const text = textKind === "html" && isXml(contentType) ? htmlOfXhtml(decoded) : decoded
  // Some challenges have no body: their headers say it all.
  const isPage = textKind === "html" || isEmpty
  const look = lookAt(isPage ? text : "")
  const wall = isPage ? wallOf(look, request) : null
  // A page that only sends its visitors on looks like one that waits for its scripts, or asks them to wait.
  const mayMoveOn = wall === null || wall === "shell" || wall === "bot-wall"
  const to = isPage && mayMoveOn ? refreshTarget(look, url, request.refresh ?? null) : null
  if (to !== null && status < 400) return send({ said: "sent-on", to })
  if (wall !== null) return send(refusal(wall, wallTitles(wall, look, text, url)))
  if (status >= 400) return send(refusal("status"))
  if (textKind === "text" && isEmpty) return send(refusal("unreadable"))
  if (textKind === "html") return readHtml(text, url, send)
  const file = { url, name, text }
  if (name !== "") await send({ said: "metadata", metadata: fileMetadata(file, {}) })
  return sendFile(readText(textKind, file), send)
}

const shrink = async (
  { kind }: Extract<SandboxRequest, { do: "picture" }>,
  bytes: Uint8Array,
  send: Send
) => {
  const shrunk = await shrinkPicture(kind, bytes)
  return typeof shrunk === "string"
    ? send({ said: "no-picture", reason: shrunk })
    : send({ said: "picture" }, shrunk)
}

const readBrowserPage = async (
  { byline, lang, title, ...request }: Extract<SandboxRequest, { do: "browser" }>,
  bytes: Uint8Array,
  send: Send
) => {
  const { url: asked } = request
  const html = new TextDecoder().decode(bytes)
  const look = lookAt(html)
  const wall = wallOf(look, { asked, url: asked, status: 200, headers: {} })
  if (wall !== null) return send(refusal(wall))
  const content = readContent(html, new URL(asked))
  if (content.text === "") return send(refusal("unreadable"))
  const named = deriveFields("", byline, "").author
  const shown = cleanLine(title, MAX_TITLE) || cleanLine(look.title, MAX_TITLE) || null
  return send({
    said: "browser",
    text: {
      ...untitled(content, shown),
      title: shown,
      author: named ?? content.author,
      language: languageOf(lang) ?? content.language
    }
  })
}

/** A request comes from the service itself, so only its kind is looked at. */
const isRequest = (message: unknown): message is SandboxRequest =>
  typeof message === "object" && message !== null && "do" in message

/** Ignores invalid requests. */
export const handleRequest = async ({ bytes, message }: ChildRequest, reply: SendReply): Promise<void> => {
  if (!isRequest(message)) return
  switch (message.do) {
    case "page":
      return readPage(message, bytes, reply)
    case "browser":
      return readBrowserPage(message, bytes, reply)
    case "site":
      return readSite(message, bytes, reply)
    case "picture":
      return shrink(message, bytes, reply)
  }
}
