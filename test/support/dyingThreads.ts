import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/**
 * Called in each thread of the program that tests compile (`program.ts`). If TEST_THREADS names a folder, the thread
 * puts a file there and dies when a test removes it, or at once while a file `no-NAME` exists.
 */
export const dieOnDemand = (name: string) => {
  const folder = process.env["TEST_THREADS"]
  if (folder === undefined) return
  if (existsSync(join(folder, `no-${name}`))) process.exit(7)
  const file = join(folder, `${name}-${crypto.randomUUID()}`)
  writeFileSync(file, "")
  process.on("exit", () => rmSync(file, { force: true }))
  setInterval(() => {
    if (!existsSync(file)) process.exit(7)
  }, 2).unref()
}

/** The threads of a service whose TEST_THREADS is this folder. */
export const threadsIn = (folder: string) => {
  const running = (name: string) => readdirSync(folder).filter((file) => file.startsWith(`${name}-`))
  return {
    running,
    /** Kills the threads of this name, except those in `except`; returns how many. */
    kill: (name: string, except: ReadonlyArray<string> = []) => {
      const files = running(name).filter((file) => !except.includes(file))
      for (const file of files) rmSync(join(folder, file), { force: true })
      return files.length
    },
    /** From now on, every thread of this name dies as it starts. */
    forbid: (name: string) => writeFileSync(join(folder, `no-${name}`), ""),
    allow: (name: string) => rmSync(join(folder, `no-${name}`), { force: true })
  }
}
