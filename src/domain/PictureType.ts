/** The bytes from `start` to `end` as a string, one character per byte. */
export const characters = (bytes: Uint8Array, start: number, end: number) =>
  String.fromCharCode(...bytes.subarray(start, end))

/** Whether a media file (ISO/IEC 14496-12, 4.3) has an AVIF brand (https://aomediacodec.github.io/av1-avif/#brands). */
const isAvif = (bytes: Uint8Array): boolean => {
  if (bytes.length < 16 || characters(bytes, 4, 8) !== "ftyp") return false
  const size = Buffer.from(bytes.subarray(0, 4)).readUInt32BE()
  const brands = characters(bytes, 8, Math.min(size, 256)).match(/.{4}/gs) ?? []
  return brands.some((brand, index) => index !== 1 && (brand === "avif" || brand === "avis"))
}

type Test = (bytes: Uint8Array) => boolean

const begins =
  (...beginnings: ReadonlyArray<string>): Test =>
  (bytes) =>
    beginnings.some((beginning) => characters(bytes, 0, beginning.length) === beginning)

/** File signatures as in https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern. */
export const rasterTypes: ReadonlyArray<readonly [type: string, test: Test]> = [
  ["image/png", begins("\x89PNG\r\n\x1a\n")],
  ["image/jpeg", begins("\xff\xd8\xff")],
  ["image/gif", begins("GIF87a", "GIF89a")],
  ["image/webp", (bytes) => characters(bytes, 0, 4) === "RIFF" && characters(bytes, 8, 14) === "WEBPVP"],
  ["image/avif", isAvif],
  ["image/bmp", begins("BM")]
]
