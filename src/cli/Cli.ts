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
import { colourfulOnTerminals } from "./Output.ts"
import * as Reindex from "./Reindex.ts"
import * as Restore from "./Restore.ts"
import * as Webhook from "./Webhook.ts"

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

const commandsWith = <A, E, R>(serve: Effect.Effect<A, E, R>) =>
  Command.make("linkbower", {}, () => Effect.asVoid(serve)).pipe(
    Command.withDescription("A single-user, self-hosted link library. Without a command it serves."),
    Command.withSubcommands([
      Command.make("serve", {}, () => Effect.asVoid(serve)).pipe(
        Command.withDescription("Runs the service (the default).")
      ),
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

/**
 * Runs the command that `argv` names, with `environment` as the last source of settings; `serve` is the service itself, which
 * is wired above the commands.
 */
export const run = <A, E, R>(
  serve: Effect.Effect<A, E, R>,
  argv: ReadonlyArray<string>,
  environment: Environment
) =>
  Command.run(commandsWith(serve), { name: "Linkbower", version: VERSION })(argv).pipe(
    Effect.provide(Settings.layer({ environment })),
    Effect.tapErrorCause((cause) =>
      // What is wrong with the command itself has been said by then.
      isMisspoken(cause) ? Effect.void : Console.error(`linkbower: ${sentence(cause)}`)
    ),
    colourfulOnTerminals(environment)
  )
