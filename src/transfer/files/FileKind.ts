/** In bytes: how much of a database is searched for its tables. */
const DATABASE_START = 1024 * 1024

/** The bytes of a file's start, one character each, and their place if not at the start. */
type Mark = string | readonly [at: number, bytes: string]

/** `what` is the kind as people call it, `instead` what to import. */
interface Kind {
  readonly what: string
  readonly instead: string
  readonly marks: ReadonlyArray<Mark>
  readonly and?: Mark
}

const nothingInside = "It has no links to import."
const unpack = "Unpack it and import the file with the links."
const asTable = "Save it as CSV and import that."
const exportAsHtml = "Export the bookmarks as HTML and import that file."
const decrypt = "Decrypt it and import the result."

const kind = (what: string, instead: string, ...marks: ReadonlyArray<Mark>): Kind => ({
  what,
  instead,
  marks
})

const inRiff = (what: string, type: string): Kind => ({
  ...kind(what, nothingInside, "RIFF"),
  and: [8, type]
})

/** Brands of ISO media files (ISO/IEC 14496-12), at byte 8. */
const inFtyp = (what: string, brand: string): Kind => ({
  ...kind(what, nothingInside, [4, "ftyp"]),
  and: [8, brand]
})

/**
 * Binary files that people mistake for an export, by their first bytes; the first that fits is named. Zip, gzip and
 * Mozilla's LZ4 are opened instead (`Container.ts`); the content of databases and documents tells more (`databaseKind`,
 * `zipKind`).
 */
