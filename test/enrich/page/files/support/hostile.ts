import { deflateSync } from "node:zlib"
import { byTier } from "../../../../support/tier.ts"
import { pdfOf, pdfOfObjects, pdfStream } from "./pdf.ts"
import { box, exifOf, jpegOf, pngOf, u32 } from "./pictures.ts"
import { id3Of } from "./recordings.ts"

/** A tenth of the repetitions in everyday runs. */
const times = (count: number) => byTier(count / 10, count)

const latin1 = (text: string) => Buffer.from(text, "latin1")

/** A page of a hand-made PDF, whose content is object 4. */
const page =
  "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> /Font << /F1 6 0 R >> >> >>"
const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
const catalog = "<< /Type /Catalog /Pages 2 0 R >>"

/** A PDF of one page with this content stream; it may draw the form in object 5. */
const pdfDrawing = (content: Buffer, form: string | Buffer = "null") =>
  pdfOfObjects([catalog, "<< /Type /Pages /Kids [3 0 R] /Count 1 >>", page, content, form, font])

/** Deflates zeros or spaces, again and again. */
const deflated = (length: number, times: number): Buffer => {
  let bytes: Buffer = Buffer.alloc(length, 32)
  for (let time = 0; time < times; time++) bytes = deflateSync(bytes)
  return bytes
}

