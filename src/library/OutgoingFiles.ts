import { join } from "node:path"
import { FileSystem } from "@effect/platform"
import { Effect, type Stream } from "effect"
import { Setting } from "../config/Configuration.ts"
import { saveStream } from "../runtime/SaveStream.ts"
import { Service } from "../runtime/Services.ts"
import { OutboxStore } from "../store/chat/OutboxStore.ts"
import { dataFolder } from "../store/DataFolder.ts"

/** In bytes: Telegram takes 50 MB from a bot, and the request holds more than the file. */
export const MAX_OUTGOING = 49_000_000
const MAX_WAITING = 2

const make = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const outbox = yield* OutboxStore
  const folder = dataFolder(yield* Setting.dataDir.config).outgoing
  /** For callers that write the file themselves. */
  const pathOf = (name: string) => join(folder, name)
  // Listed before this run's first file, so that no new file counts as a leftover.
  const leftover = yield* Effect.orElseSucceed(fs.readDirectory(folder), (): Array<string> => [])
  const remove = (name: string) => Effect.ignore(fs.remove(pathOf(name), { force: true }))

  return {
    pathOf,
    remove,
    isFull: Effect.map(outbox.files, ({ length }) => length >= MAX_WAITING),
    /** Replaces a file of the same name. */
    write: <E>(name: string, bytes: Stream.Stream<Uint8Array, E>, most: number) =>
      saveStream(fs, bytes, pathOf(name), most),
    /** None if the file is missing. */
    open: Effect.fn("OutgoingFiles.open")((name: string) =>
      Effect.option(
        Effect.map(fs.stat(pathOf(name)), ({ size }) => ({
          size: Number(size),
          bytes: fs.stream(pathOf(name), { chunkSize: 65_536 })
        }))
      )
    ),
    /** Removes files of an earlier run that no reply needs. */
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

/** Each belongs to a reply in the outbox, stored after the file and removed before it. */
export class OutgoingFiles extends Service<OutgoingFiles>()("OutgoingFiles", make) {}
