import { Effect, Either } from "effect"
import { readBookmarkFile } from "../../../src/transfer/files/BookmarkFile.ts"
import { readBookmarkZip, type ZipPart } from "../../../src/transfer/files/BookmarkZip.ts"
import { openFile } from "../../../src/transfer/files/Container.ts"

/** Reads a file as it may be uploaded, packed or not. */
export const readAny = Effect.fnUntraced(function* (bytes: Uint8Array, name = "file") {
  const contents = yield* openFile(name, bytes)
  if (contents._tag === "Zip") return yield* readBookmarkZip(contents.entries)
  const read = yield* Effect.either(readBookmarkFile(contents.name, contents.bytes))
  const part: ZipPart = { name: contents.name, read: Either.mapLeft(read, ({ message }) => message) }
  return [part]
})

/** The sentence with which a file is refused; undefined if something in it is read. */
export const refusal = (bytes: Uint8Array, name?: string): string | undefined =>
  Effect.runSync(
    readAny(bytes, name).pipe(
      Effect.map((parts) => {
        const reasons = parts.flatMap(({ read }) => (Either.isRight(read) ? [] : [read.left]))
        return reasons.length === parts.length ? reasons.join(" ") : undefined
      }),
      Effect.catchAll(({ message }) => Effect.succeed(message))
    )
  )
