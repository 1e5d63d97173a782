import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"

/**
 * Loaded before the service (`bun --preload`), and by it before each of its threads: a thread then puts a file into the
 * folder that LIVING names, and dies when that file is removed, or at once while a file `no-…` forbids it. The service
 * itself is unchanged.
 */
const folder = process.env["LIVING"]
if (folder !== undefined && Bun.isMainThread) {
  globalThis.Worker = class extends Worker {
    constructor(file: string | URL, options?: WorkerOptions) {
      super(file, { ...options, preload: [import.meta.path] })
    }
  }
} else if (folder !== undefined) {
  const name = basename(Bun.argv[1] ?? "", ".ts")
  if (existsSync(join(folder, `no-${name}`))) process.exit(7)
  const file = join(folder, `${name}-${crypto.randomUUID()}`)
  writeFileSync(file, "")
  process.on("exit", () => rmSync(file, { force: true }))
  setInterval(() => {
    if (!existsSync(file)) process.exit(7)
  }, 2).unref()
}

/** The threads of the service whose LIVING is this folder, and their deaths. */
export const threadsOf = (living: string) => {
  const known = (name: string) => readdirSync(living).filter((file) => file.startsWith(`${name}-`))
  return {
    known,
    /** Lets the threads die that run the file of this name, but for those in `except`. */
    kill: (name: string, except: ReadonlyArray<string> = []) => {
      const all = known(name).filter((file) => !except.includes(file))
      for (const file of all) rmSync(join(living, file), { force: true })
      return all.length
    },
    /** From now on no thread of this name can live, or it can again. */
    forbid: (name: string) => writeFileSync(join(living, `no-${name}`), ""),
    allow: (name: string) => rmSync(join(living, `no-${name}`), { force: true })
  }
}
