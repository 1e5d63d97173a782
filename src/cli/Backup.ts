import { dirname, resolve } from "node:path"
import { Args, Command } from "@effect/cli"
import { Clock, Console, Effect } from "effect"
import { removeAbandonedTemporaries } from "../runtime/ReplaceFile.ts"
import { count, sizeText } from "../shared/Format.ts"
import { snapshotOf } from "../store/maintenance/Snapshot.ts"
import { flag } from "./Input.ts"
import { existingLibrary } from "./Library.ts"
import { seconds, showingFile } from "./Progress.ts"

const file = Args.file({ name: "FILE" }).pipe(
  Args.withDescription("The file to write: a complete library that `restore` accepts.")
)

const force = flag("force", "Replaces an existing file once the new one is complete.")

/**
 * `linkbower backup FILE`
 *
 * SQLite writes a consistent copy (`VACUUM INTO`) while the service keeps writing: it includes the write-ahead log and
 * leaves out free pages. SQLite's online backup would restart on every write by another process.
 */
export const command = Command.make("backup", { file, force }, (given) =>
  Effect.gen(function* () {
    const { library } = yield* existingLibrary
    const to = resolve(given.file)
    yield* removeAbandonedTemporaries(dirname(to))
    const began = yield* Clock.currentTimeMillis
    const made = yield* showingFile(snapshotOf(library, to, { replace: given.force }), {
      label: "Copying",
      library,
      writes: to
    })
    const took = (yield* Clock.currentTimeMillis) - began
    yield* Console.log(`${to}: ${count(made.links, "link")}, ${sizeText(made.bytes)}, in ${seconds(took)}`)
  })
).pipe(Command.withDescription("Writes a copy of the whole library. The service may be running."))
