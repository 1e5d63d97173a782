import { join } from "node:path"
import type { FileSystem } from "@effect/platform"
import { Data, Effect, Stream } from "effect"
import { replaceFile } from "../runtime/ReplaceFile.ts"

/** The largest file taken over HTTP, in bytes; the command line takes any. */
export const MAX_UPLOAD = 128 * 1024 * 1024

/** A file that was being sent is not there: it is too large, its end did not come, or the disk does not take it. */
export class UploadFailed extends Data.TaggedError("UploadFailed")<{
  readonly reason: "too-large" | "cut-off" | "disk"
}> {}

const failed = (reason: UploadFailed["reason"]) => () => new UploadFailed({ reason })

/** Writes the bytes to `folder/name`, wholly or not at all; then they survive a power cut. */
export const saveUpload = Effect.fn("Upload.save")(function* <E>(
  fs: FileSystem.FileSystem,
  bytes: Stream.Stream<Uint8Array, E>,
  folder: string,
  name: string
) {
  const path = join(folder, name)
  let size = 0
  const bounded = bytes.pipe(
    Stream.mapError(failed("cut-off")),
    // A file takes no empty piece.
    Stream.filter((chunk) => chunk.length > 0),
    Stream.tap((chunk) => {
      size += chunk.length
      return size > MAX_UPLOAD ? Effect.fail(new UploadFailed({ reason: "too-large" })) : Effect.void
    })
  )
  yield* Effect.mapError(fs.makeDirectory(folder, { recursive: true, mode: 0o700 }), failed("disk"))
  yield* Effect.mapError(
    replaceFile(path, (temporary) => Stream.run(bounded, fs.sink(temporary))),
    (error) => (error._tag === "UploadFailed" ? error : new UploadFailed({ reason: "disk" }))
  )
})
