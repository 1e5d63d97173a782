import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { Context, Effect, Option, Schema } from "effect"
import { Scope, type Token } from "../domain/Token.ts"

/** Where a running service listens, and the secret with which the terminal of its machine comes in. */
const Running = Schema.Struct({ url: Schema.String, secret: Schema.String })
export type Running = typeof Running.Type

const decode = Schema.decodeUnknownOption(Schema.parseJson(Running))

/** The terminal of the service's own machine as a program: it is in no list, because its secret ends with the service. */
export const TERMINAL: Token = {
  id: 0,
  name: "terminal",
  scopes: Scope.literals,
  createdAt: "",
  expiresAt: null,
  lastUsedAt: null
}

/** The terminal's secret, in a file that only the library's owner may read; another one for each run. */
export class TerminalKey extends Context.Reference<TerminalKey>()("TerminalKey", {
  defaultValue: (): Option.Option<string> => Option.none()
}) {}

/** The key is there until the scope closes. Where it cannot be written, the terminal needs an address and a token. */
export const announce = (file: string, running: Running) =>
  Effect.acquireRelease(
    Effect.try(() => {
      const temporary = `${file}.${process.pid}`
      writeFileSync(temporary, JSON.stringify(running), { mode: 0o600 })
      renameSync(temporary, file)
    }),
    () => Effect.ignore(Effect.try(() => rmSync(file, { force: true })))
  ).pipe(
    Effect.catchAll((cause) =>
      Effect.logWarning(`${file} cannot be written: the terminal is not let in`, cause)
    )
  )

/** Returns what the file says; a service that was killed leaves it behind. */
export const announced = (file: string): Effect.Effect<Option.Option<Running>> =>
  Effect.sync(() => {
    try {
      return decode(readFileSync(file, "utf8"))
    } catch {
      return Option.none()
    }
  })
