import { BunContext, BunRuntime } from "@effect/platform-bun"
import { Effect } from "effect"
import { run } from "./Cli.ts"

run(process.argv, process.env).pipe(Effect.provide(BunContext.layer), BunRuntime.runMain)
