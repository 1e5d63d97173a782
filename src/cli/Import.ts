import { Args, Command, HelpDoc, Options, ValidationError } from "@effect/cli"
import { BunFileSystem } from "@effect/platform-bun"
import { Console, Effect, Layer, Option } from "effect"
import { Setting } from "../config/Configuration.ts"
import type { FileFormat } from "../domain/Bookmark.ts"
import type { ImportResult } from "../domain/Job.ts"
import { Events } from "../library/Events.ts"
import { Highlights } from "../library/Highlights.ts"
import { type ImportPause, ImportWriter } from "../library/ImportWriter.ts"
import { KeepPages } from "../library/KeepPages.ts"
import { LargeChanges } from "../library/LargeChanges.ts"
import { PagePictures } from "../library/PagePictures.ts"
import { count, grouped } from "../shared/Format.ts"
import { warningText } from "../shared/ImportWarnings.ts"
import { TaskStore } from "../store/jobs/TaskStore.ts"
import { ChangeStore } from "../store/links/ChangeStore.ts"
import { CheckStore } from "../store/links/CheckStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { MergeStore } from "../store/links/MergeStore.ts"
import { NameStore } from "../store/links/NameStore.ts"
import { PageKeyStore } from "../store/links/PageKeyStore.ts"
import { TrashStore } from "../store/links/TrashStore.ts"
import { HighlightStore } from "../store/pages/HighlightStore.ts"
import { PagePictureStore } from "../store/pages/PagePictureStore.ts"
import { PageStore } from "../store/pages/PageStore.ts"
import { PositionStore } from "../store/pages/PositionStore.ts"
import { Transaction } from "../store/Transaction.ts"
import { FileStore } from "../store/transfer/FileStore.ts"
import { ImportStore } from "../store/transfer/ImportStore.ts"
import { formats } from "../transfer/Formats.ts"
import { ImportReader } from "../transfer/ImportReader.ts"
import { existingFile, fileFromInput, flag, optionalText, STANDARD_INPUT } from "./Input.ts"
import { libraryDatabase } from "./Library.ts"
import { CommandFailed, InvalidCommand } from "./Program.ts"
import { makeProgress } from "./Progress.ts"

/** Maximum number of rejected entries printed. */
const MAX_REJECTS_PRINTED = 20

const file = Args.file({ name: "FILE" }).pipe(
  Args.withDescription("A file exported by another program or another Linkbower; - reads standard input."),
  Args.optional
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

const later = flag("later", "Does not read the pages until you ask for it in the dashboard.")

const keepShared = flag(
  "keep-shared",
  "Shares the links that a Linkbower export marks as shared. By default they are imported unshared."
)

const takeBack = optionalText(
  "take-back",
  "token",
  "Takes back the import that printed this token, within 30 days: links that it added are deleted, and links that it changed get their former values."
)

const force = flag(
  "force",
  "With --take-back: takes back the rest where links were changed since, and keeps those."
)

const highlights = Layer.provide(Highlights.layer, Layer.provide(HighlightStore.layer, ChangeStore.layer))

const keeping = KeepPages.layer.pipe(
  Layer.provide(PagePictures.layer),
  Layer.provideMerge(highlights),
  Layer.provide([Events.layer, LinkStore.layer, PagePictureStore.layer, PageStore.layer, PositionStore.layer])
)

const services = Layer.provide(ImportWriter.layer, [
  CheckStore.layer,
  ImportReader.layer,
  ImportStore.layer,
  keeping,
  MergeStore.layer,
  PageKeyStore.layer,
  PositionStore.layer,
  Layer.provide(NameStore.layer, ChangeStore.layer),
  Layer.provide(FileStore.layer, PageStore.layer),
  TrashStore.layer,
  TaskStore.layer
]).pipe(
  Layer.merge(ImportStore.layer),
  Layer.provideMerge(BunFileSystem.layer),
  Layer.provideMerge(libraryDatabase("make"))
)

const notUndone = (why: string) => new CommandFailed({ message: `${why} Nothing was changed.` })

const stoppedBy = ({ done, error, total }: ImportPause) =>
  new CommandFailed({
    message: `${error.what} ${saved(done, total)} Run the command again once this is fixed: it adds what is missing.`
  })

const saved = (done: number, total: number) =>
  `${grouped(done)} of ${count(total, "link")} ${done === 1 ? "is" : "are"} saved.`

const report = (
  { counts, created, format, found, merged, rejected, rejects, shared, warnings }: ImportResult,
  { isLater }: { readonly isLater: boolean }
) => [
  `Read as ${format}: ${count(found, "link")} found, ${grouped(created)} new, ${grouped(merged)} already there or repeated, ${grouped(rejected)} rejected.`,
  ...rejects.slice(0, MAX_REJECTS_PRINTED).map(({ place, reason }) => `  ${counts} ${place}: ${reason}`),
  ...(rejected > MAX_REJECTS_PRINTED ? [`  and ${grouped(rejected - MAX_REJECTS_PRINTED)} more`] : []),
  ...warnings.map(warningText),
  ...(warnings.some(({ kind }) => kind === "not_shared")
    ? ["To share them here, import the file again with --keep-shared."]
    : []),
  ...(shared === 0
    ? []
    : [
        `${count(shared, "link")} of the file ${shared === 1 ? "is" : "are"} shared: anyone can see them on the public list.`
      ]),
  ...(created === 0
    ? []
    : [
        isLater
          ? "Their pages were not read; start that in the dashboard."
          : "The service reads their pages now, or when it next starts."
      ])
]

/** Neither or both of a file and a token are given. */
const unclear = (message: string) =>
  new InvalidCommand({ message, hints: ["Run `linkbower import --help` for details."] })

const undoServices = LargeChanges.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(ChangeStore.layer, LinkStore.layer, TrashStore.layer, Events.layer)),
  Layer.provideMerge(libraryDatabase("refuse"))
)

