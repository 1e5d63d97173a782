import { Clock, Effect, Either } from "effect"
import type { Bookmark, BookmarkFile, FileFormat } from "../../domain/Bookmark.ts"
import { collectWarnings } from "../../shared/ImportWarnings.ts"
import { makeTimeReader, type TimeReader } from "../Fields.ts"
import { type Format, FormatError, readFormat, type SourceFile } from "../Format.ts"
import { formats } from "../Formats.ts"
import { plainText } from "../formats/PlainText.ts"
import { readSource } from "./SourceText.ts"

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
