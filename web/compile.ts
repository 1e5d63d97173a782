import { join } from "node:path"
import { TARGETS, type Target } from "./targets.ts"

const ROOT = join(import.meta.dir, "..")

/**
 * Compiles the program with everything it embeds to one file in `dist`, and returns the file's path. Without `target`
 * it builds for this machine; the Bun of a target is downloaded once from the npm registry. Rejects with the bundler's
 * logs.
 */
export const compile = async (target?: Target): Promise<string> => {
  const path = join(ROOT, "dist", target === undefined ? "linkbower" : `linkbower-${target}`)
  const built = await Bun.build({
    entrypoints: ["main.ts", "ReaderThread.ts", "PublicThread.ts", "ImportThread.ts"].map((file) =>
      join(ROOT, "src", file)
    ),
    target: "bun",
    format: "esm",
    // Stores code shared by the program and its threads only once, which saves 5 MB.
    splitting: true,
    minify: { whitespace: true, syntax: true, identifiers: false },
    // Costs 9 MB and cuts the startup time by a third.
    bytecode: true,
    compile: {
      outfile: path,
      autoloadDotenv: false,
      autoloadBunfig: false,
      ...(target === undefined ? {} : { target: TARGETS[target] })
    }
  })
  if (!built.success) throw new AggregateError(built.logs, "the program does not build")
  return path
}
