import { Effect, Either, Option } from "effect"
import { isCleanArticle } from "../domain/Article.ts"
import { type ExportedSnapshot, filePaths, type ImportedFile, LINKS_FILE } from "../domain/ExportedFiles.ts"
import type { ExportedLink } from "../domain/ExportedLink.ts"
import type { Incoming } from "../domain/Incoming.ts"
import type { ExportedPage } from "../domain/KeptPage.ts"
import { pictureOf } from "../domain/Picture.ts"
import { MAX_ARTICLE_HTML, MAX_CAPTURE } from "../shared/Limits.ts"
import { FormatError } from "./Format.ts"
import { openZip, RATIO_FROM, type ZipEntry, zipInFile } from "./files/Zip.ts"

/** Entries of the largest zip that is read: a library of 100,000 links has a few each. */
const MAX_ENTRIES = 2_000_000
/** How many times larger than packed the links may be: their texts are up to 30 times. */
const MAX_RATIO = 200

/** In bytes. A snapshot is sent as one string of JSON; its text is shorter. */
const MAX_FILE = { version: MAX_ARTICLE_HTML * 3, picture: 1024 * 1024, snapshot: MAX_CAPTURE }

/** Files are handed over by the hundred, or as soon as they have so many bytes. */
const GROUP = { files: 100, bytes: 2 * 1024 * 1024 }

type Read = (path: string, most: number) => Uint8Array | undefined

const decode = (html: Uint8Array) => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(html)
  } catch {
    return undefined
  }
}

/** The files of a link, or the place of one that cannot be read. */
function* filesOf({ files, id, page: newest }: ExportedLink, read: Read): Generator<ImportedFile | string> {
  if (files === undefined) return
  if (newest !== undefined && files.versions.length > 0) {
    const versions: Array<ExportedPage> = []
    for (const about of files.versions) {
      const path = filePaths.version(id, about.version)
      const bytes = read(path, MAX_FILE.version)
      const html = bytes && decode(bytes)
      // Earlier ones are kept as what differs from it.
      if (html === undefined || !isCleanArticle(html)) {
        yield path
        break
      }
      versions.push({ ...about, html })
    }
    if (versions.length > 0) yield { _tag: "Versions", id, newest, versions }
  }
  if (newest !== undefined)
    for (const picture of files.pictures) {
      const path = picture.kept === null ? undefined : filePaths.picture(picture.kept)
      const bytes = path === undefined ? null : (read(path, MAX_FILE.picture) ?? null)
      const type = bytes === null ? undefined : Option.getOrUndefined(pictureOf("article", bytes))?.type
      // Pictures are served as what they say they are.
      if (path !== undefined && type !== picture.kept?.type) yield path
      else yield { _tag: "Picture", id, newest, picture, bytes }
    }
  let newestSnapshot: ExportedSnapshot | undefined
  for (const snapshot of files.snapshots) {
    const path = filePaths.snapshot(id, snapshot.version)
    const bytes = read(path, MAX_FILE.snapshot)
    if (bytes === undefined) yield path
    else {
      newestSnapshot ??= snapshot
      yield { _tag: "Snapshot", id, newest: newestSnapshot, snapshot, html: Bun.zstdCompressSync(bytes) }
    }
  }
}

const sizeOf = (file: ImportedFile) =>
  file._tag === "Versions"
    ? file.versions.reduce((sum, { html }) => sum + html.length, 0)
    : file._tag === "Picture"
      ? (file.bytes?.length ?? 0)
      : file.html.length

/** Files of the links that came last. */
export interface ImportFiles {
  readonly _tag: "Files"
  readonly files: ReadonlyArray<ImportedFile>
  /** The places of files that are missing, damaged, or not of their kind. */
  readonly missing: ReadonlyArray<string>
}

/** Reads the files of these links, few at a time. */
export type FilesOf = (links: ReadonlyArray<Incoming>) => Iterable<ImportFiles>

const grouped = (read: Read): FilesOf =>
  function* (links) {
    let files: Array<ImportedFile> = []
    let missing: Array<string> = []
    let bytes = 0
    const take = (): ImportFiles => {
      const taken = { _tag: "Files", files, missing } as const
      files = []
      missing = []
      bytes = 0
      return taken
    }
    for (const { whole } of links)
      for (const file of whole === null ? [] : filesOf(whole, read)) {
        if (typeof file === "string") missing.push(file)
        else {
          files.push(file)
          bytes += sizeOf(file)
        }
        if (files.length + missing.length >= GROUP.files || bytes >= GROUP.bytes) yield take()
      }
    if (files.length + missing.length > 0) yield take()
  }

const unzipped = (path: string) =>
  Effect.flatMap(zipInFile(path), (zip) =>
    openZip(zip, { entries: MAX_ENTRIES, entry: Number.MAX_SAFE_INTEGER, ratio: Number.POSITIVE_INFINITY })
  )

const isLinksFile = ({ path }: ZipEntry) => path === LINKS_FILE || path.endsWith(`/${LINKS_FILE}`)

/** Until the scope closes; undefined for another zip. Reads only files that a link says it has. */
export const openFullArchive = Effect.fn("FullArchive.open")(function* (path: string) {
  const opened = yield* Effect.either(unzipped(path))
  if (Either.isLeft(opened)) return undefined
  const [links] = opened.right.filter(isLinksFile).toSorted((a, b) => a.path.length - b.path.length)
  if (links === undefined) return undefined
  if (links.problem !== undefined)
    return yield* new FormatError({ message: `The file ${LINKS_FILE} in the zip: ${links.problem}` })
  if (links.size > RATIO_FROM && links.size > links.packed * MAX_RATIO)
    return yield* new FormatError({
      message: "The zip is built to fill the memory when it is unpacked. It was not opened."
    })
  const folder = links.path.slice(0, -LINKS_FILE.length)
  const byPath = new Map(opened.right.map((entry) => [entry.path, entry]))
  const read: Read = (place, most) => {
    const entry = byPath.get(`${folder}${place}`)
    return entry === undefined || entry.problem !== undefined || entry.size > most
      ? undefined
      : Either.getOrUndefined(entry.unpack())
  }
  return { links: links.stream, filesOf: grouped(read) }
})
