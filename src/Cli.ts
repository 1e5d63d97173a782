import { Command, ValidationError } from "@effect/cli"
import { FetchHttpClient } from "@effect/platform"
import { Cause, Console, Effect, Layer } from "effect"
import { BotApi } from "./bot/Telegram.ts"
import * as Export from "./commands/Export.ts"
import * as Import from "./commands/Import.ts"
import * as Webhook from "./commands/Webhook.ts"
import { serve } from "./Serve.ts"
import * as Settings from "./Settings.ts"
import { VERSION } from "./version.ts"

type Environment = Readonly<Record<string, string | undefined>>

const commands = Command.make("linkbower", {}, () => serve).pipe(
  Command.withDescription("A single-user, self-hosted link library. Without a command it serves."),
  Command.withSubcommands([
    Command.make("serve", {}, () => serve).pipe(Command.withDescription("Runs the service (the default).")),
    Import.command,
    Export.command,
    Command.provide(Webhook.command, Layer.provide(BotApi.layer, FetchHttpClient.layer))
  ])
)

const commandLine = Command.run(commands, { name: "Linkbower", version: VERSION })

/** What a person needs to read about a failure: its own sentence, never a stack trace. */
const sentence = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  if (!(error instanceof Error)) return String(error)
  if ("code" in error && error.code === "EADDRINUSE")
    return "The port is in use by another program. Set PORT to a free one."
  return error.message
}

const isMisspoken = (cause: Cause.Cause<unknown>) => ValidationError.isValidationError(Cause.squash(cause))

/** Runs the command that `argv` names, with `environment` as the last source of settings. */
export const run = (argv: ReadonlyArray<string>, environment: Environment) =>
  commandLine(argv).pipe(
    Effect.provide(Settings.layer({ environment })),
    Effect.tapErrorCause((cause) =>
      // What is wrong with the command itself has been said by then.
      isMisspoken(cause) ? Effect.void : Console.error(`linkbower: ${sentence(cause)}`)
    )
  )
