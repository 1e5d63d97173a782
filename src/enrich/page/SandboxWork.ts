import type { ChildRequest, SendReply } from "../../runtime/ChildMain.ts"
import { decodePage } from "./Charset.ts"
import { readMetadata } from "./Metadata.ts"
import { readContent } from "./ReadableText.ts"
import type { SandboxReply, SandboxRequest } from "./Sandbox.ts"
import { shrinkPicture } from "./Shrink.ts"
import { wallOf } from "./Walls.ts"

/** The index of a page's first element, after white space, an XML declaration and comments. */
const firstElement = (html: string): number => {
  let at = /^\s*(?:<\?xml[^>]*>\s*)?/.exec(html)?.[0].length ?? 0
  // A regular expression over repeated comments would backtrack through every way to divide them.
  while (html.startsWith("<!--", at)) {
    const end = html.indexOf("-->", at + 4)
    if (end === -1) return html.length
    at = end + 3
    while (/\s/.test(html.charAt(at))) at++
  }
  return at
}

const looksLikeHtml = (html: string) => {
  const at = firstElement(html)
  return /^<(?:!doctype html|html|head|title|meta|body)\b/i.test(html.slice(at, at + 20))
}

type Send = (reply: SandboxReply, bytes?: Uint8Array) => Promise<void>

/** Sends the metadata before extracting the text: metadata takes linear time, extraction may never finish. */
const readPage = async (
  { contentType, ...visit }: Extract<SandboxRequest, { do: "page" }>,
  bytes: Uint8Array,
  send: Send
) => {
  const html = decodePage(bytes, contentType)
  if ((contentType ?? "") === "" && !looksLikeHtml(html)) return send({ said: "refused", reason: "not-html" })
  const wall = wallOf(html, visit)
  if (wall !== null) return send({ said: "refused", reason: wall })
  if (visit.status >= 400) return send({ said: "refused", reason: "status" })
  await send({ said: "metadata", metadata: readMetadata(html, new URL(visit.url)) })
  return send({ said: "content", content: readContent(html) })
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

const isRequest = (message: unknown): message is SandboxRequest => {
  if (typeof message !== "object" || message === null || !("do" in message)) return false
  if (message.do === "picture")
    return "kind" in message && ["image", "favicon"].includes(String(message.kind))
  const type = "contentType" in message ? message.contentType : undefined
  return (
    message.do === "page" &&
    "url" in message &&
    typeof message.url === "string" &&
    "asked" in message &&
    typeof message.asked === "string" &&
    "status" in message &&
    typeof message.status === "number" &&
    "headers" in message &&
    typeof message.headers === "object" &&
    message.headers !== null &&
    Object.values(message.headers).every((value) => typeof value === "string") &&
    (type === null || typeof type === "string")
  )
}

/** Handles a sandbox request: reads a page or shrinks a picture. Ignores invalid requests. */
export const handleRequest = async ({ bytes, message }: ChildRequest, reply: SendReply): Promise<void> => {
  if (!isRequest(message)) return
  return message.do === "page" ? readPage(message, bytes, reply) : shrink(message, bytes, reply)
}
