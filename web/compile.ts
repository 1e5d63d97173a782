import { join } from "node:path"
import { TARGETS, type Target } from "./targets.ts"

const ROOT = join(import.meta.dir, "..")

/**
 * Compiles the program, with all it embeds, to one file below `dist`; gives that file's path. For this machine unless a
 * target is named, whose Bun then comes from the npm registry, once. Rejects with what the bundler says.
 */
export const compile = async (target?: Target): Promise<string> => {
  const path = join(ROOT, "dist", target === undefined ? "linkbower" : `linkbower-${target}`)
  const built = await Bun.build({
    entrypoints: ["main.ts", "ReaderThread.ts", "PublicThread.ts", "ImportThread.ts"].map((file) =>
      join(ROOT, "src", file)
    ),
    target: "bun",
    format: "esm",
    // What the program and its threads share is kept once: 5 MB less.
    splitting: true,
    minify: { whitespace: true, syntax: true, identifiers: false },
    // 9 MB more, and a third less time until it answers.
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
