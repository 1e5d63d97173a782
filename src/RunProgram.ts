import * as BunContext from "@effect/platform-bun/BunContext"
import * as BunRuntime from "@effect/platform-bun/BunRuntime"
import { Effect, Option, RuntimeFlags, RuntimeFlagsPatch } from "effect"
import { serviceFlags } from "./cli/GlobalOptions.ts"
import { asProgram, type Environment, exitCode, exitOnHangUp } from "./cli/Program.ts"
import { makeTurnScheduler } from "./runtime/Scheduling.ts"

const serve = Effect.flatMap(
  Effect.promise(() => import("./Serve.ts")),
  (service) => service.serve
)

const openLocal = Effect.flatMap(
  Effect.promise(() => import("./Local.ts")),
  (local) => local.openLocal
)

export const runProgram = (words: ReadonlyArray<string>, environment: Environment): void => {
  exitOnHangUp()
  // The service does not load the command parser, nor a command the service: each starts in half the time.
  const work = Effect.flatMap(
    serviceFlags(words),
    Option.match({
      onSome: (flags) => asProgram({ environment, flags })(serve),
      onNone: () =>
        Effect.flatMap(
          Effect.promise(() => import("./cli/Cli.ts")),
          ({ run }) => run({ serve, openLocal }, words, environment)
        )
    })
  )
  work.pipe(
    Effect.provide(BunContext.layer),
    Effect.withScheduler(makeTurnScheduler()),
    // Nobody reads Effect's own counts of fibers, which each fiber updates.
    Effect.withRuntimeFlagsPatch(RuntimeFlagsPatch.disable(RuntimeFlags.RuntimeMetrics)),
    BunRuntime.runMain({
      disableErrorReporting: true,
      disablePrettyLogger: true,
      teardown: (exit, onExit) => onExit(exitCode(exit))
    })
  )
}
