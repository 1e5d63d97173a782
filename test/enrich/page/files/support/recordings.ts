import { box, u32 } from "./pictures.ts"

const latin1 = (text: string) => Buffer.from(text, "latin1")
const u32le = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

const frame = (name: string, body: Buffer) =>
  Buffer.concat([latin1(name), u32(body.length), latin1("\0\0"), body])

/** An ID3v2.3 tag (https://id3.org/id3v2.3.0) with text frames and a comment. */
export const id3Of = (texts: Readonly<Record<string, string>>, comment?: string): Buffer => {
  const frames = Buffer.concat([
    ...Object.entries(texts).map(([name, text]) =>
      frame(name, Buffer.concat([Buffer.from([1, 0xff, 0xfe]), Buffer.from(text, "utf16le")]))
    ),
    ...(comment === undefined ? [] : [frame("COMM", latin1(`\0eng\0${comment}`))])
  ])
  const size = Buffer.from([21, 14, 7, 0].map((shift) => (frames.length >> shift) & 0x7f))
  return Buffer.concat([latin1("ID3\x03\0\0"), size, frames])
}

/** An MP3: a tag and frames of silence, 128 kbit/s at 44.1 kHz; a second has 38.28 frames. */
export const mp3Of = (tag: Buffer, frames: number): Buffer => {
  const silence = Buffer.alloc(417)
  silence.set([0xff, 0xfb, 0x90, 0x44])
  return Buffer.concat([tag, ...Array.from({ length: frames }, () => silence)])
}

const riffChunk = (name: string, body: Buffer) =>
  Buffer.concat([latin1(name), u32le(body.length), body, Buffer.alloc(body.length % 2)])

/** A WAV of `seconds` of 8-bit mono silence at 8 kHz, with a list of tags. */
export const wavOf = (tags: Readonly<Record<string, string>>, seconds: number): Buffer => {
  const format = Buffer.alloc(16)
  format.writeUInt16LE(1, 0)
  format.writeUInt16LE(1, 2)
  format.writeUInt32LE(8_000, 4)
  format.writeUInt32LE(8_000, 8)
  format.writeUInt16LE(1, 12)
  format.writeUInt16LE(8, 14)
  const list = Object.entries(tags).map(([name, text]) => riffChunk(name, latin1(`${text}\0`)))
  const body = Buffer.concat([
    latin1("WAVE"),
    riffChunk("fmt ", format),
    riffChunk("LIST", Buffer.concat([latin1("INFO"), ...list])),
    riffChunk("data", Buffer.alloc(8_000 * seconds, 128))
  ])
  return Buffer.concat([latin1("RIFF"), u32le(body.length), body])
}

const vorbisComment = (tags: Readonly<Record<string, string>>): Buffer => {
  const entries = Object.entries(tags).map(([name, text]) => Buffer.from(`${name}=${text}`))
  return Buffer.concat([
    u32le(4),
    latin1("test"),
    u32le(entries.length),
    ...entries.flatMap((entry) => [u32le(entry.length), entry])
  ])
}

/** A FLAC (RFC 9639) with Vorbis comments and no audio; its header states 44.1 kHz and the number of samples. */
export const flacOf = (tags: Readonly<Record<string, string>>, seconds: number): Buffer => {
  const info = Buffer.alloc(34)
  info.writeUInt16BE(4_096, 0)
  info.writeUInt16BE(4_096, 2)
  info.writeBigUInt64BE((44_100n << 44n) | (1n << 41n) | (15n << 36n) | BigInt(44_100 * seconds), 10)
  const comment = vorbisComment(tags)
  return Buffer.concat([
    latin1("fLaC\0\0\0\x22"),
    info,
    Buffer.from([0x84, 0, comment.length >> 8, comment.length & 255]),
    comment
  ])
}

/** The checksum of an Ogg page (RFC 3533, 6). */
const oggCrc = (page: Uint8Array): number => {
  let crc = 0
  for (const byte of page) {
    crc ^= byte << 24
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1
  }
  return crc >>> 0
}

const oggPage = (flags: number, granule: number, sequence: number, body: Buffer): Buffer => {
  const header = Buffer.alloc(28)
  header.write("OggS", 0)
  header[5] = flags
  header.writeBigUInt64LE(BigInt(granule), 6)
  header.writeUInt32LE(1, 14)
  header.writeUInt32LE(sequence, 18)
  header[26] = 1
  header[27] = body.length
  const page = Buffer.concat([header, body])
  page.writeUInt32LE(oggCrc(page), 22)
  return page
}

