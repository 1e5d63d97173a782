import { writeFileSync } from "node:fs"
import { Effect } from "effect"
import { replaceFile } from "../../src/runtime/ReplaceFile.ts"

/** Begins to replace the file that is named, prints the name of its temporary file, and hangs until it is killed. */

await Effect.runPromise(
  replaceFile(process.argv[2] ?? "", (temporary) =>
    Effect.zipRight(
      Effect.sync(() => {
        writeFileSync(temporary, "half of it")
        console.log(temporary)
        // Something that keeps the process.
        setInterval(() => {}, 1_000)
      }),
      Effect.never
    )
  )
)