const undoImport = Effect.fnUntraced(function* (token: string, isForced: boolean) {
  const changes = yield* ChangeStore
  const large = yield* LargeChanges
  const transaction = yield* Transaction
  // At once: work that is recorded may be done, and its record gone, as soon as it is committed.
  const { deleted, ids } = yield* transaction(
    Effect.gen(function* () {
      const undo = yield* changes.undo(token, { force: isForced })
      const [change] = (yield* changes.unfinished).filter((one) => one.token === undo)
      const ids = yield* changes.linksOf(undo)
      const deleted = change === undefined ? [] : (yield* changes.moves(change, ids)).delete
      yield* large.make(undo, ids.length, Effect.void)
      return { deleted, ids }
    })
  ).pipe(
    Effect.catchTags({
      UndoNotFound: () => notUndone("No import of the last 30 days has this token."),
      ChangedSince: ({ message }) => notUndone(`${message} Add --force to take back the rest.`),
      // An import changes no addresses.
      UrlTaken: Effect.die
    })
  )
  yield* large.awaitPending
  const restored = ids.length - deleted.length
  yield* Console.log(
    `Taken back: ${count(deleted.length, "link")} deleted${restored === 0 ? "" : `, ${count(restored, "link")} as before`}.`
  )
}, Effect.provide(undoServices))

const importFile = (path: string, given: Given) =>
  Effect.gen(function* () {
    const writer = yield* ImportWriter
    const store = yield* ImportStore
    const undo = crypto.randomUUID()
    const source =
      path === STANDARD_INPUT
        ? { path: yield* fileFromInput(yield* Setting.dataDir.config), name: "standard input" }
        : { path: yield* existingFile(path) }
    let stopped: ImportPause | undefined
    const imported = yield* writer
      .file(
        { ...source, format: Option.getOrUndefined(given.format) },
        {
          later: given.later,
          keepNumbers: yield* store.isUntouched,
          keepShared: given.keepShared,
          undo,
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
      .pipe(Effect.mapError((error) => (stopped === undefined ? error : stoppedBy(stopped))))
    yield* Effect.forEach(report(imported, { isLater: given.later }), (line) => Console.log(line), {
      discard: true
    })
    if (imported.hasChanged)
      yield* Console.log(`To take this import back: linkbower import --take-back ${undo}`)
  }).pipe(
    Effect.scoped,
    Effect.provide(services),
    // Checked first, because the services create a library.
    (work) => Effect.zipRight(path === STANDARD_INPUT ? Effect.void : existingFile(path), work)
  )

interface Given {
  readonly format: Option.Option<FileFormat["name"]>
  readonly keepShared: boolean
  readonly later: boolean
}

export const command = Command.make("import", { file, force, format, keepShared, later, takeBack }, (given) =>
  Effect.gen(function* () {
    const path = Option.getOrUndefined(given.file)
    const token = Option.getOrUndefined(given.takeBack)
    if (path !== undefined && token !== undefined)
      return yield* unclear("import takes only one of FILE and --take-back TOKEN.")
    if (path !== undefined) return yield* importFile(path, given)
    if (token === undefined) return yield* unclear("import needs FILE.")
    return yield* Effect.scoped(undoImport(token, given.force))
  })
).pipe(Command.withDescription("Imports a file exported by a browser, another program or another Linkbower."))
