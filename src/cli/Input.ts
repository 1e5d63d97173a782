import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { Options, Prompt } from "@effect/cli"
import { FileSystem } from "@effect/platform"
import { Console, Effect, Redacted, Stream } from "effect"
import { boundedBytes } from "../runtime/BoundedBody.ts"
import { codeOf } from "../runtime/LiveFile.ts"
import { FileNotReplaced, temporaryFor } from "../runtime/ReplaceFile.ts"
import { CommandFailed } from "./Program.ts"

export const flag = (name: string, description: string) =>
  Options.boolean(name).pipe(Options.withDescription(description))

/** An option that may be left out; help calls its value `placeholder`. */
export const optionalText = (name: string, placeholder: string, description: string) =>
  Options.text(name).pipe(
    Options.withPseudoName(placeholder),
    Options.optional,
    Options.withDescription(description)
  )

/** Maximum size of a value on standard input, in bytes. */
const MAX_INPUT = 65_536

const readInput = async () => {
  const parts: Array<Uint8Array> = []
  let size = 0
  for await (const part of Bun.stdin.stream()) {
    parts.push(part)
    size += part.byteLength
    if (size > MAX_INPUT) break
  }
  return { text: Buffer.concat(parts).toString("utf8"), isWhole: size <= MAX_INPUT }
}

export const valueFromInput = Effect.gen(function* () {
  const { isWhole, text } = yield* Effect.promise(readInput)
  if (!isWhole) return yield* new CommandFailed({ message: "The value on standard input is too long." })
  const value = text.replace(/\r?\n$/, "")
  if (value === "") return yield* new CommandFailed({ message: "Standard input has no value." })
  return Redacted.make(value)
})

/** Whether a person can be asked. */
export const canAsk = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true

/** Turns Ctrl+C at a question, which a terminal in raw mode delivers as a key, into an interruption. */
export const orInterrupt = <A, E, R>(asking: Effect.Effect<A, E, R>) =>
  Effect.catchIf(
    asking,
    (error): error is Extract<E, { readonly _tag: "QuitException" }> =>
      typeof error === "object" && error !== null && "_tag" in error && error._tag === "QuitException",
    () => Effect.interrupt
  )

/** Asks for a value that is not shown while it is typed; it may be empty. */
export const askHidden = (message: string) => orInterrupt(Prompt.run(Prompt.hidden({ message })))

/** The name of standard input on a command line. */
export const STANDARD_INPUT = "-"

/** Maximum size of standard input, in bytes. */
const MAX_FILE = 8 * 1024 ** 3

export const existingFile = (path: string) =>
  existsSync(path)
    ? Effect.succeed(resolve(path))
    : Effect.fail(new CommandFailed({ message: `There is no file ${path}.` }))

const tooLarge = () =>
  new CommandFailed({
    message: "Standard input is larger than 8 GiB. Write it to a file and import that."
  })

const fileBytes = Stream.fromReadableStream(
  () => Bun.stdin.stream(),
  () => new CommandFailed({ message: "Standard input cannot be read." })
)

/** Writes a temporary file in `folder`, which goes with the scope or at the service's next start; returns its path. */
export const fileFromInput = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = temporaryFor(join(resolve(folder), "import"))
  yield* Effect.addFinalizer(() => Effect.ignore(fs.remove(path, { force: true })))
  if (process.stdin.isTTY) yield* Console.error("Reading standard input; Ctrl+D ends it.")
  yield* fileBytes.pipe(
    boundedBytes(MAX_FILE, tooLarge),
    Stream.run(fs.sink(path, { flag: "wx", mode: 0o600 })),
    Effect.mapError((error) =>
      error._tag === "CommandFailed" ? error : new FileNotReplaced({ file: path, code: codeOf(error) })
    )
  )
  return path
})