/** Files that are made to cost their reader time or memory, by what they are; none takes long to make. */
export const hostileFiles: Readonly<Record<string, { readonly name: string; readonly bytes: () => Buffer }>> =
  {
    "a PDF of a billion pages": {
      name: "a.pdf",
      bytes: () =>
        pdfOfObjects([
          catalog,
          "<< /Type /Pages /Kids [3 0 R] /Count 1000000000 >>",
          page,
          pdfStream(latin1("")),
          "null",
          font
        ])
    },
    "a PDF of thousands of pages": {
      name: "a.pdf",
      bytes: () => pdfOf({ pages: Array.from({ length: times(10_000) }, () => ["word"]) })
    },
    "a PDF whose pages contain themselves": {
      name: "a.pdf",
      bytes: () => pdfOfObjects([catalog, "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 /Parent 2 0 R >>"])
    },
    "a PDF with a deep tree of pages": {
      name: "a.pdf",
      bytes: () =>
        pdfOfObjects([
          catalog,
          ...Array.from(
            { length: times(50_000) },
            (_, n) => `<< /Type /Pages /Kids [${n + 3} 0 R] /Count 1 >>`
          ),
          "null"
        ])
    },
    "a PDF whose form draws itself": {
      name: "a.pdf",
      bytes: () =>
        pdfDrawing(
          pdfStream(latin1("/X Do")),
          pdfStream(
            latin1("/X Do /X Do"),
            "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >>"
          )
        )
    },
    "a PDF whose content inflates to a hundred times its size": {
      name: "a.pdf",
      bytes: () =>
        pdfDrawing(
          pdfStream(
            deflateSync(deflated(times(2_560) * 100 * 1024, 1)),
            "/Filter [/FlateDecode /FlateDecode]"
          )
        )
    },
    "a PDF with very many pieces of text": {
      name: "a.pdf",
      bytes: () =>
        pdfDrawing(
          pdfStream(
            deflateSync(
              latin1(`BT /F1 9 Tf ${"1 0 0 1 5 5 Tm (ab) Tj ".repeat(byTier(50_000, 3_000_000))} ET`)
            ),
            "/Filter /FlateDecode"
          )
        )
    },
    "a PDF of nested lists": {
      name: "a.pdf",
      bytes: () => pdfOfObjects([`<< /Type /Catalog /Pages ${"[".repeat(times(1_000_000))} >>`])
    },
    "a PDF without anything but references": {
      name: "a.pdf",
      bytes: () => latin1(`%PDF-1.7\n${"1 0 obj 1 0 R endobj\n".repeat(times(200_000))}`)
    },
    "a PDF of garbage": {
      name: "a.pdf",
      bytes: () =>
        latin1(`%PDF-1.7\n${"trailer << /Root 1 0 R /Prev 5 >> obj stream ".repeat(times(300_000))}`)
    },
    "a JPEG whose EXIF points to itself": {
      name: "a.jpg",
      bytes: () => {
        const exif = exifOf([[0x010e, "words and words"]], [[0x9003, "2024:01:01 00:00:00"]])
        // The next directory is the first one again, and the EXIF directory too.
        exif.writeUInt32BE(8, 8 + 2 + 2 * 12)
        exif.writeUInt32BE(8, 8 + 2 + 12 + 8)
        return jpegOf(3, 2, exif)
      }
    },
    "a JPEG whose EXIF claims four billion values": {
      name: "a.jpg",
      bytes: () => {
        const exif = exifOf([[0x010e, "words and words"]], [])
        exif.writeUInt32BE(0xffffffff, 8 + 2 + 4)
        return jpegOf(3, 2, exif)
      }
    },
    "a JPEG of empty segments": {
      name: "a.jpg",
      bytes: () => Buffer.concat([latin1("\xff\xd8"), latin1("\xff\xe1\0\x02".repeat(times(1_000_000)))])
    },
    "a PNG with megabytes of nested XMP": {
      name: "a.png",
      bytes: () =>
        pngOf(3, 2, `<x:xmpmeta><rdf:RDF><rdf:Description>${'<dc:title><rdf:Alt><rdf:li a="'.repeat(60_000)}`)
    },
    "an AVIF of boxes without an end": {
      name: "a.avif",
      bytes: () =>
        Buffer.concat([box("ftyp", "avif\0\0\0\0avifmif1"), latin1("\0\0\0\x08ispe".repeat(times(400_000)))])
    },
    "an MP4 with a table of four billion entries": {
      name: "a.mp4",
      bytes: () =>
        Buffer.concat([
          box("ftyp", "isom\0\0\x02\0isom"),
          box(
            "moov",
            box(
              "trak",
              box(
                "mdia",
                box(
                  "minf",
                  box("stbl", box("stts", u32(0, 0xffffffff, 1, 1)), box("stsz", u32(0, 0, 0xffffffff)))
                )
              )
            )
          )
        ])
    },
    "an MP4 of nested boxes": {
      name: "a.mp4",
      bytes: () => {
        const depth = times(100_000)
        const bytes = Buffer.concat([box("ftyp", "isom\0\0\x02\0isom"), Buffer.alloc(depth * 8)])
        for (let level = 0; level < depth; level++) {
          bytes.writeUInt32BE((depth - level) * 8, 20 + level * 8)
          bytes.write(["moov", "udta", "trak", "mdia"][level % 4] ?? "", 24 + level * 8)
        }
        return bytes
      }
    },
    "an MP4 of empty boxes": {
      name: "a.mp4",
      bytes: () =>
        Buffer.concat([
          box("ftyp", "isom\0\0\x02\0isom"),
          latin1("\0\0\0\x08free".repeat(byTier(5_000, 500_000)))
        ])
    },
    "an MP3 whose tag has thousands of frames": {
      name: "a.mp3",
      bytes: () =>
        id3Of(
          Object.fromEntries(
            Array.from({ length: times(60_000) }, (_, n) => [
              `T${n.toString(36).padStart(3, "0").toUpperCase()}`,
              "x"
            ])
          )
        )
    },
    "an Ogg that claims four billion comments": {
      name: "a.ogg",
      bytes: () =>
        Buffer.concat([
          latin1(
            "OggS\0\x02\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\x01\x13OpusHead\x01\x02\0\0\x80\xbb\0\0\0\0\0"
          ),
          latin1(
            "OggS\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x01\0\0\0\0\0\0\0\x01\x10OpusTags\0\0\0\0\xff\xff\xff\xff"
          )
        ])
    },
    "a WebM of unknown sizes": {
      name: "a.webm",
      bytes: () =>
        Buffer.concat([
          latin1("\x1aE\xdf\xa3\x84\x42\x86\x81\x01"),
          latin1("\x18\x53\x80\x67\x01\xff\xff\xff\xff\xff\xff\xff".repeat(times(200_000)))
        ])
    },
    "a feed of open elements": {
      name: "a.xml",
      bytes: () => latin1(`<rss><channel><title>Feed</title>${"<a>".repeat(times(1_500_000))}`)
    },
    "a feed of very many entries": {
      name: "a.xml",
      bytes: () => latin1(`<rss><channel><title>Feed</title>${"<item><title>x".repeat(times(330_000))}`)
    },
    "a feed with a long attribute": {
      name: "a.xml",
      bytes: () => latin1(`<rss><channel><title a="${"x&amp;".repeat(times(800_000))}">Feed</title>`)
    },
    "a drawing of open texts": {
      name: "a.svg",
      bytes: () => latin1(`<svg><title>Drawing</title>${"<text><title>x".repeat(times(300_000))}`)
    },
    "JSON of nested objects": { name: "a.json", bytes: () => latin1('{"title":'.repeat(times(500_000))) },
    "JSON of open lists": { name: "a.json", bytes: () => latin1("[".repeat(times(5_000_000))) },
    "a text of one long line": { name: "a.txt", bytes: () => latin1("word ".repeat(times(4_000_000))) },
    "a text of empty lines": { name: "a.txt", bytes: () => latin1("\n".repeat(times(5_000_000))) },
    "Markdown of open marks": {
      name: "a.md",
      bytes: () => latin1("*_[`<![".repeat(byTier(10_000, 700_000)))
    },
    "Markdown of nested quotes": {
      name: "a.md",
      bytes: () => latin1(`${">".repeat(2_000)}x\n`.repeat(times(1_000)))
    },
    "Markdown with front matter without an end": {
      name: "a.md",
      bytes: () => latin1(`---\n${"a: [b,\n".repeat(times(700_000))}`)
    }
  }
