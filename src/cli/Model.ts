import { existsSync, mkdirSync } from "node:fs"
import { readFile, rm, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { Args, Command } from "@effect/cli"
import { Console, Effect, Option } from "effect"
import { Setting } from "../config/Configuration.ts"
import { canRun } from "../enrich/embedding/encoder/Layers.ts"
import {
  downloadModel,
  isReleased,
  ModelUnavailable,
  modelAddress,
  modelRelease
} from "../enrich/embedding/encoder/ModelRelease.ts"
import { codeOf } from "../runtime/LiveFile.ts"
import { FileNotReplaced, replaceFile } from "../runtime/ReplaceFile.ts"
import { dataFolder } from "../store/DataFolder.ts"
import { existingFile } from "./Input.ts"

const encoderFile = Effect.map(Setting.dataDir.config, (folder) => dataFolder(folder).encoder)

const from = Args.text({ name: "FROM" }).pipe(
  Args.withDescription(
    "A file, or an address to download it from. By default, that of this version's release."
  ),
  Args.optional
)

const readModel = Effect.fnUntraced(function* (given: Option.Option<string>) {
  const place = Option.getOrElse(given, modelAddress)
  if (place === undefined)
    return yield* new ModelUnavailable({
      message: `This program belongs to no release. Name the file or the address of ${modelRelease.name}.`
    })
  if (/^https?:\/\//.test(place)) return yield* downloadModel(place)
  const path = yield* existingFile(place)
  return yield* Effect.tryPromise({
    try: () => readFile(path),
    catch: (error) => new ModelUnavailable({ message: `${path} cannot be read: ${codeOf(error)}.` })
  })
})

const AFTER =
  "Restart the service. It then embeds all links again; until it is done, searches use the earlier vectors."

const get = Command.make("get", { from }, (given) =>
  Effect.gen(function* () {
    if (!canRun())
      return yield* new ModelUnavailable({ message: "This processor cannot run the encoder: it lacks AVX." })
    const bytes = yield* readModel(given.from)
    if (!isReleased(bytes))
      return yield* new ModelUnavailable({
        message: `This is not ${modelRelease.name}: its SHA-256 must be ${modelRelease.sha256}.`
      })
    const file = yield* encoderFile
    yield* Effect.sync(() => mkdirSync(dirname(file), { recursive: true, mode: 0o700 }))
    yield* replaceFile(file, (temporary) =>
      Effect.tryPromise({
        try: () => writeFile(temporary, bytes),
        catch: (error) => new FileNotReplaced({ file, code: codeOf(error) })
      })
    )
    yield* Console.log(`The encoder is in ${file}. ${AFTER}`)
  })
).pipe(Command.withDescription("Downloads the encoder, checks it, and puts it into the data folder."))

const remove = Command.make("remove", {}, () =>
  Effect.gen(function* () {
    const file = yield* encoderFile
    if (!existsSync(file)) return yield* Console.log("There is no encoder.")
    yield* Effect.promise(() => rm(file, { force: true }))
    yield* Console.log(`The encoder is removed. ${AFTER}`)
  })
).pipe(Command.withDescription("Removes the encoder: links and searches are embedded by the table alone."))

export const command = Command.make("model").pipe(
  Command.withSubcommands([get, remove]),
  Command.withDescription("The encoder, an optional file that finds more by meaning.")
)
