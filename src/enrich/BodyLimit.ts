import { type CompressionFormat, DecompressionStream, ReadableStream } from "node:stream/web"

/** The first bytes of a body, decoded; `cut` where there was more. */
export interface LimitedBody {
  readonly bytes: Uint8Array
  readonly cut: boolean
}

/** What is asked for, and what servers send all the same. */
const formats: Readonly<Record<string, CompressionFormat>> = {
  br: "brotli",
  gzip: "gzip",
  "x-gzip": "gzip",
  deflate: "deflate"
}

/** The way to decode a `Content-Encoding`: null where there is nothing to decode, undefined where it is not known. */
const decoderFor = (encoding: string | null): DecompressionStream | null | undefined => {
  const name = (encoding ?? "").trim().toLowerCase()
  if (name === "" || name === "identity") return null
  const format = formats[name]
  return format && new DecompressionStream(format)
}

/** Whether a body so encoded can be read. */
export const isDecodable = (encoding: string | null): boolean => decoderFor(encoding) !== undefined

/** How much longer than its content a packed body may be, in bytes: formats add a header and little else. */
const packing = 65_536

/** The transfer up to `limit` bytes: a packed body can go on for ever and unpack to nothing. */
async function* transferred(body: AsyncIterable<Uint8Array<ArrayBuffer>>, limit: number) {
  let left = limit
  for await (const chunk of body) {
    yield chunk.subarray(0, left)
    left -= chunk.byteLength
    if (left <= 0) return
  }
}

/**
 * Reads a body that was fetched without decoding, up to `maxBytes` of it decoded, and then stops the transfer: what
 * a small compressed body unpacks to is never held, and no more is transferred than so much content packs to.
 * Rejects where the transfer or its encoding breaks before any byte of it.
 */
export const readLimited = async (
  body: AsyncIterable<Uint8Array<ArrayBuffer>> | null,
  encoding: string | null,
  maxBytes: number
): Promise<LimitedBody> => {
  if (body === null) return { bytes: new Uint8Array(), cut: false }
  const decoder = decoderFor(encoding)
  // The declarations that know brotli are Node's, and its streams are not the web's to the compiler.
  const encoded = ReadableStream.from(transferred(body, maxBytes + packing))
  const reader = (decoder ? encoded.pipeThrough(decoder) : encoded).getReader()
  const chunks: Array<Uint8Array> = []
  let length = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return { bytes: Buffer.concat(chunks), cut: false }
      chunks.push(value.subarray(0, maxBytes - length))
      length += value.byteLength
      if (length > maxBytes) return { bytes: Buffer.concat(chunks), cut: true }
    }
  } catch (error) {
    // A transfer that breaks off leaves a page whose beginning says what it is.
    if (length === 0) throw error
    return { bytes: Buffer.concat(chunks), cut: true }
  } finally {
    reader.cancel().catch(() => {})
  }
}