const kinds: ReadonlyArray<Kind> = [
  kind("a PNG picture", nothingInside, "\x89PNG\r\n\x1a\n"),
  kind("a JPEG picture", nothingInside, "\xff\xd8\xff"),
  kind("a GIF picture", nothingInside, "GIF87a", "GIF89a"),
  kind("a TIFF picture", nothingInside, "II*\0", "MM\0*"),
  kind("an icon", nothingInside, "\0\0\x01\0", "icns"),
  kind("a Photoshop picture", nothingInside, "8BPS"),
  { ...kind("a BMP picture", nothingInside, "BM"), and: [6, "\0\0\0\0"] },
  kind("a JPEG XL picture", nothingInside, "\xff\x0a", "\0\0\0\x0cJXL "),
  inRiff("a WebP picture", "WEBP"),
  inRiff("a WAV recording", "WAVE"),
  inRiff("an AVI video", "AVI "),
  ...["heic", "heix", "hevc", "mif1", "msf1"].map((brand) => inFtyp("an HEIC picture", brand)),
  inFtyp("an AVIF picture", "avif"),
  inFtyp("an M4A recording", "M4A"),
  inFtyp("a QuickTime video", "qt  "),
  kind("an MP4 video", nothingInside, [4, "ftyp"]),
  kind("a Matroska or WebM video", nothingInside, "\x1a\x45\xdf\xa3"),
  kind(
    "an MP3 recording",
    nothingInside,
    "ID3\x02",
    "ID3\x03",
    "ID3\x04",
    "\xff\xfb",
    "\xff\xf3",
    "\xff\xf2"
  ),
  kind("an Ogg recording", nothingInside, "OggS"),
  kind("a FLAC recording", nothingInside, "fLaC"),
  kind("a MIDI file", nothingInside, "MThd"),
  kind("a DjVu document", nothingInside, "AT&TFORM"),
  kind("an e-book", nothingInside, [60, "BOOKMOBI"]),
  kind("a document of an older Office", asTable, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
  kind("a 7z archive", unpack, "7z\xbc\xaf\x27\x1c"),
  kind("a RAR archive", unpack, "Rar!\x1a\x07"),
  kind("a tar archive", unpack, [257, "ustar"]),
  kind("an XZ archive", unpack, "\xfd7zXZ\0"),
  kind("a Zstandard archive", unpack, "\x28\xb5\x2f\xfd"),
  { ...kind("a bzip2 archive", unpack, "BZh"), and: [4, "1AY&SY"] },
  kind("an LZ4 archive", unpack, "\x04\x22\x4d\x18"),
  kind("an LZMA archive", unpack, "LZIP", "\x5d\0\0\x80\0"),
  kind("a compressed file (compress)", unpack, "\x1f\x9d", "\x1f\xa0"),
  kind("a cabinet archive", unpack, "MSCF"),
  kind("a browser extension", nothingInside, "Cr24"),
  kind("a disk image", nothingInside, [32_769, "CD001"]),
  kind("a Debian package", nothingInside, "!<arch>\n"),
  kind("a program for Linux", nothingInside, "\x7fELF"),
  kind(
    "a program for macOS",
    nothingInside,
    "\xfe\xed\xfa\xce",
    "\xfe\xed\xfa\xcf",
    "\xce\xfa\xed\xfe",
    "\xcf\xfa\xed\xfe"
  ),
  kind("a program for Java or macOS", nothingInside, "\xca\xfe\xba\xbe"),
  { ...kind("a program for Windows", nothingInside, "MZ"), and: [6, "\0\0"] },
  kind("a WebAssembly program", nothingInside, "\0asm"),
  kind("a shortcut of Windows", nothingInside, "L\0\0\0\x01\x14\x02\0"),
  kind("a font", nothingInside, "wOFF", "wOF2", "OTTO", "ttcf", "\0\x01\0\0\0"),
  kind(
    "a file encrypted with PGP",
    decrypt,
    "\x84\x8c\x03",
    "\x85\x01\x0c\x03",
    "\x85\x02\x0c\x03",
    "\x8c\x0d\x04"
  ),
  kind("a file encrypted with OpenSSL", decrypt, "Salted__"),
  kind("a KeePass database", decrypt, "\x03\xd9\xa2\x9a"),
  kind(
    "a property list of macOS in binary form (Safari’s Bookmarks.plist?)",
    "In Safari choose “Export” and import that HTML file.",
    "bplist0"
  ),
  kind("a browser’s session", "Export the bookmarks or tabs as HTML and import that file.", "SNSS"),
  kind("a Parquet table", asTable, "PAR1"),
  kind("an HDF5 file", asTable, "\x89HDF\r\n\x1a\n"),
  kind("a write-ahead log of an SQLite database", exportAsHtml, "\x37\x7f\x06\x82", "\x37\x7f\x06\x83"),
  kind("a Git pack", nothingInside, "PACK\0\0\0"),
  kind("a packet capture", nothingInside, "\xd4\xc3\xb2\xa1", "\xa1\xb2\xc3\xd4", "\x0a\x0d\x0d\x0a")
]

/** Files without control characters that begin in a way that a text hardly does. */
const textKinds: ReadonlyArray<Kind> = [
  kind("a PDF document", "Export the links as HTML, CSV or JSON and import that file.", "%PDF-"),
  kind("a PostScript document", nothingInside, "%!PS"),
  kind("a document in rich text", "Save it as plain text and import that.", "{\\rtf"),
  kind("a file encrypted with age", decrypt, "age-encryption.org/"),
  kind("a file encrypted with PGP", decrypt, "-----BEGIN PGP MESSAGE"),
  kind("a key or certificate", nothingInside, "-----BEGIN "),
  kind(
    "a saved web page (MHTML)",
    "Save its address instead.",
    "From: <Saved by ",
    "MIME-Version: 1.0\r\nContent-Type: multipart/related"
  )
]

/** In bytes: the start of a binary file has a control character. */
const CONTROL_START = 512

/** Whether a character is for machines: a control character other than white space, backspace and the terminals' escape. */
const isControl = (code: number) =>
  (code < 0x20 && !(code >= 0x08 && code <= 0x0d) && code !== 0x1b) || code === 0x7f

const bytesOf = (text: string) => Buffer.from(text, "latin1")

const isAt = (bytes: Buffer, mark: Mark): boolean => {
  const [at, wanted] = typeof mark === "string" ? [0, bytesOf(mark)] : [mark[0], bytesOf(mark[1])]
  return (
    bytes.length >= at + wanted.length &&
    bytes.compare(wanted, 0, wanted.length, at, at + wanted.length) === 0
  )
}

/** Databases of programs that people look into for their bookmarks, by a table that each has. */
const databases: ReadonlyArray<readonly [table: string, what: string, instead: string]> = [
  [
    "message_links",
    "a backup of Linkbower",
    "Restore it with `linkbower restore`, which replaces the whole library."
  ],
  [
    "moz_bookmarks",
    "Firefox’s database places.sqlite",
    "In Firefox’s bookmark manager choose “Export Bookmarks to HTML” and import that file."
  ],
  [
    "moz_places",
    "a database of Firefox",
    "In Firefox’s bookmark manager choose “Export Bookmarks to HTML” and import that file."
  ],
  ["visit_source", "a browser’s database of its history", exportAsHtml],
  ["bookmarks_bookmark", "linkding’s database", "In linkding choose “Export” and import that HTML file."]
]

const databaseKind = (bytes: Buffer) => {
  const start = bytes.subarray(0, DATABASE_START)
  const [, what, instead] = databases.find(([table]) => start.includes(table)) ?? []
  return what === undefined ? `This is an SQLite database. ${exportAsHtml}` : `This is ${what}. ${instead}`
}

/** A sentence by the first bytes, and what to import instead; undefined for a text or an unknown kind. */
export const knownKind = (file: Uint8Array): string | undefined => {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  if (isAt(bytes, "SQLite format 3\0")) return databaseKind(bytes)
  const isBinary = bytes.subarray(0, CONTROL_START).some(isControl)
  const found = [...textKinds, ...(isBinary ? kinds : [])].find(
    ({ and, marks }) => marks.some((mark) => isAt(bytes, mark)) && (and === undefined || isAt(bytes, and))
  )
  return found === undefined ? undefined : `This is ${found.what}. ${found.instead}`
}

const zipKinds: ReadonlyArray<readonly [file: RegExp, what: string, instead: string]> = [
  [/^xl\//, "an Excel workbook", asTable],
  [/^word\//, "a Word document", "Save it as plain text and import that."],
  [/^ppt\//, "a PowerPoint presentation", nothingInside],
  [/^Index\/.*\.iwa$|^Index\.zip$/, "a document of Apple’s Numbers, Pages or Keynote", asTable],
  [/^META-INF\/container\.xml$/, "an e-book", nothingInside],
  [/^AndroidManifest\.xml$/, "a program for Android", nothingInside],
  [/^META-INF\/MANIFEST\.MF$/, "a program for Java", nothingInside]
]

export const zipKind = (names: ReadonlyArray<string>): string | undefined => {
  if (names.includes("mimetype") && names.includes("content.xml"))
    return `This is a document of OpenOffice or LibreOffice. ${asTable}`
  const found = zipKinds.find(([file]) => names.some((name) => file.test(name)))
  return found === undefined ? undefined : `This is ${found[1]}. ${found[2]}`
}

const MIN_CONTROLS = 4
const CONTROL_SHARE = 0.005
const EXAMINED = 1024 * 1024

/** A sentence on too many control characters; terminals and careless programs leave a few behind. */
export const binaryKind = (text: string): string | undefined => {
  const length = Math.min(text.length, EXAMINED)
  let controls = 0
  let zeros = 0
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0) zeros += 1
    if (isControl(code)) controls += 1
  }
  if (zeros === length && length > 0) return "The file has only zeros: it is damaged. Export it again."
  return controls >= MIN_CONTROLS && controls > length * CONTROL_SHARE
    ? "This is a binary file of an unknown kind. Export the links as HTML, CSV or JSON and import that file."
    : undefined
}
