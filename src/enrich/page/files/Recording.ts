import { type IFormat, parseBuffer, TrackType } from "music-metadata"
import { characters } from "../../../domain/PictureType.ts"
import { MAX_FACT } from "../../../shared/Limits.ts"
import { cleanLine } from "../../../shared/Text.ts"
import { joinNames } from "../fields/Bylines.ts"
import { readDate } from "../fields/Dates.ts"
import { recordingType } from "./FileKind.ts"
import { type FetchedFile, fileContent, fileMetadata, joinLines, type ReadFile } from "./FileReader.ts"

/** A media type that chooses the right parser: the signature decides, not the server. */
const parserType = (bytes: Uint8Array): string => {
  const start = characters(bytes, 0, 12)
  if (start.startsWith("fLaC")) return "audio/flac"
  if (start.startsWith("OggS")) return "application/ogg"
  if (start.startsWith("\x1aE\xdf\xa3")) return "video/webm"
  if (start.startsWith("RIFF")) return "audio/wav"
  if (start.startsWith("FORM")) return "audio/aiff"
  if (start.startsWith("wvPk")) return "audio/wavpack"
  return /^[\s\S]{4}(?:ftyp|moov|mdat)/.test(start) ? "audio/mp4" : "audio/mpeg"
}

/** An MP4 up to its last complete box: the parser rejects one that ends within a box, but its tags may come first. */
const completeBoxes = (bytes: Uint8Array): Uint8Array => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let end = 0
  for (let box = 0; box < MAX_BOXES && end + 16 <= bytes.length; box++) {
    const short = view.getUint32(end)
    const size = short === 1 ? Number(view.getBigUint64(end + 8)) : short
    if (size < 8 || end + size > bytes.length) break
    end += size
  }
  return bytes.subarray(0, end)
}

const MAX_BOXES = 100_000

/** Whether a length was computed from the size of the file instead of read from it. */
const isMeasured = ({ container = "", duration = 0, numberOfSamples, sampleRate }: IFormat): boolean =>
  /^(?:ogg|adts|wave)/i.test(container) ||
  (numberOfSamples !== undefined &&
    sampleRate !== undefined &&
    Math.abs(numberOfSamples / sampleRate - duration) < 0.01)

/** The length in whole seconds, of the longest track if the file states none; undefined if it is not known. */
const durationOf = (format: IFormat, isCut: boolean): number | undefined => {
  const duration =
    format.duration ?? Math.max(0, ...format.trackInfo.slice(0, 100).map((track) => track.duration ?? 0))
  const isKnown = Number.isFinite(duration) && duration >= 0.5 && duration < 1e9
  return isKnown && !(isCut && isMeasured(format)) ? Math.round(duration) : undefined
}

/** The text of comments and lyrics, which are plain or have a language. */
const textsOf = (
  tags: ReadonlyArray<{ readonly text?: string } | string> | undefined
): ReadonlyArray<string> =>
  (tags ?? []).slice(0, 20).flatMap((tag) => (typeof tag === "string" ? tag : (tag.text ?? [])))

/** Reads tags of ID3, Vorbis comments, MP4, Matroska and RIFF, but none at the end of a long file. */
export const readRecording = async (file: FetchedFile): Promise<ReadFile> => {
  const mimeType = parserType(file.bytes)
  const { common, format } = await parseBuffer(
    file.isCut && mimeType === "audio/mp4" ? completeBoxes(file.bytes) : file.bytes,
    { mimeType },
    { duration: false, skipCovers: true, skipPostHeaders: file.isCut }
  )
  const duration = durationOf(format, file.isCut)
  const show =
    common.podcast === true || common.tvShow !== undefined ? (common.tvShow ?? common.album) : undefined
  const comments = [
    ...(common.description ?? []),
    ...(common.longDescription === undefined ? [] : [common.longDescription]),
    ...textsOf(common.comment)
  ]
  const artists = joinNames(common.artists ?? []) || common.artist
  const isVideo =
    format.hasVideo === true ||
    (format.trackInfo.length === 0
      ? recordingType(file.bytes, file.name) === "video"
      : format.trackInfo.some(({ type, video }) => type === TrackType.video || video !== undefined))
  return {
    metadata: fileMetadata(file, {
      title: common.title,
      author: artists,
      description: comments[0] ?? common.album,
      publishedAt: readDate(common.date ?? ""),
      type: isVideo ? "video" : "audio",
      facts: {
        ...(duration === undefined ? {} : { duration }),
        ...(show === undefined ? {} : { show: cleanLine(show, MAX_FACT) })
      }
    }),
    content: () =>
      fileContent(
        joinLines([
          common.title ?? "",
          artists ?? "",
          common.album ?? "",
          (common.genre ?? []).join(", "),
          ...comments,
          ...(common.lyrics ?? []).flatMap(({ text }) => (text ?? "").split("\n"))
        ])
      )
  }
}
