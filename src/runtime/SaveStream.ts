import { dirname } from "node:path"
import type { FileSystem } from "@effect/platform"
import { Data, Effect, Stream } from "effect"
import { boundedBytes } from "./BoundedBody.ts"
import { replaceFile } from "./ReplaceFile.ts"

/** A stream was not saved: it is too large, was cut off, or could not be written to disk. Nothing of it remains. */
export class StreamNotSaved extends Data.TaggedError("StreamNotSaved")<{
  readonly reason: "too-large" | "cut-off" | "disk"
}> {}

const failed = (reason: StreamNotSaved["reason"]) => () => new StreamNotSaved({ reason })

/**
 * Writes at most `most` bytes to the file at `path` atomically, in a folder that is made if it is missing; once it
 * returns, the file survives a power cut.
 */
export const saveStream = Effect.fn("SaveStream.save")(function* <E>(
  fs: FileSystem.FileSystem,
  bytes: Stream.Stream<Uint8Array, E>,
  path: string,
  most: number
) {
  const bounded = bytes.pipe(
    Stream.mapError(failed("cut-off")),
    // The file sink does not accept empty chunks.
    Stream.filter((chunk) => chunk.length > 0),
    boundedBytes(most, failed("too-large"))
  )
  yield* Effect.mapError(fs.makeDirectory(dirname(path), { recursive: true, mode: 0o700 }), failed("disk"))
  yield* Effect.mapError(
    replaceFile(path, (temporary) => Stream.run(bounded, fs.sink(temporary))),
    (error) => (error._tag === "StreamNotSaved" ? error : new StreamNotSaved({ reason: "disk" }))
  )
})
