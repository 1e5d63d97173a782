import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { FileSystem } from "@effect/platform"
import { Console, Effect, Stream } from "effect"
import { boundedBytes } from "../runtime/BoundedBody.ts"
import { codeOf } from "../runtime/LiveFile.ts"
import { FileNotReplaced, temporaryFor } from "../runtime/ReplaceFile.ts"
import { CommandFailed } from "./Program.ts"

/** The name of standard input on a command line. */
export const STANDARD_INPUT = "-"

/** Maximum size of standard input, in bytes. */
const MAX_INPUT = 8 * 1024 ** 3

export const existingFile = (path: string) =>
  existsSync(path)
    ? Effect.succeed(resolve(path))
    : Effect.fail(new CommandFailed({ message: `There is no file ${path}.` }))

const tooLarge = () =>
  new CommandFailed({ message: "Standard input is larger than 8 GiB. Write it to a file and import that." })

const input = Stream.fromReadableStream(
  () => Bun.stdin.stream(),
  () => new CommandFailed({ message: "Standard input cannot be read." })
)

/** Writes a temporary file in `folder`, which goes with the scope or at the service's next start; returns its path. */
export const fileFromInput = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = temporaryFor(join(resolve(folder), "import"))
  yield* Effect.addFinalizer(() => Effect.ignore(fs.remove(path, { force: true })))
  if (process.stdin.isTTY) yield* Console.error("Reading standard input; Ctrl+D ends it.")
  yield* input.pipe(
    boundedBytes(MAX_INPUT, tooLarge),
    Stream.run(fs.sink(path, { flag: "wx", mode: 0o600 })),
    Effect.mapError((error) =>
      error._tag === "CommandFailed" ? error : new FileNotReplaced({ file: path, code: codeOf(error) })
    )
  )
  return path
})
