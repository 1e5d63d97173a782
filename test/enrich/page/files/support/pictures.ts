import { crc32 } from "node:zlib"

/** One entry of a TIFF directory: a text, or a short number. */
type Entry = readonly [tag: number, value: string | number]

/** An EXIF block (CIPA DC-008): a big-endian TIFF with the main directory and the EXIF directory behind it. */
export const exifOf = (main: ReadonlyArray<Entry>, exif: ReadonlyArray<Entry>): Buffer => {
  const directory = (entries: ReadonlyArray<Entry>, start: number, link?: number) => {
    const all: ReadonlyArray<readonly [number, string | number, number]> = [
      ...entries.map(([tag, value]) => [tag, value, typeof value === "string" ? 2 : 3] as const),
      ...(link === undefined ? [] : [[0x8769, link, 4] as const])
    ].toSorted(([one], [other]) => one - other)
    const head = Buffer.alloc(2 + all.length * 12 + 4)
    head.writeUInt16BE(all.length, 0)
    const texts: Array<Buffer> = []
    let at = start + head.length
    for (const [index, [tag, value, type]] of all.entries()) {
      const entry = 2 + index * 12
      head.writeUInt16BE(tag, entry)
      head.writeUInt16BE(type, entry + 2)
      const text = Buffer.from(`${value}\0`)
      head.writeUInt32BE(type === 2 ? text.length : 1, entry + 4)
      if (type === 3) head.writeUInt16BE(Number(value), entry + 8)
      else if (type === 4) head.writeUInt32BE(Number(value), entry + 8)
      else if (text.length <= 4) text.copy(head, entry + 8)
      else {
        head.writeUInt32BE(at, entry + 8)
        texts.push(text)
        at += text.length
      }
    }
    return Buffer.concat([head, ...texts])
  }
  const length = directory(main, 8, 0).length
  return Buffer.concat([
    Buffer.from("MM\0*\0\0\0\x08", "latin1"),
    directory(main, 8, 8 + length),
    directory(exif, 8 + length)
  ])
}

const u16 = (value: number) => Buffer.from([value >> 8, value & 255])

/** A JPEG with a size and an EXIF block; it has no picture. */
export const jpegOf = (width: number, height: number, exif?: Buffer): Buffer => {
  const block = exif === undefined ? undefined : Buffer.concat([Buffer.from("Exif\0\0", "latin1"), exif])
  return Buffer.concat([
    Buffer.from("\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0", "latin1"),
    ...(block === undefined ? [] : [Buffer.from("\xff\xe1", "latin1"), u16(block.length + 2), block]),
    Buffer.from("\xff\xc0\0\x0b\x08", "latin1"),
    u16(height),
    u16(width),
    Buffer.from("\x01\x01\x11\0\xff\xda\0\x08\x01\x01\0\0?\0\0\xff\xd9", "latin1")
  ])
}

const pngChunk = (name: string, body: Uint8Array): Buffer => {
  const chunk = Buffer.concat([Buffer.from(name, "latin1"), body])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(body.length, 0)
  ends.writeUInt32BE(crc32(chunk), 4)
  return Buffer.concat([ends.subarray(0, 4), chunk, ends.subarray(4)])
}

/** A PNG with a size and XMP metadata; it has no picture. */
export const pngOf = (width: number, height: number, xmp?: string): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    pngChunk("IHDR", header),
    ...(xmp === undefined
      ? []
      : [
          pngChunk(
            "iTXt",
            Buffer.concat([Buffer.from("XML:com.adobe.xmp\0\0\0\0\0", "latin1"), Buffer.from(xmp)])
          )
        ]),
    pngChunk("IDAT", Buffer.from([0])),
    pngChunk("IEND", Buffer.alloc(0))
  ])
}

/** XMP (ISO 16684-1) with Dublin Core properties. */
export const xmpOf = ({
  title,
  description,
  creators = []
}: {
  title?: string
  description?: string
  creators?: ReadonlyArray<string>
}): string => {
  const alternative = (name: string, value: string | undefined) =>
    value === undefined
      ? ""
      : `<dc:${name}><rdf:Alt><rdf:li xml:lang="x-default">${value}</rdf:li></rdf:Alt></dc:${name}>`
  const list = creators.map((creator) => `<rdf:li>${creator}</rdf:li>`).join("")
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">${alternative("title", title)}${alternative("description", description)}${list === "" ? "" : `<dc:creator><rdf:Seq>${list}</rdf:Seq></dc:creator>`}</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`
}

export const gifOf = (width: number, height: number): Buffer => {
  const size = Buffer.alloc(4)
  size.writeUInt16LE(width, 0)
  size.writeUInt16LE(height, 2)
  return Buffer.concat([Buffer.from("GIF89a"), size, Buffer.from("\0\0\0;", "latin1")])
}

/** A WebP in its extended form (RFC 9649, 2.7). */
export const webpOf = (width: number, height: number): Buffer => {
  const chunk = Buffer.alloc(18)
  chunk.write("VP8X", 0)
  chunk.writeUInt32LE(10, 4)
  chunk.writeUIntLE(width - 1, 12, 3)
  chunk.writeUIntLE(height - 1, 15, 3)
  const size = Buffer.alloc(4)
  size.writeUInt32LE(4 + chunk.length, 0)
  return Buffer.concat([Buffer.from("RIFF"), size, Buffer.from("WEBP"), chunk])
}

/** A box of a media file (ISO/IEC 14496-12, 4.2). */
export const box = (name: string, ...body: ReadonlyArray<Uint8Array | string>): Buffer => {
  const inner = Buffer.concat(
    body.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part))
  )
  const size = Buffer.alloc(4)
  size.writeUInt32BE(inner.length + 8)
  return Buffer.concat([size, Buffer.from(name, "latin1"), inner])
}

export const u32 = (...values: ReadonlyArray<number>): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}

/** An AVIF with a size for itself and a smaller one for its thumbnail. */
export const avifOf = (width: number, height: number): Buffer =>
  Buffer.concat([
    box("ftyp", "avif\0\0\0\0avifmif1"),
    box(
      "meta",
      "\0\0\0\0",
      box("hdlr", u32(0, 0), "pict", Buffer.alloc(13)),
      box("iprp", box("ipco", box("ispe", u32(0, 160, 120)), box("ispe", u32(0, width, height))))
    )
  ])
