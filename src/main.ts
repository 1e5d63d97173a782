import { LOCK_PROBE, SANDBOX } from "./SandboxCommand.ts"

// Only the owner may read the files that the program writes, above all the library.
process.umask(0o077)

if (process.argv[2] === SANDBOX) {
  // Nothing else is imported, so that a sandbox process starts fast and stays small.
  const [{ handleRequest }, { serveParent }] = await Promise.all([
    import("./enrich/page/SandboxWork.ts"),
    import("./runtime/ChildMain.ts")
  ])
  await serveParent(Number(process.argv.at(-1)), handleRequest)
} else if (process.argv[2] === LOCK_PROBE) {
  const { probeLock: probe } = await import("./store/LockFile.ts")
  process.exitCode = probe(process.argv[3] ?? "")
} else {
  const [
    { BunContext, BunRuntime },
    { Effect, Option },
    { serviceFlags },
    { asProgram, exitCode, exitOnHangUp },
    { makeTurnScheduler }
  ] = await Promise.all([
    import("@effect/platform-bun"),
    import("effect"),
    import("./cli/GlobalOptions.ts"),
    import("./cli/Program.ts"),
    import("./runtime/Scheduling.ts")
  ])
  exitOnHangUp()
  const serve = Effect.flatMap(
    Effect.promise(() => import("./Serve.ts")),
    (service) => service.serve
  )
  const words = process.argv.slice(2)
  // The service does not load the command parser, nor a command the service: each starts in half the time.
  const work = Effect.flatMap(
    serviceFlags(words),
    Option.match({
      onSome: (flags) => asProgram({ environment: process.env, flags })(serve),
      onNone: () =>
        Effect.flatMap(
          Effect.promise(() => import("./cli/Cli.ts")),
          ({ run }) => run(serve, words, process.env)
        )
    })
  )
  work.pipe(
    Effect.provide(BunContext.layer),
    Effect.withScheduler(makeTurnScheduler()),
    BunRuntime.runMain({
      disableErrorReporting: true,
      disablePrettyLogger: true,
      teardown: (exit, onExit) => onExit(exitCode(exit))
    })
  )
}
