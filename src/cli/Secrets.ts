import { Prompt } from "@effect/cli"
import { Effect, Redacted } from "effect"
import { CommandFailed } from "./Program.ts"

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
