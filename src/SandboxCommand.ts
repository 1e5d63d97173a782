/** The argument with which the program starts as a reader of strangers' pages and pictures (`enrich/Sandbox.ts`). */
export const SANDBOX = "sandbox-process"

/** Starts this very program as such a reader, compiled or from its source. */
export const sandboxCommand: ReadonlyArray<string> = [
  process.execPath,
  ...(Bun.isStandaloneExecutable ? [] : [Bun.fileURLToPath(new URL("./main.ts", import.meta.url))]),
  SANDBOX
]
