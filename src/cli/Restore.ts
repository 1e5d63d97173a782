import { existsSync, realpathSync } from "node:fs"
import { resolve } from "node:path"
import { Args, Command } from "@effect/cli"
import { Console, Effect, Option } from "effect"
import { Setting } from "../config/Configuration.ts"
import { count, sizeText } from "../shared/Format.ts"
import { dataFolder } from "../store/DataFolder.ts"
import { Lock } from "../store/Lock.ts"
import { inspect } from "../store/maintenance/Inspection.ts"
import { restore } from "../store/maintenance/Restore.ts"
import { existingFile } from "./Input.ts"
import { CommandFailed } from "./Program.ts"
import { showingFile } from "./Progress.ts"

const notRestored = ({ what }: { readonly what: string }) =>
  new CommandFailed({ message: `${what} Nothing was restored or changed.` })

const file = Args.file({ name: "FILE" }).pipe(
  Args.withDescription("A file written by `backup`, or any library.db.")
)

const isSame = (one: string, other: string) =>
  existsSync(one) && existsSync(other) && realpathSync(one) === realpathSync(other)

export const command = Command.make("restore", { file }, (given) =>
  Effect.gen(function* () {
    const from = yield* existingFile(given.file)
    const folder = resolve(yield* Setting.dataDir.config)
    const { library } = dataFolder(folder)
    if (isSame(from, library)) return yield* notRestored({ what: `${from} is the library itself.` })
    yield* Effect.mapError(inspect(from), notRestored)
    const { aside, restored } = yield* showingFile(Effect.provide(restore(from), Lock.layer(folder)), {
      label: "Restoring",
      library: from,
      writes: `${library}.restoring`
    })
    yield* Console.log(
      `Restored from ${from}: ${count(restored.links, "link")}, ${sizeText(restored.bytes)}.`
    )
    if (Option.isSome(aside)) yield* Console.log(`The previous library is kept as ${aside.value}`)
    if (restored.version < restored.known)
      yield* Console.log("It is from an earlier version: the service migrates it at the next start.")
  })
).pipe(
  Command.withDescription(
    "Replaces the library with a backup and keeps the old one. The service must be stopped."
  )
)
