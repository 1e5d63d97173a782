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
    { Effect },
    { exitCode, exitOnHangUp, run },
    { makeTurnScheduler },
    { serve }
  ] = await Promise.all([
    import("@effect/platform-bun"),
    import("effect"),
    import("./cli/Cli.ts"),
    import("./runtime/Scheduling.ts"),
    import("./Serve.ts")
  ])
  exitOnHangUp()
  run(serve, process.argv, process.env).pipe(
    Effect.provide(BunContext.layer),
    Effect.withScheduler(makeTurnScheduler()),
    BunRuntime.runMain({
      disableErrorReporting: true,
      disablePrettyLogger: true,
      teardown: (exit, onExit) => onExit(exitCode(exit))
    })
  )
}
