import { posix } from "node:path"
import { Effect, Either } from "effect"
import type { BookmarkFile, FileFormat } from "../../domain/Bookmark.ts"
import { isObject } from "../../domain/Json.ts"
import { grouped } from "../../shared/Format.ts"
import { MAX_UPLOAD } from "../../shared/Limits.ts"
import { type Format, FormatError, type SourceFile } from "../Format.ts"
import { formats, generalFormats, specificFormats } from "../Formats.ts"
import { plainText } from "../formats/PlainText.ts"
import { asJson, readAs, readSource } from "./BookmarkFile.ts"
import { MAX_UNPACKED, nameOf, unwrapFile } from "./Container.ts"
import { cleanText, decodeBytes } from "./Decode.ts"
import { memoryToRead, requireMemory } from "./ReadingMemory.ts"
import { isZip, type ZipEntry } from "./Zip.ts"

export interface ZipPart {
  readonly name: string
  readonly read: Either.Either<BookmarkFile, string>
}

/** Once one file is a product's, the others are its other exports; beside a table they are no notes with links. */
const tiersFor = (format: FileFormat["name"] | undefined): ReadonlyArray<ReadonlyArray<Format>> =>
  format === undefined
    ? [specificFormats, generalFormats, [plainText]]
    : [formats.filter(({ name }) => name === format)]

/** Pages and notes come last: they may belong to a list in another file. */
const isPage = (path: string) => /\.(?:html?|md|markdown|txt)$/i.test(path)

const inOrder = (entries: ReadonlyArray<ZipEntry>) =>
  entries.toSorted(
    (a, b) =>
      Number(isPage(a.path)) - Number(isPage(b.path)) || a.path.localeCompare(b.path, "en", { numeric: true })
  )

/** In bytes, of all files with links, whose links are in memory at once. */
const MAX_KEPT = MAX_UPLOAD

const NESTED = "It is a zip in the zip. Unpack it and import it by itself."

const bytesOf = (entry: ZipEntry): Either.Either<Uint8Array, FormatError> =>
  entry.problem === undefined
    ? Either.flatMap(Either.flatMap(entry.unpack(), unwrapFile), (bytes) =>
        isZip(bytes) ? Either.left(new FormatError({ message: NESTED })) : Either.right(bytes)
      )
    : Either.left(new FormatError({ message: entry.problem }))

/** `used` collects the paths of the zip's other files; their texts are bounded together. */
const makeCompanions = (entries: ReadonlyArray<ZipEntry>, used: Set<string>) => {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]))
  let left = MAX_UNPACKED
  return (of: string) => (path: string) => {
    const entry = byPath.get(posix.join(posix.dirname(of), path))
    if (entry === undefined) return undefined
    const size = used.has(entry.path) ? 0 : entry.size
    if (size > left) return undefined
    left -= size
    used.add(entry.path)
    return Either.getOrUndefined(Either.map(bytesOf(entry), (bytes) => cleanText(decodeBytes(bytes))))
  }
}

const NAMED = 3

const listed = (names: ReadonlyArray<string>): string =>
  new Intl.ListFormat("en").format([
    ...names.slice(0, NAMED),
    ...(names.length > NAMED ? [`${grouped(names.length - NAMED)} more`] : [])
  ])

const tooLarge = new FormatError({
  message: "Unpacked, the zip is too large to import. Import only the file with the links."
})

export const isLinkbowerExport = (json: unknown) => isObject(json) && json["format"] === "linkbower"

const sourceOf = (path: string, bytes: Uint8Array, companion: SourceFile["companion"], isJson: boolean) =>
  Either.flatMap(readSource(posix.basename(path), bytes, { asJson: isJson, companion }), (source) =>
    isLinkbowerExport(source.json)
      ? Either.left(
          new FormatError({ message: "It is a Linkbower export. Unpack it and import it by itself." })
        )
      : Either.right(source)
  )

/** As `format`, or each as the first that recognizes it. Fails with a sentence if nothing is readable or too large. */
export const readBookmarkZip = Effect.fn("readBookmarkZip")(function* (
  entries: ReadonlyArray<ZipEntry>,
  format?: FileFormat["name"]
) {
  const sorted = inOrder(entries)
  const used = new Set<string>()
  const companionOf = makeCompanions(entries, used)
  const problems = new Map<string, string>()
  const problemParts = (): ReadonlyArray<ZipPart> =>
    [...problems].map(([path, reason]) => ({ name: nameOf(path), read: Either.left(reason) }))
  for (const tier of tiersFor(format)) {
    const parts: Array<ZipPart> = []
    const others: Array<string> = []
    let unpacked = 0
    let kept = 0
    let needed = 0
    for (const entry of sorted) {
      const { path } = entry
      if (used.has(path) || problems.has(path)) continue
      // Lets the thread answer while it reads many files.
      yield* Effect.yieldNow()
      const bytes = bytesOf(entry)
      if (Either.isRight(bytes)) {
        unpacked += bytes.right.length
        if (unpacked > MAX_UNPACKED) return yield* tooLarge
        yield* requireMemory(needed + memoryToRead(bytes.right))
      }
      const source = Either.flatMap(bytes, (some) => sourceOf(path, some, companionOf(path), asJson(format)))
      if (Either.isLeft(source)) {
        problems.set(path, source.left.message)
        continue
      }
      const chosen = tier.find((one) => one.recognizes(source.right))
      if (chosen === undefined) {
        others.push(path)
        continue
      }
      if (Either.isRight(bytes)) {
        kept += bytes.right.length
        needed += memoryToRead(bytes.right)
        if (kept > MAX_KEPT) return yield* tooLarge
      }
      const read = yield* Effect.either(readAs(chosen, source.right))
      if (Either.isRight(read)) parts.push({ name: nameOf(path), read: Either.right(read.right) })
      else problems.set(path, read.left.message)
    }
    const left = others.filter((path) => !used.has(path)).map(nameOf)
    if (parts.length > 0)
      return [
        ...parts,
        ...problemParts(),
        ...(left.length === 0
          ? []
          : [{ name: listed(left), read: Either.left("No list of links in a known form.") }])
      ]
  }
  const [first] = problemParts()
  return yield* new FormatError({
    message:
      first === undefined || Either.isRight(first.read)
        ? "The zip has no file with links in a known form."
        : `Nothing in the zip can be imported. “${first.name}”: ${first.read.left}`
  })
})
