import { readFileSync } from "node:fs"
import { isatty } from "node:tty"
import { Command, ValidationError } from "@effect/cli"
import { FetchHttpClient } from "@effect/platform"
import { Cause, ConfigError, Console, Effect, Exit, Layer } from "effect"
import * as Settings from "../config/SettingSources.ts"
import { Embedder } from "../enrich/embedding/Embedder.ts"
import { BotApi } from "../telegram/BotApi.ts"
import { VERSION } from "../version.ts"
import * as Backup from "./Backup.ts"
import * as Doctor from "./Doctor.ts"
import * as Export from "./Export.ts"
import * as Health from "./Health.ts"
import * as Import from "./Import.ts"
import * as Reindex from "./Reindex.ts"
import * as Restore from "./Restore.ts"
import * as Webhook from "./Webhook.ts"

type Environment = Readonly<Record<string, string | undefined>>

/** The exit status after Ctrl+C (the shell's convention: 128 plus the signal's number). */
const INTERRUPTED = 130

/** A one-shot command, unlike `serve`: an interruption leaves its work unfinished, so it sets the exit status. */
const oneShot = <Name extends string, R, E, A>(command: Command.Command<Name, R, E, A>) =>
  Command.transformHandler(command, (work) =>
    Effect.onInterrupt(work, () =>
      Effect.sync(() => {
        process.exitCode = INTERRUPTED
      })
    )
  )

const commandsWith = <A, E, R>(serve: Effect.Effect<A, E, R>) =>
  Command.make("linkbower", {}, () => Effect.asVoid(serve)).pipe(
    Command.withDescription("A single-user, self-hosted link library. Without a command it serves."),
    Command.withSubcommands([
      Command.make("serve", {}, () => Effect.asVoid(serve)).pipe(
        Command.withDescription("Runs the service (the default).")
      ),
      oneShot(Import.command),
      oneShot(Export.command),
      oneShot(Backup.command),
      oneShot(Restore.command),
      oneShot(Command.provide(Reindex.command, Layer.provide(Embedder.layer, FetchHttpClient.layer))),
      oneShot(Command.provide(Webhook.command, Layer.provide(BotApi.layer, FetchHttpClient.layer))),
      oneShot(Doctor.command),
      oneShot(Health.command)
    ])
  )

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

const isUsageError = (cause: Cause.Cause<unknown>) => ValidationError.isValidationError(Cause.squash(cause))

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
 * Runs the command that `argv` names, with `environment` as the last source of settings; `serve` is the service itself,
 * which is wired above the commands.
 */
export const run = <A, E, R>(
  serve: Effect.Effect<A, E, R>,
  argv: ReadonlyArray<string>,
  environment: Environment
) =>
  Command.run(commandsWith(serve), { name: "Linkbower", version: VERSION })(argv).pipe(
    Effect.provide(Settings.layer({ environment })),
    Effect.tapErrorCause((cause) =>
      // @effect/cli has already printed a usage error.
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
