import { Schema } from "effect"
import type { Content } from "../../../../../src/enrich/page/article/ReadableText.ts"
import type { Metadata } from "../../../../../src/enrich/page/fields/Metadata.ts"
import { SandboxReply } from "../../../../../src/enrich/page/Sandbox.ts"
import { handleRequest } from "../../../../../src/enrich/page/SandboxWork.ts"

/** How a file was sent. */
interface Sent {
  readonly contentType?: string | null
  readonly url?: string
  readonly disposition?: string
  readonly isCut?: boolean
}

/** Everything the sandbox's child replies about a file, each reply within its limits. */
export const repliesTo = async (
  file: Uint8Array | string,
  { contentType = null, url = "https://example.org/download", ...more }: Sent = {}
): Promise<ReadonlyArray<SandboxReply>> => {
  const replies: Array<SandboxReply> = []
  const bytes = typeof file === "string" ? new TextEncoder().encode(file) : new Uint8Array(file)
  await handleRequest(
    { message: { do: "page", asked: url, url, status: 200, headers: {}, contentType, ...more }, bytes },
    async (reply) => {
      replies.push(Schema.decodeUnknownSync(SandboxReply)(JSON.parse(JSON.stringify(reply))))
    }
  )
  return replies
}

/** What a file gives: its last metadata and its content. Throws if it is refused. */
export const readingOf = async (
  file: Uint8Array | string,
  sent: Sent = {}
): Promise<{ readonly metadata: Metadata; readonly content: Content }> => {
  const replies = await repliesTo(file, sent)
  const metadata = replies.findLast((reply) => reply.said === "metadata")
  const content = replies.findLast((reply) => reply.said === "content")
  if (metadata?.said !== "metadata" || content?.said !== "content")
    throw new Error(`refused: ${JSON.stringify(replies)}`)
  return { metadata: metadata.metadata, content: content.content }
}
