/** Argument that starts the program as the sandbox for untrusted pages and pictures (`enrich/page/Sandbox.ts`). */
export const SANDBOX = "sandbox-process"

/** Argument that starts the program as a probe of its parent's lock (`store/LockFile.ts`). */
export const LOCK_PROBE = "lock-probe"

const self: ReadonlyArray<string> = [
  process.execPath,
  ...(Bun.isStandaloneExecutable ? [] : [Bun.fileURLToPath(new URL("./main.ts", import.meta.url))])
]

/** Command that starts this program as a lock probe; the caller appends the path of the lock file. */
export const lockProbeCommand: ReadonlyArray<string> = [...self, LOCK_PROBE]

/** Command that starts this program as a sandbox, whether compiled or run from source. */
export const sandboxCommand: ReadonlyArray<string> = [...self, SANDBOX]
