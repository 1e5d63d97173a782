import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { Args, Command } from "@effect/cli"
import { Console, Effect } from "effect"
import { count, sizeText } from "../shared/Format.ts"
import { convert } from "../store/maintenance/Convert.ts"
import { NotCopied } from "../store/maintenance/Snapshot.ts"
import { existingFile } from "./Input.ts"
import { showingFile } from "./Progress.ts"

const old = Args.file({ name: "OLD.db" }).pipe(
  Args.withDescription("A library from before the first release; it is only read.")
)
const fresh = Args.file({ name: "NEW.db" }).pipe(
  Args.withDescription("The file to write; there must be none yet.")
)

/** `linkbower convert OLD.db NEW.db`. To be deleted after the first release. */
export const command = Command.make("convert", { old, fresh }, (given) =>
  Effect.gen(function* () {
    const from = yield* existingFile(given.old)
    const to = resolve(given.fresh)
    if (existsSync(to)) return yield* new NotCopied({ file: to, reason: "the file already exists" })
    const made = yield* showingFile(convert(from, to), { label: "Converting", library: from, writes: to })
    yield* Console.log(
      `${to}: ${count(made.links, "link")}, ${sizeText(made.bytes)}, from version ${made.from} of ${from}`
    )
    for (const [table, rows] of made.carried) if (rows > 0) yield* Console.log(`  ${table} ${rows}`)
    yield* Console.log(
      "Made again: the search indexes, the keys by which two addresses are one page, and vectors in an earlier form."
    )
    yield* Console.log(
      "To use it, stop the service, move the old library.db away with its -wal, -shm and -mark, and put the new one there."
    )
  })
).pipe(
  Command.withDescription(
    "Copies a library from before the first release into the new schema. The service may be running."
  )
)
