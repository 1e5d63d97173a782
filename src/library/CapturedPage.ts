import { Effect, Option, Schema } from "effect"
import type { BrowserPage } from "../domain/BrowserPage.ts"
import type { Article } from "../domain/Capture.ts"

/** The first line of a stored page, before its HTML. */
const Head = Schema.parseJson(
  Schema.Struct({ title: Schema.String, byline: Schema.String, lang: Schema.String })
)
const decodeHead = Schema.decodeOption(Head)
const LINE_FEED = 0x0a

/** Packs an article for the inbox: its head, a line feed and its HTML in UTF-8, as Zstandard (RFC 8878). */
export const packPage = ({ byline, html, lang, title }: Article): Effect.Effect<Uint8Array> =>
  Effect.promise(() => {
    // Lone surrogates have no form in UTF-8.
    const texts = [title, byline, lang].map((text) => (text ?? "").toWellFormed())
    const [first = "", second = "", third = ""] = texts
    const head = JSON.stringify({ title: first, byline: second, lang: third })
    return Bun.zstdCompress(`${head}\n${html}`)
  })

export interface Parcel {
  readonly page: Uint8Array | undefined
  readonly snapshot: Uint8Array | undefined
}

/** The length of the packed article (four bytes, big-endian), the article, then the snapshot. */
export const packSnapshot = (html: string, page: Uint8Array = new Uint8Array()): Effect.Effect<Uint8Array> =>
  Effect.promise(async () => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(page.length)
    return Buffer.concat([length, page, await Bun.zstdCompress(html.toWellFormed())])
  })

/** None if the bytes are malformed. */
export const openParcel = (packed: Uint8Array): Option.Option<Parcel> => {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)
  const length = bytes.length < 4 ? bytes.length : bytes.readUInt32BE()
  if (4 + length > bytes.length) return Option.none()
  const page = length === 0 ? undefined : bytes.subarray(4, 4 + length)
  return Option.some({ page, snapshot: bytes.subarray(4 + length) })
}

export const unpackPage = (packed: Uint8Array): Effect.Effect<Option.Option<BrowserPage>> =>
  Effect.tryPromise(() => Bun.zstdDecompress(packed)).pipe(
    Effect.map((bytes) => {
      const end = bytes.indexOf(LINE_FEED)
      const head = decodeHead(bytes.toString("utf8", 0, Math.max(end, 0)))
      return Option.map(head, (texts): BrowserPage => ({ ...texts, html: bytes.subarray(end + 1) }))
    }),
    Effect.orElseSucceed(Option.none)
  )