/** An Opus recording (RFC 7845) of `seconds`, with Vorbis comments. */
export const opusOf = (tags: Readonly<Record<string, string>>, seconds: number): Buffer => {
  const head = Buffer.alloc(19)
  head.write("OpusHead", 0)
  head.set([1, 2], 8)
  head.writeUInt32LE(48_000, 12)
  return Buffer.concat([
    oggPage(2, 0, 0, head),
    oggPage(0, 0, 1, Buffer.concat([latin1("OpusTags"), vorbisComment(tags)])),
    oggPage(4, 48_000 * seconds, 2, Buffer.from([0xfc, 0xff, 0xfe]))
  ])
}

const tagItem = (name: string, text: string) => box(name, box("data", u32(1, 0), Buffer.from(text)))

/** An MP4 with tags and one track, a film's or a song's, and its index before or after the data. */
export const mp4Of = ({
  brand = "isom",
  handler = "vide",
  seconds,
  tags,
  isIndexLast = false,
  data = 100
}: {
  readonly brand?: string
  readonly handler?: "vide" | "soun"
  readonly seconds: number
  readonly tags: Readonly<Record<string, string>>
  readonly isIndexLast?: boolean
  readonly data?: number
}): Buffer => {
  const sample =
    handler === "vide"
      ? box("avc1", Buffer.alloc(78))
      : box(
          "mp4a",
          Buffer.alloc(6),
          Buffer.from([0, 1]),
          u32(0, 0),
          Buffer.from([0, 2, 0, 16, 0, 0, 0, 0]),
          u32(44_100 * 65_536)
        )
  const track = box(
    "trak",
    box("tkhd", u32(7, 0, 0, 1, 0, seconds * 1_000), Buffer.alloc(60)),
    box(
      "mdia",
      box("mdhd", u32(0, 0, 0, 1_000, seconds * 1_000), Buffer.from([0x55, 0xc4, 0, 0])),
      box("hdlr", u32(0, 0), handler, Buffer.alloc(13)),
      box(
        "minf",
        box(
          "stbl",
          box("stsd", u32(0, 1), sample),
          box("stts", u32(0, 0)),
          box("stsc", u32(0, 0)),
          box("stsz", u32(0, 0, 0)),
          box("stco", u32(0, 0))
        )
      )
    )
  )
  const index = box(
    "moov",
    box("mvhd", u32(0, 0, 0, 1_000, seconds * 1_000), Buffer.alloc(80)),
    track,
    box(
      "udta",
      box(
        "meta",
        u32(0),
        box("hdlr", u32(0, 0), "mdirappl", Buffer.alloc(9)),
        box("ilst", ...Object.entries(tags).map(([name, text]) => tagItem(name, text)))
      )
    )
  )
  const start = box("ftyp", `${brand}\0\0\x02\0${brand}`)
  const media = box("mdat", Buffer.alloc(data))
  return Buffer.concat(isIndexLast ? [start, media, index] : [start, index, media])
}

/** An element of EBML (RFC 8794) with a size of four bytes. */
const element = (id: string, ...body: ReadonlyArray<Uint8Array>): Buffer => {
  const inner = Buffer.concat(body)
  return Buffer.concat([Buffer.from(id, "hex"), u32(0x10000000 + inner.length), inner])
}

/** A WebM (RFC 9559) with a title and one track; `type` 1 is a film's, 2 a song's. */
export const webmOf = (title: string, seconds: number, type: 1 | 2 = 1): Buffer => {
  const duration = Buffer.alloc(8)
  duration.writeDoubleBE(seconds * 1_000)
  return Buffer.concat([
    element("1a45dfa3", element("4286", Buffer.from([1])), element("4282", latin1("webm"))),
    element(
      "18538067",
      element(
        "1549a966",
        element("2ad7b1", Buffer.from([0x0f, 0x42, 0x40])),
        element("4489", duration),
        element("7ba9", Buffer.from(title))
      ),
      element(
        "1654ae6b",
        element(
          "ae",
          element("d7", Buffer.from([1])),
          element("83", Buffer.from([type])),
          element("86", latin1(type === 1 ? "V_VP9" : "A_OPUS"))
        )
      )
    )
  ])
}
