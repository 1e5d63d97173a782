/** Escapes text for a literal string of a PDF (ISO 32000-1, 7.3.4.2), as UTF-16 if it is not ASCII. */
const literal = (text: string): string => {
  const ascii = /^[\x20-\x7e]*$/.test(text)
  if (ascii) return `(${text.replace(/[\\()]/g, "\\$&")})`
  return `<FEFF${Buffer.from(text, "utf16le").swap16().toString("hex")}>`
}

/** A line of a page: its text, and its font size in points. */
export type PdfLine = string | readonly [text: string, size: number]

/** What to write into a PDF. */
export interface PdfPlan {
  readonly info?: Readonly<Record<string, string>>
  /** The catalog's language. */
  readonly language?: string
  /** XMP metadata (ISO 16684-1). */
  readonly xmp?: string
  readonly pages: ReadonlyArray<ReadonlyArray<PdfLine>>
}

const contentOf = (lines: ReadonlyArray<PdfLine>): string => {
  let y = 780
  return lines
    .map((line) => {
      const [text, size] = typeof line === "string" ? [line, 11] : line
      y -= size * 1.3
      return `BT /F1 ${size} Tf 72 ${y.toFixed(1)} Td ${literal(text)} Tj ET`
    })
    .join("\n")
}

/** Writes numbered objects as a PDF with a cross-reference table; object 1 is the catalog. */
export const pdfOfObjects = (
  objects: ReadonlyArray<string | Uint8Array>,
  trailer = "",
  version = "1.7"
): Buffer => {
  const pieces: Array<Buffer> = [Buffer.from(`%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`, "latin1")]
  let length = pieces[0]?.length ?? 0
  const offsets: Array<number> = []
  const add = (piece: Buffer) => {
    pieces.push(piece)
    length += piece.length
  }
  for (const [index, object] of objects.entries()) {
    offsets.push(length)
    add(Buffer.from(`${index + 1} 0 obj\n`))
    add(typeof object === "string" ? Buffer.from(object, "latin1") : Buffer.from(object))
    add(Buffer.from("\nendobj\n"))
  }
  const start = length
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("")
  add(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`))
  add(
    Buffer.from(
      `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`
    )
  )
  return Buffer.concat(pieces)
}

/** A stream object (ISO 32000-1, 7.3.8). */
export const pdfStream = (body: Uint8Array, entries = ""): Buffer =>
  Buffer.concat([
    Buffer.from(`<< /Length ${body.length} ${entries} >>\nstream\n`),
    body,
    Buffer.from("\nendstream")
  ])

/** Writes a PDF of plain pages. */
export const pdfOf = ({ info = {}, language, pages, xmp }: PdfPlan): Buffer => {
  const first = 6
  const kids = pages.map((_, index) => `${first + index * 2} 0 R`).join(" ")
  const entries = Object.entries(info).map(([name, value]) => `/${name} ${literal(value)}`)
  return pdfOfObjects(
    [
      `<< /Type /Catalog /Pages 2 0 R${language === undefined ? "" : ` /Lang (${language})`}${xmp === undefined ? "" : " /Metadata 5 0 R"} >>`,
      `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
      `<< ${entries.join(" ")} >>`,
      pdfStream(Buffer.from(xmp ?? ""), "/Type /Metadata /Subtype /XML"),
      ...pages.flatMap((lines, index) => [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${first + index * 2 + 1} 0 R >>`,
        pdfStream(Buffer.from(contentOf(lines), "latin1"))
      ])
    ],
    "/Info 4 0 R"
  )
}
