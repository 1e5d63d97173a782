import { type IAudioMetadata, parseBuffer, TrackType } from "music-metadata"
import { characters } from "../../../domain/PictureType.ts"
import { recordingType } from "./FileKind.ts"
import {
  type FetchedFile,
  fileContent,
  fileMetadata,
  joinLines,
  joinNames,
  momentOf,
  type ReadFile
} from "./FileReader.ts"

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

/** The length in whole seconds, if it is known: of a file that was cut, only a stated one counts, not its last piece. */
const durationOf = ({ format }: IAudioMetadata, isCut: boolean): number | undefined => {
  const { codecProfile, container = "", duration } = format
  const isMeasured =
    /^ogg/i.test(container) || (/mpeg|adts/i.test(container) && !/^V\d/.test(codecProfile ?? ""))
  if (duration === undefined || !Number.isFinite(duration) || duration < 0.5 || (isCut && isMeasured))
    return undefined
  return Math.min(Math.round(duration), Number.MAX_SAFE_INTEGER)
}

/** The text of comments and lyrics, which are plain or have a language. */
const textsOf = (
  tags: ReadonlyArray<{ readonly text?: string } | string> | undefined
): ReadonlyArray<string> =>
  (tags ?? []).slice(0, 20).flatMap((tag) => (typeof tag === "string" ? tag : (tag.text ?? [])))

/**
 * Reads a recording's tags: title, artist, album, description, date, show and length (ID3, Vorbis comments, MP4, Matroska,
 * RIFF). Tags at the end of a long file are not fetched: it keeps its name.
 */
export const readRecording = async (file: FetchedFile): Promise<ReadFile> => {
  const found = await parseBuffer(
    file.bytes,
    { mimeType: parserType(file.bytes), size: file.bytes.length },
    { duration: false, skipCovers: true, skipPostHeaders: file.isCut }
  )
  const { common, format } = found
  const duration = durationOf(found, file.isCut)
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
      publishedAt: momentOf(common.date ?? ""),
      type: isVideo ? "video" : "audio",
      facts: {
        ...(duration === undefined ? {} : { duration }),
        ...(show === undefined ? {} : { show: show.slice(0, 200) })
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
