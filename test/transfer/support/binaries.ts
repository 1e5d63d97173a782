import { Database } from "bun:sqlite"
import { deflateSync, gzipSync } from "node:zlib"
import { randomOf } from "../../support/randomLibrary.ts"
import { zipOf } from "./zips.ts"

const latin = (text: string) => Buffer.from(text, "latin1")

/** Bytes as they stand in compressed data. */
const noise = (length: number, seed = 7) => {
  const random = randomOf(seed)
  return Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)))
}

/** A file that begins with these bytes, and has an address somewhere behind them, as most have. */
const begins = (start: string, length = 600) =>
  Buffer.concat([latin(start), noise(length), latin("https://example.com/inside "), noise(length, 8)])

const databaseWith = (...tables: ReadonlyArray<string>) => {
  const database = new Database(":memory:")
  for (const table of tables) database.run(`CREATE TABLE ${table} (id INTEGER PRIMARY KEY, url TEXT)`)
  for (const table of tables) database.run(`INSERT INTO ${table} (url) VALUES ('https://example.com/')`)
  const bytes = database.serialize()
  database.close()
  return bytes
}

const tarOf = (name: string, text: string) => {
  const header = Buffer.alloc(512)
  header.write(name)
  header.write("ustar\0", 257, "latin1")
  const body = Buffer.alloc(512)
  body.write(text)
  return Buffer.concat([header, body, Buffer.alloc(1024)])
}

const ftyp = (brand: string) => begins(`\0\0\0\x20ftyp${brand}\0\0\0\0`)
const riff = (type: string) => begins(`RIFF\x10\x02\0\0${type}`)

const png = Buffer.concat([
  latin("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90wS\xde"),
  deflateSync(latin("https://example.com/")),
  latin("IEND\xaeB`\x82")
])

const office = (folder: string) =>
  zipOf([
    { name: "[Content_Types].xml", data: "<Types/>" },
    { name: `${folder}/document.xml`, data: "<x>https://example.com/</x>" }
  ])

const nothing = "It has no links to import."
const unpack = "Unpack it and import the file with the links."
const table = "Save it as CSV and import that."
const decrypt = "Decrypt it and import the result."

