import { fstatSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { Command, Options } from "@effect/cli"
import { FileSystem } from "@effect/platform"
import { BunFileSystem, BunSink } from "@effect/platform-bun"
import { Console, Effect, Layer, Option, Stream } from "effect"
import { ExportFormat, ExportLinks } from "../library/ExportLinks.ts"
import { codeOf } from "../runtime/LiveFile.ts"
import { FileNotReplaced, removeAbandonedTemporaries, replaceFile } from "../runtime/ReplaceFile.ts"
import { PageStore } from "../store/pages/PageStore.ts"
import { ExportStore } from "../store/transfer/ExportStore.ts"
import { FileStore } from "../store/transfer/FileStore.ts"
import { libraryDatabase } from "./Library.ts"
import { CommandFailed, InvalidCommand } from "./Program.ts"
import { makeProgress } from "./Progress.ts"

const format = Options.choice("format", ExportFormat.literals).pipe(
  Options.withDefault("json"),
  Options.withDescription(
    "json contains everything and can be imported again; html is for browsers, csv for spreadsheets."
  )
)

const output = Options.file("output").pipe(
  Options.withAlias("o"),
  Options.optional,
  Options.withDescription(
    "The file to write. It is replaced only once the export is complete. Defaults to standard output."
  )
)

const full = Options.file("full").pipe(
  Options.withPseudoName("FILE"),
  Options.optional,
  Options.withDescription(
    "Writes a zip with everything instead: the json, kept pages with their versions and pictures, snapshots, and the trash. `import` reads it back whole."
  )
)

const STDOUT = 1

const isRegularFile = (descriptor: number) => {
  try {
    return fstatSync(descriptor).isFile()
  } catch {
    return false
  }
}

const services = Layer.provide(
  ExportLinks.layer,
  Layer.provide(Layer.merge(ExportStore.layer, FileStore.layer), PageStore.layer)
).pipe(Layer.provide(libraryDatabase("refuse")), Layer.merge(BunFileSystem.layer))

const writeFile = Effect.fnUntraced(function* (file: string, bytes: Stream.Stream<Uint8Array>) {
  const fs = yield* FileSystem.FileSystem
  yield* removeAbandonedTemporaries(dirname(file))
  yield* Effect.mapError(
    replaceFile(file, (temporary) => Stream.run(bytes, fs.sink(temporary))),
    (error) =>
      error._tag === "FileNotReplaced" ? error : new FileNotReplaced({ file, code: codeOf(error.cause) })
  )
  yield* Console.error(`Written to ${file}`)
})

const print = (text: Stream.Stream<string>) =>
  Stream.run(
    Stream.encodeText(text),
    BunSink.fromWritable(
      () => process.stdout,
      (error) => ({ code: codeOf(error) })
    )
  ).pipe(
    // The reader has closed the pipe early (`| head`), which is not an error.
    Effect.catchIf(
      ({ code }) => code === "EPIPE",
      () => Effect.void
    ),
    Effect.mapError(() => new CommandFailed({ message: "Cannot write to standard output." }))
  )

/** Whether a line of progress would not get between the lines of the export, on a terminal or at the end of a pipe. */
const showsProgress = (output: Option.Option<string>) => Option.isSome(output) || isRegularFile(STDOUT)

const writeFull = Effect.fnUntraced(function* (file: string) {
  const links = yield* ExportLinks
  const { bytes: _, pages: __, ...counts } = yield* links.size
  const total = Object.values(counts).reduce((sum, one) => sum + one, 0)
  const show = yield* makeProgress("Exporting", "file")
  let done = 0
  yield* writeFile(
    resolve(file),
    links.writeFull((more) => {
      done += more
      return show({ done, total })
    })
  )
})

export const command = Command.make("export", { format, full, output }, (given) =>
  Effect.gen(function* () {
    const links = yield* ExportLinks
    if (Option.isSome(given.full)) {
      if (Option.isSome(given.output))
        return yield* new InvalidCommand({
          message: "export takes only one of --full FILE and --output FILE.",
          hints: ["Run `linkbower export --help` for details."]
        })
      return yield* writeFull(given.full.value)
    }
    const total = yield* links.count
    const show = showsProgress(given.output) ? yield* makeProgress("Exporting") : () => Effect.void
    let done = 0
    const text = links.write(given.format, (more) => {
      done += more
      return show({ done, total })
    })
    yield* Option.match(given.output, {
      onNone: () => print(text),
      onSome: (file) => writeFile(resolve(file), Stream.encodeText(text))
    })
  }).pipe(Effect.scoped, Effect.provide(services))
).pipe(Command.withDescription("Writes the whole library as one file."))
