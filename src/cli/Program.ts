import { readFileSync } from "node:fs"
import { isatty } from "node:tty"
import { Cause, ConfigError, Console, Data, Effect, Exit } from "effect"
import * as Settings from "../config/SettingSources.ts"

/** The environment variables of a run of the program. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The command line is invalid; the explanation has been printed. */
export class InvalidCommand extends Data.TaggedError("InvalidCommand") {}

/** A failure as one message for the user, never a stack trace. */
const messageOf = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  if (ConfigError.isConfigError(error) && error._op === "InvalidData")
    return `${error.path.join("_")} is not usable. ${error.message}`
  if (!(error instanceof Error)) return String(error)
  if ("code" in error && error.code === "EADDRINUSE")
    return "The port is in use by another program. Set PORT to a free one."
  return error.message
}

const isUsageError = (cause: Cause.Cause<unknown>) => Cause.squash(cause) instanceof InvalidCommand

/**
 * The exit status: 0 on success and after a stop of the service, 130 for an interrupted command, 1 on failure, 2 for an
 * invalid command.
 */
export const exitCode = (exit: Exit.Exit<unknown, unknown>): number => {
  if (Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause)) return Number(process.exitCode ?? 0)
  return isUsageError(exit.cause) ? 2 : 1
}

const plain = (parts: ReadonlyArray<unknown>) =>
  parts.map((part) => (typeof part === "string" ? Bun.stripANSI(part) : part))

/**
 * Strips colours and other terminal codes from output to a file or a pipe, and everywhere if NO_COLOR is set
 * (https://no-color.org).
 */
const plainUnlessTerminal =
  ({ NO_COLOR }: Environment) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const isColourful = ({ isTTY }: { readonly isTTY?: boolean }) => isTTY === true && !NO_COLOR
    return Console.consoleWith((console) =>
      Effect.withConsole(effect, {
        ...console,
        log: (...parts) => console.log(...(isColourful(process.stdout) ? parts : plain(parts))),
        error: (...parts) => console.error(...(isColourful(process.stderr) ? parts : plain(parts)))
      })
    )
  }

/**
 * Runs the service or a command as the program: with `environment` as the last source of settings, and with a failure
 * printed as one message.
 */
export const asProgram =
  (environment: Environment) =>
  <A, E, R>(work: Effect.Effect<A, E, R>) =>
    work.pipe(
      Effect.provide(Settings.layer({ environment })),
      Effect.tapErrorCause((cause) =>
        isUsageError(cause) ? Effect.void : Console.error(`linkbower: ${messageOf(cause)}`)
      ),
      plainUnlessTerminal(environment)
    )

/** Whether the program was started to outlive its terminal, as by `nohup`: with SIGHUP (signal 1) ignored. */
const ignoresHangUp = () => {
  try {
    const [, mask = "0"] = /^SigIgn:\s*([\da-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? []
    return (Number.parseInt(mask.slice(-1), 16) & 1) === 1
  } catch {
    // Only Linux has that file. Elsewhere such a program is recognized by having no terminal among its files.
    return false
  }
}

/**
 * Ends the program cleanly when its terminal closes (SIGHUP). A program without a terminal, as under systemd, ignores
 * the signal: there is nothing to reload, because settings are read again on each use.
 */
export const exitOnHangUp = (): void => {
  const endsWithIt = [0, 1, 2].some((file) => isatty(file)) && !ignoresHangUp()
  let isEnding = false
  process.on("SIGHUP", () => {
    // The kernel and the shell may both send it; a second SIGTERM would end the program at once.
    if (!endsWithIt || isEnding) return
    isEnding = true
    process.kill(process.pid, "SIGTERM")
  })
  // The last log lines go to a terminal that no longer exists.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {})
}
