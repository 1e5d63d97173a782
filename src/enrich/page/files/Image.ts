import exifr from "exifr"
import { isObject, type Json } from "../../../domain/Json.ts"
import { joinNames } from "../fields/Bylines.ts"
import { readDate } from "../fields/Dates.ts"
import { markupText } from "../Markup.ts"
import { type FetchedFile, fileContent, fileMetadata, joinLines, type ReadFile } from "./FileReader.ts"
import { pictureFields } from "./ImageSize.ts"

/** Never the place where a picture was taken. */
const options = {
  tiff: true,
  ifd0: {
    pick: ["ImageDescription", "Artist", "Orientation", "XPTitle", "XPAuthor", "XPComment", "ExifImageWidth"]
  },
  exif: { pick: ["DateTimeOriginal", "OffsetTimeOriginal", "CreateDate", "OffsetTimeDigitized"] },
  gps: false,
  interop: false,
  ifd1: false,
  xmp: true,
  iptc: true,
  ihdr: true,
  icc: false,
  jfif: false,
  mergeOutput: false,
  translateValues: false,
  reviveValues: false,
  sanitize: true
}

const segmentsOf = async (bytes: Uint8Array): Promise<Json> => {
  try {
    const found: unknown = await exifr.parse(bytes, options)
    return isObject(found) ? found : {}
  } catch {
    // No metadata, or none that can be read: the size stands in the picture's own header.
    return {}
  }
}

/** The first text in a value: text itself, a list's first, or a language alternative of XMP, whose references stay encoded. */
const textOf = (value: unknown): string | undefined => {
  if (typeof value === "string") {
    const text = value.slice(0, MAX_TEXT).replaceAll("\0", "").trim()
    return (/&[#\w]+;/.test(text) ? markupText(text, MAX_TEXT) : text) || undefined
  }
  if (Array.isArray(value)) return textOf(value[0])
  return isObject(value) && typeof value["value"] === "string" ? textOf(value["value"]) : undefined
}

/** In UTF-16 units. */
const MAX_TEXT = 8_192

/** Descriptions that cameras write into every picture. */
const byCamera = /digital camera|^sony dsc|^dcim|camera pictures$|^\s*default\s*$|^charset=/i

/** A time of EXIF (CIPA DC-008, 4.6.5), `YYYY:MM:DD HH:MM:SS`, with its zone in a field beside it. */
const timeOf = (written: unknown, zone: unknown): string | null =>
  readDate(`${(textOf(written) ?? "").replace(/^(\d{4}):(\d\d):(\d\d)/, "$1-$2-$3")}${textOf(zone) ?? ""}`)

const part = (segments: Json, name: string): Json => {
  const found = segments[name]
  return isObject(found) ? found : {}
}

/** Reads the size, and the title, description, author and date in EXIF, XMP and IPTC. A picture is its own preview. */
export const readImage = async (file: FetchedFile): Promise<ReadFile> => {
  const segments = await segmentsOf(file.bytes)
  const [ifd0, exif, xmp, dc, iptc, png] = ["ifd0", "exif", "xmp", "dc", "iptc", "ihdr"].map((name) =>
    part(segments, name)
  )
  const firstOf = (...values: ReadonlyArray<unknown>) => values.map(textOf).find((text) => text !== undefined)
  const written = firstOf(
    dc?.["description"],
    ifd0?.["ImageDescription"],
    iptc?.["Caption"],
    png?.["Description"],
    ifd0?.["XPComment"]
  )
  const description = written === undefined || byCamera.test(written) ? undefined : written
  const title = firstOf(
    dc?.["title"],
    ifd0?.["XPTitle"],
    iptc?.["ObjectName"],
    iptc?.["Headline"],
    png?.["Title"]
  )
  const creators = dc?.["creator"]
  const author = Array.isArray(creators)
    ? joinNames(creators.slice(0, 50).map(textOf))
    : firstOf(creators, ifd0?.["Artist"], iptc?.["Byline"], ifd0?.["XPAuthor"], png?.["Author"])
  // From 5 to 8 the picture is shown lying on its side (CIPA DC-008, 4.6.4).
  const isTurned = Number(ifd0?.["Orientation"]) >= 5
  return {
    metadata: fileMetadata(file, {
      title,
      description,
      author,
      publishedAt:
        timeOf(exif?.["DateTimeOriginal"], exif?.["OffsetTimeOriginal"]) ??
        timeOf(exif?.["CreateDate"], exif?.["OffsetTimeDigitized"]) ??
        timeOf(xmp?.["DateCreated"] ?? xmp?.["CreateDate"], null),
      ...pictureFields(file, isTurned)
    }),
    content: () => fileContent(joinLines([title ?? "", description ?? ""]))
  }
}
