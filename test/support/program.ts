import { existsSync, readdirSync, renameSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import type { BunPlugin } from "bun"
import { compile } from "../../web/compile.ts"

const ROOT = resolve(import.meta.dir, "../..")
const BINARY = join(ROOT, "dist/test/linkbower")
const HOOK = join(import.meta.dir, "dyingThreads.ts")

/** What the binary is made of, the packages aside. */
const sources = ["src", "migrations", "web/public", "web/onboarding", "dist/app", "dist/docs"]

const isStale = () => {
  if (!existsSync(BINARY)) return true
  const built = statSync(BINARY).mtimeMs
  const isNewer = (file: string) => statSync(file).mtimeMs > built
  return (
    isNewer(HOOK) ||
    sources.some((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).some((file) =>
        isNewer(join(ROOT, folder, file))
      )
    )
  )
}

/** Lets tests kill the program's threads. Otherwise the program is the released one. */
const killableThreads: BunPlugin = {
  name: "killable threads",
  setup: (build) => {
    build.onLoad({ filter: /\/src\/Thread\.ts$/ }, async ({ path }) => ({
      contents: `import { dieOnDemand } from ${JSON.stringify(HOOK)}
        dieOnDemand(Bun.argv[2] ?? "")
        ${await Bun.file(path).text()}`,
      loader: "ts"
    }))
  }
}

/** Compiles the program unless the binary is newer than every source. Two test processes may both do so. */
const buildProgram = async () => {
  if (!isStale()) return
  const temporary = `${BINARY}-${process.pid}`
  await compile({ path: temporary, plugins: [killableThreads] })
  renameSync(temporary, BINARY)
}

await buildProgram()

/**
 * The command that runs the program under test. It is compiled, because compiled it starts in a quarter of the time
 * that the sources need, and the tests start it hundreds of times.
 */
export const PROGRAM: ReadonlyArray<string> = [BINARY]

/**
 * A part of the environment of the programs that tests start: without its optimizing compiler Bun starts the service in
 * two thirds of the processor time, and a command in half.
 */
export const WITHOUT_OPTIMIZER = { BUN_JSC_useDFGJIT: "0" }

/** The same part for services that run as users run them, with the optimizing compiler: those that are measured, too. */
export const AS_RELEASED = { BUN_JSC_useDFGJIT: "1" }
