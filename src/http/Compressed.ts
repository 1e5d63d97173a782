import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { HttpBody, type HttpServerRequest, HttpServerResponse } from "@effect/platform"

/** Whether the request takes an answer in this encoding (RFC 9110, 12.5.3; one that is refused by name is not taken). */
export const takes = ({ headers }: HttpServerRequest.HttpServerRequest, encoding: string): boolean =>
  new RegExp(`(^|,)\\s*${encoding}\\s*(;(?!\\s*q=0(\\.0*)?\\s*(,|$))|,|$)`, "i").test(
    headers["accept-encoding"] ?? ""
  )

/** Shorter answers fit into one packet as they are, in bytes. */
const WORTH_IT = 1_400

/** A page is packed for each request, so quickly: the levels from which on more time saves little. */
const brotli = (bytes: Uint8Array) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
const gzip = (bytes: Uint8Array) => gzipSync(bytes, { level: 4 })

/** A page in the smallest form the request takes. */
export const compressed = (
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  const { body } = response
  // What is embedded comes packed.
  if ("content-encoding" in response.headers) return response
  const varying =
    "vary" in response.headers ? response : HttpServerResponse.setHeader(response, "vary", "accept-encoding")
  if (body._tag !== "Uint8Array" || body.body.byteLength < WORTH_IT) return varying
  const encoding = takes(request, "br") ? "br" : takes(request, "gzip") ? "gzip" : null
  if (encoding === null) return varying
  const packed = encoding === "br" ? brotli(body.body) : gzip(body.body)
  return HttpServerResponse.setHeader(varying, "content-encoding", encoding).pipe(
    HttpServerResponse.setBody(HttpBody.uint8Array(packed, body.contentType))
  )
}
