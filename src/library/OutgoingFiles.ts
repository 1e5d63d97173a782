import { join } from "node:path"
import { FileSystem } from "@effect/platform"
import { Data, DateTime, Effect, Stream } from "effect"
import { Setting } from "../config/Configuration.ts"
import { saveStream } from "../runtime/SaveStream.ts"
import { Service } from "../runtime/Services.ts"
import { zipped } from "../runtime/ZipFile.ts"
import { OutboxStore } from "../store/chat/OutboxStore.ts"
import { dataFolder } from "../store/DataFolder.ts"
import { PackedBackup } from "../store/maintenance/PackedBackup.ts"
import { type ExportFormat, ExportLinks, exportName } from "./ExportLinks.ts"

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

/** In bytes; larger exports are compressed. */
const MAX_PLAIN = 1_000_000

/** `waiting`: other files wait to be sent. `failed`: the log has the cause. */
export class FileNotMade extends Data.TaggedError("FileNotMade")<{
  readonly reason: "empty" | "too-large" | "no-space" | "waiting" | "failed"
}> {}

export interface MadeFile {
  readonly name: string
  readonly links: number
}

const makeFiles = Effect.gen(function* () {
  const backups = yield* PackedBackup
  const exports = yield* ExportLinks
  const outgoing = yield* OutgoingFiles
  const { library } = dataFolder(yield* Setting.dataDir.config)
  const turn = yield* Effect.makeSemaphore(1)

  const inTurn = <A>(work: Effect.Effect<A, FileNotMade>) =>
    turn.withPermits(1)(
      Effect.flatMap(outgoing.isFull, (isFull) =>
        isFull ? Effect.fail(new FileNotMade({ reason: "waiting" })) : work
      )
    )

  const write = Effect.fnUntraced(function* (file: string, format: ExportFormat, zip: string | null) {
    let links = 0
    const text = exports.write(format, (some) =>
      Effect.sync(() => {
        links += some
      })
    )
    const bytes = Stream.encodeText(text)
    yield* zip === null
      ? outgoing.write(file, bytes, MAX_PLAIN)
      : outgoing.write(file, zipped(zip)(bytes), MAX_OUTGOING)
    return links
  })

  return {
    /** A large export is a zip, which the import reads too. */
    export: Effect.fn("MakeFiles.export")((file: string, format: ExportFormat) =>
      Effect.gen(function* () {
        if ((yield* exports.count) === 0) return yield* new FileNotMade({ reason: "empty" })
        const name = exportName(format, yield* DateTime.now)
        return yield* write(file, format, null).pipe(
          Effect.map((links): MadeFile => ({ name, links })),
          Effect.catchIf(
            ({ reason }) => reason === "too-large",
            () => Effect.map(write(file, format, name), (links) => ({ name: `${name}.zip`, links }))
          ),
          Effect.tapError(({ reason }) => Effect.logWarning(`no export for the chat: ${reason}`)),
          Effect.mapError(
            ({ reason }) => new FileNotMade({ reason: reason === "too-large" ? reason : "failed" })
          )
        )
      }).pipe(inTurn)
    ),
    /** Without passwords and sessions. */
    backup: Effect.fn("MakeFiles.backup")((file: string) =>
      Effect.gen(function* () {
        const name = `linkbower-${DateTime.formatIsoDateUtc(yield* DateTime.now)}.db`
        const order = { library, to: outgoing.pathOf(file), name, most: MAX_OUTGOING }
        const links = yield* backups.write(order)
        return { name: `${name}.zip`, links }
      }).pipe(
        Effect.tapError(({ detail, reason }) =>
          Effect.logWarning(`no backup for the chat: ${reason}, ${detail}`)
        ),
        Effect.mapError(({ reason }) => new FileNotMade({ reason })),
        inTurn
      )
    )
  }
})

/** Makes the files that the chat asks for, one at a time, as `OutgoingFiles`. */
export class MakeFiles extends Service<MakeFiles>()("MakeFiles", makeFiles) {}
