import { Args, Command, HelpDoc, Options, ValidationError } from "@effect/cli"
import { BunFileSystem } from "@effect/platform-bun"
import { Console, Data, Effect, Layer, Option } from "effect"
import { Setting } from "../config/Configuration.ts"
import type { FileFormat } from "../domain/Bookmark.ts"
import type { ImportResult } from "../domain/Job.ts"
import { type ImportPause, ImportWriter } from "../library/ImportWriter.ts"
import { count } from "../shared/Format.ts"
import { ChangeStore } from "../store/links/ChangeStore.ts"
import { MergeStore } from "../store/links/MergeStore.ts"
import { NameStore } from "../store/links/NameStore.ts"
import { PageKeyStore } from "../store/links/PageKeyStore.ts"
import { ReadingQueue } from "../store/pages/ReadingQueue.ts"
import { ImportStore } from "../store/transfer/ImportStore.ts"
import { formats } from "../transfer/Formats.ts"
import { ImportReader } from "../transfer/ImportReader.ts"
import { existingFile, fileFromInput, STANDARD_INPUT } from "./InputFile.ts"
import { libraryDatabase } from "./Library.ts"
import { makeProgress } from "./Progress.ts"

/** Maximum number of rejected entries printed. */
const MAX_REJECTS_PRINTED = 20

const file = Args.file({ name: "FILE" }).pipe(
  Args.withDescription("A file exported by another program or another Linkbower; - reads standard input.")
)

const names: ReadonlyArray<FileFormat["name"]> = ["linkbower", ...formats.map(({ name }) => name)]

const unknownFormat = HelpDoc.p(`The format must be one of ${names.join(", ")}.`)

// `Options.choice` would write out every format wherever help names the command.
const format = Options.text("format").pipe(
  Options.mapEffect((given) => {
    const name = names.find((one) => one === given)
    return name === undefined
      ? Effect.fail(ValidationError.invalidValue(unknownFormat))
      : Effect.succeed(name)
  }),
  Options.withPseudoName("name"),
  Options.optional,
  Options.withDescription(`The file's format, if detection fails: ${names.join(", ")}.`)
)

const later = Options.boolean("later").pipe(
  Options.withDescription("Does not read the pages until you ask for it in the dashboard.")
)

const keepShared = Options.boolean("keep-shared").pipe(
  Options.withDescription(
    "Shares the links that a Linkbower export marks as shared. By default they are imported unshared."
  )
)

const services = Layer.provide(ImportWriter.layer, [
  ImportReader.layer,
  ImportStore.layer,
  MergeStore.layer,
  PageKeyStore.layer,
  Layer.provide(NameStore.layer, ChangeStore.layer),
  ReadingQueue.layer
]).pipe(
  Layer.merge(ImportStore.layer),
  Layer.provideMerge(BunFileSystem.layer),
  Layer.provideMerge(libraryDatabase("make"))
)

/** The database cannot be written, and waiting does not help; `held` says how far the import got. */
class ImportStopped extends Data.TaggedError("ImportStopped")<{ readonly held: ImportPause }> {
  override get message() {
    const { done, error, total } = this.held
    return `${error.what} ${saved(done, total)} Run the command again once this is fixed: it adds what is missing.`
  }
}

const saved = (done: number, total: number) =>
  `${done.toLocaleString("en")} of ${count(total, "link")} ${done === 1 ? "is" : "are"} saved.`

/** The import result as lines for the user. */
const report = (
  { counts, created, format, found, merged, rejected, rejects, shared }: ImportResult,
  { isLater, keepsShared }: { readonly isLater: boolean; readonly keepsShared: boolean }
) => [
  `Read as ${format}: ${count(found, "link")} found, ${created.toLocaleString("en")} new, ${merged.toLocaleString("en")} already there or repeated, ${rejected.toLocaleString("en")} rejected.`,
  ...rejects.slice(0, MAX_REJECTS_PRINTED).map(({ place, reason }) => `  ${counts} ${place}: ${reason}`),
  ...(rejected > MAX_REJECTS_PRINTED
    ? [`  and ${(rejected - MAX_REJECTS_PRINTED).toLocaleString("en")} more`]
    : []),
  ...(shared === 0
    ? []
    : [
        keepsShared
          ? `${count(shared, "link")} marked as shared: anyone can see them on the public list.`
          : `${count(shared, "link")} marked as shared were imported unshared; to share them here, import the file again with --keep-shared.`
      ]),
  ...(created === 0
    ? []
    : [
        isLater
          ? "Their pages were not read; start that in the dashboard."
          : "The service reads their pages now, or when it next starts."
      ])
]

/** `linkbower import FILE` */
export const command = Command.make("import", { file, format, keepShared, later }, (given) =>
  Effect.gen(function* () {
    const writer = yield* ImportWriter
    const store = yield* ImportStore
    const source =
      given.file === STANDARD_INPUT
        ? { path: yield* fileFromInput(yield* Setting.dataDir.config), name: "standard input" }
        : { path: yield* existingFile(given.file) }
    let stopped: ImportPause | undefined
    const imported = yield* writer
      .file(
        { ...source, format: Option.getOrUndefined(given.format) },
        {
          later: given.later,
          keepNumbers: yield* store.isUntouched,
          keepShared: given.keepShared,
          undo: crypto.randomUUID(),
          onStep: yield* makeProgress("Importing"),
          onWait: (held) => {
            // A full disk or a locked database can recover while the import waits; other failures need a repair.
            if (held.error.reason === "full" || held.error.reason === "busy")
              return Console.error(`${held.error.what} ${saved(held.done, held.total)} Waiting.`)
            stopped = held
            return Effect.fail(held.error)
          }
        }
      )
      .pipe(
        Effect.mapError((error) => (stopped === undefined ? error : new ImportStopped({ held: stopped })))
      )
    yield* Effect.forEach(
      report(imported, { isLater: given.later, keepsShared: given.keepShared }),
      (line) => Console.log(line),
      { discard: true }
    )
  }).pipe(
    Effect.scoped,
    Effect.provide(services),
    // Checked first, because the services create a library.
    (work) => Effect.zipRight(given.file === STANDARD_INPUT ? Effect.void : existingFile(given.file), work)
  )
).pipe(Command.withDescription("Imports a file exported by a browser, another program or another Linkbower."))
