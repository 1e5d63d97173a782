import { Command, ValidationError } from "@effect/cli"
import { FetchHttpClient } from "@effect/platform"
import { Cause, ConfigError, Console, Effect, Exit, Layer } from "effect"
import { BotApi } from "./bot/Telegram.ts"
import * as Backup from "./commands/Backup.ts"
import * as Doctor from "./commands/Doctor.ts"
import * as Export from "./commands/Export.ts"
import * as Health from "./commands/Health.ts"
import * as Import from "./commands/Import.ts"
import * as Reindex from "./commands/Reindex.ts"
import * as Restore from "./commands/Restore.ts"
import * as Webhook from "./commands/Webhook.ts"
import { Embedder } from "./enrich/Embedder.ts"
import { serve } from "./Serve.ts"
import * as Settings from "./Settings.ts"
import { colourfulOnTerminals } from "./Terminal.ts"
import { VERSION } from "./version.ts"

type Environment = Readonly<Record<string, string | undefined>>

/** The exit status of a command that Ctrl+C has ended (the shell's own convention: 128 and the signal's number). */
const INTERRUPTED = 130

/** A command that ends by itself, unlike the service: one that was cut short has not done what it was asked. */
const ending = <Name extends string, R, E, A>(command: Command.Command<Name, R, E, A>) =>
  Command.transformHandler(command, (work) =>
    Effect.onInterrupt(work, () =>
      Effect.sync(() => {
        process.exitCode = INTERRUPTED
      })
    )
  )

const commands = Command.make("linkbower", {}, () => serve).pipe(
  Command.withDescription("A single-user, self-hosted link library. Without a command it serves."),
  Command.withSubcommands([
    Command.make("serve", {}, () => serve).pipe(Command.withDescription("Runs the service (the default).")),
    ending(Import.command),
    ending(Export.command),
    ending(Backup.command),
    ending(Restore.command),
    ending(Command.provide(Reindex.command, Layer.provide(Embedder.layer, FetchHttpClient.layer))),
    ending(Command.provide(Webhook.command, Layer.provide(BotApi.layer, FetchHttpClient.layer))),
    ending(Doctor.command),
    ending(Health.command)
  ])
)

const commandLine = Command.run(commands, { name: "Linkbower", version: VERSION })

/** What a person needs to read about a failure: its own sentence, never a stack trace. */
const sentence = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  if (ConfigError.isConfigError(error) && error._op === "InvalidData")
    return `${error.path.join("_")} is not usable. ${error.message}`
  if (!(error instanceof Error)) return String(error)
  if ("code" in error && error.code === "EADDRINUSE")
    return "The port is in use by another program. Set PORT to a free one."
  return error.message
}

const isMisspoken = (cause: Cause.Cause<unknown>) => ValidationError.isValidationError(Cause.squash(cause))

/** 0 where all went well, the service having been stopped among it; 1 where something failed; 2 for a command that is none. */
export const exitCode = (exit: Exit.Exit<unknown, unknown>): number => {
  if (Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause)) return Number(process.exitCode ?? 0)
  return isMisspoken(exit.cause) ? 2 : 1
}

/** Runs the command that `argv` names, with `environment` as the last source of settings. */
export const run = (argv: ReadonlyArray<string>, environment: Environment) =>
  commandLine(argv).pipe(
    Effect.provide(Settings.layer({ environment })),
    Effect.tapErrorCause((cause) =>
      // What is wrong with the command itself has been said by then.
      isMisspoken(cause) ? Effect.void : Console.error(`linkbower: ${sentence(cause)}`)
    ),
    colourfulOnTerminals(environment)
  )
