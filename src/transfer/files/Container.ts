import { gunzipSync } from "node:zlib"
import { Either } from "effect"
import { FormatError } from "../Format.ts"
import { knownKind, zipKind } from "./FileKind.ts"
import { isMozillaLz4, unpackMozillaLz4 } from "./Lz4.ts"
import { isZip, openZip, RATIO_FROM, type ZipEntry, zipInMemory } from "./Zip.ts"

export type Contents =
  | { readonly _tag: "File"; readonly name: string; readonly bytes: Uint8Array }
  | { readonly _tag: "Zip"; readonly entries: ReadonlyArray<ZipEntry> }

/** In bytes, from one file. */
export const MAX_UNPACKED = 512 * 1024 * 1024

/** Packed texts are rarely more than 30 times smaller. */
const MAX_RATIO = 200

const limits = { entries: 100_000, entry: 128 * 1024 * 1024, ratio: MAX_RATIO }

/** Pictures, films, sounds, fonts and files of the system: no program exports links in these. */
const skipped =
  /(?:^|\/)(?:__MACOSX\/|\.(?!\.?\/)|Thumbs\.db$|desktop\.ini$)|\.(?:jpe?g|png|gif|webp|avif|heic|svg|ico|bmp|tiff?|mp4|m4v|mov|webm|mkv|avi|mp3|m4a|wav|ogg|flac|pdf|epub|css|woff2?|ttf|otf)$/i

const failure = (message: string) => Either.left(new FormatError({ message }))

const isGzip = ([a, b, c]: Uint8Array) => a === 0x1f && b === 0x8b && c === 8

const codeOf = (error: unknown) =>
  typeof error === "object" && error !== null && "code" in error ? error.code : undefined

const unpackGzip = (bytes: Uint8Array, limit: number): Either.Either<Uint8Array, FormatError> => {
  try {
    return Either.right(gunzipSync(bytes, { maxOutputLength: limit }))
  } catch (error) {
    const code = codeOf(error)
    if (code === "ERR_BUFFER_TOO_LARGE") return failure("Unpacked, the file is too large to import.")
    return failure(
      code === "Z_BUF_ERROR" ? "The compressed file is cut off." : "The compressed file is damaged."
    )
  }
}

export const unwrapFile = (bytes: Uint8Array): Either.Either<Uint8Array, FormatError> => {
  const limit = Math.min(MAX_UNPACKED, Math.max(RATIO_FROM, bytes.length * MAX_RATIO))
  if (isGzip(bytes)) return unpackGzip(bytes, limit)
  return isMozillaLz4(bytes) ? unpackMozillaLz4(bytes, limit) : Either.right(bytes)
}

const fromZip = (bytes: Uint8Array): Either.Either<Contents, FormatError> =>
  Either.flatMap(openZip(zipInMemory(bytes), limits), (all): Either.Either<Contents, FormatError> => {
    const kind = zipKind(all.map(({ path }) => path))
    if (kind !== undefined) return failure(kind)
    const entries = all.filter(({ path }) => !skipped.test(path))
    const [only] = entries
    if (only === undefined)
      return failure(
        all.length === 0
          ? "The zip is empty."
          : "The zip has only pictures and other media. It has no links to import."
      )
    if (
      entries.reduce((sum, { problem, size }) => (problem === undefined ? sum + size : sum), 0) > MAX_UNPACKED
    )
      return failure("Unpacked, the zip is too large to import. Import only the file with the links.")
    if (entries.length > 1) return Either.right({ _tag: "Zip", entries })
    if (only.problem !== undefined)
      return failure(
        knownKind(only.start()) ?? `The zip has one file, “${nameOf(only.path)}”. ${only.problem}`
      )
    return Either.flatMap(
      Either.flatMap(only.unpack(), unwrapFile),
      (file): Either.Either<Contents, FormatError> =>
        isZip(file)
          ? failure("The zip has a zip in it. Unpack it and import the file with the links.")
          : Either.right({ _tag: "File", name: nameOf(only.path), bytes: file })
    )
  })

const MAX_NAME = 80

export const nameOf = (path: string): string => {
  const line = path.replace(/[^\P{C}]+/gu, " ").trim()
  return line.length > MAX_NAME ? `…${line.slice(1 - MAX_NAME)}`.toWellFormed() : line
}

/** Zip, gzip or Firefox's LZ4. Fails with a sentence if damaged, over 512 MiB, or a document. */
export const openFile = (name: string, bytes: Uint8Array): Either.Either<Contents, FormatError> =>
  isZip(bytes)
    ? fromZip(bytes)
    : Either.map(unwrapFile(bytes), (file): Contents => ({ _tag: "File", name, bytes: file }))
