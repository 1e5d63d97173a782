/** The argument with which the program starts as a reader of strangers' pages and pictures (`enrich/page/Sandbox.ts`). */
export const SANDBOX = "sandbox-process"

/** The argument with which the program starts as a test of its parent's lock (`store/LockFile.ts`). */
export const LOCK_PROBE = "lock-probe"

const self: ReadonlyArray<string> = [
  process.execPath,
  ...(Bun.isStandaloneExecutable ? [] : [Bun.fileURLToPath(new URL("./main.ts", import.meta.url))])
]

/** Starts this very program as such a test; the lock's file follows. */
export const lockProbeCommand: ReadonlyArray<string> = [...self, LOCK_PROBE]

/** Starts this very program as such a reader, compiled or from its source. */
export const sandboxCommand: ReadonlyArray<string> = [...self, SANDBOX]
