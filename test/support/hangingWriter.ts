import { writeFileSync } from "node:fs"
import { Effect } from "effect"
import { replaceFile } from "../../src/runtime/ReplaceFile.ts"

/** Starts to replace the given file, prints the path of its temporary file and hangs until it is killed. */

await Effect.runPromise(
  replaceFile(process.argv[2] ?? "", (temporary) =>
    Effect.zipRight(
      Effect.sync(() => {
        writeFileSync(temporary, "half of it")
        console.log(temporary)
        // Keeps the process running.
        setInterval(() => {}, 1_000)
      }),
      Effect.never
    )
  )
)
