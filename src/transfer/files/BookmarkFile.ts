import { Clock, Effect, Either } from "effect"
import type { Bookmark, BookmarkFile, FileFormat } from "../../domain/Bookmark.ts"
import { collectWarnings } from "../../shared/ImportWarnings.ts"
import { makeTimeReader, type TimeReader } from "../Fields.ts"
import { type Format, FormatError, readFormat, type SourceFile } from "../Format.ts"
import { formats } from "../Formats.ts"
import { isJsonLines } from "../formats/GenericJson.ts"
import { plainText } from "../formats/PlainText.ts"
import { cleanText, decodeBytes, jsonErrorAt } from "./Decode.ts"
import { binaryKind, knownKind } from "./FileKind.ts"

/** Markdown may also start with a bracket, but not with an object or a quoted address in it. */
const beginsLikeJson = (text: string) => /^\s*(?:\{\s*["}]|\[\s*(?:[[{\]]|"https?:))/.test(text)

/** Replaces the escapes `\x08` of Telegram Desktop, which JSON does not allow. */
const withKnownEscapes = (text: string) =>
  text.replace(/\\(?:x([\da-fA-F]{2})|[\s\S])/g, (escape, code?: string) =>
    code === undefined ? escape : `\\u00${code}`
  )

const parsed = (text: string) => Either.try((): unknown => JSON.parse(text))

const parseJson = (text: string): Either.Either<unknown, FormatError> =>
  parsed(text).pipe(
    Either.orElse((error) => (text.includes("\\x") ? parsed(withKnownEscapes(text)) : Either.left(error))),
    Either.orElse((error) => (isJsonLines(text) ? Either.right(undefined) : Either.left(error))),
    Either.mapLeft(() => {
      const at = jsonErrorAt(text)
      const line = text.slice(0, at).split(/\r\n?|\n/).length
      return new FormatError({
        message:
          at === text.length
            ? `The file ends on line ${line} in the middle of its JSON.`
            : `The file begins as JSON, but line ${line} is not valid JSON.`
      })
    })
  )

/** As JSON too if it begins like it, unless `asJson` is false. Fails with a sentence if empty, binary or damaged. */
export const readSource = (
  name: string,
  bytes: Uint8Array,
  { asJson, companion }: { readonly asJson: boolean; readonly companion: SourceFile["companion"] }
): Either.Either<SourceFile, FormatError> => {
  const known = knownKind(bytes)
  if (known !== undefined) return Either.left(new FormatError({ message: known }))
  const raw = decodeBytes(bytes)
  const binary = binaryKind(raw)
  if (binary !== undefined) return Either.left(new FormatError({ message: binary }))
  const text = cleanText(raw)
  if (!/\S/.test(text)) return Either.left(new FormatError({ message: "The file is empty." }))
  const json = asJson && beginsLikeJson(text) ? parseJson(text) : Either.right(undefined)
  return Either.map(json, (parsed) => ({ name, text, json: parsed, companion }))
}

/** Removes unpaired surrogates and NULs, which JSON can encode but text cannot contain. */
const clean = (text: string) => text.toWellFormed().replaceAll("\0", "")

const cleaned = (bookmark: Bookmark): Bookmark => ({
  ...bookmark,
  url: clean(bookmark.url),
  title: clean(bookmark.title),
  note: clean(bookmark.note),
  description: clean(bookmark.description),
  tags: bookmark.tags.map(clean),
  folders: bookmark.folders.map(clean),
  text: clean(bookmark.text)
})

const unrecognized = ({ json, text }: SourceFile): FormatError => {
  const message =
    json !== undefined || /^\s*[{[]/.test(text)
      ? "This JSON has no links in a known form. Linkbower reads the exports in its documentation, and any list of objects with a “url” or a “link”."
      : /^\s*<(?:!doctype\s+html|html|head|body)/i.test(text)
        ? "This is a web page, not a bookmark file. Export the bookmarks as HTML in your browser’s bookmark manager."
        : /^\s*</.test(text)
          ? "This markup has no links in a known form. Export the links as HTML, CSV or JSON."
          : "The file has no web addresses. An address begins with http:// or https://."
  return new FormatError({ message })
}

/** Well-formed, without NULs. Ambiguous days and months take the order of the file's others: then it is read twice. */
export const readAs = Effect.fnUntraced(function* (format: Format, source: SourceFile) {
  const now = yield* Clock.currentTimeMillis
  const reading = (known?: ReturnType<TimeReader["order"]>) => {
    const warnings = collectWarnings()
    const times = makeTimeReader(now, warnings.warn, known)
    return Either.map(readFormat(format, source, times.read), (found) => ({
      ...found,
      order: times.order(),
      warnings: warnings.all()
    }))
  }
  const first = yield* reading()
  const { bookmarks, unreadable, warnings } = first.order === undefined ? first : yield* reading(first.order)
  const file: BookmarkFile = {
    format: format.name,
    label: format.label,
    counts: format.counts,
    bookmarks: source.json === undefined ? bookmarks : bookmarks.map(cleaned),
    unreadable,
    warnings
  }
  return file
})

export const asJson = (format: FileFormat["name"] | undefined): boolean => format !== plainText.name

const noCompanion = () => undefined

/** Reads it as `format`, or as the first that recognizes it; fails with a sentence if there are no links in it. */
export const readBookmarkFile = Effect.fn("readBookmarkFile")(function* (
  name: string,
  bytes: Uint8Array,
  format?: FileFormat["name"]
) {
  const source = yield* readSource(name, bytes, { asJson: asJson(format), companion: noCompanion })
  const chosen = formats.find((one) => (format === undefined ? one.recognizes(source) : one.name === format))
  return yield* chosen === undefined ? unrecognized(source) : readAs(chosen, source)
})
