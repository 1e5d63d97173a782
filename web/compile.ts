import { join } from "node:path"
import type { BunPlugin } from "bun"
import { TARGETS, type Target } from "./targets.ts"

const ROOT = join(import.meta.dir, "..")

/** The target machine and the output file. */
interface CompileOptions {
  /** This machine by default. Bun for another target is downloaded once from the npm registry. */
  readonly target?: Target | undefined
  /** In `dist` and named after the target by default. */
  readonly path?: string
  /** The address of all releases, from which the program fetches files of its own release. */
  readonly releases?: string | undefined
  /** Bundler plugins, with which tests change the program. */
  readonly plugins?: Array<BunPlugin>
}

/**
 * Compiles the program with everything it embeds to one file, and returns the file's path. Rejects with the bundler's
 * logs.
 */
export const compile = async ({
  target,
  path = join(ROOT, "dist", target === undefined ? "linkbower" : `linkbower-${target}`),
  releases,
  plugins = []
}: CompileOptions): Promise<string> => {
  const built = await Bun.build({
    entrypoints: ["main.ts", "Thread.ts"].map((file) => join(ROOT, "src", file)),
    // Threads are found by their paths from here.
    root: join(ROOT, "src"),
    plugins,
    ...(releases === undefined ? {} : { define: { RELEASES: JSON.stringify(releases) } }),
    target: "bun",
    format: "esm",
    // Stores code shared by the program and its threads only once, which saves 5 MB.
    splitting: true,
    minify: { whitespace: true, syntax: true, identifiers: false },
    // Costs 9 MB and cuts the startup time by a third.
    bytecode: true,
    compile: {
      outfile: path,
      // Most code of a start runs once, and compiling it took a third of the processor time. Each way to run the program
      // goes back to the usual policy when its start is over.
      jitPolicy: 200,
      // Collects garbage sooner: without it the heap of a busy service was twice as large.
      execArgv: ["--smol"],
      autoloadDotenv: false,
      autoloadBunfig: false,
      ...(target === undefined ? {} : { target: TARGETS[target] })
    }
  })
  if (!built.success) throw new AggregateError(built.logs, "the program does not build")
  return path
}
