import { existsSync, readdirSync, renameSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import { compile } from "../../web/compile.ts"

const ROOT = resolve(import.meta.dir, "../..")
const BINARY = join(ROOT, "dist/test/linkbower")

/** What the binary is made of, the packages aside. */
const sources = ["src", "migrations", "web/public", "dist/app", "dist/docs"]

const isStale = () => {
  if (!existsSync(BINARY)) return true
  const built = statSync(BINARY).mtimeMs
  return sources.some((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).some(
      (file) => statSync(join(ROOT, folder, file)).mtimeMs > built
    )
  )
}

/** Compiles the program unless the binary is newer than every source. Two test processes may both do so. */
const buildProgram = async () => {
  if (!isStale()) return
  const temporary = `${BINARY}-${process.pid}`
  await compile({ path: temporary })
  renameSync(temporary, BINARY)
}

await buildProgram()

/**
 * The command that runs the program under test. It is compiled, because compiled it starts in a quarter of the time
 * that the sources need, and the tests start it hundreds of times.
 */
export const PROGRAM: ReadonlyArray<string> = [BINARY]
