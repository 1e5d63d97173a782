import { Effect, Either } from "effect"
import type { Bookmark } from "../../../src/domain/Bookmark.ts"
import { makeTimeReader } from "../../../src/transfer/Fields.ts"
import { type Format, type FormatError, readFormat, type SourceFile } from "../../../src/transfer/Format.ts"
import { bytes } from "../../support/data.ts"

/** A file with this text, and what it says as JSON. */
export const fileOf = (text: string, name = ""): SourceFile => {
  const json = Either.try((): unknown => JSON.parse(text))
  return { name, text, json: Either.getOrUndefined(json), companion: () => undefined }
}

/** A file that is this text, or says this in JSON. */
export const sampleFile = (sample: unknown): SourceFile =>
  typeof sample === "string" ? fileOf(sample) : jsonFile(sample)

/** A file that says this in JSON. */
export const jsonFile = (value: unknown): SourceFile => fileOf(JSON.stringify(value))

/** A file of the test material. */
export const realFile = (path: string): SourceFile =>
  fileOf(new TextDecoder().decode(bytes(`bookmarks/${path}`)), path)

/** Reads a file in this format, with its times as of now. */
export const reading = (format: Format, file: SourceFile) =>
  readFormat(format, file, makeTimeReader(Date.now(), () => {}).read)

/** All that a format reads in a file. */
export const read = (format: Format, file: SourceFile) => Effect.runPromise(reading(format, file))

/** The bookmarks alone, where all can be read. */
export const bookmarksIn = async (format: Format, file: SourceFile): Promise<ReadonlyArray<Bookmark>> => {
  const { bookmarks, unreadable } = await read(format, file)
  if (unreadable.length > 0) throw new Error(`unreadable: ${JSON.stringify(unreadable)}`)
  return bookmarks
}

/** Why a format cannot read a file; undefined where it can. */
export const failure = (format: Format, file: SourceFile): Promise<FormatError | undefined> =>
  Effect.runPromise(
    reading(format, file).pipe(
      Effect.flip,
      Effect.orElseSucceed(() => undefined)
    )
  )

/** A bookmark that says nothing but this. */
export const bookmark = (said: Partial<Bookmark> & Pick<Bookmark, "place" | "url">): Bookmark => ({
  title: "",
  note: "",
  description: "",
  tags: [],
  folders: [],
  createdAt: null,
  favorite: false,
  state: "read",
  text: "",
  highlights: [],
  ...said
})
