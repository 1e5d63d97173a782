import { BunContext, BunRuntime } from "@effect/platform-bun"
import { Effect } from "effect"
import { exitCode, run } from "./Cli.ts"

// By default this signal ends the process; the settings are read anew on each use, so there is nothing to reload.
process.on("SIGHUP", () => {})

// What is written, the library above all, is for its owner's eyes.
process.umask(0o077)

run(process.argv, process.env).pipe(
  Effect.provide(BunContext.layer),
  BunRuntime.runMain({
    disableErrorReporting: true,
    disablePrettyLogger: true,
    teardown: (exit, onExit) => onExit(exitCode(exit))
  })
)
