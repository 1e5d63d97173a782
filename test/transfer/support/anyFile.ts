import { Effect } from "effect"
import { readBookmarkFile } from "../../../src/transfer/BookmarkFile.ts"
import { readBookmarkZip } from "../../../src/transfer/BookmarkZip.ts"
import { openFile } from "../../../src/transfer/Container.ts"

/** Reads a file as it may be uploaded, packed or not. */
export const readAny = Effect.fnUntraced(function* (bytes: Uint8Array, name = "file") {
  const contents = yield* openFile(name, bytes)
  if (contents._tag === "Zip") return yield* readBookmarkZip(contents.entries)
  return [
    { name: contents.name, read: yield* Effect.either(readBookmarkFile(contents.name, contents.bytes)) }
  ]
})

/** The sentence with which a file is refused; undefined if something in it is read. */
export const refusal = (bytes: Uint8Array, name?: string): string | undefined =>
  Effect.runSync(
    readAny(bytes, name).pipe(
      Effect.map((parts) => {
        const reasons = parts.flatMap(({ read }) =>
          read._tag === "Right" ? [] : [typeof read.left === "string" ? read.left : read.left.message]
        )
        return reasons.length === parts.length ? reasons.join(" ") : undefined
      }),
      Effect.catchAll(({ message }) => Effect.succeed(message))
    )
  )
