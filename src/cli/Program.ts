import { readFileSync } from "node:fs"
import { isatty } from "node:tty"
import { Cause, ConfigError, Console, Data, Effect, Exit, Predicate } from "effect"
import * as Settings from "../config/SettingSources.ts"
import { printError, printLine, setTerminalTraits, styled, traitsOf } from "../runtime/Terminal.ts"

export type Environment = Readonly<Record<string, string | undefined>>

/** The command line is invalid; `hints` are the lines that say how to write it. */
export class InvalidCommand extends Data.TaggedError("InvalidCommand")<{
  readonly message: string
  readonly hints: ReadonlyArray<string>
}> {}

/** A command does not do what it was asked for; `message` tells the user why and what to do. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{
  readonly message: string
  /** One of `ExitCode`; 1 by default. */
  readonly exitCode?: number
}> {}

/** A failure as one message for the user, never a stack trace. */
const messageOf = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  if (ConfigError.isConfigError(error) && error._op === "InvalidData")
    return `${error.path.join("_")} is not usable. ${error.message}`
  if (!(error instanceof Error)) return String(error)
  if ("code" in error && error.code === "EADDRINUSE") {
    // The runtime names the port in its message alone.
    const [, port] = /port (\d+)/.exec(error.message) ?? []
    return `${port === undefined ? "The port" : `Port ${port}`} is in use by another program. Set PORT to a free one.`
  }
  return error.message
}

/** The exit statuses of commands that do not do what they were asked for; other failures have 1. */
export const ExitCode = { failed: 1, invalid: 2, missing: 3, refused: 4, unreachable: 5 } as const

/** 0 on success and after a stop, 130 for an interrupted command, else what the failure names. */
export const exitCode = (exit: Exit.Exit<unknown, unknown>): number => {
  if (Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause)) return Number(process.exitCode ?? 0)
  const error = Cause.squash(exit.cause)
  if (error instanceof InvalidCommand) return ExitCode.invalid
  return Predicate.hasProperty(error, "exitCode") && Predicate.isNumber(error.exitCode)
    ? error.exitCode
    : ExitCode.failed
}

const lineOf = (parts: ReadonlyArray<unknown>) => parts.map(String).join(" ")

/** No colours in files and pipes, on dumb terminals, and with NO_COLOR. */
const terminalConsole = (console: Console.Console): Console.Console => ({
  ...console,
  log: (...parts) => Effect.sync(() => printLine(lineOf(parts))),
  error: (...parts) => Effect.sync(() => printError(lineOf(parts)))
})

const printFailure = (cause: Cause.Cause<unknown>) => {
  const error = Cause.squash(cause)
  const hints = error instanceof InvalidCommand ? ["", ...error.hints] : []
  return Console.error([`${styled("boldRed", "linkbower:")} ${messageOf(cause)}`, ...hints].join("\n"))
}

/**
 * Runs the service or a command as the program: with `sources` of settings, and with a failure printed as one message.
 */
export const asProgram =
  (sources: Settings.Sources) =>
  <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.sync(() => setTerminalTraits(traitsOf(sources.environment))).pipe(
      Effect.zipRight(work),
      Effect.provide(Settings.layer(sources)),
      Effect.tapErrorCause((cause) => (Cause.isInterruptedOnly(cause) ? Effect.void : printFailure(cause))),
      (program) => Console.consoleWith((console) => Effect.withConsole(program, terminalConsole(console)))
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

/** A SIGHUP counts if there is a terminal: systemd's is ignored, because settings are read on each use. */
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