/** Files that are no text, written by code, with the sentence that each is refused with. */
export const binaries: Readonly<Record<string, readonly [bytes: Uint8Array, message: string]>> = {
  "places.sqlite": [
    databaseWith("moz_places", "moz_bookmarks"),
    "This is Firefox’s database places.sqlite. In Firefox’s bookmark manager choose “Export Bookmarks to HTML” and import that file."
  ],
  "a backup of Linkbower": [
    databaseWith("links", "inbox", "message_links"),
    "This is a backup of Linkbower. Restore it with `linkbower restore`, which replaces the whole library."
  ],
  "a backup of Linkbower in gzip": [
    gzipSync(databaseWith("links", "inbox", "message_links")),
    "This is a backup of Linkbower. Restore it with `linkbower restore`, which replaces the whole library."
  ],
  "a backup of Linkbower in a zip": [
    zipOf([{ name: "backup.db", data: databaseWith("links", "message_links"), deflated: true }]),
    "This is a backup of Linkbower. Restore it with `linkbower restore`, which replaces the whole library."
  ],
  "any SQLite database": [
    databaseWith("notes"),
    "This is an SQLite database. Export the bookmarks as HTML and import that file."
  ],
  "a PNG": [png, `This is a PNG picture. ${nothing}`],
  "a JPEG": [begins("\xff\xd8\xff\xe0\0\x10JFIF\0"), `This is a JPEG picture. ${nothing}`],
  "a GIF": [begins("GIF89a\x01\0\x01\0\x80\0\0"), `This is a GIF picture. ${nothing}`],
  "a WebP": [riff("WEBP"), `This is a WebP picture. ${nothing}`],
  "an HEIC": [ftyp("heic"), `This is an HEIC picture. ${nothing}`],
  "an AVIF": [ftyp("avif"), `This is an AVIF picture. ${nothing}`],
  "a TIFF": [begins("II*\0\x08\0\0\0"), `This is a TIFF picture. ${nothing}`],
  "a BMP": [begins("BM\x36\0\0\0\0\0\0\0"), `This is a BMP picture. ${nothing}`],
  "a favicon": [begins("\0\0\x01\0\x01\0\x10\x10"), `This is an icon. ${nothing}`],
  "a PDF": [
    begins("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"),
    "This is a PDF document. Export the links as HTML, CSV or JSON and import that file."
  ],
  "a PDF of ASCII alone": [
    latin("%PDF-1.4\n1 0 obj\n<< /URI (https://example.com/) >>\nendobj\n"),
    "This is a PDF document. Export the links as HTML, CSV or JSON and import that file."
  ],
  "an MP4": [ftyp("isom"), `This is an MP4 video. ${nothing}`],
  "a QuickTime film": [ftyp("qt  "), `This is a QuickTime video. ${nothing}`],
  "a WebM": [begins("\x1a\x45\xdf\xa3\x01\0\0\0"), `This is a Matroska or WebM video. ${nothing}`],
  "an MP3": [begins("ID3\x04\0\0\0\0\x02\x01"), `This is an MP3 recording. ${nothing}`],
  "an M4A": [ftyp("M4A "), `This is an M4A recording. ${nothing}`],
  "a WAV": [riff("WAVE"), `This is a WAV recording. ${nothing}`],
  "an Ogg": [begins("OggS\0\x02\0\0"), `This is an Ogg recording. ${nothing}`],
  "a FLAC": [begins("fLaC\0\0\0\x22"), `This is a FLAC recording. ${nothing}`],
  "a 7z": [begins("7z\xbc\xaf\x27\x1c\0\x04"), `This is a 7z archive. ${unpack}`],
  "a RAR": [begins("Rar!\x1a\x07\x01\0"), `This is a RAR archive. ${unpack}`],
  "a tar": [tarOf("bookmarks.html", "<a href=https://example.com/>"), `This is a tar archive. ${unpack}`],
  "a tar in gzip": [
    gzipSync(tarOf("bookmarks.html", "<a href=https://example.com/>")),
    `This is a tar archive. ${unpack}`
  ],
  "an XZ": [begins("\xfd7zXZ\0\0\x04"), `This is an XZ archive. ${unpack}`],
  "a Zstandard": [
    Bun.zstdCompressSync(latin("https://example.com/\0\0")),
    `This is a Zstandard archive. ${unpack}`
  ],
  "a bzip2": [begins("BZh91AY&SY"), `This is a bzip2 archive. ${unpack}`],
  "an ELF program": [begins("\x7fELF\x02\x01\x01\0"), `This is a program for Linux. ${nothing}`],
  "a Mach-O program": [begins("\xcf\xfa\xed\xfe\x07\0\0\x01"), `This is a program for macOS. ${nothing}`],
  "a PE program": [begins("MZ\x90\0\x03\0\0\0\x04\0"), `This is a program for Windows. ${nothing}`],
  "a WebAssembly program": [begins("\0asm\x01\0\0\0"), `This is a WebAssembly program. ${nothing}`],
  "an xlsx": [office("xl"), `This is an Excel workbook. ${table}`],
  "a docx": [office("word"), "This is a Word document. Save it as plain text and import that."],
  "a pptx": [office("ppt"), `This is a PowerPoint presentation. ${nothing}`],
  "an ods": [
    zipOf([
      { name: "mimetype", data: "application/vnd.oasis.opendocument.spreadsheet" },
      { name: "content.xml", data: "<x/>" }
    ]),
    `This is a document of OpenOffice or LibreOffice. ${table}`
  ],
  "an epub": [
    zipOf([
      { name: "mimetype", data: "application/epub+zip" },
      { name: "META-INF/container.xml", data: "<x/>" }
    ]),
    `This is an e-book. ${nothing}`
  ],
  "an xls": [
    begins("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0"),
    `This is a document of an older Office. ${table}`
  ],
  "a rich text": [
    latin("{\\rtf1\\ansi https://example.com/}"),
    "This is a document in rich text. Save it as plain text and import that."
  ],
  "a font": [begins("wOF2\0\x01\0\0"), `This is a font. ${nothing}`],
  "a TrueType font": [begins("\0\x01\0\0\0\x0c\0\x80"), `This is a font. ${nothing}`],
  "a binary property list": [
    begins("bplist00\xd2\x01\x02\x03\0"),
    "This is a property list of macOS in binary form (Safari’s Bookmarks.plist?). In Safari choose “Export” and import that HTML file."
  ],
  "a browser’s session": [
    begins("SNSS\x03\0\0\0"),
    "This is a browser’s session. Export the bookmarks or tabs as HTML and import that file."
  ],
  "a PGP message": [
    latin("-----BEGIN PGP MESSAGE-----\n\nhQEMA https://example.com/\n"),
    `This is a file encrypted with PGP. ${decrypt}`
  ],
  "an OpenSSL message": [begins("Salted__\x01\x02"), `This is a file encrypted with OpenSSL. ${decrypt}`],
  "an age message": [
    begins("age-encryption.org/v1\n-> X25519 "),
    `This is a file encrypted with age. ${decrypt}`
  ],
  "a saved page": [
    latin("From: <Saved by Blink>\r\nSnapshot-Content-Location: https://example.com/\r\n"),
    "This is a saved web page (MHTML). Save its address instead."
  ],
  zeros: [Buffer.alloc(5_000), "The file has only zeros: it is damaged. Export it again."],
  "unknown data with an address": [
    Buffer.concat([noise(2_000), latin(" https://example.com/ "), noise(2_000, 9)]),
    "This is a binary file of an unknown kind. Export the links as HTML, CSV or JSON and import that file."
  ]
}
