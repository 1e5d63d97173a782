import { LOCK_PROBE, SANDBOX } from "./SandboxCommand.ts"

// Only the owner may read the files that the program writes, above all the library.
process.umask(0o077)

// Each part is a module of this program: a package imported here would be loaded whole, by the threads too.
if (process.argv[2] === SANDBOX) {
  // Nothing else is imported, so that a sandbox process starts fast and stays small.
  const [{ handleRequest }, { serveParent }] = await Promise.all([
    import("./enrich/page/SandboxWork.ts"),
    import("./runtime/ChildMain.ts")
  ])
  Bun.unsafe.setJITPolicy(1)
  await serveParent(Number(process.argv.at(-1)), handleRequest)
} else if (process.argv[2] === LOCK_PROBE) {
  const { probeLock: probe } = await import("./store/LockFile.ts")
  process.exitCode = probe(process.argv[3] ?? "")
} else {
  const { runProgram } = await import("./RunProgram.ts")
  runProgram(process.argv.slice(2), process.env)
}
