import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** What a faulty disk does to SQLite's system calls; `faults.c` explains each. */
export interface Fault {
  readonly calls: "read" | "write" | "sync" | "truncate" | "lock"
  readonly error?: "EIO" | "ENOSPC" | "EROFS"
  /** Only files whose path contains this. */
  readonly path?: string
  /** So many calls succeed first. */
  readonly after?: number
}

const folder = mkdtempSync(join(tmpdir(), "linkbower-faults-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))

const library = join(folder, "faults.so")
const isBuilt =
  process.platform === "linux" &&
  ["cc", "gcc", "clang"].some(
    (compiler) =>
      Bun.which(compiler) !== null &&
      Bun.spawnSync([
        compiler,
        "-shared",
        "-fPIC",
        "-O1",
        "-o",
        library,
        join(import.meta.dir, "faults.c"),
        "-ldl"
      ]).success
  )

/** Whether faults can be made here: that takes Linux and a C compiler. */
export const canFault = isBuilt && existsSync(library)

/** The environment of a process with these faults, and a switch that turns them on and off; they begin turned off. */
export const faulty = ({ after, calls, error, path }: Fault) => {
  const armed = join(folder, `armed-${crypto.randomUUID()}`)
  const env: Record<string, string> = {
    LD_PRELOAD: library,
    FAULT_CALLS: calls,
    FAULT_ARMED: armed,
    FAULT_ERRNO: error ?? "EIO",
    FAULT_PATH: path ?? "library.db",
    FAULT_AFTER: String(after ?? 0)
  }
  return {
    env,
    on: () => writeFileSync(armed, ""),
    off: () => rmSync(armed, { force: true })
  }
}

/** The environment of a process whose clock can jump, and what moves it, by seconds from the machine's clock. */
export const movableClock = () => {
  const file = join(folder, `clock-${crypto.randomUUID()}`)
  const ahead = new BigInt64Array(1)
  writeFileSync(file, ahead)
  const env: Record<string, string> = { LD_PRELOAD: library, FAULT_CLOCK: file }
  return {
    env,
    set: (seconds: number) => {
      ahead[0] = BigInt(seconds)
      // In place: the process has mapped the file.
      writeFileSync(file, ahead, { flag: "r+" })
    }
  }
}
