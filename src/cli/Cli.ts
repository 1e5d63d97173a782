import { Command, ValidationError } from "@effect/cli"
import { FetchHttpClient } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Embedder } from "../enrich/embedding/Embedder.ts"
import { BotApi } from "../telegram/BotApi.ts"
import { VERSION } from "../version.ts"
import * as Backup from "./Backup.ts"
import * as Doctor from "./Doctor.ts"
import * as Export from "./Export.ts"
import * as Health from "./Health.ts"
import * as Import from "./Import.ts"
import { asProgram, type Environment, InvalidCommand } from "./Program.ts"
import * as Reindex from "./Reindex.ts"
import * as Restore from "./Restore.ts"
import * as SignIn from "./SignIn.ts"
import * as Webhook from "./Webhook.ts"

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
      oneShot(SignIn.command),
      oneShot(Doctor.command),
      oneShot(Health.command)
    ])
  )

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
    // @effect/cli has already printed a usage error.
    Effect.mapError((error) => (ValidationError.isValidationError(error) ? new InvalidCommand() : error)),
    asProgram(environment)
  )
