import { BunContext, BunRuntime } from "@effect/platform-bun"
import { Effect } from "effect"
import { run } from "./Cli.ts"

// By default this signal ends the process; the settings are read anew on each use, so there is nothing to reload.
process.on("SIGHUP", () => {})

run(process.argv, process.env).pipe(
  Effect.provide(BunContext.layer),
  BunRuntime.runMain({ disableErrorReporting: true, disablePrettyLogger: true })
)
