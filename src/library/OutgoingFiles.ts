import { join } from "node:path"
import { FileSystem } from "@effect/platform"
import { Context, Effect, Layer, type Option, type Stream } from "effect"
import { Setting } from "../config/Configuration.ts"
import { type StreamNotSaved, saveStream } from "../runtime/SaveStream.ts"
import { OutboxStore } from "../store/chat/OutboxStore.ts"
import { dataFolder } from "../store/DataFolder.ts"

/** Largest file for the chat, in bytes: Telegram takes 50 MB from a bot, and the request holds more than the file. */
export const MAX_OUTGOING = 49_000_000
/** Maximum number of files that wait to be sent. */
const MAX_WAITING = 2

/** A file that waits to be sent. */
export interface OutgoingFile {
  /** Its size in bytes. */
  readonly size: number
  readonly bytes: Stream.Stream<Uint8Array, unknown>
}

/**
 * The files that wait to be sent to the chat, on disk. Each belongs to a reply in the outbox, which is stored after the
 * file and removed before it.
 */
export class OutgoingFiles extends Context.Tag("OutgoingFiles")<
  OutgoingFiles,
  {
    /** Whether too many files wait for another one to be made. */
    readonly isFull: Effect.Effect<boolean>
    /** The path of the file with this name, for callers that write it themselves. */
    readonly pathOf: (name: string) => string
    /** Writes a file of at most `most` bytes, replacing one of the same name. */
    readonly write: <E>(
      name: string,
      bytes: Stream.Stream<Uint8Array, E>,
      most: number
    ) => Effect.Effect<void, StreamNotSaved>
    /** Opens a file; none if it is missing. */
    readonly open: (name: string) => Effect.Effect<Option.Option<OutgoingFile>>
    readonly remove: (name: string) => Effect.Effect<void>
    /** Removes the files that an earlier run left and that no reply in the outbox needs. */
    readonly sweep: Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const outbox = yield* OutboxStore
      const folder = dataFolder(yield* Setting.dataDir.config).outgoing
      const pathOf = (name: string) => join(folder, name)
      // Listed before the first file of this run, so that no new file is mistaken for a leftover.
      const leftover = yield* Effect.orElseSucceed(fs.readDirectory(folder), (): Array<string> => [])
      const remove = (name: string) => Effect.ignore(fs.remove(pathOf(name), { force: true }))

      return {
        pathOf,
        remove,
        isFull: Effect.map(outbox.files, ({ length }) => length >= MAX_WAITING),
        write: (name, bytes, most) => saveStream(fs, bytes, pathOf(name), most),
        open: Effect.fn("OutgoingFiles.open")((name) =>
          Effect.option(
            Effect.map(fs.stat(pathOf(name)), ({ size }) => ({
              size: Number(size),
              bytes: fs.stream(pathOf(name), { chunkSize: 65_536 })
            }))
          )
        ),
        sweep: Effect.gen(function* () {
          const needed = new Set(yield* outbox.files)
          yield* Effect.forEach(
            leftover.filter((name) => !needed.has(name)),
            remove,
            { discard: true }
          )
        }).pipe(
          Effect.catchAllCause((cause) => Effect.logWarning("removing unsent files failed", cause)),
          Effect.withSpan("OutgoingFiles.sweep")
        )
      }
    })
  )
}
