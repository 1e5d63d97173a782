import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib"
import { Option } from "effect"
import { MAX_ARTICLE_HTML } from "../../shared/Limits.ts"

/** Bytes of the longest article: a UTF-16 unit takes three bytes at most in UTF-8. */
const MAX_BYTES = MAX_ARTICLE_HTML * 3
/** The window that matches may be found in, as a power of two: the longest article and the one it differs from. */
const WINDOW_LOG = 22

// The usual level finds no matches beyond the first half of the longest articles.
const params = {
  [constants.ZSTD_c_compressionLevel]: 9,
  [constants.ZSTD_c_checksumFlag]: 1,
  [constants.ZSTD_c_windowLog]: WINDOW_LOG
}

/** Unpacks a frame; none if it is damaged, or longer than an article can be. */
const unpack = (packed: Uint8Array, options: { readonly dictionary?: Uint8Array }): Option.Option<string> =>
  Option.liftThrowable(() =>
    zstdDecompressSync(packed, {
      ...options,
      maxOutputLength: MAX_BYTES,
      params: { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG }
    }).toString("utf8")
  )()

/** Packs an article's HTML, which is well-formed: one Zstandard frame (RFC 8878) with a checksum. */
export const packHtml = (html: string): Uint8Array => zstdCompressSync(html, { params })

export const unpackHtml = (packed: Uint8Array): Option.Option<string> => unpack(packed, {})

/** A Zstandard frame with the other text as dictionary (`zstd --patch-from`); linear in time and memory. */
export const packDifference = (text: string, from: string): Uint8Array =>
  zstdCompressSync(text, { params, dictionary: Buffer.from(from) })

/** Makes the text again; none if the difference is damaged or was made from another text. */
export const applyDifference = (difference: Uint8Array, from: string): Option.Option<string> =>
  unpack(difference, { dictionary: Buffer.from(from) })
